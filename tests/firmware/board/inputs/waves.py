"""How worn, cheap and trembling contacts move a wire: edges at both ends of a press.

None of this was recorded by us. `MEASURED` are longest bounces that others have measured and published, and
waves of that length are made after them; what happens in between is made up, as wildly as it may be.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal

from msgspec import Struct

from firmware.board.inputs.presses import DEBOUNCE

Wave = tuple[float, ...]
"""The edges at one end of a press, in seconds from the first one, which is at 0; an odd number, so that it
ends turned."""

TAP = 0.003  # seconds of the shortest tap that counts
APART = 0.06  # seconds between presses of the fastest finger
SHORTEST, LONGEST = 0.0001, 0.02
"""Seconds for which a contact bounces that is still promised to count once, whatever it does meanwhile."""
PAIRS = 25  # twice so many edges follow the first one at most

MEASURED: Mapping[str, float] = {
    "tactile keyswitch, new": 0.000075,
    "linear keyswitch, new": 0.00017,
    "metal push button, green": 0.00032,
    "metal push button, red": 0.0012,
    "tactile 6x6 mm, new": 0.0093,
    "tactile 6x6 mm, five of them": 0.014,
    "keylock": 0.0237,
    "kick pedal": 0.0403,
    "push button without a click, pull-up of 1 kOhm": 0.069,
    "push button without a click, second one": 0.133,
    "push button, switch E": 0.157,
}
"""Seconds of the longest bounce, as published: in the reports of github.com/adamfk/bouncy-button-data (2024 and
2025), and the last one by J. Ganssle, A Guide to Debouncing."""

Kind = Literal["clean", "even", "early", "dying", "glitches", "measured", "chatter"]
KINDS: tuple[Kind, ...] = ("clean", "even", "early", "dying", "glitches", "measured", "chatter")


class Flip(Struct, frozen=True, gc=False):
    """A change of a wire: when, and whether it is down afterwards."""

    at: float
    is_down: bool


def wave(rng: Random, kind: Kind, longest: float = 10.0) -> Wave:
    """Make the edges of one end; none is later than that."""
    seconds = min(_seconds(rng, kind), longest)
    inner = 2 * (0 if kind == "clean" else _pairs(rng))
    if kind in {"measured", "chatter"}:
        # a contact that is open for longer isn't bouncing any more: that is the rule, and not its breach
        inner = max(inner, 2 * int(seconds / (DEBOUNCE / 2) + 1))
    times = sorted(seconds * share for share in _SHARES[kind](rng, inner))
    if kind == "glitches":
        times = [at + rng.uniform(0, 2e-6) * (place % 2) for place, at in enumerate(sorted(times[::2] * 2))]
    return (0.0, *_close(times))


def _seconds(rng: Random, kind: Kind) -> float:
    if kind == "measured":
        return rng.choice(list(MEASURED.values()))
    if kind == "chatter":
        return rng.uniform(LONGEST, 0.3)
    return SHORTEST * (LONGEST / SHORTEST) ** rng.random()


def _pairs(rng: Random) -> int:
    return rng.randrange(4) if rng.random() < 0.6 else rng.randint(0, PAIRS)


def _even(rng: Random, count: int) -> list[float]:
    return [rng.random() for _edge in range(count)]


def _regular(rng: Random, count: int) -> list[float]:
    return [(place + rng.uniform(0.1, 0.9)) / count for place in range(count)]


_SHARES: Mapping[Kind, Callable[[Random, int], list[float]]] = {
    "clean": _even,
    "even": _even,
    "early": lambda rng, count: [rng.random() ** 4 for _edge in range(count)],
    # as a ball bounces: each time shorter
    "dying": lambda _rng, count: [1 - 0.8**place for place in range(1, count + 1)],
    "glitches": _even,
    "measured": _regular,
    "chatter": _regular,
}


def _close(times: list[float]) -> list[float]:
    last, kept = 0.0, list[float]()
    for at in times:
        last = max(at, last + 1e-7)
        kept.append(last)
    return kept


def press(rng: Random, at: float, held: float | None = None, kind: Kind | None = None) -> list[Flip]:
    """Make a press: down at once, up after a while, bouncing at both ends."""
    held = TAP + rng.expovariate(8) * (rng.random() < 0.8) if held is None else held
    kind = kind or rng.choice(KINDS)
    # a finger that is gone bounces no more on its way down
    closing, opening = wave(rng, kind, 0.9 * held), wave(rng, kind, 0.2)
    down = [Flip(at + offset, place % 2 == 0) for place, offset in enumerate(closing)]
    opened = max(at + held, down[-1].at + 1e-7)
    return [*down, *(Flip(opened + offset, place % 2 == 1) for place, offset in enumerate(opening))]
