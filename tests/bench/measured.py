"""Shared parts of benchmarks: results, timing, and how they are printed."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Measured(Struct, frozen=True):
    """The results of a benchmark."""

    ratios: Mapping[str, str]
    """Results comparable between machines: shares, or multiples of a reference in the same run."""
    notes: tuple[str, ...] = ()
    fault: str = ""  # a violated requirement, if any


def timed(chore: Callable[[], T], clock: Callable[[], float] = perf_counter) -> tuple[T, float]:
    """Run a chore once; return its result and milliseconds. `process_time` measures only this process."""
    start = clock()
    given = chore()
    return given, 1000 * (clock() - start)


def milliseconds(chore: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    return timed(chore, clock)[1]


def percent(part: float, whole: float = 1.0) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
