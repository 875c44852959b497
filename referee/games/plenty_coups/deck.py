"""Plenty Coups: riders of six clans, weapons, horses and honour staffs."""

from referee.contract.cards import Deck

CLANS = ("black", "yellow", "green", "red", "blue", "white")
RIDERS = (
    "black-1", "black-2", "black-3", "black-4",
    "yellow-1", "yellow-2", "yellow-3", "yellow-4",
    "green-1", "green-2", "green-3", "green-4",
    "red-1", "red-2", "red-3", "red-4",
    "blue-1", "blue-2", "blue-3", "blue-4",
    "white-1", "white-2", "white-3", "white-4",
)  # fmt: skip
WEAPONS = ("weapon-2", "weapon-3", "weapon-4")
HORSE = "horse"
STAFF = "staff"

_COUNTS = {**dict.fromkeys(RIDERS, 1), **dict.fromkeys(WEAPONS, 4), HORSE: 10, STAFF: 8}
_GROUPS = {
    **{clan: tuple(face for face in RIDERS if face.startswith(clan)) for clan in CLANS},
    "goods": (*WEAPONS, HORSE, STAFF),
}

PLENTY_COUPS = Deck("plenty-coups", _COUNTS, suits=_GROUPS)

FACES = tuple(PLENTY_COUPS.counts)
VALUE = {face: int(face[-1]) for face in (*RIDERS, *WEAPONS)}
CLAN = {face: face[:-2] for face in RIDERS}
KIND = {face: f"rider-{face[-1]}" if face in CLAN else face for face in FACES}
"""What makes cards alike on the display: riders of one value are, of any clan."""
RIDERS_OF = {clan: tuple(face for face in RIDERS if CLAN[face] == clan) for clan in CLANS}
PROOFS = (*(face for face, value in VALUE.items() if value == 4), STAFF)
"""Cards that prove one's worth."""
SINGLE_RIDERS = tuple((rider,) for rider in sorted(RIDERS, key=VALUE.__getitem__, reverse=True))
"""One rider, the best first."""
RIDER_PAIRS = tuple(
    sorted(
        ((one, other) for riders in RIDERS_OF.values() for one in riders for other in riders if one < other),
        key=lambda pair: VALUE[pair[0]] + VALUE[pair[1]],
        reverse=True,
    )
)
"""Two riders of one clan, the best first."""
WEAPON_PAIRS = tuple((one, other) for one in WEAPONS for other in WEAPONS if one <= other)
