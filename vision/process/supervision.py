"""Run the eyes in a separate process: callers never wait for it, and a hanging process is replaced.

The process is killed, not asked to stop, because picamera2 can hang in its own threads for ever.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any

from vision.process.messages import settings_after

WORSE = WORST = 1000
"""Increase of the eyes' out-of-memory score, and Linux's maximum.

The unit is a thousandth of all memory: even while they are small, the eyes are killed before the table.
"""
Work = Callable[[Connection, Any], None]
"""The function that runs in the process: it sends messages and heartbeats through the connection."""

BEAT = b"beat"
SILENCE_TIMEOUT = 1.5  # seconds of silence after which the process counts as hanging
START = 10.0
"""Seconds for a new process to send its first message: it loads OpenCV and opens the camera.

If that takes longer, on a busy computer, the next process gets twice the time.
"""
REAPED = 0.05  # seconds to wait for a killed process; one stuck in a camera driver is left to the kernel
PAUSE = 0.3  # seconds before a restart, so that a missing camera doesn't keep the machine busy


class SupervisedEyes:
    """A process that is restarted when it ends or falls silent, with its latest settings. No call blocks."""

    def __init__(
        self,
        work: Work,
        settings: Any = None,
        clock: Callable[[], float] = monotonic,
        patience: float = SILENCE_TIMEOUT,
        start: float = START,
    ) -> None:
        self._work, self._settings = work, settings
        self._clock, self._patience, self._may_load = clock, patience, start
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
        return self._process.pid if self._process is not None else None

    def news(self) -> list[Any]:
        """Return the messages since the last call; replace the process if it has ended or hangs."""
        received = [self._inbox.get_nowait() for _message in range(self._inbox.qsize())]
        for item in received:
            self._settings = settings_after(self._settings, item)
        now = self._clock()
        slept, self._asked = now - self._asked > self._patience, now
        if received:
            self._wait_until, self._is_spared = now + self._patience, False
            self._has_started = True
        elif slept and not self._is_spared:
            # this process was suspended, so the other may have been, too
            self._wait_until, self._is_spared = max(self._wait_until, now + self._patience), True
        if self._process is None:
            if now >= self._wait_until:
                self._start()
        elif not self._process.is_alive() or now >= self._wait_until:
            if self._process.is_alive() and not self._has_started:
                self._may_load *= 2
            self._end()
            self._wait_until = self._clock() + PAUSE
        return [item for item in received if item != BEAT]

    def tell(self, message: Any) -> None:
        """Send an order. A dead process loses it, but the next one starts with the settings it changed."""
        self._settings = settings_after(self._settings, message)
        if self._ours is not None:
            with suppress(OSError):
                self._ours.send(message)

    def close(self) -> None:
        """End the process for good; waits up to REAPED seconds."""
        process = self._process
        self._end()
        if process is not None:
            process.join(REAPED)
        self._wait_until = float("inf")

    def _start(self) -> None:
        self._ours, theirs = self._context.Pipe()
        self._inbox = SimpleQueue()
        # a thread, because a process killed in the middle of a message would block the reader
        threading.Thread(target=_carry_messages, args=(self._ours, self._inbox), daemon=True).start()
        self._process = self._context.Process(target=self._work, args=(theirs, self._settings), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        # this unblocks Ctrl-C; eyes that inherit that print a traceback
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        let_go_first(self._process.pid)
        theirs.close()
        self.starts += 1
        self._has_started = False
        self._wait_until = self._clock() + self._may_load

    def _end(self) -> None:
        """Kill the process; it is reaped when the next process starts."""
        if self._process is not None:
            self._process.kill()
            self._process = None
        # the reader closes the connection: if closed here, it could read from a reused descriptor
        self._ours = None


def _carry_messages(theirs: Connection, inbox: "SimpleQueue[Any]") -> None:
    with theirs, suppress(EOFError, OSError):
        while True:
            inbox.put(theirs.recv())


def let_go_first(pid: int | None) -> None:
    """Make Linux kill this process first when memory runs out: it is restarted."""
    # other systems have no such file, and the process may have ended
    with suppress(OSError, ValueError):
        points = int(Path("/proc/self/oom_score_adj").read_text(encoding="ascii"))
        Path(f"/proc/{pid}/oom_score_adj").write_text(str(min(WORST, points + WORSE)), encoding="ascii")


def is_orphaned(parent: int) -> bool:
    """Return whether the parent process is gone, so that this one should end, too."""
    return os.getppid() != parent
