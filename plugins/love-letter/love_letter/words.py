"""Texts, moods and the rule book in our own words, as described in the dossier."""

from love_letter.rules import DECK, FACES
from referee.contract import Book, Cue, Label, Mood, Words, wording, write_own_chapters

MOODS = {
    "deal": "season",
    "guesses": "claim",
    "aims": "claim",
    "aims-own": "claim",
    "out": "out",
    "token": "gain",
    "won": "win",
}
CUES = {key: Cue(Mood(mood), "" if key in {"deal", "won", "token"} else "seat") for key, mood in MOODS.items()}
EFFECTS = {
    "guard": "Name a player and a card: a player who has it is out.",
    "priest": "Look at a player's hand.",
    "baron": "Compare hands with a player: the lower one is out.",
    "handmaid": "No card is aimed at you until your next turn.",
    "prince": "A player discards the hand, and draws a card.",
    "king": "Swap hands with a player.",
    "countess": "You must lay her if you also hold the prince or the king.",
    "princess": "If you lay her, you are out.",
}
WORDS = Words(
    title="Love Letter",
    pitch="Hold the highest card, and don't get caught with it.",
    faces={face: face for face in FACES},
    definite={face: f"the {face}" for face in FACES},
    indefinite={face: f"{'a' if DECK.counts[face] > 1 else 'the'} {face}" for face in FACES},
    face_effects=EFFECTS,
    asks={
        "open": "Turn up three cards of the pile: they stay out of the round.",
        "card": wording(
            "Which card does {seats:players} lay?",
            seats="You draw a card. Which of the two do you lay before you?",
        ),
        "guess": "Whose card [does {seats:players}|do you] guess?",
        "at": "Which player [does {seats:players}|do you] choose?",
        "hand-guesses": wording(
            "Does {seats:players} have it?", seats="If you have it, lay it open: you are out. If not, say so."
        ),
        "hand-falls": wording("Which card did {seats:players} hold?", seats="Lay your card open."),
        "hand-drops": wording(
            "Which card does {seats:players} discard?",
            seats="Discard your card, face up, and draw another one. Which card was it?",
        ),
        "hand-show": "Which card [does {seats:players}|do you] hold?",
        "hand-princess": wording(
            "Which card does {seats:players} still hold?", seats="Lay your other card open, too."
        ),
        "looks": wording("Has {seats:players} given it back?", seats="Then give it back."),
        "compares": wording("Whose card is lower?", seats="Compare in secret. Whose card is lower?"),
    },
    options={
        "guess": "{seat:player} has {face:indefinite}",
        "at": "{seat:player}",
        "no": "I don't have it",
        "lower": "{seat:player} has the lower card",
        "even": "both are equal",
    },
    answers={"card": "Lay it: {card:face}", "hand": "Show it: {card:face}"},
    situations={
        "turn": "It is [{seat:player}'s|your] turn.",
        "guard": "[{seat:player} has|You have] laid a guard, and may guess a card.",
        "aims": "[{seat:player} has|You have] laid {card:indefinite}.",
        "guesses": wording(
            "{seat:player} guesses that {target:player} has {card:indefinite}.",
            target="{seat:player} guesses that you have {card:indefinite}.",
            seat="You guess that {target:player} has {card:indefinite}.",
        ),
        "looks": wording(
            "{seat:player} looks at {target:player}'s hand.",
            target="{seat:player} looks at your hand.",
            seat="You look at {target:player}'s hand.",
        ),
        "compares": wording(
            "{seat:player} and {target:player} compare hands.",
            target="{seat:player} compares hands with you.",
            seat="You compare hands with {target:player}.",
        ),
        "falls": wording(
            "{target:player} has the lower card, and is out.", target="You have the lower card, and are out."
        ),
        "drops": wording(
            "{target:player} discards their hand, and draws a card.",
            target="You discard your hand, and draw a card.",
        ),
        "princess": wording(
            "{seat:player} has laid the princess, and is out.", seat="You have laid the princess, and are out."
        ),
        "show": "The pile is empty: everybody still in shows their hand.",
        "open": "Two players: three cards are left out of the round.",
    },
    rulings={
        "deal": "Shuffle, put one card aside, deal one each. {seat:player} begins.",
        "opened": "Out of the round: {cards:faces}.",
        "draws": "{seat:player} draws a card.",
        "takes-aside": "{seat:player} takes the card that was put aside.",
        "lays": "{seat:player} lays {card:indefinite}.",
        "guesses": "{seat:player} guesses that {target:player} has {card:indefinite}.",
        "denies": "{seat:player} doesn't have {card:definite}.",
        "back": "{target:player} takes their hand back.",
        "aims-own": "{seat:player} chooses to discard their own hand.",
        "aims": "{seat:player} chooses {target:player} for {card:definite}.",
        "out": "[{seat:player} is|You are] out of the round.",
        "best": "The highest hand: {seats:players}.",
        "last": "{seats:players} is the last one in.",
        "token": "A token for [{seats:players}|you].",
        "won": "Enough tokens to win the match: {seats:players}.",
    },
    facts={
        "pile": Label("Pile", "{count} [card|cards]"),
        "safe": Label("Safe", "until the next turn"),
        "out": Label("Out", "of the round"),
    },
    highlights={
        "guessed": Label("Best guess", "{by:actor} guessed that {seat:actor} had {card:indefinite}."),
        "compared": Label("Duel of the barons", "{seat:actor} had {card:indefinite}, and lost."),
    },
    cards={"laid": "Laid", "open": "Out of the round"},
    counts={"tokens": "{count} [token|tokens]"},
    house={"tied": "who gets a token in a complete tie"},
    values={"tied.all": "all of them", "tied.none": "nobody"},
)
CHAPTERS = write_own_chapters(
    {
        "A round": {
            "open": "One card is put aside, and each player gets one; with two players, three more"
            " are turned up.",
            "card": "On your turn, draw a card and lay one of the two.",
            "best": "The last player in wins the round. If the pile runs out, the highest hand wins, then the "
            "higher total laid.",
            "tied/all": "If that is a tie, too, each of them gets a token.",
            "tied/none": "If that is a tie, too, nobody gets a token.",
            "token": "The winner gets a token and begins. Tokens to win: seven with two players,"
            " five with three, four with four.",
        },
        "The cards": {
            "guard": "Guard (1): name a player and any card but a guard; a player who has it is out.",
            "priest": "Priest (2): look at a hand.",
            "baron": "Baron (3): compare hands in secret; the lower one is out.",
            "handmaid": "Handmaid (4): no card is aimed at you until your next turn.",
            "prince": "Prince (5): a player, or you, discards the hand face up and draws; if the"
            " pile is empty, the card put aside.",
            "king": "King (6): swap hands with a player.",
            "countess": "Countess (7): you must lay her if you also have the prince or the king.",
            "princess": "Princess (8): a player who lays her, for whatever reason, is out.",
        },
    },
    agreed={"tied": {"all": "tied/all", "none": "tied/none"}},
)
BEHIND = {
    "at": "priest baron prince king",
    "hand-guesses": "guard",
    "hand-falls": "baron",
    "hand-drops": "prince",
    "hand-princess": "princess",
    "hand-show": "best",
    "looks": "priest",
    "guess": "guard",
    "no": "guard",
    "denies": "guard",
}
BEHIND |= {"lower": "baron", "even": "baron", "compares": "baron"}
BOOK = Book(chapters=CHAPTERS, options=BEHIND, asks=BEHIND)
