"""The table's own Wi-Fi on the host's page: whether it waits to be confirmed, and that it stays."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from firmware.parts.addresses import Interface, interfaces
from firmware.storage.access_point import (
    INTERFACE,
    RUN,
    WIFI_ACCESS,
    WifiAccess,
    confirm_wifi,
    is_confirmed,
    is_in_own_wifi,
    is_probed,
    pending_wifi,
)


class OwnWifi:
    """The access point that this machine may be on trial with."""

    def __init__(
        self,
        state: Path,
        run: Path = RUN,
        clock: Callable[[], float] = monotonic,
        found: Callable[[], Iterable[Interface]] = interfaces,
    ) -> None:
        """Take the table's state, where root tells of the attempt, and what finds interfaces."""
        self._state, self._run, self._clock, self._found = state, run, clock, found

    def seconds_left(self) -> int | None:
        """Tell for how long it still waits; None if none does."""
        now = self._clock()
        pending = pending_wifi(self._run, now)
        if pending is None or is_confirmed((self._run, self._state), pending):
            return None
        return int(pending.until - now)

    def is_reached_by(self, address: str) -> bool:
        """Tell whether a device with this address has come by it."""
        return is_in_own_wifi(address)

    def portal(self, host: str, address: str) -> str | None:
        """Give the address to which a phone in it is led that looks for a page of the Wi-Fi."""
        if not is_probed(host) or not is_in_own_wifi(address):
            return None
        return str(INTERFACE.ip) if self._is_up() else None

    def access(self) -> WifiAccess | None:
        """Give what a phone needs to join it, while it is there."""
        return WIFI_ACCESS.read(self._state) if self._is_up() else None

    def _is_up(self) -> bool:
        return any(each.address == str(INTERFACE.ip) for each in self._found())

    def keep(self) -> bool:
        """Write down that it stays; tell whether that could be kept."""
        pending = pending_wifi(self._run, self._clock())
        if pending is None:
            return False
        with suppress(OSError):
            confirm_wifi(self._state, pending)
            return True
        return False
