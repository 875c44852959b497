"""Worlds in which a table can keep nothing, or misses something else: it starts there, and people play on.

A full disk is a small one in memory that is filled up, a read-only one a mount of its own that can't be
written: both in a mount namespace, so that nothing outside changes. What belongs to another user is given away,
and the table starts without root's right to look into everything.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from html import unescape
from http.client import HTTPException
from pathlib import Path
from random import Random
from time import monotonic, sleep

from msgspec import Struct

from firmware.storage.journal import open_journal
from tests.firmware.board.senses.matches import bidden
from tests.firmware.playing import kept_lines
from tests.firmware.start.browsing import Page, Phone
from tests.firmware.start.people import BESIDE, DONE, fill_form
from tests.firmware.start.whole_table import LOOK, PATIENCE, TWIN, WholeTable, World, free_port
from tests.firmware.storage.memory import forget_memory
from webui.access.links_file import LinksFile

OPEN = bidden(3, 5)
"""The match that is on."""
NOBODY = 65534
BOUND = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner")
"""Lets root do no more than others may."""
MOUNTED = ("unshare", "--mount")
ALONE = ("unshare", "--mount", "--map-root-user")
"""Where it isn't root who tests."""
FULL = """
mkdir "$0.disk" && mount -t tmpfs -o size=3m none "$0.disk" && cp -a "$0/." "$0.disk" &&
{ cat /dev/zero >"$0.disk/filler" 2>/dev/null; mount --bind "$0.disk" "$0"; } && exec "$@"
"""
SMALL = """
mkdir "$0.disk" && mount -t tmpfs -o size=3m none "$0.disk" && cp -a "$0/." "$0.disk" &&
mount --bind "$0.disk" "$0" && exec "$@"
"""
STICK = """
mount -t tmpfs none /media && mkdir /media/STICK && mount --bind "${0%/state}/stick" /media/STICK && exec "$@"
"""
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
ALL_READ_ONLY = 'mount --make-rprivate / && mount -o remount,bind,ro / && exec "$@"'
PIN = re.compile(r"^PIN of the host: (\d+)$", re.MULTILINE)
HEARING = ("env", "--default-signal=HUP")
"""Lets a table hear that its terminal is closed, also where the tests themselves are to outlive theirs."""
REACHED = 400
"""Answers after which a match is taken for endless."""


class DarkStart(Struct, frozen=True):
    """A world to start in: what is done to the table's folder, what is around it, and what it has to say."""

    name: str
    says: str
    """What every page has to say, and the terminal; nothing if all is kept."""
    prepare: Callable[[Path], None] = lambda _folder: None
    before: Callable[[Path], Sequence[str]] = lambda _folder: ()
    environ: Mapping[str, str | None] = {}
    """What is else in its surroundings; {folder} is the table's."""
    options: tuple[str, ...] = TWIN.options
    needs: Callable[[], str] = lambda: ""
    """Why there can be no such world here, if so."""
    is_read: bool = True
    """What was kept can be read, and goes on."""


# what can't be had everywhere


@cache
def namespace() -> tuple[str, ...]:
    """Give what opens a mount namespace here; nothing if none can be had."""
    for way in (MOUNTED, ALONE):
        with suppress(OSError):
            if subprocess.run([*way, "true"], check=False, capture_output=True).returncode == 0:
                return way
    return ()


def no_namespace() -> str:
    """Say why a disk can't be made full or read-only here, if so."""
    return "" if namespace() else "no mount namespace can be had here: unshare --mount says no"


def no_other_user() -> str:
    """Say why a folder can't belong to another user here, if so."""
    if os.geteuid() != 0:
        return "only root can give a folder to another user"
    return "" if shutil.which("setpriv") else "setpriv (util-linux) isn't installed"


def _mounting(script: str) -> Callable[[Path], Sequence[str]]:
    return lambda folder: (*namespace(), "sh", "-c", script, str(folder / "state"))


# worlds


def give_away(folder: Path) -> None:
    """Let all that the table keeps belong to another user, as after one `sudo`."""
    for name in ("state", "etc", "log"):
        for path in (folder / name, *(folder / name).rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        (folder / name).chmod(0o700)


def _put_file(folder: Path) -> None:
    shutil.rmtree(folder / "state")
    (folder / "state").write_bytes(b"no folder")


HOMELESS: Mapping[str, str | None] = dict.fromkeys(
    ("STATE_DIRECTORY", "LOGS_DIRECTORY", "CONFIGURATION_DIRECTORY", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
)

UNSAVED = (
    DarkStart("the disk is full", "the disk is full.", before=_mounting(FULL), needs=no_namespace),
    DarkStart(
        "the disk is read-only", "the disk can only be read", before=_mounting(READ_ONLY), needs=no_namespace
    ),
    DarkStart(
        "all is read-only", "the disk can only be read", before=_mounting(ALL_READ_ONLY), needs=no_namespace
    ),
    DarkStart(
        "the folder is another user's",
        "the table's folder belongs to another user",
        give_away,
        lambda _folder: BOUND,
        needs=no_other_user,
        is_read=False,
    ),
    DarkStart(
        "there is no home",
        "this user has no home folder",
        environ={**HOMELESS, "HOME": "/proc/nowhere{folder}"},
        is_read=False,
    ),
    DarkStart(
        "a file is where the folder should be",
        "a file is where the table's folder should be",
        _put_file,
        is_read=False,
    ),
)
"""Nothing can be kept."""
FILLING = DarkStart("the disk gets full", "the disk is full.", before=_mounting(SMALL), needs=no_namespace)
"""A disk with little room: people play until it is full."""
PLUGGED = DarkStart(
    "a stick is plugged in",
    "",
    lambda folder: (folder / "stick").mkdir(),
    before=_mounting(STICK),
    needs=no_namespace,
)
"""A stick is where a desktop mounts it, and keeps what is on it over many starts."""
LACKING = (
    DarkStart(
        "the locale isn't there",
        "",
        environ={"LC_ALL": "xx_YY.ISO-8859-9", "LANG": "xx_YY", "PYTHONIOENCODING": "ascii", "LANGUAGE": None},
    ),
    DarkStart("there are no pins", "No button works", environ={"GPIOZERO_PIN_FACTORY": "lgpio"}, options=()),
    DarkStart(
        "nobody has named the board",
        "Nobody has said which board is wired: it runs as full",
        environ={"GPIOZERO_PIN_FACTORY": "mock"},
        options=(),
    ),
    DarkStart(
        "the camera is broken",
        "no camera or picture there",
        environ={"GPIOZERO_PIN_FACTORY": "mock"},
        options=("--camera", "usb:9"),
    ),
)
"""Something else is missing: all is kept."""


def fill(file: Path) -> None:
    """Fill the disk on which a file lies."""
    with file.open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(bytes(4096))


# a table in such a world


class DarkTable:
    """A table that starts in such a world, and the people who come to it."""

    def __init__(self, folder: Path, world: DarkStart) -> None:
        """Lay out what was kept before, make the world, and start."""
        self.folder, self.world = folder, world
        (folder / "state").mkdir(parents=True)
        with open_journal(folder / "state" / "journal.sqlite3") as opened:
            opened.journal.begin(OPEN)
        LinksFile(folder / "state" / "links.json").evening(lambda: OPEN)
        for name in ("log", "etc"):
            (folder / name).mkdir()
        world.prepare(folder)
        self.environ = {name: value and value.format(folder=folder) for name, value in world.environ.items()}
        self.table = self._started()

    def _started(self) -> WholeTable:
        world = World((*HEARING, *self.world.before(self.folder)), self.environ, self.world.options)
        return WholeTable(self.folder, free_port(), with_supervisor=True, world=world)

    def start_again(self) -> None:
        """Kill all of it, and start it anew in the same world."""
        self.table.kill()
        self.table.bury()
        (self.folder / "said").unlink()
        shutil.rmtree(self.folder / "state.disk", ignore_errors=True)
        self.table = self._started()

    def take_new_card(self) -> None:
        """Kill all of it, lose the card, and start with a new one."""
        self.table.kill()
        self.table.bury()
        shutil.rmtree(self.folder / "state")
        self.start_again()

    # what people see

    def invitation(self) -> str:
        """Wait until it has said what lets people in, and give all that it has said."""
        self.table.page()
        until = monotonic() + PATIENCE
        while not PIN.search(said := self.said()) and monotonic() < until:
            sleep(LOOK)
        return said

    def said(self) -> str:
        """Give all that it has said."""
        return (self.folder / "said").read_text(encoding="utf-8", errors="replace")

    def phones(self) -> list[Phone]:
        """Let everybody sit down with their code."""
        [listed] = re.findall(r"^Codes of the seats: (.*)$", self.invitation(), re.MULTILINE)
        phones = []
        for code in re.findall(r"\b([A-Z]{4,})(?:,|$)", listed):
            phone = Phone()
            phone.get(self.table.port, f"/seat?code={code}")
            assert phone.post(self.table.port, "/seat/take", {"code": code}) == DONE
            phones.append(phone)
        return phones

    def host(self) -> Phone:
        """Let the host in."""
        found = PIN.search(self.invitation())
        assert found is not None
        host = Phone()
        host.get(self.table.port, "/host")
        assert host.post(self.table.port, "/host/enter", {"pin": found[1]}) == DONE
        return host

    def play(self, phones: list[Phone], rng: Random) -> int:
        """Let everybody answer by phone until the match is over; give how many answers that took."""
        for answers in range(REACHED):
            pages = [(phone, self._asked(phone)) for phone in phones]
            if any(page.is_over for _phone, page in pages):
                return answers
            for phone, page in pages:
                if page.asks:
                    leaf = rng.choice(page.asks)
                    phone.post(self.table.port, "/seat/answer", dict(fill_form(leaf, 0, rng).fields))
        raise AssertionError("the match doesn't come to its end")

    def answer(self, phones: list[Phone]) -> int:
        """Let a player answer who is asked, and give the code; 0 while the table starts again."""
        with suppress(OSError, HTTPException):
            for phone in phones:
                for leaf in self._asked(phone).asks:
                    said = fill_form(leaf, 0, Random(1))
                    return phone.post(self.table.port, "/seat/answer", dict(said.fields))
        return 0

    def _asked(self, phone: Phone) -> Page:
        page = Page(phone.get(self.table.port, "/seat"))
        page.leaves = [leaf for leaf in page.leaves if leaf.ask not in BESIDE]
        return page

    def look(self, path: str) -> str:
        """Look at a page as anybody may; at nothing while the table starts again."""
        with suppress(OSError, HTTPException):
            return unescape(Phone().get(self.table.port, path))
        return ""

    def wait_until(self, is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait until it is so."""
        until = monotonic() + seconds
        while not is_so():
            if monotonic() > until:
                raise AssertionError(f"it doesn't come, but was said:\n{self.said()}")
            sleep(LOOK)

    def inside(self) -> Path:
        """Give the table's folder as its processes see it: they have mounts of their own."""
        return Path(f"/proc/{self.table.pid}/root{self.folder}")

    def lines_on_disk(self, match_id: int) -> list[str]:
        """Read a match from a copy of the journal that lies on the disk; nothing there is touched."""
        copy = self.folder / "copy"
        copy.mkdir()
        for file in (self.inside() / "state").glob("journal.sqlite3*"):
            shutil.copy(file, copy)
        return kept_lines(copy / "journal.sqlite3")[match_id]

    def close(self) -> None:
        """End all of it."""
        self.table.kill()
        self.table.bury()
        home = self.environ.get("HOME")
        forget_memory(self.folder / "state" if home is None else Path(home, ".local/share/coyote-table"))
