"""Ogallala: parts of canoes, two crews of paddlers, and what canoes carry; counts as far as they are known."""

from referee.decks import Deck

CREWS = ("red", "black")
STRENGTHS = {
    "bow": 2,
    "stern": 2,
    "warrior-1": 1,
    "warrior-2": 2,
    "warrior-3": 3,
    "warrior-4": 4,
    "warrior-5": 5,
    "healer": 6,
    "chief": 7,
    "lasso": 3,
    "archer": 3,
    "saboteur": 0,
}
"""What each paddler adds to a canoe's strength."""

_PADDLERS = {
    "bow": 3,
    "stern": 3,
    "warrior-1": 4,
    "warrior-2": 4,
    "warrior-3": 4,
    "warrior-4": 3,
    "warrior-5": 3,
    "healer": 2,
    "chief": 2,
    "lasso": 2,
    "archer": 2,
    "saboteur": 1,
}
PRIZES = ("companion", "dynamite", "eagle", "fur", "tobacco", "tent", "keg")
SETS = {
    "cannon": "soldier",
    "bear": "bear-hunter",
    "bison": "bison-hunter",
    "wood": "lumberjack",
    "gold": "gold-digger",
    "horse": "cowboy",
}
"""The prizes in two halves, left and right, and the character that goes with each."""

OGALLALA = Deck(
    "ogallala",
    {
        "empty-bow": 6,
        "empty-stern": 6,
        **{f"{crew}-{paddler}": count for crew in CREWS for paddler, count in _PADDLERS.items()},
        **dict.fromkeys(PRIZES, 2),
        **{f"{prize}-{half}": 1 for prize in SETS for half in ("left", "right")},
        **dict.fromkeys(SETS.values(), 1),
        "guardian": 2,
    },
)
