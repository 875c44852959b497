"""A process of its own for the eyes: whoever asks never waits for it, and one that hangs is replaced.

picamera2 can hang in its own threads for ever, so asking it to stop is no cure; the process is killed.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

Work = Callable[[Connection, Any], None]
"""What runs in the process: it sends news, at least a beat, through the connection, and obeys what comes."""

BEAT = b"beat"
PATIENCE = 1.5
"""Seconds without news after which the process is taken for hanging."""
START = 10.0
"""Seconds that a new process may take for its first news: it loads OpenCV and opens the camera."""
REAPED = 0.05
"""Seconds to wait for a killed process; one that sticks in its camera's driver is left to the kernel."""
PAUSE = 0.3
"""Seconds between an end and a new start, so that a camera that is missing doesn't keep the machine busy."""


class SupervisedEyes:
    """A process that is started again when it ends or falls silent; no call ever blocks."""

    def __init__(
        self,
        work: Work,
        settings: Any = None,
        clock: Callable[[], float] = monotonic,
        patience: float = PATIENCE,
        remembered: Callable[[Any, Any], Any] = lambda settings, _message: settings,
    ) -> None:
        """Start the process; `settings` must be something small that can be sent to it.

        `remembered` changes them by what is told and what comes, so that a new process starts where it was.
        """
        self._work, self._settings, self._remembered = work, settings, remembered
        self._clock, self._patience = clock, patience
        self._context = multiprocessing.get_context("spawn")
        self.starts = 0
        self._process: SpawnProcess | None = None
        self._ours: Connection | None = None
        self._inbox: SimpleQueue[Any] = SimpleQueue()
        self._wait_until = 0.0
        self._asked, self._is_spared = clock(), False
        self._start()

    @property
    def pid(self) -> int | None:
        """Give the number of the process, while there is one."""
        return self._process.pid if self._process is not None else None

    def news(self) -> list[Any]:
        """Give what came since the last call, and replace the process if it is gone or hangs."""
        received = self._empty_inbox()
        for item in received:
            self._settings = self._remembered(self._settings, item)
        now = self._clock()
        slept, self._asked = now - self._asked > self._patience, now
        if received:
            self._wait_until, self._is_spared = now + self._patience, False
        elif slept and not self._is_spared:
            # nobody was awake to ask, and the process may have slept as well
            self._wait_until, self._is_spared = max(self._wait_until, now + self._patience), True
        if self._process is None:
            if now >= self._wait_until:
                self._start()
        elif not self._process.is_alive() or now >= self._wait_until:
            self._end()
            self._wait_until = self._clock() + PAUSE
        return [item for item in received if item != BEAT]

    def tell(self, message: Any) -> None:
        """Send something; to a process that is gone it is lost, and the next one starts from its settings."""
        self._settings = self._remembered(self._settings, message)
        if self._ours is not None:
            with suppress(OSError):
                self._ours.send(message)

    def close(self) -> None:
        """End the process for good; only this waits a moment for it."""
        process = self._process
        self._end()
        if process is not None:
            process.join(REAPED)
        self._wait_until = float("inf")

    def _start(self) -> None:
        self._ours, theirs = self._context.Pipe()
        self._inbox = SimpleQueue()
        # a process that is stopped in the middle of a message would hold up whoever reads it
        threading.Thread(target=_carry_messages, args=(self._ours, self._inbox), daemon=True).start()
        self._process = self._context.Process(target=self._work, args=(theirs, self._settings), daemon=True)
        self._process.start()
        theirs.close()
        self.starts += 1
        self._wait_until = self._clock() + START

    def _empty_inbox(self) -> list[Any]:
        received: list[Any] = []
        with suppress(Empty):
            while True:
                received.append(self._inbox.get_nowait())
        return received

    def _end(self) -> None:
        """Kill the process: one that is stopped or hangs in its camera would not listen.

        Nobody waits for it here; the next process that starts takes its end to the kernel's books.
        """
        if self._process is not None:
            self._process.kill()
            self._process = None
        # whoever reads from it closes it: closed under a reader, its number may already be another file's
        self._ours = None


def _carry_messages(theirs: Connection, inbox: "SimpleQueue[Any]") -> None:
    """Carry what comes from the process to whoever asks for it, until the process ends."""
    with theirs, suppress(EOFError, OSError):
        while True:
            inbox.put(theirs.recv())


def is_orphaned(parent: int) -> bool:
    """Tell whether whoever started this process is gone, so that it should end too."""
    return os.getppid() != parent
