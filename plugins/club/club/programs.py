"""Programs started by a hub, in processes that end with it."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from club import ClubError

START_TIMEOUT = 120.0
"""Seconds for a program to become ready, allowing for a busy machine or a database's recovery."""
POLL_INTERVAL = 0.05
LEAVING = 30.0  # seconds for a program to stop by itself
SET_PRIVILEGES = shutil.which("setpriv")
"""Linux program that stops a child when its parent ends for any reason."""


class Program:
    """A program in a separate process that ends with its hub."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        user: str | None = None,
        how: signal.Signals = signal.SIGTERM,
    ) -> None:
        self._name, self._command, self._log, self._user, self._how = name, tuple(command), log, user, how
        self.running: subprocess.Popen[bytes] | None = None

    def start(self, answers: Callable[[], bool]) -> None:
        """Start it unless it is running, and wait until it is ready; if it ends first, raise the output."""
        if not self.is_running():
            self._start()
        end = monotonic() + START_TIMEOUT
        while not answers():
            if not self.is_running() or monotonic() > end:
                raise ClubError("not started", program=self._name, why=self.last_words())
            sleep(POLL_INTERVAL)

    def _start(self) -> None:
        how = self._how.name.removeprefix("SIG")
        # the program ends when the thread that started it is gone, even if the hub was killed
        ending = () if SET_PRIVILEGES is None else (SET_PRIVILEGES, "--pdeathsig", how, "--")
        with self._log.open("ab") as log:
            self.running = subprocess.Popen(  # noqa: S603 - a program of the system, our own arguments
                (*ending, *self._command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd="/",
                **as_user(self._user),
            )

    def is_running(self) -> bool:
        return self.running is not None and self.running.poll() is None

    def send(self, what: signal.Signals) -> None:
        if self.running is not None and self.is_running():
            self.running.send_signal(what)

    def kill(self) -> None:
        if self.running is not None:
            with suppress(ProcessLookupError):
                self.running.kill()
            self.running.wait()
            self.running = None

    def end(self) -> None:
        """Stop the program; kill it if it doesn't stop."""
        self.send(self._how)
        with suppress(subprocess.TimeoutExpired):
            if self.running is not None:
                self.running.wait(LEAVING)
        self.kill()

    def last_words(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]


def as_user(name: str | None) -> dict[str, Any]:
    if name is None:
        return {}
    user = pwd.getpwnam(name)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "env": {**os.environ, "HOME": "/"}}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def is_listening(host: str, port: int) -> bool:
    with suppress(OSError), socket.create_connection((host, port), 1):
        return True
    return False
