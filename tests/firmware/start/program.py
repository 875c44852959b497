"""The real program on a simulated table without a camera: cards are tapped in."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.journal import open_readonly
from firmware.storage.people.links_file import LinksFile, read_links
from tests.firmware.start.whole_table import TWIN, WholeTable, World, free_port
from tests.proc import is_alive, reported
from tests.webui.access.letting_in import Admitted, admitted, with_all_seats

FOLDERS = ("restoring", "before-", "decks", "evidence", ".backup-")
"""Prefixes of the names of resources that exist only after someone was admitted."""


class Resources(Struct, frozen=True):
    """Resources a process holds now."""

    memory: float  # megabytes
    threads: int
    files: int

    def __str__(self) -> str:
        return f"{self.memory} MB, {self.threads} threads, {self.files} files"


class Program(Struct, frozen=True, eq=False):
    """A running companion."""

    port: int
    pid: int  # of the companion itself, not of its supervisor
    folder: Path

    @property
    def journal(self) -> Path:
        return self.folder / "journal.sqlite3"

    def links(self) -> Admitted:
        """Admit a device at each seat, as `coyote table pin` does, and return the links."""
        return admitted(LinksFile(self.folder / "links.json").renew(with_all_seats))

    def holdings(self) -> Resources:
        return holdings_of(self.pid)

    def lines(self) -> tuple[int, ...]:
        with open_readonly(self.journal) as journal:
            return tuple(len(journal.lines(match.id)) for match in journal.matches())

    def answers(self) -> int:
        """Count the answers in its journal; a match's first line isn't one, and may be alone."""
        return sum(lines - 1 for lines in self.lines())

    def protected_state(self) -> Mapping[str, object]:
        files = {
            name: (self.folder / name).read_bytes() if (self.folder / name).exists() else None
            for name in ("chosen.json", "table.json")
        }
        evening = read_links(self.folder / "links.json")
        if evening is not None:
            # without the uptime and devices that ask to be a screen or the camera: anybody may ask
            screens = tuple(screen for screen in evening.screens if screen.is_in)
            cameras = tuple(camera for camera in evening.cameras if camera.is_in)
            evening = replace(evening, ran=0.0, screens=screens, cameras=cameras)
        folders = sorted(path.name for path in self.folder.iterdir() if path.name.startswith(FOLDERS))
        lines = {"journal": self.lines(), "folders": folders, "lives": is_alive(self.pid)}
        return {**files, "links": evening, **lines}


def holdings_of(pid: int | str) -> Resources:
    memory, threads = (reported(name, f"{pid}/status") for name in ("VmRSS", "Threads"))
    return Resources(round(memory / 1024, 1), threads, sum(1 for _file in Path(f"/proc/{pid}/fd").iterdir()))


def peak_memory(pid: int) -> float:
    """Return a process's peak memory, in megabytes."""
    return reported("VmHWM", f"{pid}/status") / 1024


@contextmanager
def run_table(folder: Path, *options: str, world: World = TWIN) -> Iterator[WholeTable]:
    """Start a table in its own folder, as `./run` does, and yield it once it admits people."""
    world = replace(world, options=options)
    table = WholeTable(folder, free_port(), with_supervisor=True, world=world)
    try:
        table.await_true(lambda: "Pages for phones" in table.said())
        yield table
        table.end()
    finally:
        table.destroy()


@contextmanager
def run_program(folder: Path, names: Sequence[str], *options: str) -> Iterator[Program]:
    """Run a companion without its camera, to save drawing the table."""
    with run_table(folder, *TWIN.options, "--seats", ",".join(names), *options) as table:
        table.type("fault unplugged")
        table.await_true(lambda: "no camera" in table.said())
        companion = table.companion()
        assert companion is not None
        yield Program(table.port, companion, folder / "state")
