"""The user's program on the twin in real processes, started like by systemd or a user, and killed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from random import Random
from time import monotonic

from msgspec import Struct

from firmware.start.supervisor import PROGRAM
from firmware.storage.people.evening import Evening
from firmware.storage.people.links_file import read_links
from firmware.table.systemd import READY
from tests.firmware.start.browsing import Phone
from tests.firmware.start.known_decks import share_known_decks
from tests.given import present
from tests.proc import parent, pids_with, read
from tests.waiting import POLL_INTERVAL as FAST_POLL
from tests.waiting import TEST_TIMEOUT, came

POLL_INTERVAL = 0.25
PORTS = range(20_000, 32_000)
EYES = b"spawn_main"
CONFIGURATION = '[play]\ngame = "{game}"\nseats = ["Ana", "Bo", "Eve"]\n[sound]\nvolume = 0\n'
DROPPED_VARIABLES = ("NOTIFY_SOCKET", "RUNTIME_DIRECTORY", "COYOTE_JOURNAL", "COYOTE_PARENT", "COYOTE_AGAIN")
"""Variables of the test's environment that no table may inherit."""


class World(Struct, frozen=True):
    """Conditions of a start: command prefix, environment variables, options and program."""

    before: tuple[str, ...] = ()
    environ: Mapping[str, str | None] = {}
    options: tuple[str, ...] = ("--twin", "--bots", "0")
    program: str = PROGRAM


TWIN = World()


class WholeTable:
    """One start of a table, with all its processes and its folder."""

    def __init__(
        self,
        folder: Path,
        port: int,
        game: str = "coyote",
        *,
        with_supervisor: bool = False,
        runtime: Path | None = None,
        world: World = TWIN,
    ) -> None:
        """Start it as systemd does, perhaps with a runtime folder, or as a user does."""
        self.folder, self.port = folder, port
        create_folders(folder, game)
        self._signs = None if with_supervisor else _signs(folder / "notify")
        surroundings = {**folder_variables(folder, runtime, is_told=not with_supervisor), **world.environ}
        self._environ = {name: value for name, value in surroundings.items() if value is not None}
        self._program = world.program
        self.began = monotonic()
        self._process = self.command("run", *world.options, "--port", str(port), before=world.before)

    def command(self, *words: str, before: tuple[str, ...] = ()) -> "subprocess.Popen[bytes]":
        with (self.folder / "said").open("ab") as said:
            return subprocess.Popen(
                [*before, sys.executable, "-P", "-c", self._program, *words],
                env=self._environ,
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    # progress

    def ready(self) -> float | None:
        if self._signs is None:
            return None
        if not self.hears(READY):
            raise AssertionError(f"it doesn't get ready, but said:\n{self.said()[-2000:]}")
        return monotonic() - self.began

    def hears(self, sign: str) -> bool:
        """Wait for the next signal of this kind while the table lives. Returns whether it came."""
        return came(lambda: self.sign() == sign, self.is_on)

    def is_on(self) -> bool:
        return self._process.poll() is None

    def sign(self) -> str:
        with suppress(TimeoutError):
            return "" if self._signs is None else self._signs.recv(4096).decode()
        return ""

    def said(self) -> str:
        return (self.folder / "said").read_text(encoding="utf-8", errors="replace")

    def await_true(
        self, is_so: Callable[[], bool], seconds: float = TEST_TIMEOUT, look: float = FAST_POLL
    ) -> None:
        if not came(is_so, self.is_on, seconds, look):
            raise AssertionError(f"it doesn't come, but was said:\n{self.said()[-2000:]}")

    def page(self) -> float:
        self.await_true(lambda: bool(self.look()))
        return monotonic() - self.began

    def look(self, path: str = "/") -> str:
        """Load a page as a stranger; empty while the table starts."""
        with suppress(OSError, HTTPException):
            return Phone().get(self.port, path)
        return ""

    def evening(self) -> Evening:
        """Return the table's codes, PIN and devices."""
        return present(read_links(self.folder / "state" / "links.json"))

    def type(self, text: str) -> None:
        if self._process.stdin is not None:
            # ValueError: the thread waiting for the table's end has closed its input
            with suppress(OSError, ValueError):
                self._process.stdin.write(f"{text}\n".encode())
                self._process.stdin.flush()

    # processes

    @property
    def pid(self) -> int:
        return self._process.pid

    def companion(self) -> int | None:
        """Return the companion's process id, not its supervisor's."""
        if self._signs is not None:
            return self.pid
        for pid in processes(self.folder):
            if parent(pid) == self.pid and PROGRAM.encode() in read(pid, "cmdline"):
                return pid
        return None

    def eyes(self) -> int | None:
        return next((pid for pid in processes(self.folder) if EYES in read(pid, "cmdline")), None)

    # the end

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> int:
        self._process.terminate()
        return self._process.wait(TEST_TIMEOUT)

    def hang_up(self) -> int:
        """Close its terminal, signalling all processes as the system does. Returns the exit code."""
        os.killpg(self.pid, signal.SIGHUP)
        return self._process.wait(TEST_TIMEOUT)

    def bury(self) -> float:
        """Wait until none of its processes is left. Returns the seconds that took."""
        since = monotonic()
        self._process.wait(TEST_TIMEOUT)
        for pipe in (self._process.stdin, self._signs):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        came(lambda: not processes(self.folder))
        return monotonic() - since

    def destroy(self) -> None:
        self.kill()
        self.bury()


def create_folders(folder: Path, game: str = "coyote") -> None:
    """Create missing folders of a table, and configure a new one unless its game has no name."""
    for name in ("state", "log", "etc"):
        if not (folder / name).exists():
            (folder / name).mkdir(parents=True)
    share_known_decks(folder / "state", game or "coyote")
    file = folder / "etc" / "coyote.toml"
    if game and not file.exists():
        file.write_text(CONFIGURATION.format(game=game), encoding="utf-8")


def _signs(file: Path) -> socket.socket:
    file.unlink(missing_ok=True)
    signs = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    signs.bind(str(file))
    file.chmod(0o777)
    signs.settimeout(POLL_INTERVAL)
    return signs


def folder_variables(folder: Path, runtime: Path | None, *, is_told: bool) -> dict[str, str]:
    """Return the folders' variables; systemd clears the runtime folder."""
    words = {
        "STATE_DIRECTORY": str(folder / "state"),
        "LOGS_DIRECTORY": str(folder / "log"),
        "CONFIGURATION_DIRECTORY": str(folder / "etc"),
        "LANGUAGE": "en",
    }
    if is_told:
        words["NOTIFY_SOCKET"] = str(folder / "notify")
    if is_told and runtime is not None:
        shutil.rmtree(runtime, ignore_errors=True)
        runtime.mkdir()
        words["RUNTIME_DIRECTORY"] = str(runtime)
    return {**{name: value for name, value in os.environ.items() if name not in DROPPED_VARIABLES}, **words}


def processes(folder: Path) -> list[int]:
    """List the live processes whose state is in a folder."""
    return list(pids_with(f"STATE_DIRECTORY={folder / 'state'}"))


def send(pid: int | None, what: signal.Signals) -> None:
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, what)


def free_port() -> int:
    """Find a port that stays free while the table is dead: below the ephemeral ports."""
    while True:
        port = Random().choice(PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def copy_journal(state: Path, folder: Path) -> Path:
    """Copy a journal with all its files into a new folder, so that the original isn't repaired."""
    folder.mkdir()
    for file in state.glob("journal.sqlite3*"):
        if file.is_dir():
            shutil.copytree(file, folder / file.name)
        else:
            shutil.copy2(file, folder)
    return folder / "journal.sqlite3"
