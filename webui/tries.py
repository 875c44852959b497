"""Limits how often somebody may try a code or a PIN."""

from collections import deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

EACH = 6
"""Tries of one address within the time."""
ALL = 60
"""Tries of everybody within the time."""
SECONDS = 60.0


class Tries:
    """The tries that were made of late; of those too many, none is remembered."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Begin with none."""
        self._clock, self._lock = clock, Lock()
        self._made: deque[tuple[float, str]] = deque()

    def may_try(self, address: str) -> bool:
        """Note a try, unless there were too many."""
        now = self._clock()
        with self._lock:
            while self._made and self._made[0][0] <= now - SECONDS:
                self._made.popleft()
            own = sum(1 for _at, who in self._made if who == address)
            if own >= EACH or len(self._made) >= ALL:
                return False
            self._made.append((now, address))
            return True
