"""Ogallala: parts of canoes, two crews of paddlers, and what canoes carry; counts as far as they are known."""

from typing import Literal

from referee.contract.cards import Deck

Crew = Literal["red", "black"]

CREWS: tuple[Crew, ...] = ("red", "black")
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

RED = {
    "red-bow": 3,
    "red-stern": 3,
    "red-warrior-1": 4,
    "red-warrior-2": 4,
    "red-warrior-3": 4,
    "red-warrior-4": 3,
    "red-warrior-5": 3,
    "red-healer": 2,
    "red-chief": 2,
    "red-lasso": 2,
    "red-archer": 2,
    "red-saboteur": 1,
}
BLACK = {
    "black-bow": 3,
    "black-stern": 3,
    "black-warrior-1": 4,
    "black-warrior-2": 4,
    "black-warrior-3": 4,
    "black-warrior-4": 3,
    "black-warrior-5": 3,
    "black-healer": 2,
    "black-chief": 2,
    "black-lasso": 2,
    "black-archer": 2,
    "black-saboteur": 1,
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
HALVES = (
    ("cannon-left", "cannon-right"),
    ("bear-left", "bear-right"),
    ("bison-left", "bison-right"),
    ("wood-left", "wood-right"),
    ("gold-left", "gold-right"),
    ("horse-left", "horse-right"),
)
GUARDIAN = "guardian"

COUNTS = {
    "empty-bow": 6,
    "empty-stern": 6,
    **RED,
    **BLACK,
    **dict.fromkeys(PRIZES, 2),
    **{half: 1 for halves in HALVES for half in halves},
    **dict.fromkeys(SETS.values(), 1),
    GUARDIAN: 2,
}
"""How many of each there are, unless the box says otherwise: fits all that is known of the edition of 2002."""

GROUPS = {
    "ends": ("empty-bow", "empty-stern", "red-bow", "red-stern", "black-bow", "black-stern"),
    "red": tuple(RED)[2:],
    "black": tuple(BLACK)[2:],
    "cargo": (*PRIZES, GUARDIAN),
    "halves": tuple(
        face for halves, character in zip(HALVES, SETS.values(), strict=True) for face in (*halves, character)
    ),
}
"""The faces in the groups in which people look for one."""

OGALLALA = Deck("ogallala", COUNTS, suits=GROUPS)

BOWS = frozenset({"empty-bow", "red-bow", "black-bow"})
STERNS = frozenset({"empty-stern", "red-stern", "black-stern"})
CREW: dict[str, Crew] = {**dict.fromkeys(RED, "red"), **dict.fromkeys(BLACK, "black")}
PICTURE = {face: face.split("-", 1)[1] if face in CREW else face for face in COUNTS}
"""What makes a card another card: its picture, not the colour of its number."""
STRENGTH = {face: STRENGTHS.get(PICTURE[face], 0) for face in COUNTS}
SET_OF: dict[str, frozenset[str]] = {
    face: frozenset({*halves, character})
    for halves, character in zip(HALVES, SETS.values(), strict=True)
    for face in (*halves, character)
}
"""For each card of a set, the three cards of it."""
BOOTY = frozenset({*PRIZES, *SET_OF})
"""What brings points, and is captured."""
