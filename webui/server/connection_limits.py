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
        self.is_slow = False
        """Whether a thread waits for the phone just now: then another connection may have the place."""
        self.is_stream = False
        """Whether it is an answer without an end: then another network's may have the place."""

    def leave(self) -> None:
        """Give the place back, unless another one has it by now."""
        self._limit.leave(self)

    def hang_up(self) -> None:
        """End the connection, also where a thread waits for it just now."""
        if self.connection is not None:
            with suppress(OSError):
                # an encrypted one would change hands first, and its thread may be using it
                socket.socket.shutdown(self.connection, socket.SHUT_RDWR)


class ConnectionLimit:
    """Counts open connections by name: of a network or a device."""

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._lock, self._held = Lock(), dict[str, list[HeldPlace]]()

    def take(self, name: str, connection: socket.socket | None = None) -> HeldPlace | None:
        """Take a place; if none is free, a slow phone makes room: of the same name, or of one that has more."""
        with self._lock:
            own, held = self._held.get(name, []), sum(map(len, self._held.values()))
            is_free = len(own) < self._each and held < self._most
            leaving = None if is_free else self._find_slow(own)
            if not is_free and leaving is None:
                return None
            if leaving is not None:
                self._remove(leaving)
            place = HeldPlace(self, name, connection)
            self._held.setdefault(name, []).append(place)
        if leaving is not None:
            leaving.hang_up()
        return place

    def count(self, name: str) -> int:
        return len(self._held.get(name, ()))

    def leave(self, place: HeldPlace) -> None:
        with self._lock:
            if place in self._held.get(place.name, ()):
                self._remove(place)

    def _find_slow(self, own: list[HeldPlace]) -> HeldPlace | None:
        """Find the oldest connection to end: of the name, if that has too many, or of the largest crowd."""
        if len(own) >= self._each:
            return next((place for place in own if place.is_slow), None)
        crowds = sorted(self._held.values(), key=len, reverse=True)
        ranked = ((len(crowd) - len(own), place) for crowd in crowds for place in crowd)
        # a stream comes back at once: of two that are as large, neither puts the other's out for ever
        slow_or_stream = ((more, place) for more, place in ranked if place.is_slow or place.is_stream)
        return next((place for more, place in slow_or_stream if more > (0 if place.is_slow else 1)), None)

    def _remove(self, place: HeldPlace) -> None:
        self._held[place.name].remove(place)
        if not self._held[place.name]:
            # forget names without connections
            del self._held[place.name]


class Places:
    """Places for strangers, counted by their network, and others for devices that have a right."""

    def __init__(self, strangers: ConnectionLimit, known: ConnectionLimit) -> None:
        self._strangers, self._known = strangers, known

    def take(
        self, device: str | None, address: str, connection: socket.socket | None = None
    ) -> HeldPlace | None:
        if device is None:
            return self._strangers.take(network_of(address), connection)
        return self._known.take(device, connection)

    def take_stream(self, device: str | None, environ: Mapping[str, object]) -> HeldPlace | None:
        """Take a place for an answer without an end: it makes room as a slow phone does."""
        connection = environ.get("werkzeug.socket")
        ours = connection if isinstance(connection, socket.socket) else None
        place = self.take(device, str(environ.get("REMOTE_ADDR", "")), ours)
        if place is not None:
            place.is_stream = ours is not None
        return place

    def count_strangers(self, network: str) -> int:
        return self._strangers.count(network)
