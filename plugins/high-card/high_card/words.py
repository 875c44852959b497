"""Texts, moods and button presses."""

from referee.contract import Cue, Gesture, Label, Mood, Words, wording

CUES = {"deal": Cue(Mood.SEASON), "double": Cue(Mood.CALL), "takes": Cue(Mood.TRICK), "won": Cue(Mood.WIN)}
GESTURES: dict[str, Gesture] = {"single": "short", "double": "long"}

WORDS = Words(
    title="High Card",
    asks={
        "worth": wording(
            "{seats:players} decides what a trick is worth.", seats="Look at your cards. What is a trick worth?"
        ),
        "card": "Which card [does {seats:players}|do you] lay?",
    },
    options={"single": "one point a trick", "double": "two points a trick"},
    rulings={
        "deal": "Shuffle, and deal {count} cards each. {seat:player} leads.",
        "single": "{seat:player} plays for one point a trick.",
        "double": "{seat:player} doubles: two points a trick!",
        "lays": "{seat:player} lays {card:face}.",
        "takes": "[{seat:player} takes|You take] the trick with {card:face}: {worth} [point|points].",
        "won": "{seat:player} wins with {points} points.",
    },
    situations={
        "leads": "[{seat:player} leads|You lead] a new trick.",
        "to-beat": "[{seat:actor}'s|Your] {card:face} is the highest so far.",
    },
    facts={"worth": Label("A trick is worth", "{points}"), "target": Label("Points to win", "{points}")},
    cards={"trick": "The trick"},
    counts={"points": "{count} [point|points]"},
    house={"length": "how long a match is", "doubling": "whether the leader may double what a trick is worth"},
    values={"length.short": "to 5 points", "length.long": "to 10 points"},
)
