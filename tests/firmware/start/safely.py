"""Damage a table in one place, restart it until ready, and check messages and files.

Each start is a separate process, on the twin. It must be ready after three starts at the latest, report what
it set aside, continue the match, and preserve all data somewhere.
"""

import os
import shutil
import socket
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.start.supervisor import PARENT
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_readonly
from firmware.storage.memory_folders import possible_folders
from firmware.storage.people.links_file import LinksFile, read_links
from firmware.storage.wired_board import WIRED_BOARD, WiredBoard
from firmware.table.systemd import ALIVE, READY
from tests.firmware.board.inputs.matches import bidden
from tests.firmware.start.whole_table import TWIN, WholeTable, World, free_port
from tests.firmware.storage.backups.tables import backup_of, places_in, table_in
from tests.waiting import came
from tests.webui.access.letting_in import with_all_seats
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading

MATCH, MATCH_NUMBER = bidden(3, 5), 1  # the open match
STARTS = 4  # starts until a table must be ready: with one fault, the third
PORT_TAKEN = "the port of the pages"
GIANT = 3_000_000_000
NESTED = b'{"a":' * 100_000
UNPRIVILEGED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Limits root's view to that of other users."""

Break = Callable[[Path], object]


class Case(Struct, frozen=True):
    """A damage, and the expected messages."""

    thing: str
    way: str
    do: Break = lambda _home: None
    says: str = ""  # expected message, in the table's language
    environ: Mapping[str, str] = {}
    is_replaced: bool = False  # another table replaces it, as it should; the old data is preserved

    @property
    def name(self) -> str:
        return f"{self.thing}: {self.way}"


class CaseResult(Struct, frozen=True):
    """Result: starts until ready, messages, and broken promises."""

    starts: int
    said: tuple[str, ...]
    wrong: tuple[str, ...]


# a table with some of each kind of data


def table(folder: Path) -> Path:
    here = table_in(folder, "Ana", MATCH)
    (here.state / "links.json").unlink()
    LinksFile(here.state / "links.json").renew(with_all_seats)
    keep_evidence(here.state / "evidence", b"\xff\xd8" * 900, Sidecar("1", 2, Reading(())))
    (here.state / "journal.sqlite3.history").write_bytes(b'{"counted":1,"known":[]}')
    return folder


def lay_backup_ready(folder: Path) -> Path:
    from firmware.storage.backups.restoring import stage  # noqa: PLC0415 - it loads the whole backups package

    here = places_in(folder)
    stage(backup_of(table_in(folder / "other", "Zoe"), folder / "b.zip"), here)
    return here.state / "restoring"


# ways to damage a file or folder


def _write(content: bytes) -> Break:
    return lambda file: file.write_bytes(content)


def _halve(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _put_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()
    (file / "inside").write_bytes(b"the owner's")


def _put_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _put_file(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.write_bytes(b"no folder")


FILE_DAMAGES: Mapping[str, Break] = {
    "missing": Path.unlink,
    "empty": _write(b""),
    "truncated": _halve,
    "garbage": _write(b"\xff\x00\x9c garbage" * 40),
    "wrong types": _write(b'[["other", 1, null]]'),
    "too deep": _write(NESTED),
    "giant": lambda file: os.truncate(file, GIANT),
    "a folder": _put_folder,
    "a pipe": _put_pipe,
    "not readable": lambda file: file.chmod(0),
    "a newer version's": _write(b'{"format": 99, "of a newer version": {"x": [1]}}'),
}
KEPT_FILES = (
    *("chosen.json", "table.json", "table.png", "links.json", "starts.json", "left-out.json"),
    *("journal.sqlite3.history", "journal.sqlite3.lock", "decks/Ana/deck.json", "decks/Ana/Qs/1.png"),
    "evidence/1.000002.json",
)
FOLDERS = ("decks", "decks/Ana", "decks/Ana/Qs", "evidence")
CONFIGURATIONS: Mapping[str, str] = {
    "no such setting": "[bord]\nprofile = 'full'\n",
    "no such board": "[board]\nprofile = 'nosuch'\n",
    "board file missing": "[board]\nfile = '/nowhere/board.toml'\n",
    "board file is garbage": "[board]\nfile = '/proc/self/cmdline'\n",
    "no such game": "[play]\ngame = 'poker'\n",
    "no such house rule": "[play]\nhouse = { edition = 'nosuch' }\n",
    "a name twice": "[play]\nseats = ['Ana', 'Ana']\n",
    "too many seats": f"[play]\nseats = {[f'P{n}' for n in range(90)]}\n",
    "no such camera": "[camera]\nname = 'live:/nowhere/camera.bmp'\n",
    "camera is nonsense": "[camera]\nname = '\\u0000usb:-9'\n",
    "markers too far": "[camera]\napart = [1e9, 2]\n",
}
REPLACED_TABLES = ("no such game", "no such house rule", "a name twice", "too many seats")
"""Relevant only without an open match."""


def cases() -> Iterator[Case]:
    yield Case("nothing", "as it is")
    yield from _files()
    yield from _configurations()
    yield from _backups()
    yield from _journals()
    says, environ = "Aucun bouton ne marche", {"GPIOZERO_PIN_FACTORY": "nosuch"}
    # states of a table's machine; missing resources are in `dark_starts.py`
    yield Case("pins", "no such driver", _confirm_board, says, environ)
    yield Case(PORT_TAKEN, "taken", says="Pas de pages pour les téléphones")
    yield Case("the log's folder", "a file", lambda home: _put_file(home / "log"))
    yield from _unforeseen()


def _confirm_board(home: Path) -> None:
    # no pin of an unconfirmed board is opened
    WIRED_BOARD.keep(home / "state", WiredBoard("fab", "confirmed"))


def _files() -> Iterator[Case]:
    for name in (*(f"state/{name}" for name in KEPT_FILES), "etc/coyote.toml"):
        for way in FILE_DAMAGES:
            if (name, way) != ("state/journal.sqlite3.lock", "not readable"):
                yield Case(name, way, _break_file(name, way))
    for name in FOLDERS:
        yield Case(f"state/{name}", "a file", lambda home, name=name: _put_file(home / "state" / name))  # type: ignore[misc]
        yield Case(f"state/{name}", "not readable", _break_file(f"state/{name}", "not readable"))


def _break_file(name: str, way: str) -> Break:
    def broken(home: Path) -> None:
        if not (home / name).exists():
            (home / name).write_bytes(b"{}")
        FILE_DAMAGES[way](home / name)

    return broken


def _configurations() -> Iterator[Case]:
    def write(home: Path, way: str) -> None:
        (home / "etc" / "coyote.toml").write_text(CONFIGURATIONS[way], encoding="utf-8")
        if way in REPLACED_TABLES:
            (home / "state" / "journal.sqlite3").unlink()

    for way in CONFIGURATIONS:
        yield Case("etc/coyote.toml", way, partial(write, way=way))


def _backups() -> Iterator[Case]:
    def write_mark(content: bytes) -> Break:
        return lambda home: (lay_backup_ready(home) / "ready.json").write_bytes(content)

    def occupy_place(home: Path) -> None:
        mark = msgspec.json.decode((lay_backup_ready(home) / "ready.json").read_bytes())
        (home / "state" / mark["before"]).write_bytes(b"the owner's file")

    yield Case("a backup laid ready", "as it is", lay_backup_ready, is_replaced=True)
    yield Case("a backup laid ready", "mark garbage", write_mark(b"\xff"))
    yield Case("a backup laid ready", "mark too deep", write_mark(NESTED))
    yield Case("a backup laid ready", "a file where things go", occupy_place)
    yield Case("state/restoring", "a file", lambda home: _put_file(home / "state/restoring"))


def _journals() -> Iterator[Case]:
    def write_newer(home: Path) -> None:
        with closing(sqlite3.connect(home / "state" / "journal.sqlite3")) as db:
            db.executescript("CREATE TABLE of_tomorrow (it); PRAGMA user_version = 99")

    name = "state/journal.sqlite3"
    for way in ("missing", "empty", "truncated", "garbage", "a folder", "a pipe"):
        yield Case(name, way, _break_file(name, way))
    yield Case(name, "a newer version's", write_newer, "une version plus récente a écrit")
    locked = _break_file(f"{name}.lock", "not readable")
    # its owner is the table, which could allow itself to read it
    yield Case(f"{name}.lock", "not readable", locked, "dans son propre dossier")
    yield Case("state", "a file", lambda home: _put_file(home / "state"), "a file is where the table")
    for ending in ("-wal", "-shm", ".lock"):
        for way in ("garbage", "a folder"):
            yield Case(f"{name}{ending}", way, _break_file(f"{name}{ending}", way))


HOOK = """
import os, signal, sys, threading
def heard(event, values):
    if event == "open" and isinstance(values[0], (str, bytes, os.PathLike)):
        name = os.fsdecode(values[0])
        if name.endswith({name!r}) and {state!r} in name and not {aside!r} in name:
            {then}
sys.addaudithook(heard)
"""
DEATHS: Mapping[str, str] = {
    "dies": "os.kill(os.getpid(), signal.SIGSEGV)",
    "hangs": "threading.Event().wait()",
    "raises": "raise RuntimeError('nothing foresaw this')",
}


def _unforeseen() -> Iterator[Case]:
    """Make the program die, hang or raise when it reads intact data."""

    def write_hook(home: Path, name: str, then: str) -> None:
        (home / "hook").mkdir()
        text = HOOK.format(name=name, state=str(home), aside="set-aside-", then=then)
        (home / "hook" / "sitecustomize.py").write_text(text, encoding="utf-8")

    for name in ("table.json", "table.png", "coyote.toml", "journal.sqlite3.history"):
        for way, then in DEATHS.items():
            do = partial(write_hook, name=name, then=then)
            yield Case(f"reading {name}", way, do, environ={"PYTHONPATH": "hook"})


# starts


def start(home: Path, case: Case, port: int) -> WholeTable:
    environ = {"HOME": str(home), PARENT: str(os.getpid()), **case.environ}
    if "PYTHONPATH" in environ:
        environ["PYTHONPATH"] = str(home / "hook")
    options = ("--bots", "0") if "GPIOZERO_PIN_FACTORY" in environ else TWIN.options
    before = UNPRIVILEGED if case.way == "not readable" and os.geteuid() == 0 else ()
    return WholeTable(home, port, "", world=World(before, environ, options))


def try_case(case: Case, home: Path) -> CaseResult:
    """Damage a table, restart it until ready, and check the promises."""
    table(home)
    case.do(home)
    before, lines, port = contents(home), lines_of(home), free_port()
    wrong, page, starts, is_taken = list[str](), "", 0, case.thing == PORT_TAKEN
    with socket.create_server(("0.0.0.0", port if is_taken else 0)):  # noqa: S104 - as for the pages
        while not page and starts < STARTS:
            starts += 1
            running = start(home, case, port)
            try:
                page = _page_of(running, is_taken=is_taken)
                if page and not running.hears(ALIVE):
                    wrong.append("says nothing after it was ready")
                if page and running.end() != 0:
                    wrong.append("doesn't end as it should")
            finally:
                running.destroy()
    for folder in possible_folders(home / "state"):
        shutil.rmtree(folder, ignore_errors=True)
    for path in home.rglob("*"):
        # unreadable files are read now
        if path.stat().st_mode & 0o777 == 0:
            path.chmod(0o700 if path.is_dir() else 0o600)
    said = tuple(running.said().splitlines())
    wrong += [*([] if page else ["never ready"]), *_broken_promises(case, home, before, lines, said)]
    if any("set aside" in line for line in said) and "When the table started" not in page:
        wrong.append("the page doesn't tell what was set aside")
    return CaseResult(starts if page else 0, said, tuple(wrong))


def _page_of(running: WholeTable, *, is_taken: bool) -> str:
    """Wait for its page: a start without pages has failed, unless another program has their port."""
    if not running.hears(READY):
        return ""
    if is_taken:
        return "none"
    came(lambda: bool(running.look()), running.is_on)
    return running.look()


def _broken_promises(
    case: Case, home: Path, before: Mapping[str, str], lines: list[str], said: tuple[str, ...]
) -> Iterator[str]:
    told = "\n".join(said)
    # eyes whose table ends during their start report it in their own way
    if "Traceback" in told and "spawn_main" not in told:
        yield "a traceback is shown"
    asides = [path.name for path in (home / "state").glob("set-aside-*/*")]
    unsaid = [name for name in asides if f"/{name}." not in told]
    if unsaid:
        yield f"it doesn't say that {', '.join(unsaid)} is set aside"
    if case.says not in told:
        yield f"it doesn't say: {case.says}"
    gone = [before[what] for what in before.keys() - contents(home).keys()]
    if gone:
        yield f"gone: {', '.join(sorted(gone))}"
    if not lines or case.is_replaced:
        return
    if lines != lines_of(home):
        yield "the journal isn't what it was"
    log = home / "log" / "coyote.jsonl"
    noted = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    if (home / "log").is_dir() and f'"match":{MATCH_NUMBER},' not in noted:
        yield "another match goes on"


COUNTS = ("starts.json", "left-out.json", ".lock")
TEMPORARY_FILES = (*COUNTS, "ready.json", "journal.sqlite3", "hook/", "b.zip", "other/", "/said", "/notify")
"""Temporary files, or files compared in another way."""


def contents(home: Path) -> Mapping[str, str]:
    """List all files by content; a pipe by its name."""
    files = [path for path in home.rglob("*") if not any(each in str(path) for each in TEMPORARY_FILES)]
    named = {}
    for path in files:
        with make_readable(path):
            named[_content(path)] = path.name
    return {what: name for what, name in named.items() if what}


@contextmanager
def make_readable(path: Path) -> Iterator[None]:
    """Read a file that its owner may not read, without root."""
    mode = stat.S_IMODE(path.lstat().st_mode)
    is_locked = path.is_file() and not mode & stat.S_IRUSR
    if is_locked:
        path.chmod(mode | stat.S_IRUSR)
    try:
        yield
    finally:
        if is_locked:
            path.chmod(mode)


def _content(path: Path) -> str:
    if path.is_dir() or (path.is_file() and path.stat().st_size == 0) or "log/" in str(path):
        return ""
    if not path.is_file():
        return f"the pipe {path.name}"
    # admitted devices: the rest of an evening's state changes while it runs
    if path.name == "links.json" and (evening := read_links(path)) is not None:
        people = [device for person in evening.people for device in person.devices]
        return f"devices {sorted(device.token for device in (*people, *evening.hosts))}"
    return "giant" if path.stat().st_size >= GIANT else sha256(path.read_bytes()).hexdigest()


def lines_of(home: Path) -> list[str]:
    """Return the open match's lines; none if the journal can't be read."""
    path = home / "state" / "journal.sqlite3"
    try:
        with open_readonly(path) as journal:
            return journal.lines(MATCH_NUMBER)
    except (JournalError, OSError):
        return []
