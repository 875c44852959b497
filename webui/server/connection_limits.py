"""Places for connections: so many in all, and so many of one address, so that nobody takes all of them."""

from collections import Counter
from threading import Lock


class ConnectionLimit:
    """The places that are taken, by address."""

    def __init__(self, most: int, each: int) -> None:
        """Take how many there are, and how many one address may have."""
        self._most, self._each = most, each
        self._lock, self._taken = Lock(), Counter[str]()

    def take(self, address: str) -> bool:
        """Take a place, if there is one for this address."""
        with self._lock:
            is_free = self._taken.total() < self._most and self._taken[address] < self._each
            if is_free:
                self._taken[address] += 1
            return is_free

    def leave(self, address: str) -> None:
        """Give a place back."""
        with self._lock:
            self._taken[address] -= 1
            # whoever is gone is forgotten
            self._taken = +self._taken
