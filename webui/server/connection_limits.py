"""Limits on connections, in total and per address, so that one address can't take them all."""

from collections import Counter
from threading import Lock


class ConnectionLimit:
    """Counts open connections by address."""

    def __init__(self, most: int, each: int) -> None:
        """Set the limits in total and per address."""
        self._most, self._each = most, each
        self._lock, self._taken = Lock(), Counter[str]()

    def take(self, address: str) -> bool:
        """Count a connection, if the limits allow it."""
        with self._lock:
            is_free = self._taken.total() < self._most and self._taken[address] < self._each
            if is_free:
                self._taken[address] += 1
            return is_free

    def leave(self, address: str) -> None:
        """Count a connection as closed."""
        with self._lock:
            self._taken[address] -= 1
            # forget addresses without connections
            self._taken = +self._taken
