"""What a long day has cost a table: whether it holds more and more, what it wrote, what its clock said."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from msgspec import Struct

MORE: dict[str, float] = {"memory": 0.1, "threads": 0.0, "files": 0.0}
"""By what share a table may hold more in the last third of a day than in the one before ..."""
BESIDE: dict[str, float] = {"memory": 16.0, "threads": 1.0, "files": 1.0}
"""... and how many megabytes, threads and files beside that: a phone may be there that wasn't."""


class Sample(Struct, frozen=True):
    """A look at all processes of a table, some hours after it began; bytes are those since then."""

    hours: float
    memory: float
    """Megabytes."""
    threads: int
    files: int
    written: int
    """What its processes gave to disks."""


class Held(Struct, frozen=True):
    """How much of something a table mostly held in the second third of a day, and in the last."""

    before: float
    last: float


def held(samples: Sequence[Sample], what: Callable[[Sample], float]) -> Held:
    """Compare the last two thirds of a day; in the first, decks and pages are drawn for the first time."""
    third = max(1, len(samples) // 3)
    before, last = (median(map(what, part)) for part in (samples[-2 * third : -third], samples[-third:]))
    return Held(before, last)


KINDS: dict[str, Callable[[Sample], float]] = {
    "memory": lambda sample: sample.memory,
    "threads": lambda sample: sample.threads,
    "files": lambda sample: sample.files,
}
"""What a table may hold more and more of."""


def leaks(samples: Sequence[Sample]) -> list[str]:
    """Name what a table holds more and more of."""
    found = {name: held(samples, what) for name, what in KINDS.items()}
    return [
        f"more and more {name}: {each.before:.0f} in the second third, {each.last:.0f} in the last"
        for name, each in found.items()
        if each.last > each.before * (1 + MORE[name]) + BESIDE[name]
    ]


class FastClock(Struct, frozen=True):
    """A clock on the wall that goes so many times as fast as ours, since it showed something; time stamps."""

    begun: float
    since: float
    speed: float

    def at(self, now: float) -> float:
        """Tell what it shows at a time of ours."""
        return self.begun + self.speed * (now - self.since)

    def hours(self, now: float) -> float:
        """Tell how many hours have passed by it."""
        return (self.at(now) - self.begun) / 3600


def clock_faults(stamps: Sequence[float], first: float, last: float, slack: float) -> list[str]:
    """Name what is wrong with times that a table has noted between two others, one after another."""
    back = [(earlier, later) for earlier, later in pairwise(stamps) if later < earlier - slack]
    outside = [stamp for stamp in stamps if not first - slack <= stamp <= last + slack]
    faults = [f"it is noted that {earlier} was followed by {later}" for earlier, later in back]
    return faults + [f"{stamp} is noted, which wasn't between {first} and {last}" for stamp in outside]


def longest_silence(stamps: Sequence[float], last: float) -> float:
    """Give the longest time in which nothing was noted, up to the end."""
    return max((later - earlier for earlier, later in pairwise((*stamps, last))), default=0.0)
