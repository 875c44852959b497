"""Texts, moods and button presses."""

from referee.contract import Cue, Label, Mood, Words, plural, wording
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES, SUIT_WORDS

CUES = {
    "deal": Cue(Mood.SEASON, ""),
    "takes": Cue(Mood.TRICK),
    "moon": Cue(Mood.REVERSAL),
    "won": Cue(Mood.WIN, ""),
}

WORDS = Words(
    title="Hearts",
    pitch="Take as few hearts as you can, and never the queen of spades.",
    faces={**CARD_NAMES, **SUIT_NAMES},
    suits={word: SUIT_NAMES[suit] for word, suit in SUIT_WORDS.items()},
    asks={
        "pass": wording(
            "Still choosing: {seats:players}.", seats="Choose three cards, and pass them on face down."
        ),
        "first": wording("Who has the two of clubs?", seats="Do you have the two of clubs?"),
        "card": "Which card [does {seats:players}|do you] lay?",
        "only": wording(
            "Or does {seats:players} hold nothing that may be laid?",
            seats="Or do you hold nothing that may be laid?",
        ),
    },
    answers={"pass": plural("Pass this card", "Pass these {count} cards", by="count")},
    options={"mine": "I have the two of clubs", "only": "I have only cards that may not be laid now"},
    rulings={
        "deal": "Deal {number}: shuffle, and deal {count} cards each.",
        "passes": "{seat:player} has put three cards aside.",
        "passed": "Take up the three cards that were passed to you.",
        "leads": "{seat:player} has the two of clubs and leads it.",
        "only": "{seat:player} holds nothing that may be laid.",
        "lays": "{seat:player} lays the {card:face}.",
        "revoke": plural(
            "Revoke! In trick {tricks:numbers}, {seat:player} denied the suit of the {card:face}, and now lays"
            " it.",
            "Revoke! In tricks {tricks:numbers}, {seat:player} denied the suit of the {card:face}, and now lays"
            " it.",
            by="count",
        ),
        "takes": "[{seat:player} takes|You take] the trick: {points} [point|points].",
        "scored": "The deal is over. Its points: {counts:scores}.",
        "moon": "{seat:player} has taken all points and shoots the moon!",
        "won": "The fewest points win: {seats:players} with {points}.",
    },
    refusals={
        "two-of-clubs": "The two of clubs leads the first trick.",
        "first-trick": "No heart, no queen of spades in the first trick, unless you have nothing else.",
        "not-broken": "Hearts may not be led yet, unless you have nothing else.",
    },
    situations={
        "passing-1": "Three cards are passed to the left.",
        "passing-2": "Three cards are passed across.",
        "passing-3": "Three cards are passed to the right.",
        "first": "The two of clubs leads.",
        "leads": "[{seat:player} leads|You lead] a new trick.",
        "to-follow": "[{seat:actor} has|You have] led {suit:face}.",
    },
    facts={
        "suit": Label("To follow", "{suit:face}"),
        "broken": Label("Hearts", "may be led"),
        "unbroken": Label("Hearts", "may not be led yet"),
        "taken": Label("Taken in this deal", "{points}"),
        "target": Label("The match ends at", "{points}"),
    },
    highlights={
        "moon": Label("Shot the moon", "Round {round}: {seat:actor} took every heart and the queen of spades."),
        "trick": Label(
            "Costliest trick", "Round {round}: {seat:actor} took {points} [point|points] in one trick."
        ),
    },
    cards={"trick": "The trick"},
    counts={"points": "{count} [point|points]"},
    statistics={"standing-points": "points"},
    house={
        "target": "points at which a match ends",
        "moon": "effect of taking all points",
        "passing": "whether three cards are passed",
    },
    values={"moon.others": "gives 26 points to all others", "moon.own": "subtracts 26 points from their own"},
)
