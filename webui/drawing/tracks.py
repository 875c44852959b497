"""Lines of numbers: each step of a year, or a scale on which numbers are compared; pure."""

from msgspec import Struct

from referee.contract import Track
from referee.telling import Listener, tell_fact, tell_track

TICKS = 20
"""Dots on a line of numbers, at most."""


class Mark(Struct, frozen=True):
    """A place on a line of numbers, and what is said of it."""

    number: int
    text: str = ""
    kind: str = ""


class Line(Struct, frozen=True):
    """A line of numbers."""

    name: str
    marks: tuple[Mark, ...]
    is_year: bool
    """It counts steps of which one is now; else it compares numbers."""


def line_of(track: Track, listener: Listener) -> Line:
    """Draw a line of numbers: each step of a year, or as many dots as make a scale."""
    told = {number: tell_fact(listener, fact).text for number, fact in track.marks}
    step = max(1, -(-(track.last - track.first) // TICKS))
    numbers = sorted({*range(track.first, track.last + 1, step), *told})
    firsts = list(told)
    marks = (Mark(number, told.get(number, ""), _kind(track, number, firsts)) for number in numbers)
    return Line(tell_track(listener, track), tuple(marks), track.now is not None)


def _kind(track: Track, number: int, told: list[int]) -> str:
    if number in told:
        return f"mark mark{told.index(number)}"
    now = track.now
    passed = "" if now is None else " now" if number == now else " done" if number < now else ""
    return (passed + (" special" if number in track.special else "")).strip()
