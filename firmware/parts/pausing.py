"""A pause for as long as a person is guided: the table goes on once they leave, or do nothing for long."""

from collections.abc import Callable
from threading import Lock, Timer

from firmware.table.door import TableDoor

IDLE = 600.0
"""Seconds without a sign of the person who is guided, after which the table goes on."""


class Pausing:
    """The table's pause; each that is guided leaves in its own way when it stays idle."""

    def __init__(self, door: TableDoor, seconds: float = IDLE) -> None:
        """Begin with no person guided."""
        self._door, self._seconds = door, seconds
        self._leave: dict[str, Callable[[], object]] = {}
        self._was_paused = False
        self._timer: Timer | None = None
        self._lock = Lock()

    def enter(self, name: str, leave: Callable[[], object]) -> None:
        """Pause for a person under this name; `leave` is called when they stay idle."""
        with self._lock:
            if not self._leave:
                # a pause of the host's own outlasts this one
                self._was_paused = self._door.state().is_paused
                self._door.pause()
            self._leave[name] = leave
            self._wind()

    def touch(self) -> None:
        """Note a sign of the person who is guided: the time for leaving starts anew."""
        with self._lock:
            if self._leave:
                self._wind()

    def leave(self, name: str) -> None:
        """Let the table go on, if no other person is guided and it wasn't paused before."""
        with self._lock:
            if self._leave.pop(name, None) is None or self._leave:
                return
            self._unwind()
            if not self._was_paused:
                self._door.go_on()

    def _wind(self) -> None:
        self._unwind()
        self._timer = Timer(self._seconds, self._idle)
        self._timer.daemon = True
        self._timer.start()

    def _unwind(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _idle(self) -> None:
        for leave in list(self._leave.values()):
            leave()
