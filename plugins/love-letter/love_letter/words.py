"""Texts, moods and the rule book in our own words, as described in the dossier."""

from love_letter.rules import FACES
from referee.contract import Book, Cue, Label, Mood, Words, write_own_chapters

MOODS = {"deal": "season", "guesses": "claim", "aims": "claim", "out": "out", "token": "gain", "won": "win"}
CUES = {key: Cue(Mood(mood), "" if key in {"deal", "won", "token"} else "seat") for key, mood in MOODS.items()}
AIMS = {"guess": "{seat:player} has: {face:face}", "at": "{seat:player}"}
WORDS = Words(
    title="Love Letter",
    pitch="Hold the highest card, and don't get caught with it.",
    faces={face: face for face in FACES},
    asks={
        "open": "Turn up three cards of the pile: they stay out of the round.",
        "card": "{seats:players}: draw a card, and lay one of the two before you.",
        "guess": "{seats:players}: who has which card?",
        "at": "{seats:players}: at whom do you aim your card?",
        "hand": "{seats:players}: lay your hand open before you.",
        "denies": "Or don't you have it?",
        "looks": "{seats:players}: look at the hand, and give it back.",
        "compares": "{seats:players}: compare in secret. Whose card is lower?",
    },
    options={**AIMS, "no": "no", "lower": "{seat:player} has the lower card", "even": "both are equal"},
    rulings={
        "deal": "Shuffle, put one card aside, deal one each. {seat:player} begins.",
        "opened": "Out of the round: {cards:faces}.",
        "draws": "{seat:player} draws a card.",
        "takes-aside": "{seat:player} takes the card that was put aside.",
        "lays": "{seat:player} lays: {card:face}.",
        "guesses": "{seat:player} to {target:player}: {card:face}?",
        "denies": "{seat:player} doesn't have it: {card:face}.",
        "back": "{target:player} takes the hand back.",
        "aims": "{seat:player} aims it at {target:player}: {card:face}.",
        "out": "{seat:player} is out of the round.",
        "best": "{seats:players}: the highest hand, or the last one in.",
        "token": "A token for {seats:players}.",
        "won": "{seats:players}: enough tokens to win the match.",
    },
    facts={"pile": Label("Pile", "{count}"), "safe": Label("Protected", "now"), "out": Label("Out", "now")},
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
    "hand": "guard baron prince princess best",
    "looks": "priest",
    "guess": "guard",
    "no": "guard",
    "denies": "guard",
}
BEHIND |= {"lower": "baron", "even": "baron", "compares": "baron"}
BOOK = Book(chapters=CHAPTERS, options=BEHIND, asks=BEHIND)
