"""Limits on open connections: some places for known devices, others shared among strangers by network."""

import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock
from typing import Any

from webui.access.origins import network_of


class HeldPlace:
    """A place in use, until it is released or given to another connection."""

    def __init__(self, limit: "ConnectionLimit", name: str, connection: socket.socket | None) -> None:
        """Store the limit, the name it counts under, and the connection."""
        self._limit, self.name, self.connection = limit, name, connection
        self.is_slow = False
        """Whether a thread is waiting for the phone; then another connection may get the place."""
        self.is_stream = False
        """Whether the response is endless; then another network may get the place."""

    def leave(self) -> None:
        """Release the place, unless another connection already has it."""
        self._limit.leave(self)

    def hang_up(self) -> None:
        """Close the connection, even while a thread waits for it."""
        if self.connection is not None:
            with suppress(OSError):
                # the TLS socket's own method would also detach its state, which its thread may be using
                socket.socket.shutdown(self.connection, socket.SHUT_RDWR)


class ConnectionLimit:
    """Counts open connections by network or device."""

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._lock, self._held = Lock(), dict[str, list[HeldPlace]]()

    def take(self, name: str, connection: socket.socket | None = None) -> HeldPlace | None:
        """Reserve a place; if none is free, drop a slow phone of the same name or of one with more."""
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
        """Return the oldest connection to drop: the name's own if it is full, otherwise the largest crowd's."""
        if len(own) >= self._each:
            return next((place for place in own if place.is_slow), None)
        crowds = sorted(self._held.values(), key=len, reverse=True)
        ranked = ((len(crowd) - len(own), place) for crowd in crowds for place in crowd)
        # streams reconnect at once; without a margin, two equal crowds would drop each other's for ever
        slow_or_stream = ((more, place) for more, place in ranked if place.is_slow or place.is_stream)
        return next((place for more, place in slow_or_stream if more > (0 if place.is_slow else 1)), None)

    def _remove(self, place: HeldPlace) -> None:
        self._held[place.name].remove(place)
        if not self._held[place.name]:
            # forget names without connections
            del self._held[place.name]


class Places:
    """Places for strangers, counted by network, and others for known devices."""

    def __init__(self, strangers: ConnectionLimit, known: ConnectionLimit) -> None:
        self._strangers, self._known = strangers, known

    def take(self, device: str | None, address: str, connection: socket.socket | None) -> HeldPlace | None:
        if device is None:
            return self._strangers.take(network_of(address), connection)
        return self._known.take(device, connection)

    def take_stream(self, device: str | None, environ: Mapping[str, Any]) -> HeldPlace | None:
        """Reserve a place for an endless response, which can be dropped like a slow phone."""
        connection = environ.get("werkzeug.socket")
        place = self.take(device, environ.get("REMOTE_ADDR", ""), connection)
        if place is not None:
            place.is_stream = connection is not None
        return place

    def count_strangers(self, network: str) -> int:
        return self._strangers.count(network)
