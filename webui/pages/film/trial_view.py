"""How often each seat wins from here, as bars and in words; pure."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from firmware.parts.trials import TriedOut


class ChanceBar(Struct, frozen=True):
    """A bar: percent, and by how many of them that may be wrong on either side."""

    kind: Literal["branch", "played"]
    percent: int
    error: int


class SeatBars(Struct, frozen=True):
    """A seat: how often it wins with the other answers, and with those that came."""

    name: str
    bars: tuple[ChanceBar, ...]


def bars_of(tried: TriedOut, names: Sequence[str]) -> tuple[SeatBars, ...]:
    """Draw the bars, seat by seat."""
    return tuple(SeatBars(name, tuple(_bars(tried, seat))) for seat, name in enumerate(names))


def _bars(tried: TriedOut, seat: int) -> Iterator[ChanceBar]:
    yield _bar("branch", tried.branch.shares[seat], tried.branch.errors[seat])
    if tried.played is not None:
        yield _bar("played", tried.played.shares[seat], tried.played.errors[seat])


def _bar(kind: Literal["branch", "played"], share: float, error: float) -> ChanceBar:
    # an error is never told as none
    return ChanceBar(kind, round(100 * share), max(1, round(100 * error)))
