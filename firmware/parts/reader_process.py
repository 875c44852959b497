"""Readers in a process of their own, which can be killed: a file goes in, what was read comes out."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, TimeoutExpired, run
from tempfile import TemporaryFile
from threading import BoundedSemaphore, Lock
from typing import IO

MEMORY = 1_500_000_000
"""Bytes of addresses that a reader may take; OpenCV alone takes half of that without filling it."""
NICE = 10
"""The table goes first."""
WAITING = 3
"""Files that are read or wait; more are turned away."""
ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""One thread: the others are the table's."""


class ReaderQueue:
    """Lets one file be read at a time."""

    def __init__(self) -> None:
        """Begin with none."""
        self._places, self._turn = BoundedSemaphore(WAITING), Lock()

    @contextmanager
    def turn(self) -> Iterator[bool]:
        """Wait for the files that came before; false where too many wait already."""
        if not self._places.acquire(blocking=False):
            yield False
            return
        try:
            with self._turn:
                yield True
        finally:
            self._places.release()


def limit_process(seconds: int) -> None:
    """Take so many seconds of a processor and little memory, write no files, and let others go first.

    Where memory runs out, the system ends this process sooner than the table.
    """
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setpriority(os.PRIO_PROCESS, 0, NICE)


def run_reader(module: str, asked: str, file: IO[bytes], seconds: float) -> bytes | None:
    """Give what a process said of a file, which may be nothing; None if it took too long."""
    command = [sys.executable, "-P", "-m", module, asked]
    with TemporaryFile() as spooled:
        while part := file.read(1 << 20):
            spooled.write(part)
        spooled.seek(0)
        try:
            done = run(  # noqa: S603 - our own Python, and nothing that a phone says
                command,
                stdin=spooled,
                stdout=PIPE,
                stderr=DEVNULL,
                timeout=seconds,
                check=False,
                env={**os.environ, **ALONE},
            )
        except TimeoutExpired:
            return None
    return done.stdout
