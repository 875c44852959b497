"""A supervisor where there is no systemd: it starts the companion again when it dies or hangs.

It listens as systemd does, on the socket that `NOTIFY_SOCKET` names: to the companion they are the same.
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
"""Seconds between two looks after which we were stopped ourselves, and the companion may have been, too."""
PAUSE, LONGEST = 1.0, 30.0
"""Seconds before a new start; more each time, for one that dies again and again."""
HEALTHY = 60.0  # seconds of life after which a death is the first one again
WITH_DEFAULTS = 4
"""The start at the latest that is made without anything that could be to blame, if those before it failed."""
POLL_INTERVAL = 0.25
PARENT = "COYOTE_PARENT"  # the variable that tells the companion who supervises it
AGAIN = "COYOTE_AGAIN"
"""The variable that tells the companion that it was at the table before: the match that was on goes on."""
TRIAL = "COYOTE_TRIAL"
"""The variable that says that this version is new: one that doesn't come up isn't tried again here."""
PROGRAM = "from firmware.start.program import main; main()"
BOUNDED = 4096
SUBREAPER = 36  # what Linux calls `PR_SET_CHILD_SUBREAPER`


class Deadline(Struct, frozen=True):
    """Until when a companion has to say something, and how long it may be silent then."""

    until: float
    patience: float

    def after(self, told: str, now: float) -> "Deadline":
        """Give what it has after it has told something."""
        said = dict(line.partition("=")[::2] for line in told.splitlines())
        patience = int(said[WATCH]) / 1e6 if WATCH in said else self.patience
        if EXTEND in said:
            return Deadline(now + int(said[EXTEND]) / 1e6, patience)
        return Deadline(now + patience, patience) if is_sign_of_life(told) else self


class Supervisor:
    """The companion as a child process."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = list(arguments)
        self._child: subprocess.Popen[bytes] | None = None
        self._is_ending = self._was_ready = False

    def run(self) -> int:
        """Keep the companion alive until it ends by itself, or is told to end; give its code."""
        # Ctrl-C and a terminal that is closed reach the companion, too
        for name in end_signals():
            signal.signal(name, self._end)
        if sys.platform == "linux":
            # what a companion leaves behind becomes ours to end
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
                pause = PAUSE if monotonic() - started > HEALTHY else min(2 * pause, LONGEST)
                lives += 1
            return 0 if self._is_ending else code

    def _may_help(self, code: int, lives: int) -> bool:
        """Return whether a new start may help: always once it was ready, else until it had defaults."""
        if TRIAL in os.environ:
            return self._was_ready
        return self._was_ready or (lives < WITH_DEFAULTS and (code == TRY_AGAIN or code < 0))

    def _live(self, signs: socket.socket, folder: Path) -> int:
        """Start the companion, and wait for its end; one that hangs is killed."""
        surroundings = {
            "RUNTIME_DIRECTORY": str(folder),
            **os.environ,
            "NOTIFY_SOCKET": signs.getsockname(),
            PARENT: str(os.getpid()),
            **({AGAIN: "1"} if self._was_ready else {}),
        }
        command = [sys.executable, "-P", "-c", PROGRAM, *self._arguments]
        child = self._child = subprocess.Popen(command, env=surroundings)  # noqa: S603 - our own program
        if self._is_ending:
            child.terminate()
        now, told, code = monotonic(), "", None
        deadline = Deadline(now + STARTING, WATCHDOG)
        # what it said before its end is heard, too
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
        _kill_leftovers()
        return code

    def _end(self, _signal: int, _frame: FrameType | None) -> None:
        """Pass the wish to end on; a companion that doesn't is killed by the next one."""
        child, was_ending = self._child, self._is_ending
        self._is_ending = True
        if child is not None:
            with suppress(ProcessLookupError):
                child.send_signal(signal.SIGKILL if was_ending else signal.SIGTERM)


def end_signals() -> tuple[signal.Signals, ...]:
    """List the signals that end a table; with nohup, a terminal that is closed doesn't."""
    outlives = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return signal.SIGTERM, signal.SIGINT, *(() if outlives else (signal.SIGHUP,))


def _kill_leftovers() -> None:
    """Kill what a companion has left: stopped eyes would hold their camera for ever."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
            # not a browser that it has opened
            if int(parent) == os.getpid() and (file.parent / "exe").samefile(sys.executable):
                os.kill(int(file.parent.name), signal.SIGKILL)
    # one that is stuck in its driver isn't waited for
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def is_supervised() -> bool:
    """Return whether systemd or a supervisor of ours already looks after this process."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def is_restart() -> bool:
    return AGAIN in os.environ


def has_parent() -> bool:
    return PARENT in os.environ


def is_wanted() -> bool:
    """Return whether our supervisor, if it is one of ours, still lives."""
    parent = os.environ.get(PARENT)
    return parent is None or os.getppid() == int(parent)
