"""Limits on connections: one address can't take them all, and strangers none of those kept for devices."""

from collections import Counter
from threading import Lock

from msgspec import Struct

from webui.access.origins import network_of


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


class HeldPlace(Struct, frozen=True):
    """A place that is taken, and by what it is counted."""

    limit: ConnectionLimit
    name: str

    def leave(self) -> None:
        """Give the place back."""
        self.limit.leave(self.name)


class Places:
    """Places for strangers, counted by their network, and others for devices that the table knows."""

    def __init__(self, strangers: ConnectionLimit, known: ConnectionLimit) -> None:
        """Take both limits."""
        self._strangers, self._known = strangers, known

    def take(self, device: str | None, address: str) -> HeldPlace | None:
        """Take a place for a device, or for a stranger; None if there is none."""
        if device is None:
            place = HeldPlace(self._strangers, network_of(address))
        else:
            place = HeldPlace(self._known, device)
        return place if place.limit.take(place.name) else None
