"""The table around a seat, as a phone that comes there draws it; pure."""

from collections.abc import Sequence
from math import cos, pi, sin

from msgspec import Struct

SIZE, MIDDLE = 320, 160
REACH = 122
"""How far from the middle names stand."""
LETTER, PADDING, HEIGHT = 8.6, 18, 32
"""How wide a letter is, and how much is around the text of a label."""
FEW = 6
"""Seats whose names have room for more letters."""
LONG, SHORT = 10, 6


class Chair(Struct, frozen=True):
    """A seat as it is drawn: its label, and where."""

    text: str
    kind: str
    """"you" for the seat that is offered, "free" for an empty one."""
    x: float
    y: float
    wide: float


class OfferedSeat(Struct, frozen=True):
    """A seat whose code a phone has, and who sits beside it."""

    number: int
    name: str
    beside: tuple[str, ...]
    chairs: tuple[Chair, ...]


def offered_seat(names: Sequence[str], seat: int, held: frozenset[int]) -> OfferedSeat:
    """Draw the table around a seat; the first one is at the upper left, as on the screen."""
    count = len(names)
    beside = dict.fromkeys(names[(seat + step) % count] for step in (-1, 1))
    chairs = tuple(
        _chair(name, "you" if place == seat else "" if place in held else "free", place, count)
        for place, name in enumerate(names)
    )
    return OfferedSeat(seat + 1, names[seat], tuple(beside), chairs)


def _chair(name: str, kind: str, place: int, count: int) -> Chair:
    letters = LONG if count <= FEW or kind == "you" else SHORT
    text = name if len(name) <= letters else f"{name[: letters - 1].rstrip()}…"
    angle = 2 * pi * (place - 0.5) / count - pi / 2
    wide = len(text) * LETTER + PADDING
    x = min(max(MIDDLE + REACH * cos(angle), wide / 2 + 2), SIZE - wide / 2 - 2)
    return Chair(text, kind, round(x, 1), round(MIDDLE + REACH * sin(angle), 1), round(wide, 1))
