"""Presses in the order in which they were made: held back for a moment, then by the kernel's stamp.

Callbacks come late and in the wrong order; the stamp is taken in the interrupt. Presses that not even stamps
can tell apart are given together: the game's own rule decides, and says so.
"""

from operator import itemgetter
from typing import Generic, TypeVar

from msgspec import Struct

HELD = 0.02
"""Seconds for which a press waits for an earlier one that comes late."""
TIE = 0.0001
"""Seconds between stamps below which presses are a tie: interrupts are late by as much."""

Thing = TypeVar("Thing")


class Waiting(Struct, Generic[Thing], frozen=True):
    """What is held back, with its stamps, in their order."""

    things: tuple[tuple[float, Thing], ...] = ()


def hold_back(waiting: Waiting[Thing], at: float, thing: Thing) -> Waiting[Thing]:
    """Hold something back."""
    return Waiting(tuple(sorted((*waiting.things, (at, thing)), key=itemgetter(0))))


def take_ready(
    waiting: Waiting[Thing], now: float, held: float = HELD, open_since: float | None = None
) -> tuple[Waiting[Thing], list[tuple[Thing, ...]]]:
    """Give what has waited for long enough, and is earlier than any press that is still open; ties together."""
    groups: list[tuple[Thing, ...]] = []
    things = waiting.things
    while things and things[0][0] + held <= now and _is_before(things[0][0], open_since):
        first = things[0][0]
        tied = sum(at <= first + TIE for at, _thing in things)
        groups.append(tuple(thing for _at, thing in things[:tied]))
        things = things[tied:]
    return Waiting(things), groups


def due(waiting: Waiting[Thing], held: float = HELD, open_since: float | None = None) -> float | None:
    """Give the time to look again; a press that waits for an open one is ready when that one is settled."""
    first = waiting.things[0][0] if waiting.things else None
    return first + held if first is not None and _is_before(first, open_since) else None


def _is_before(at: float, open_since: float | None) -> bool:
    return open_since is None or at + TIE < open_since
