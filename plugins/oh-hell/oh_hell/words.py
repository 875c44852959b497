"""How it is said, and how it feels."""

from referee.contract import Cue, Label, Mood, Words, phrase, plural
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES, SUIT_WORDS

CUES = {
    "deal": Cue(Mood.SEASON),
    "bid": Cue(Mood.CLAIM),
    "takes": Cue(Mood.TRICK),
    "won": Cue(Mood.WIN, ""),
}

WORDS = Words(
    title=phrase("Oh Hell"),
    pitch=phrase("Say how many tricks you will take, and take exactly as many."),
    faces={**CARD_NAMES, **SUIT_NAMES},
    suits={word: SUIT_NAMES[suit] for word, suit in SUIT_WORDS.items()},
    asks={
        "trump": phrase("Turn up the top card of the pile: its suit is trumps."),
        "bid": phrase("{seats:players}: how many tricks will you take?"),
        "card": phrase("{seats:players}: lay a card in the middle."),
    },
    options={},
    rulings={
        "deal": plural(
            "Deal {number}: {seat:player} shuffles, and deals {count} card each.",
            "Deal {number}: {seat:player} shuffles, and deals {count} cards each.",
            by="count",
        ),
        "trump": phrase("The {card:face} is turned up: its suit is trumps."),
        "bid": plural("{seat:player} bids {number} trick.", "{seat:player} bids {number} tricks.", by="number"),
        "lays": phrase("{seat:player} lays the {card:face}."),
        "revoke": phrase(
            "Revoke! In trick {trick}, {seat:player} didn't follow, and now lays the {card:face}."
        ),
        "takes": phrase("{seat:player} takes the trick, number {won} of this deal."),
        "scored": phrase("The deal is over; points are written down: {counts:numbers}."),
        "won": phrase("{seats:players}: the most points, {points}, win."),
    },
    situations={
        "dealt": plural("{count} card each is dealt.", "{count} cards each are dealt.", by="count"),
        "bidding": plural(
            "{seat:player} bids on {count} trick; {trump:face} are trumps.",
            "{seat:player} bids on {count} tricks; {trump:face} are trumps.",
            by="count",
        ),
        "leads": phrase("{seat:player} leads a trick."),
        "to-follow": phrase("{seat:player} has led {suit:face}."),
    },
    facts={
        "suit": Label(phrase("To follow"), phrase("{suit:face}")),
        "bid": Label(phrase("Tricks"), phrase("{won} of {bid}")),
    },
    cards={"trick": phrase("The trick"), "trump": phrase("Turned up")},
    counts={"points": plural("{count} point", "{count} points", by="count")},
    statistics={"standing-points": phrase("points")},
    house={
        "most": phrase("cards of the first deal"),
        "hook": phrase("whether the bids must not come out even"),
        "and_back": phrase("whether deals grow again"),
    },
)
