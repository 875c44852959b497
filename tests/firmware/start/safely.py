"""Break a table in one place, start it as the system does until it is ready, and tell what was said and kept.

Each start is a process of its own, on the twin. The promises: it is ready after three starts at the latest, it
says what it set aside, the match goes on, and all that was there is still somewhere.
"""

import os
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic
from urllib.request import urlopen

import msgspec
from msgspec import Struct

from firmware.core.systemd import ALIVE, READY
from firmware.start.supervisor import PARENT, PROGRAM
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_readonly
from tests.firmware.board.senses.matches import bidden
from tests.firmware.storage.backups.tables import backup_of, places_in, table_in
from tests.firmware.storage.memory import forget_memory
from tests.webui.access.letting_in import with_all_seats
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading
from webui.access.links_file import LinksFile, read_links

MATCH = bidden(3, 5)
"""The match that is on."""
STARTS = 4
"""Starts after which a table has to be ready: of one thing that is wrong the third."""
PORT_TAKEN = "the port of the pages"
PATIENCE = 60.0
"""Seconds that a start may take here; the system waits longer."""
GIANT = 3_000_000_000
NESTED = b'{"a":' * 100_000
BOUND = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Lets root see no more than others do."""

Break = Callable[[Path], None]


class Case(Struct, frozen=True):
    """Something that is broken, and in which way; what is looked for in what is said."""

    thing: str
    way: str
    do: Break
    says: str = ""
    """What it has to say, in the language that its table speaks."""
    environ: Mapping[str, str] = {}
    arguments: tuple[str, ...] = ()
    is_replaced: bool = False
    """Another table takes its place, as it should; what was there is kept."""


class Came(Struct, frozen=True):
    """What became of it: after how many starts it was ready, what was said, and what is wrong."""

    starts: int
    said: tuple[str, ...]
    wrong: tuple[str, ...]


def _bound_case(case: Case) -> tuple[str, ...]:
    return BOUND if case.way == "not readable" and os.geteuid() == 0 else ()


# a table that has some of everything


def table(folder: Path) -> Path:
    """Set up a table; its match is open."""
    here = table_in(folder, "Ana", MATCH)
    (here.state / "links.json").unlink()
    LinksFile(here.state / "links.json").renew(with_all_seats)
    keep_evidence(here.state / "evidence", b"\xff\xd8" * 900, Sidecar("1", 2, Reading(())))
    (here.state / "drafts" / "mine").mkdir(parents=True)
    (here.state / "drafts" / "mine" / "deck.json").write_bytes(b"{}")
    (here.state / "journal.sqlite3.history").write_bytes(b'{"counted":1,"known":[]}')
    return folder


def lay_backup_ready(folder: Path) -> Path:
    """Lay a backup ready, whole and checked."""
    from firmware.storage.backups.unpacking import stage  # noqa: PLC0415 - it loads the whole of backups

    here = places_in(folder)
    there = table_in(folder / "other", "Zoe")
    stage(backup_of(there, folder / "b.zip"), here)
    return here.state / "restoring"


# ways to break a file, or a folder


def empty_file(file: Path) -> None:
    """Leave nothing in it."""
    file.write_bytes(b"")


def halve_file(file: Path) -> None:
    """Leave the first half."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def garble_file(file: Path) -> None:
    """Leave bytes that mean nothing."""
    file.write_bytes(b"\xff\x00\x9c garbage" * 40)


def nest_file(file: Path) -> None:
    """Nest it deeper than anything reads."""
    file.write_bytes(NESTED)


def mistype(file: Path) -> None:
    """Say something else than it should."""
    file.write_bytes(b'[["other", 1, null]]')


def newer(file: Path) -> None:
    """Say more than this version knows."""
    file.write_bytes(b'{"format": 99, "of a newer version": {"x": [1]}}')


def giant(file: Path) -> None:
    """Make it larger than memory may be."""
    with file.open("r+b") as opened:
        opened.truncate(GIANT)


def put_folder(file: Path) -> None:
    """Put a folder in its place."""
    file.unlink()
    file.mkdir()
    (file / "inside").write_bytes(b"the owner's")


def put_pipe(file: Path) -> None:
    """Put a pipe in its place: reading it means waiting for ever."""
    file.unlink()
    os.mkfifo(file)


def lock_file(file: Path) -> None:
    """Take away all rights to read it."""
    file.chmod(0)


def remove_file(file: Path) -> None:
    """Take it away."""
    file.unlink()


def put_file(folder: Path) -> None:
    """Put a file in a folder's place."""
    shutil.rmtree(folder)
    folder.write_bytes(b"no folder")


WAYS: Mapping[str, Callable[[Path], None]] = {
    "missing": remove_file,
    "empty": empty_file,
    "truncated": halve_file,
    "garbage": garble_file,
    "wrong types": mistype,
    "too deep": nest_file,
    "giant": giant,
    "a folder": put_folder,
    "a pipe": put_pipe,
    "not readable": lock_file,
    "a newer version's": newer,
}
KEPT_FILES = (
    "state/chosen.json",
    "state/chosen.trial",
    "state/table.json",
    "state/table.png",
    "state/links.json",
    "state/starts.json",
    "state/left-out.json",
    "state/journal.sqlite3.history",
    "state/journal.sqlite3.lock",
    "state/decks/Ana/deck.json",
    "state/decks/Ana/Qs/1.png",
    "state/drafts/mine/deck.json",
    "state/evidence/1.000002.json",
    "etc/coyote.toml",
)
FOLDERS = ("decks", "decks/Ana", "decks/Ana/Qs", "drafts", "evidence")
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
AFRESH = ("no such game", "no such house rule", "a name twice", "too many seats")
"""What matters only where no match is open."""


def cases() -> Iterator[Case]:
    """Name all that can be broken."""
    yield Case("nothing", "as it is", lambda _home: None)
    yield from _files()
    yield from _configurations()
    yield from _backups()
    yield from _journals()
    yield from _machines()
    yield from _unforeseen()


def _files() -> Iterator[Case]:
    for name in KEPT_FILES:
        for way, do in WAYS.items():
            if (name, way) == ("state/journal.sqlite3.lock", "not readable"):
                continue
            yield Case(name, way, _break_file(name, do))
    for name in FOLDERS:
        yield Case(f"state/{name}", "a file", _break_file(f"state/{name}", put_file))
        yield Case(f"state/{name}", "not readable", _break_file(f"state/{name}", lock_file))


def _break_file(name: str, do: Callable[[Path], None]) -> Break:
    def broken(home: Path) -> None:
        file = home / name
        if not file.exists():
            file.write_bytes(b"{}")
        do(file)

    return broken


def _configurations() -> Iterator[Case]:
    for way, text in CONFIGURATIONS.items():

        def write_configuration(home: Path, text: str = text, way: str = way) -> None:
            (home / "etc" / "coyote.toml").write_text(text, encoding="utf-8")
            if way in AFRESH:
                (home / "state" / "journal.sqlite3").unlink()

        yield Case("etc/coyote.toml", way, write_configuration)


def _backups() -> Iterator[Case]:
    def write_mark(content: bytes) -> Break:
        return lambda home: [(lay_backup_ready(home) / "ready.json").write_bytes(content)].clear()

    def occupy_place(home: Path) -> None:
        mark = msgspec.json.decode((lay_backup_ready(home) / "ready.json").read_bytes())
        (home / "state" / mark["before"]).write_bytes(b"the owner's file")

    yield Case(
        "a backup laid ready", "as it is", lambda home: [lay_backup_ready(home)].clear(), is_replaced=True
    )
    yield Case("a backup laid ready", "mark garbage", write_mark(b"\xff"))
    yield Case("a backup laid ready", "mark too deep", write_mark(NESTED))
    yield Case("a backup laid ready", "a file where things go", occupy_place)
    yield Case("state/restoring", "a file", lambda home: [(home / "state/restoring").write_bytes(b"x")].clear())


def _journals() -> Iterator[Case]:
    name = "state/journal.sqlite3"
    for way in ("missing", "empty", "truncated", "garbage", "a folder", "a pipe"):
        yield Case(name, way, _break_file(name, WAYS[way]))
    yield Case(name, "a newer version's", _of_a_newer_version, "une version plus récente a écrit")
    yield Case(
        f"{name}.lock",
        "not readable",
        _break_file(f"{name}.lock", lock_file),
        "appartient à un autre utilisateur",
    )
    yield Case("state", "a file", lambda home: put_file(home / "state"), "a file is where the table")
    for ending in ("-wal", "-shm", ".lock"):
        for way in ("garbage", "a folder"):
            yield Case(f"{name}{ending}", way, _break_file(f"{name}{ending}", WAYS[way]))


def _of_a_newer_version(home: Path) -> None:
    with closing(sqlite3.connect(home / "state" / "journal.sqlite3")) as db:
        db.execute("PRAGMA user_version = 99")


def _machines() -> Iterator[Case]:
    def break_nothing(_home: Path) -> None:
        """Nothing in the folder is broken."""

    yield Case(
        "pins", "no such driver", break_nothing, "Aucun bouton ne marche", {"GPIOZERO_PIN_FACTORY": "nosuch"}
    )
    yield Case("pins", "no chip", break_nothing, "Aucun bouton ne marche", {"GPIOZERO_PIN_FACTORY": "lgpio"})
    yield Case(PORT_TAKEN, "taken", break_nothing, "Pas de pages pour les téléphones")
    yield Case("the log's folder", "a file", lambda home: [(home / "log").write_bytes(b"x")].clear())
    yield Case("the language", "no such", break_nothing, "", {"LANGUAGE": "xx", "LANG": "\udcff"})
    yield Case("the camera", "busy", break_nothing, "", {}, ("--camera", "usb:0"))


HOOK = """
import os, signal, sys, time
def heard(event, values):
    if event == "open" and isinstance(values[0], (str, bytes, os.PathLike)):
        name = os.fsdecode(values[0])
        if name.endswith({name!r}) and {state!r} in name and not {aside!r} in name:
            {then}
sys.addaudithook(heard)
"""
DEATHS: Mapping[str, str] = {
    "dies": "os.kill(os.getpid(), signal.SIGSEGV)",
    "hangs": "time.sleep(1000)",
    "raises": "raise RuntimeError('nothing foresaw this')",
}


def _unforeseen() -> Iterator[Case]:
    """Let the program die, hang or raise where it reads something that looks well."""
    for name in ("table.json", "table.png", "coyote.toml", "journal.sqlite3.history"):
        for way in DEATHS:
            yield Case(f"reading {name}", way, _hook(name, way), "", {"PYTHONPATH": "hook"})


def _hook(name: str, way: str) -> Break:
    def write_hook(home: Path) -> None:
        (home / "hook").mkdir()
        text = HOOK.format(name=name, state=str(home), aside="set-aside-", then=DEATHS[way])
        (home / "hook" / "sitecustomize.py").write_text(text, encoding="utf-8")

    return write_hook


# starting it


class System:
    """What starts a table again and again until it is ready, as systemd does."""

    def __init__(self, home: Path, case: Case, port: int) -> None:
        """Listen to the signs of life."""
        self._home, self._case, self._port = home, case, port
        self._way = home.parent / f"{home.name}.notify"
        self._signs = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._signs.bind(str(self._way))
        self._way.chmod(0o777)
        self._signs.settimeout(0.05)
        self._said = home.parent / f"{home.name}.said"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> bool:
        """Start it once; tell whether it became ready."""
        environ = {
            **{name: value for name, value in os.environ.items() if name != "COYOTE_AGAIN"},
            "LANGUAGE": "en",
            "HOME": str(self._home),
            "STATE_DIRECTORY": str(self._home / "state"),
            "LOGS_DIRECTORY": str(self._home / "log"),
            "CONFIGURATION_DIRECTORY": str(self._home / "etc"),
            "NOTIFY_SOCKET": str(self._way),
            PARENT: str(os.getpid()),
            **self._case.environ,
        }
        if "PYTHONPATH" in self._case.environ:
            environ["PYTHONPATH"] = str(self._home / "hook")
        command = [sys.executable, "-P", "-c", PROGRAM, "run", "--twin", "--bots=0", f"--port={self._port}"]
        if "GPIOZERO_PIN_FACTORY" in environ:
            command.remove("--twin")
        with self._said.open("ab") as said:
            self.process = subprocess.Popen(
                [*_bound_case(self._case), *command, *self._case.arguments],
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        return self._becomes_ready(monotonic() + PATIENCE)

    def _becomes_ready(self, until: float) -> bool:
        assert self.process is not None
        while monotonic() < until and self.process.poll() is None:
            with suppress(TimeoutError):
                if self._signs.recv(4096).decode() == READY:
                    return self._shows_pages(until + PATIENCE)
        self.end(signal.SIGKILL)
        return False

    def _shows_pages(self, until: float) -> bool:
        """Wait for the pages: without them a start has failed, unless another program has their port."""
        assert self.process is not None
        while self._case.thing != PORT_TAKEN and not look_at_page(self._port):
            if self.process.poll() is not None or monotonic() > until:
                self.end(signal.SIGKILL)
                return False
        return True

    def lives(self) -> bool:
        """Wait for the next sign of life."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            with suppress(TimeoutError):
                if self._signs.recv(4096).decode() == ALIVE:
                    return True
        return False

    def end(self, how: int = signal.SIGTERM) -> int:
        """End it, and give its code."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def close(self) -> None:
        """Leave nothing running."""
        self._signs.close()
        if self.process is not None and self.process.poll() is None:
            self.end(signal.SIGKILL)

    def output_lines(self) -> tuple[str, ...]:
        """Give what it said, line by line."""
        return tuple(self._said.read_text(encoding="utf-8", errors="replace").splitlines())


def came(case: Case, home: Path) -> Came:
    """Break it, start it, and see whether the promises hold."""
    table(home)
    case.do(home)
    before, lines = contents(home), lines_of(home)
    with free_port() as taken:
        port = int(taken.getsockname()[1])
        is_taken = case.thing == PORT_TAKEN
        if not is_taken:
            taken.close()
        system = System(home, case, port)
        try:
            starts = next((number for number in range(1, STARTS + 1) if system.start()), 0)
            wrong = [] if starts else ["never ready"]
            page = first_page(port) if starts and not is_taken else ""
            if starts and not system.lives():
                wrong.append("says nothing after it was ready")
            if starts and system.end() != 0:
                wrong.append("doesn't end as it should")
            said = system.output_lines()
        finally:
            system.close()
            forget_memory(home / "state")
    _give_back(home)
    wrong += _broken_promises(case, home, before, lines, said)
    if any("set aside" in line for line in said) and "When the table started" not in page:
        wrong.append("the page doesn't tell what was set aside")
    return Came(starts, said, tuple(wrong))


def free_port() -> socket.socket:
    """Take a port that no other program is given by chance."""
    for port in Random().sample(range(20_000, 30_000), 100):
        with suppress(OSError):
            return socket.create_server(("0.0.0.0", port))  # noqa: S104 - as the pages do
    raise OSError("no port is free")


def _broken_promises(
    case: Case, home: Path, before: Mapping[str, str], lines: list[str], said: tuple[str, ...]
) -> Iterator[str]:
    told = "\n".join(said)
    # eyes whose table ends while they are being started say so in their own way
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
    if lines and not case.is_replaced and lines != lines_of(home):
        yield "the journal isn't what it was"
    if (
        lines
        and not case.is_replaced
        and f'"match":{MATCH_NUMBER},' not in _log(home)
        and (home / "log").is_dir()
    ):
        yield "another match goes on"


MATCH_NUMBER = 1
COUNTS = ("starts.json", "chosen.trial", "left-out.json", ".lock")
PASSING = (*COUNTS, "ready.json", "journal.sqlite3", "hook/", "b.zip", "other/")
"""What comes and goes, or is looked at in another way."""


def contents(home: Path) -> Mapping[str, str]:
    """Name all that lies there, by what is in it; a pipe by its name."""
    files = [path for path in home.rglob("*") if not any(each in str(path) for each in PASSING)]
    named = {}
    for path in files:
        with _look_anyway(path):
            named[_content(path)] = path.name
    return {what: name for what, name in named.items() if what}


@contextmanager
def _look_anyway(path: Path) -> Iterator[None]:
    """Let us read a file that its owner may not, without root's right to."""
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
    if path.name == "links.json" and (tokens := _tokens_in(path)):
        return f"devices {tokens}"
    return "giant" if path.stat().st_size >= GIANT else sha256(path.read_bytes()).hexdigest()


def _tokens_in(path: Path) -> list[str]:
    """List the devices that are let in: what else is kept of an evening changes while it goes on."""
    evening = read_links(path)
    if evening is None:
        return []
    people = [device for person in evening.people for device in person.devices]
    return sorted(device.token for device in (*people, *evening.hosts))


def lines_of(home: Path) -> list[str]:
    """Give the lines of the match that is on; none if the journal can't be read."""
    path = home / "state" / "journal.sqlite3"
    try:
        with open_readonly(path) as journal:
            return journal.lines(MATCH_NUMBER)
    except (JournalError, OSError):
        return []


def _log(home: Path) -> str:
    file = home / "log" / "coyote.jsonl"
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def first_page(port: int) -> str:
    """Look at the first page, once it is there."""
    until = monotonic() + PATIENCE
    while monotonic() < until:
        if page := look_at_page(port):
            return page
    return ""


def look_at_page(port: int) -> str:
    """Look at the first page; empty if it isn't there yet."""
    with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/", timeout=5) as response:
        return str(response.read().decode())
    return ""


def _give_back(home: Path) -> None:
    """Look at what may not be looked at."""
    for path in home.rglob("*"):
        if path.stat().st_mode & 0o777 == 0:
            path.chmod(0o700 if path.is_dir() else 0o600)
