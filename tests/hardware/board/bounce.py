"""Simulate bouncing contacts: presses as a wire's edges, for tests, benchmarks and the twin."""

from collections.abc import Iterator
from random import Random

from msgspec import Struct

BOUNCES = (0.0001, 0.02)  # seconds for which a contact bounces: good ones and worn ones
TAP = 0.003  # seconds of the shortest tap that counts
APART = 0.06  # seconds between presses of the fastest finger


class Flip(Struct, frozen=True, gc=False):
    """A change of a wire: when, and whether it is down afterwards."""

    at: float
    is_down: bool


def presses(rng: Random, count: int) -> Iterator[tuple[float, tuple[Flip, ...]]]:
    """Make presses one after another; yield when each begins, and its edges."""
    at = 0.0
    for _press in range(count):
        at += APART + rng.expovariate(5)
        flips = press(rng, at)
        yield at, flips
        at = flips[-1].at


def press(rng: Random, at: float) -> tuple[Flip, ...]:
    held = TAP + rng.expovariate(8) * (rng.random() < 0.8)
    closing, opening = (rng.uniform(*BOUNCES) for _end in range(2))
    opened = at + held
    closed_by = min(closing, held * 0.9)
    return (
        Flip(at, is_down=True),
        *_bounces(rng, at, closed_by, is_down=True),
        Flip(opened, is_down=False),
        *_bounces(rng, opened, opening, is_down=False),
    )


def _bounces(rng: Random, at: float, seconds: float, *, is_down: bool) -> Iterator[Flip]:
    times = sorted(at + seconds * rng.random() for _flip in range(2 * rng.randrange(6)))
    for place, when in enumerate(times):
        yield Flip(when, is_down=is_down if place % 2 else not is_down)
