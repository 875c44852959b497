"""What strangers tried: wrong codes, floods and forms of other sites, for the host to see."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic
from typing import Literal

from msgspec import Struct

Kind = Literal["guess", "flood", "other-site"]
"""A wrong code or PIN, a connection too many, or a form that another site sent."""
HOUR = 3600.0
KEPT = 1000
"""Most incidents that are remembered; a flood makes many."""


class Incident(Struct, frozen=True):
    """How often an address did something within an hour."""

    kind: Kind
    address: str
    count: int


class Incidents:
    """Remembers what strangers tried within an hour."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._noted: deque[tuple[float, Kind, str]] = deque(maxlen=KEPT)

    def note(self, kind: Kind, address: str) -> None:
        """Note that an address has just done it."""
        with self._lock:
            self._noted.append((self._clock(), kind, address))

    def recent(self) -> Sequence[Incident]:
        """List what happened within the last hour, the most frequent first."""
        since = self._clock() - HOUR
        with self._lock:
            counts = Counter((kind, address) for at, kind, address in self._noted if at > since)
        return [Incident(kind, address, count) for (kind, address), count in counts.most_common()]
