"""Rate limits for entering codes and PINs, contesting cards and sending photographs."""

from collections import deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

PER_ADDRESS = 6  # attempts per address within SECONDS
IN_TOTAL = 60  # attempts of all addresses within SECONDS
LIMIT_WINDOW = 60.0


class AttemptLimit:
    """Counts recent attempts; rejected ones don't count."""

    def __init__(
        self, clock: Callable[[], float] = monotonic, each: int = PER_ADDRESS, most: int = IN_TOTAL
    ) -> None:
        self._clock, self._lock = clock, Lock()
        self._each, self._most = each, most
        self._made: deque[tuple[float, str]] = deque()

    def may_try(self, address: str) -> bool:
        now = self._clock()
        with self._lock:
            while self._made and self._made[0][0] <= now - LIMIT_WINDOW:
                self._made.popleft()
            own = sum(1 for _at, who in self._made if who == address)
            if own >= self._each or len(self._made) >= self._most:
                return False
            self._made.append((now, address))
            return True
