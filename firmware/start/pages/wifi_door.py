"""The table's own Wi-Fi on the host's page: whether it waits to be confirmed, and that it stays."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from firmware.storage.access_point import RUN, confirm_wifi, is_confirmed, is_in_own_wifi, pending_wifi


class OwnWifi:
    """The access point that this machine may be on trial with."""

    def __init__(self, state: Path, run: Path = RUN, clock: Callable[[], float] = monotonic) -> None:
        """Take the table's state, where it may write, and where root tells of the attempt."""
        self._state, self._run, self._clock = state, run, clock

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

    def keep(self) -> bool:
        """Write down that it stays; tell whether that could be kept."""
        pending = pending_wifi(self._run, self._clock())
        if pending is None:
            return False
        with suppress(OSError):
            confirm_wifi(self._state, pending)
            return True
        return False
