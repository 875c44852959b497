"""Simulated bounce of worn, cheap and trembling contacts: edges at both ends of a press.

We recorded none of these. `PUBLISHED_BOUNCES` contains published longest bounces, and waves have these lengths.
The edges in between are random, within the allowed limits.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal

from msgspec import Struct

from firmware.board.inputs.button_input import Wire
from firmware.board.inputs.presses import DEBOUNCE

Wave = tuple[float, ...]
"""The edges at one end of a press, in seconds since the first one, at 0. Their number is odd, so the level
changes."""

SHORTEST_TAP = 0.003  # seconds of the shortest valid tap
MIN_PRESS_INTERVAL = 0.06  # shortest seconds between presses of a finger
SHORTEST_BOUNCE, LONGEST_BOUNCE = 0.0001, 0.02
"""Shortest and longest bounce, in seconds, that must count as one press."""
MAX_EDGE_PAIRS = 25  # maximum pairs of edges after the first one

PUBLISHED_BOUNCES: Mapping[str, float] = {
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
"""Published longest bounces in seconds, from the reports of github.com/adamfk/bouncy-button-data (2024 and
2025); the last one is from J. Ganssle, A Guide to Debouncing."""

Kind = Literal["clean", "even", "early", "dying", "glitches", "measured", "chatter"]
KINDS: tuple[Kind, ...] = ("clean", "even", "early", "dying", "glitches", "measured", "chatter")


class Flip(Struct, frozen=True, gc=False):
    """A change of a wire: its time, and whether the wire is down afterwards."""

    at: float
    is_down: bool


def wave(rng: Random, kind: Kind, longest: float = 10.0) -> Wave:
    """Return the edges of one end of a press, none later than `longest` seconds."""
    seconds = min(_seconds(rng, kind), longest)
    inner = 2 * (0 if kind == "clean" else _pairs(rng))
    if kind in {"measured", "chatter"}:
        # by the debounce rule, a contact that is open for longer has stopped bouncing
        inner = max(inner, 2 * int(seconds / (DEBOUNCE / 2) + 1))
    times = sorted(seconds * share for share in _SHARES[kind](rng, inner))
    if kind == "glitches":
        times = [at + rng.uniform(0, 2e-6) * (place % 2) for place, at in enumerate(sorted(times[::2] * 2))]
    return (0.0, *_close(times))


def _seconds(rng: Random, kind: Kind) -> float:
    if kind == "measured":
        return rng.choice(list(PUBLISHED_BOUNCES.values()))
    if kind == "chatter":
        return rng.uniform(LONGEST_BOUNCE, 0.3)
    return SHORTEST_BOUNCE * (LONGEST_BOUNCE / SHORTEST_BOUNCE) ** rng.random()


def _pairs(rng: Random) -> int:
    return rng.randrange(4) if rng.random() < 0.6 else rng.randint(0, MAX_EDGE_PAIRS)


def _even(rng: Random, count: int) -> list[float]:
    return [rng.random() for _edge in range(count)]


def _regular(rng: Random, count: int) -> list[float]:
    return [(place + rng.uniform(0.1, 0.9)) / count for place in range(count)]


_SHARES: Mapping[Kind, Callable[[Random, int], list[float]]] = {
    "clean": _even,
    "even": _even,
    "early": lambda rng, count: [rng.random() ** 4 for _edge in range(count)],
    # like a ball: each bounce is shorter
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
    """Return the changes of a press, down and up, with bounces at both ends."""
    held = SHORTEST_TAP + rng.expovariate(8) * (rng.random() < 0.8) if held is None else held
    kind = kind or rng.choice(KINDS)
    # the bounces of pressing down end when the finger is lifted
    closing, opening = wave(rng, kind, 0.9 * held), wave(rng, kind, 0.2)
    down = [Flip(at + offset, place % 2 == 0) for place, offset in enumerate(closing)]
    opened = max(at + held, down[-1].at + 1e-7)
    return [*down, *(Flip(opened + offset, place % 2 == 1) for place, offset in enumerate(opening))]


# the edges of the dial's two wires, click by click
CLOCKWISE: tuple[tuple[Wire, bool], ...] = (("a", False), ("b", False), ("a", True), ("b", True))
BACK: tuple[tuple[Wire, bool], ...] = (("b", False), ("a", False), ("b", True), ("a", True))
