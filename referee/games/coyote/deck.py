"""Coyote's cards: 36 in the Kidult box of 2003, 30 feathers in the Gigamic and the Oliphante box."""

from referee.contract.cards import Deck

CAVE = "?"
"""Tipi: the top card of the pile is drawn and counts instead."""
FOX = "max0"
"""Squaw: the strongest green counts nothing."""
TURN = "max-"
"""The strongest green left is subtracted instead of added."""
LEADER = "x2"
"""Chief: the count is doubled."""
NIGHT = "night"
"""Dusk: counts nothing; all cards are shuffled before the next round."""
DECOY = "0"
"""False Indian: an ordinary card that counts nothing."""

SPECIALS = (CAVE, FOX, TURN, LEADER, NIGHT)

_ALIASES = {"cave": CAVE, "fox": FOX, "leader": LEADER}

KIDULT = Deck(
    "coyote-kidult",
    {
        "20": 1,
        "15": 2,
        "10": 3,
        "5": 4,
        "4": 4,
        "3": 4,
        "2": 4,
        "1": 4,
        DECOY: 3,
        "-5": 2,
        "-10": 1,
        CAVE: 1,
        FOX: 1,
        LEADER: 1,
        NIGHT: 1,
    },
    _ALIASES,
)

_FEATHERS = {
    "20": 1,
    "15": 1,
    **{str(value): 2 for value in range(10, 0, -1)},
    "-5": 2,
    "-10": 1,
    CAVE: 1,
    FOX: 1,
    TURN: 1,
    LEADER: 1,
    NIGHT: 1,
}

GIGAMIC = Deck("coyote-gigamic", _FEATHERS, {**_ALIASES, "0": NIGHT})
OLIPHANTE = Deck("coyote-oliphante", _FEATHERS, {**_ALIASES, "0": NIGHT})

VALUE = {face: int(face) for face in (*KIDULT.counts, *GIGAMIC.counts) if face not in SPECIALS}
"""What a card counts; special cards have no value of their own."""

DECKS = {"kidult": KIDULT, "gigamic": GIGAMIC, "oliphante": OLIPHANTE}
