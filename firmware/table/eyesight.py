"""Whether the watchdog may be fed: the eyes look, or people know that they don't."""

from msgspec import Struct
from msgspec.structs import replace

BLIND = 60.0
"""Seconds that the eyes may be silent after a start; beyond that, something is wrong that they can't tell."""


class Eyesight(Struct, frozen=True):
    """How often the eyes were started, when last, and whether they have told anything since."""

    since: float
    starts: int = 0
    has_told: bool = False
    is_gone: bool = False
    """Whether the thread that looks after them has ended."""


def with_starts(eyesight: Eyesight, starts: int, now: float) -> Eyesight:
    """Note how often they were started: a process that dies again and again tells nothing."""
    if starts == eyesight.starts:
        return eyesight
    return Eyesight(now if eyesight.has_told else eyesight.since, starts)


def with_news(eyesight: Eyesight) -> Eyesight:
    """Note that they tell: what they see, or why they don't."""
    return replace(eyesight, has_told=True)


def is_fed(eyesight: Eyesight, now: float) -> bool:
    """Tell whether all is well enough to go on."""
    return not eyesight.is_gone and (eyesight.has_told or now < eyesight.since + BLIND)
