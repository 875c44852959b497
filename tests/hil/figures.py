"""Measured figures beside their limits, and waiting with a timeout."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from tests.waiting import came

FAILED: list[str] = []  # exceeded limits
SLOW = 120.0  # timeout in seconds


class FailedError(Exception):
    """A required event didn't happen."""


def until(what: str, is_so: Callable[[], Any], nap: float = 0.02) -> float:
    start = monotonic()
    if not came(is_so, seconds=SLOW, look=nap):
        raise FailedError(f"{what}: not within {SLOW:.0f} s")
    return monotonic() - start


def print_figure(what: str, measured: object, wanted: object) -> None:
    print(f"{what}: {measured} (wanted: {wanted})", flush=True)


def print_count(what: str, count: int, of: int) -> None:
    print_figure(what, f"{count} of {of}", "all")
    if count != of:
        FAILED.append(what)


def spread(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    places = {"median": len(ordered) // 2, "p99": len(ordered) * 99 // 100, "max": len(ordered) - 1}
    told = ", ".join(f"{name} {1000 * ordered[place]:.2f}" for name, place in places.items())
    return f"{told} ms, n = {len(ordered)}"


def end() -> None:
    raise SystemExit("; ".join(FAILED) or None)
