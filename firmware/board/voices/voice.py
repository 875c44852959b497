"""A voice in a thread of its own: giving it something never blocks, and a hanging driver is found out."""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Generic, Protocol, TypeVar

from hardware.board.board import Trouble

WAITING = 8
"""Things that wait for a voice; with more, the oldest is left out."""
PATIENCE = 2.0
"""Seconds that a driver may take; one that takes longer hangs."""

Thing = TypeVar("Thing")
Thing_contra = TypeVar("Thing_contra", contravariant=True)


class Driver(Protocol[Thing_contra]):
    """What moves a lamp, a display or a loudspeaker; it is only called from its voice's thread."""

    def tell(self, thing: Thing_contra, elapsed: float) -> float | None:
        """Show a thing as it is so many seconds after it was given, 0 when it is new.

        Returns in how many seconds to call again, or None for not until there is a new one.
        """

    def close(self) -> None:
        """Give back what was opened."""


class Voice(Generic[Thing]):
    """A driver with its thread and a short queue."""

    def __init__(self, name: str, driver: Driver[Thing], clock: Callable[[], float] = monotonic) -> None:
        self.name = name
        self._driver, self._clock = driver, clock
        self._things: deque[Thing] = deque(maxlen=WAITING)
        self._given = threading.Condition()
        self._is_closing = False
        self._busy_since: float | None = None
        self._failed = ""
        self._thread = threading.Thread(target=self._run, name=f"voice {name}", daemon=True)
        self._thread.start()

    def give(self, thing: Thing) -> None:
        """Leave something to be told; what is told now is cut short."""
        with self._given:
            self._things.append(thing)
            self._given.notify()

    def trouble(self) -> Trouble | None:
        """Tell whether the driver hangs or has failed, so that the owner drops the voice and reports it."""
        since = self._busy_since
        if self._failed:
            return Trouble("voice failed", {"voice": self.name, "why": self._failed})
        if since is not None and self._clock() - since > PATIENCE:
            return Trouble("voice hangs", {"voice": self.name})
        return None

    def close(self, seconds: float = PATIENCE) -> bool:
        """End the thread; one that doesn't end is left alone, which is told by False."""
        with self._given:
            self._is_closing = True
            self._given.notify()
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._tell_all()
        except Exception as error:  # noqa: BLE001 - a broken lamp is told, and the game goes on
            self._failed = str(error) or type(error).__name__
        with suppress(Exception):
            self._driver.close()

    def _tell_all(self) -> None:
        """Tell one thing after another, each for as long as no new one comes."""
        told: list[Thing] = []
        since, wait = 0.0, None
        while True:
            new = self._next(wait)
            if self._is_closing:
                return
            self._busy_since = now = self._clock()
            if new:
                told, since = new, now
            wait = self._driver.tell(told[0], now - since)
            self._busy_since = None

    def _next(self, wait: float | None) -> list[Thing]:
        """Wait for a new thing, or for as long as the driver said."""
        with self._given:
            self._given.wait_for(lambda: self._things or self._is_closing, wait)
            return [self._things.popleft()] if self._things else []
