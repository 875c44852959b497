"""The real program, on a simulated table whose camera is unplugged: what lies there is tapped."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.journal import open_readonly
from tests.webui.access.letting_in import Admitted, admitted, with_all_seats
from webui.access.evening import Evening
from webui.access.links_file import LinksFile, read_links

PROGRAM = "from firmware.start.program import main; main()"
LIMIT = 120.0
FOLDERS = ("restoring", "before-", "decks", "evidence", ".backup-")
"""How the names begin of what is only there once a person was let in."""
ANYWHERE = "0.0.0.0"  # noqa: S104 - where the program itself listens


class Held(Struct, frozen=True):
    """What a process holds just now."""

    memory: float
    """Megabytes."""
    threads: int
    files: int


class Program(Struct, frozen=True, eq=False):
    """A companion that runs."""

    port: int
    pid: int
    """Of the companion itself, not of its supervisor."""
    folder: Path

    @property
    def journal(self) -> Path:
        """Give the place of its journal."""
        return self.folder / "journal.sqlite3"

    def links(self) -> Admitted:
        """Let a device in at each seat, beside the program as `coyote pin` writes, and say what lets in."""
        links = LinksFile(self.folder / "links.json")
        return admitted(links.renew(with_all_seats))

    def holdings(self) -> Held:
        """Look at what it holds."""
        return holdings_of(self.pid)

    def lines(self) -> int:
        """Count the lines of its journal."""
        with open_readonly(self.journal) as journal:
            return sum(len(journal.lines(match.id)) for match in journal.matches())

    def answers(self) -> int:
        """Count the answers in its journal; a match's first line is none, and may stand there alone."""
        with open_readonly(self.journal) as journal:
            return sum(len(journal.lines(match.id)) - 1 for match in journal.matches())

    def protected_state(self) -> Mapping[str, object]:
        """Give all that can't be changed without being let in."""
        names = ("chosen.json", "table.json")
        files = {name: _content(self.folder / name) for name in names}
        evening = read_links(self.folder / "links.json")
        files["links.json"] = None if evening is None else _protected_links(evening)
        folders = sorted(path.name for path in self.folder.iterdir() if path.name.startswith(FOLDERS))
        return {**files, "journal": self.lines(), "folders": folders, "lives": children(os.getpid(), self.pid)}


def _protected_links(evening: Evening) -> Evening:
    """Leave out how long the table has run, and devices that ask to be its screen: anybody may ask."""
    return replace(evening, ran=0.0, screens=tuple(screen for screen in evening.screens if screen.is_in))


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


def holdings_of(pid: int | str) -> Held:
    """Look at what a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    said = {name: text.split() for name, _colon, text in (line.partition(":") for line in status.splitlines())}
    files = sum(1 for _file in Path(f"/proc/{pid}/fd").iterdir())
    return Held(round(int(said["VmRSS"][0]) / 1024, 1), int(said["Threads"][0]), files)


def children(pid: int, named: int) -> bool:
    """Tell whether a process still lives among the offspring of another."""
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return str(named) in below or any(children(int(each), named) for each in below)


@contextmanager
def run_program(folder: Path, names: Sequence[str]) -> Iterator[Program]:
    """Let it run in a folder of its own."""
    with socket.create_server((ANYWHERE, 0)) as free:
        port = int(free.getsockname()[1])
    places = dict.fromkeys(("STATE_DIRECTORY", "LOGS_DIRECTORY", "CONFIGURATION_DIRECTORY"), str(folder))
    environ = {**os.environ, **places, "COYOTE_JOURNAL": str(folder / "journal.sqlite3"), "LANGUAGE": "en"}
    words = ["run", "--twin", "--bots", "0", "--port", str(port), "--seats", ",".join(names)]
    said = folder / "said.txt"
    with (
        said.open("wb") as out,
        subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM, *words],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
        ) as program,
    ):
        try:
            _wait(program, said, b"PIN")
            assert program.stdin is not None
            # a table needn't be drawn all the time here
            program.stdin.write(b"fault unplugged\n")
            program.stdin.flush()
            _wait(program, said, b"no camera")
            yield Program(port, _companion(program.pid), folder)
        finally:
            program.terminate()


def _wait(program: "subprocess.Popen[bytes]", said: Path, words: bytes) -> None:
    """Wait until it has said something."""
    until = monotonic() + LIMIT
    while words not in said.read_bytes():
        if program.poll() is not None or monotonic() > until:
            raise RuntimeError(said.read_text("utf-8"))
        sleep(0.05)


def _companion(supervisor: int) -> int:
    """Find the companion of a supervisor."""
    [pid] = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text(encoding="ascii").split()
    return int(pid)
