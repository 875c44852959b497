"""How it is said, how it feels, and how it is pressed."""

from referee.contract import Cue, Gesture, Label, Mood, Words, phrase, plural

CUES = {
    "deal": Cue(Mood.SEASON),
    "double": Cue(Mood.CALL),
    "takes": Cue(Mood.TRICK),
    "won": Cue(Mood.WIN),
}
GESTURES: dict[str, Gesture] = {"single": "short", "double": "long"}

WORDS = Words(
    title=phrase("High Card"),
    asks={
        "worth": phrase("{seats:players}: look at your cards. What is a trick worth?"),
        "card": phrase("{seats:players}: lay a card in the middle."),
    },
    options={"single": phrase("one point a trick"), "double": phrase("two points a trick")},
    rulings={
        "deal": phrase("Shuffle, and deal {count} cards each. {seat:player} leads."),
        "single": phrase("{seat:player} plays for one point a trick."),
        "double": phrase("{seat:player} doubles: two points a trick!"),
        "lays": phrase("{seat:player} lays {card:face}."),
        "takes": plural(
            "{seat:player} takes the trick with {card:face}: {worth} point.",
            "{seat:player} takes the trick with {card:face}: {worth} points.",
            by="worth",
        ),
        "won": phrase("{seat:player} wins with {points} points."),
    },
    situations={
        "dealt": phrase("The cards are dealt, {seat:player} leads."),
        "leads": phrase("{seat:player} leads a new trick."),
        "to-beat": phrase("The {card:face} of {seat:player} is the highest so far."),
    },
    facts={
        "worth": Label(phrase("A trick is worth"), phrase("{points}")),
        "target": Label(phrase("Points to win"), phrase("{points}")),
    },
    cards={"trick": phrase("The trick")},
    counts={"points": plural("{count} point", "{count} points", by="count")},
    house={
        "length": phrase("how long a match is"),
        "doubling": phrase("whether the leader may double what a trick is worth"),
    },
    values={"length.short": phrase("to 5 points"), "length.long": phrase("to 10 points")},
)
