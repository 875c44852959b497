"""A supervisor for machines without systemd: it restarts the table's process when it dies or hangs.

It listens on the socket in `NOTIFY_SOCKET`, as systemd does, so the process doesn't see a difference.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from types import FrameType

from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.files import scratch
from firmware.table.systemd import AGAIN as TRY_AGAIN
from firmware.table.systemd import EXTEND, STARTING, WATCH, WATCHDOG, is_sign_of_life

SLEPT = 2.0
"""Seconds between two checks that mean the supervisor was suspended, and perhaps its child too."""
PAUSE, MAX_PAUSE = 1.0, 30.0
"""Seconds before a restart; doubled for each early death, up to the second value."""
HEALTHY = 60.0
"""Seconds of life after which the pause before a restart is short again."""
WITH_DEFAULTS = 4
"""Number of the start that uses defaults at the latest, if all earlier ones failed."""
POLL_INTERVAL = 0.25
PARENT = "COYOTE_PARENT"
"""Environment variable with the supervisor's process id."""
DIED = "COYOTE_DIED"
"""Environment variable of a restart: when the process before it died, by `monotonic`."""
BORN = monotonic()
"""When this process began."""
AGAIN = "COYOTE_AGAIN"
"""Environment variable of a restart: the current match is resumed."""
PROGRAM = "from firmware.start.program import main; main()"
BOUNDED = 4096
"""Bytes of a notification that are read."""
SUBREAPER = 36
"""`PR_SET_CHILD_SUBREAPER` of Linux."""


class Deadline(Struct, frozen=True):
    """The time of the next required sign of life, and the seconds of silence allowed after it."""

    until: float
    patience: float

    def after(self, told: str, now: float) -> "Deadline":
        """Return the deadline after a notification."""
        said = dict(line.partition("=")[::2] for line in told.splitlines())
        patience = int(said[WATCH]) / 1e6 if WATCH in said else self.patience
        if EXTEND in said:
            return Deadline(now + int(said[EXTEND]) / 1e6, patience)
        return Deadline(now + patience, patience) if is_sign_of_life(told) else self


class Supervisor:
    """Runs the table as a child process."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = list(arguments)
        self._child: subprocess.Popen[bytes] | None = None
        self._is_ending = self._was_ready = False
        self._died: float | None = None

    def run(self) -> int:
        """Restart the child until it ends by itself or a signal ends it. Returns its exit code."""
        # a closed terminal also signals the child
        for name in end_signals():
            signal.signal(name, self._end)
        if sys.platform == "linux":
            # orphans of the child become children of this process, which can end them
            ctypes.CDLL(None).prctl(SUBREAPER, 1)
        with scratch() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as signs:
            signs.bind(str(folder / "notify"))
            signs.settimeout(POLL_INTERVAL)
            code = self._live(signs, folder)
            pause, lives = PAUSE, 1
            while code != 0 and self._may_help(code, lives):
                until = monotonic() + pause
                while not self._is_ending and monotonic() < until:
                    sleep(POLL_INTERVAL)
                if self._is_ending:
                    break
                started = monotonic()
                code = self._live(signs, folder)
                pause = PAUSE if monotonic() - started > HEALTHY else min(2 * pause, MAX_PAUSE)
                lives += 1
            return 0 if self._is_ending else code

    def _may_help(self, code: int, lives: int) -> bool:
        """Return whether a restart may help: always after a successful start, else until one used defaults."""
        return self._was_ready or (lives < WITH_DEFAULTS and (code == TRY_AGAIN or code < 0))

    def _live(self, signs: socket.socket, folder: Path) -> int:
        """Start the child and wait for its end; a hanging one is killed. Returns its exit code."""
        surroundings = {
            "RUNTIME_DIRECTORY": str(folder),
            **os.environ,
            "NOTIFY_SOCKET": signs.getsockname(),
            PARENT: str(os.getpid()),
            **({} if self._died is None else {DIED: str(self._died)}),
            **({AGAIN: "1"} if self._was_ready else {}),
        }
        command = [sys.executable, "-P", "-c", PROGRAM, *self._arguments]
        # the child and its processes inherit the mask: Ctrl-C in the middle of their start prints a traceback
        unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        child = self._child = subprocess.Popen(command, env=surroundings)  # noqa: S603 - our own program
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        if self._is_ending:
            child.terminate()
        now, told, code = monotonic(), "", None
        deadline = Deadline(now + STARTING, WATCHDOG)
        # also reads notifications sent just before its end
        while told or code is None:
            code = child.poll()
            told, looked = "", now
            with suppress(TimeoutError):
                told = signs.recv(BOUNDED).decode(errors="replace")
            now = monotonic()
            self._was_ready |= is_sign_of_life(told)
            if told:
                deadline = deadline.after(told, now)
            elif now > looked + SLEPT:
                deadline = replace(deadline, until=max(deadline.until, now + deadline.patience))
            elif now >= deadline.until:
                child.kill()
        self._died = now
        _kill_leftovers()
        return code

    def _end(self, _signal: int, _frame: FrameType | None) -> None:
        """Pass on a signal to end; the second one kills the child."""
        child, was_ending = self._child, self._is_ending
        self._is_ending = True
        if child is not None:
            with suppress(ProcessLookupError):
                child.send_signal(signal.SIGKILL if was_ending else signal.SIGTERM)


def end_signals() -> tuple[signal.Signals, ...]:
    """Return the signals that end a table; with nohup, SIGHUP isn't one."""
    outlives = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return signal.SIGTERM, signal.SIGINT, *(() if outlives else (signal.SIGHUP,))


def _kill_leftovers() -> None:
    """Kill orphans of the child: a suspended eyes process would block the camera for ever."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
            # only our own program, not a browser that it opened
            if int(parent) == os.getpid() and (file.parent / "exe").samefile(sys.executable):
                os.kill(int(file.parent.name), signal.SIGKILL)
    # without waiting: a process may be stuck in a driver
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def is_supervised() -> bool:
    """Return whether systemd or our supervisor runs this process."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def is_restart() -> bool:
    return AGAIN in os.environ


def has_parent() -> bool:
    return PARENT in os.environ


def is_wanted() -> bool:
    """Return whether the parent supervisor, if there is one, is still alive."""
    parent = os.environ.get(PARENT)
    return parent is None or os.getppid() == int(parent)
