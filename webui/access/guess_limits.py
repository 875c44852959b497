"""Limits on guesses at codes and PINs: an address or a device that guesses wrong waits longer each time."""

from collections.abc import Callable
from threading import Lock
from time import monotonic

from msgspec import Struct

FREE = 6
"""Wrong guesses without a wait."""
FIRST_WAIT, LONGEST_WAIT = 15.0, 1800.0
"""Seconds to wait after the next one; they double each time, up to this."""
FORGOTTEN = 6 * 3600.0
"""Seconds without a guess after which an address starts anew."""
KEPT = 5000
"""Most addresses that are remembered."""


class WrongGuesses(Struct, frozen=True):
    """How many guesses were wrong, and when the last one was."""

    count: int = 0
    last: float = 0.0


class GuessLimit:
    """Counts wrong guesses by address or device: no one's waits hold up another."""

    def __init__(self, clock: Callable[[], float] = monotonic, free: int = FREE) -> None:
        """Start without guesses."""
        self._clock, self._free, self._lock = clock, free, Lock()
        self._wrong: dict[str, WrongGuesses] = {}

    def may_try(self, who: str) -> bool:
        """Count a guess as wrong and allow it, unless there is a wait; `forget` it if it was right."""
        now = self._clock()
        with self._lock:
            wrong = self._wrong.get(who, WrongGuesses())
            if now > wrong.last + FORGOTTEN:
                wrong = WrongGuesses()
            if now < wrong.last + wait_after(wrong.count, self._free):
                return False
            self._wrong.pop(who, None)
            self._wrong[who] = WrongGuesses(wrong.count + 1, now)
            if len(self._wrong) > KEPT:
                del self._wrong[next(iter(self._wrong))]
            return True

    def forget(self, who: str) -> None:
        """Forget the guesses of an address or device that was right."""
        with self._lock:
            self._wrong.pop(who, None)


def wait_after(count: int, free: int = FREE) -> float:
    """Give the seconds to wait after so many wrong guesses."""
    if count < free:
        return 0.0
    return min(FIRST_WAIT * 2.0 ** min(count - free, 30), LONGEST_WAIT)
