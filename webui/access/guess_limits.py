"""Limits on guesses at codes or a PIN: a network waits longer after each wrong one, and all share a number."""

from collections import deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

DAY = 24 * 3600.0
"""Seconds for which a wrong guess counts."""
FREE = 6
"""Wrong guesses of a network without a wait."""
FIRST_WAIT, LONGEST_WAIT = 60.0, 1800.0
"""Seconds to wait after the next one; they double each time, up to this: six in a minute, 57 in a day."""
KEPT = 5000
"""Most networks that are remembered."""
ALL = 5000
"""Most wrong guesses of all networks in a day: a PIN of eight digits is found on one day of twenty thousand."""


class GuessLimit:
    """Counts wrong guesses by network, and of all networks until the PIN is another one."""

    def __init__(self, clock: Callable[[], float] = monotonic, free: int = FREE, most: int = ALL) -> None:
        self._clock, self._lock = clock, Lock()
        self._free, self._most = free, most
        self._wrong = dict[str, deque[float]]()
        self._pin, self._all = "", deque[float]()

    def may_try(self, network: str, pin: str) -> bool:
        """Count a guess as wrong before it is compared, unless there is a wait; then it mustn't be compared."""
        now = self._clock()
        with self._lock:
            wrong = self._wrong.get(network) or deque[float]()
            self._forget_old(wrong, now)
            is_early = bool(wrong) and now < wrong[-1] + wait_after(len(wrong), self._free)
            if is_early or self._is_used_up(pin, now):
                return False
            wrong.append(now)
            self._all.append(now)
            self._wrong.pop(network, None)
            self._wrong[network] = wrong
            if len(self._wrong) > KEPT:
                del self._wrong[next(iter(self._wrong))]
            return True

    def take_right(self, network: str) -> None:
        """Count a guess no more that was right; wrong ones before it stay counted."""
        with self._lock:
            for counted in (self._wrong.get(network), self._all):
                if counted:
                    counted.pop()

    def is_used_up(self, pin: str) -> bool:
        """Return whether all networks together have guessed too often at what goes with this PIN."""
        with self._lock:
            return self._is_used_up(pin, self._clock())

    def _is_used_up(self, pin: str, now: float) -> bool:
        if pin != self._pin:
            # a host or the terminal drew another one: what was guessed before is void
            self._pin, self._all = pin, deque[float]()
        self._forget_old(self._all, now)
        return len(self._all) >= self._most

    def _forget_old(self, guesses: deque[float], now: float) -> None:
        while guesses and guesses[0] <= now - DAY:
            guesses.popleft()


def wait_after(count: int, free: int = FREE) -> float:
    """Give the seconds to wait after so many wrong guesses."""
    if count < free:
        return 0.0
    return min(FIRST_WAIT * 2.0 ** min(count - free, 30), LONGEST_WAIT)
