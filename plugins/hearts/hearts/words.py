"""How it is said, and how it feels."""

from referee.contract import Cue, Label, Mood, Words, phrase, plural
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES, SUIT_WORDS

CUES = {
    "deal": Cue(Mood.SEASON, ""),
    "takes": Cue(Mood.TRICK),
    "moon": Cue(Mood.REVERSAL),
    "won": Cue(Mood.WIN, ""),
}

WORDS = Words(
    title=phrase("Hearts"),
    pitch=phrase("Take as few hearts as you can, and never the queen of spades."),
    faces={**CARD_NAMES, **SUIT_NAMES},
    suits={word: SUIT_NAMES[suit] for word, suit in SUIT_WORDS.items()},
    asks={
        "pass": phrase("{seats:players}: pass three cards on, face down."),
        "first": phrase("Who has the two of clubs?"),
        "card": phrase("{seats:players}: lay a card in the middle."),
        "only": phrase("{seats:players}: have you nothing else?"),
    },
    options={
        "mine": phrase("I have the two of clubs"),
        "only": phrase("I have nothing else than what may not be laid now"),
    },
    rulings={
        "deal": phrase("Deal {number}: shuffle, and deal {count} cards each."),
        "passes": phrase("{seat:player} has put three cards aside."),
        "passed": phrase("Take up the three cards that were passed to you."),
        "leads": phrase("{seat:player} has the two of clubs and leads it."),
        "only": phrase("{seat:player} has nothing else."),
        "lays": phrase("{seat:player} lays the {card:face}."),
        "revoke": phrase(
            "Revoke! In trick {trick}, {seat:player} didn't follow, and now lays the {card:face}."
        ),
        "takes": plural(
            "{seat:player} takes the trick: {points} point.",
            "{seat:player} takes the trick: {points} points.",
            by="points",
        ),
        "scored": phrase("The deal is over; points are written down: {counts:numbers}."),
        "moon": phrase("{seat:player} has taken all points and shoots the moon!"),
        "won": phrase("{seats:players}: the fewest points, {points}, win."),
    },
    refusals={
        "two-of-clubs": phrase("The two of clubs leads the first trick."),
        "first-trick": phrase("No heart, no queen of spades in the first trick, unless you have nothing else."),
        "not-broken": phrase("Hearts may not be led yet, unless you have nothing else."),
    },
    situations={
        "passing-1": phrase("Three cards are passed to the left; {seats:players} still choose."),
        "passing-2": phrase("Three cards are passed across; {seats:players} still choose."),
        "passing-3": phrase("Three cards are passed to the right; {seats:players} still choose."),
        "first": phrase("The two of clubs leads."),
        "leads": phrase("{seat:player} leads a new trick."),
        "to-follow": phrase("{seat:player} has led {suit:face}."),
    },
    facts={
        "suit": Label(phrase("To follow"), phrase("{suit:face}")),
        "broken": Label(phrase("Hearts"), phrase("may be led")),
        "unbroken": Label(phrase("Hearts"), phrase("may not be led yet")),
        "taken": Label(phrase("Taken in this deal"), phrase("{points}")),
        "target": Label(phrase("The match ends at"), phrase("{points}")),
    },
    cards={"trick": phrase("The trick")},
    counts={"points": plural("{count} point", "{count} points", by="count")},
    statistics={"standing-points": phrase("points")},
    house={
        "target": phrase("points at which a match ends"),
        "moon": phrase("who takes all points"),
        "passing": phrase("whether three cards are passed"),
    },
    values={
        "moon.others": phrase("gives 26 points to all others"),
        "moon.own": phrase("takes 26 points off its own"),
    },
)
