"""Limits on guesses at codes or a PIN: each wrong guess prolongs a network's wait."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic
from typing import Literal

from msgspec import Struct

DAY = 24 * 3600.0  # seconds for which a wrong guess counts
FREE = 6  # wrong guesses of a network without a wait
FIRST_WAIT, LONGEST_WAIT = 60.0, 1800.0
"""Seconds of the first and the longest wait. Waits double: six guesses in a minute, 57 in a day."""
KEPT = 65_536  # most networks remembered
MAX_FAILURES, STRAINED_FREE = 500, 2
"""Wrong guesses per day in total after which every network gets only a few, and how many it gets.

So strangers can't lock out people with the right code, and a home of 254 addresses gets about a
thousand guesses a day.
"""
CLAIMS = 20  # the same limit for claim numbers, which are shorter


class GuessLimit:
    """Counts wrong guesses by network; the total only lowers each network's allowance."""

    def __init__(
        self, clock: Callable[[], float] = monotonic, free: int = FREE, most: int = MAX_FAILURES
    ) -> None:
        self._clock, self._lock, self._free = clock, Lock(), free
        self._wrong = dict[str, tuple[float, ...]]()
        self._all = deque[float](maxlen=most)

    def may_try(self, network: str) -> bool:
        """Record a failed attempt before comparing. Returns False if there is a wait; then don't compare."""
        now = self._clock()
        with self._lock:
            wrong = tuple(at for at in self._wrong.get(network, ()) if at > now - DAY)
            if wrong and now < wrong[-1] + self._wait(len(wrong), now):
                return False
            self._all.append(now)
            self._wrong.pop(network, None)
            self._wrong[network] = (*wrong, now)
            if len(self._wrong) > KEPT:
                del self._wrong[next(iter(self._wrong))]
            return True

    def take_right(self, network: str) -> None:
        """Remove a correct guess from the count; earlier wrong guesses still count."""
        with self._lock:
            if wrong := self._wrong.get(network):
                self._wrong[network] = wrong[:-1]
            if self._all:
                self._all.pop()

    def _wait(self, count: int, now: float) -> float:
        is_strained = len(self._all) == self._all.maxlen and self._all[0] > now - DAY
        return DAY if is_strained and count >= STRAINED_FREE else wait_after(count, self._free)


def wait_after(count: int, free: int = FREE) -> float:
    if count < free:
        return 0.0
    return min(FIRST_WAIT * 2.0 ** min(count - free, 30), LONGEST_WAIT)


# failed attempts by strangers, for the host: wrong codes, floods and forms from other sites

Kind = Literal["guess", "flood", "other-site"]
"""A wrong code or PIN, a refused connection, or a form sent by another site."""
HOUR = 3600.0
MOST_NOTED = 1000  # most incidents remembered; a flood makes many


class Incident(Struct, frozen=True):
    """Incidents of an address in the last hour."""

    kind: Kind
    address: str
    count: int


class Incidents:
    """Records strangers' failed attempts of the last hour."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._noted: deque[tuple[float, Kind, str]] = deque(maxlen=MOST_NOTED)

    def note(self, kind: Kind, address: str) -> None:
        with self._lock:
            self._noted.append((self._clock(), kind, address))

    def recent(self) -> Sequence[Incident]:
        """Return the incidents of the last hour, the most frequent first."""
        since = self._clock() - HOUR
        with self._lock:
            counts = Counter((kind, address) for at, kind, address in self._noted if at > since)
        return [Incident(kind, address, count) for (kind, address), count in counts.most_common()]
