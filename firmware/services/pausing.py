"""Pauses of the table while people set something up."""

from collections.abc import Callable
from threading import Lock, Timer

from firmware.table.client import TableClient

IDLE_TIMEOUT = 600.0  # seconds of inactivity before the table resumes


class Pausing:
    """Pauses the table during guided steps; each guide closes itself when idle."""

    def __init__(self, client: TableClient, seconds: float = IDLE_TIMEOUT) -> None:
        self._client, self._seconds = client, seconds
        self._leave: dict[str, Callable[[], object]] = {}
        self._was_paused = False
        self._timer: Timer | None = None
        self._lock = Lock()

    def enter(self, name: str, leave: Callable[[], object]) -> None:
        """Pause for a guide; `leave` is called when it is idle."""
        with self._lock:
            if not self._leave:
                # a pause by the host outlasts this one
                self._was_paused = self._client.state().is_paused
                self._client.pause()
            self._leave[name] = leave
            self._wind()

    def touch(self) -> None:
        """Restart the idle timer."""
        with self._lock:
            if self._leave:
                self._wind()

    def leave(self, name: str) -> None:
        """Resume, unless another guide is open or the table was paused before."""
        with self._lock:
            if self._leave.pop(name, None) is None or self._leave:
                return
            self._unwind()
            if not self._was_paused:
                self._client.go_on()

    def _wind(self) -> None:
        self._unwind()
        self._timer = timer = Timer(self._seconds, lambda: self._idle(timer))
        timer.daemon = True
        timer.start()

    def _unwind(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _idle(self, timer: Timer) -> None:
        with self._lock:
            # the timer may have fired just before it was restarted
            leaving = list(self._leave.values()) if timer is self._timer else []
        for leave in leaving:
            leave()
