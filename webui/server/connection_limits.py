"""Places for connections: some for devices that have a right, others for strangers, shared out by network."""

import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock

from webui.access.origins import network_of


class HeldPlace:
    """A place that is taken, until it is left or another network needs it more."""

    def __init__(self, limit: "ConnectionLimit", name: str, connection: socket.socket | None) -> None:
        """Take the limit, the name by which the place is counted there, and the connection that has it."""
        self._limit, self.name, self.connection = limit, name, connection
        self.is_waiting = False
        """Whether nothing is done but to wait for the phone: only then may another one have the place."""

    def leave(self) -> None:
        """Give the place back, unless another one has it by now."""
        self._limit.leave(self)

    def may_go(self) -> bool:
        """Tell whether the connection can be hung up on, and no work is lost."""
        return self.is_waiting and self.connection is not None

    def hang_up(self) -> None:
        """End the connection, also where a thread waits for it just now."""
        if self.connection is not None:
            with suppress(OSError):
                # an encrypted one would change hands first, and its thread may be using it
                socket.socket.shutdown(self.connection, socket.SHUT_RDWR)


class ConnectionLimit:
    """Counts open connections by name: of a network or a device."""

    def __init__(self, most: int, each: int) -> None:
        """Set the limits in total and per name."""
        self._most, self._each = most, each
        self._lock, self._held = Lock(), dict[str, list[HeldPlace]]()

    def take(self, name: str, connection: socket.socket | None = None) -> HeldPlace | None:
        """Take a place; if none is free, a slow phone of a name that has more than this one makes room."""
        with self._lock:
            own = len(self._held.get(name, ()))
            is_full = sum(map(len, self._held.values())) >= self._most
            slow = self._find_slow(own) if is_full else None
            if own >= self._each or (is_full and slow is None):
                return None
            if slow is not None:
                self._remove(slow)
            place = HeldPlace(self, name, connection)
            self._held.setdefault(name, []).append(place)
        if slow is not None:
            slow.hang_up()
        return place

    def count(self, name: str) -> int:
        """Count the places that a name has."""
        return len(self._held.get(name, ()))

    def leave(self, place: HeldPlace) -> None:
        """Count a connection as closed."""
        with self._lock:
            if place in self._held.get(place.name, ()):
                self._remove(place)

    def _find_slow(self, own: int) -> HeldPlace | None:
        """Find the oldest connection that only waits, of the largest crowd that has one to spare."""
        crowds = sorted(self._held.values(), key=len, reverse=True)
        slow = (place for crowd in crowds if len(crowd) > own + 1 for place in crowd if place.may_go())
        return next(slow, None)

    def _remove(self, place: HeldPlace) -> None:
        self._held[place.name].remove(place)
        if not self._held[place.name]:
            # forget names without connections
            del self._held[place.name]


class Places:
    """Places for strangers, counted by their network, and others for devices that have a right."""

    def __init__(self, strangers: ConnectionLimit, known: ConnectionLimit) -> None:
        """Take both limits."""
        self._strangers, self._known = strangers, known

    def take(
        self, device: str | None, address: str, connection: socket.socket | None = None
    ) -> HeldPlace | None:
        """Take a place for a device, or for a stranger; None if there is none."""
        if device is None:
            return self._strangers.take(network_of(address), connection)
        return self._known.take(device, connection)

    def take_stream(self, device: str | None, environ: Mapping[str, object]) -> HeldPlace | None:
        """Take a place for an answer without an end: it makes room as a slow phone does."""
        connection = environ.get("werkzeug.socket")
        ours = connection if isinstance(connection, socket.socket) else None
        place = self.take(device, str(environ.get("REMOTE_ADDR", "")), ours)
        if place is not None:
            place.is_waiting = True
        return place

    def count_strangers(self, network: str) -> int:
        """Count the places that strangers of a network have."""
        return self._strangers.count(network)
