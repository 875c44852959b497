"""A rotary encoder: from the edges of its two wires to steps; a fast hand makes larger ones."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Wire = Literal["a", "b"]

_QUARTERS: Mapping[tuple[bool, bool, bool, bool], int] = {
    (True, True, False, True): 1,
    (False, True, False, False): 1,
    (False, False, True, False): 1,
    (True, False, True, True): 1,
    (True, True, True, False): -1,
    (True, False, False, False): -1,
    (False, False, False, True): -1,
    (False, True, True, True): -1,
}
"""a, b before an edge and after it: a quarter of a click, clockwise if a falls first; a bounce undoes it."""

ENOUGH = 2
"""Quarters that make a click once both wires are at rest; one or two of the four may have been missed."""
FASTER: tuple[tuple[float, int], ...] = ((0.015, 10), (0.035, 5), (0.07, 2))
"""Up to so many seconds after the last click in the same direction, a click counts so often."""


class Encoder(Struct, frozen=True, gc=False):
    """A dial: its wires (high at rest), quarters since the last click, and that click: when, and which way."""

    a: bool = True
    b: bool = True
    quarters: int = 0
    clicked_at: float = float("-inf")
    way: int = 0


def turn_by_edge(encoder: Encoder, wire: Wire, at: float, *, is_high: bool) -> tuple[Encoder, int]:
    """Hear an edge: the steps that it completes, negative anticlockwise, mostly none."""
    a, b = (is_high, encoder.b) if wire == "a" else (encoder.a, is_high)
    quarters = encoder.quarters + _QUARTERS.get((encoder.a, encoder.b, a, b), 0)
    if not (a and b):
        return Encoder(a, b, quarters, encoder.clicked_at, encoder.way), 0
    if abs(quarters) < ENOUGH:
        return Encoder(a, b, 0, encoder.clicked_at, encoder.way), 0
    way = 1 if quarters > 0 else -1
    return Encoder(a, b, 0, at, way), way * _worth(encoder, way, at)


def _worth(encoder: Encoder, way: int, at: float) -> int:
    gap = at - encoder.clicked_at
    fitting = (worth for most, worth in FASTER if gap <= most)
    return next(fitting, 1) if way == encoder.way else 1
