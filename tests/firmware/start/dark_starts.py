"""Environments without storage or another resource: the table starts, and people play on.

A full disk is a filled memory disk, and a read-only one a separate mount, both in a mount namespace, so that
nothing outside changes. Files of another user are given away with chown, and the table starts without root's
right to read everything.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from html import unescape
from http.client import HTTPException
from pathlib import Path
from random import Random
from time import monotonic
from traceback import format_exc

from msgspec import Struct

from firmware.state_folder import LINKS
from firmware.storage.backups.archive import filed_or_none, kept_copies
from firmware.storage.journal import open_journal
from firmware.storage.memory_folders import possible_folders
from firmware.storage.people.evening import Evening
from firmware.storage.people.links_file import LinksFile, read_links
from referee.record import read_record, record_lines
from tests.firmware.board.inputs.matches import bidden
from tests.firmware.playing import kept_lines
from tests.firmware.start.browsing import Page, Phone
from tests.firmware.start.people import SEE_OTHER, UNSTORED_ASKS
from tests.firmware.start.whole_table import TWIN, WholeTable, World, copy_journal, create_folders, free_port
from tests.firmware.storage.backups.copying_tables import disk_beside

OPEN = bidden(3, 5)  # the open match
NOBODY = 65534
UNPRIVILEGED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner")
"""Removes root's right to access other users' files."""
MOUNT_NAMESPACE = ("unshare", "--mount")
ROOTLESS_MOUNT_NAMESPACE = ("unshare", "--mount", "--map-root-user")  # if the tests don't run as root
DISK = 'mkdir "$0.disk" && mount -t tmpfs -o size=3m none "$0.disk" && cp -a "$0/." "$0.disk" &&'
FULL = f"""
{DISK} {{ cat /dev/zero >"$0.disk/filler" 2>/dev/null; mount --bind "$0.disk" "$0"; }} && exec "$@"
"""
SMALL = f'{DISK} mount --bind "$0.disk" "$0" && exec "$@"'
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
ALL_READ_ONLY = 'mount --make-rprivate / && mount -o remount,bind,ro / && exec "$@"'
RESTORE_SIGHUP = ("env", "--default-signal=HUP")
"""Restores SIGHUP, so that a table notices its closed terminal even if the tests run under nohup."""
MAX_ANSWERS = 400  # answers after which a match counts as endless
DOWNLOAD_LINK = re.compile(r'href="(/history/\d+\.jsonl)" download')
UNSAVED_WORDS = "Not saving"
COPY_TIMEOUT = 180.0  # seconds until a change must be copied; copies are made once a minute


@cache
def namespace() -> tuple[str, ...]:
    """Return the command that opens a mount namespace here; empty if that is impossible."""
    for way in (MOUNT_NAMESPACE, ROOTLESS_MOUNT_NAMESPACE):
        with suppress(OSError):
            if subprocess.run([*way, "true"], check=False, capture_output=True).returncode == 0:
                return way
    return ()


def no_other_user() -> str:
    if os.geteuid() != 0:
        return "only root can give a folder to another user"
    return "" if shutil.which("setpriv") else "setpriv (util-linux) isn't installed"


# environments


class DarkStart(Struct, frozen=True):
    """An environment: changes of the table's folder, surroundings, and expected messages."""

    name: str
    says: str  # message on every page and in the terminal; empty if everything is stored
    prepare: Callable[[Path], object] = lambda _folder: None
    script: str = ""  # commands that mount before the start; the state's folder is $0
    before: tuple[str, ...] = ()
    environ: Mapping[str, str | None] = {}
    """Additional environment variables; {folder} is the table's folder."""
    options: tuple[str, ...] = TWIN.options
    lacks: Callable[[], str] = lambda: ""  # why this environment is impossible here, if it is
    is_read: bool = True  # the stored state is readable, and its match continues

    def needs(self) -> str:
        needs_namespace = self.script and not namespace()
        return (
            "no mount namespace can be had here: unshare --mount says no" if needs_namespace else self.lacks()
        )

    def opened(self, folder: Path) -> World:
        mounted = (*namespace(), "sh", "-c", self.script, str(folder / "state")) if self.script else ()
        environ = {name: value and value.format(folder=folder) for name, value in self.environ.items()}
        return World((*RESTORE_SIGHUP, *mounted, *self.before), environ, self.options)


def give_to_other_user(folder: Path) -> None:
    """Give the table's files to another user, as after a single `sudo`."""
    for name in ("state", "etc", "log"):
        for path in (folder / name, *(folder / name).rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        (folder / name).chmod(0o700)


def _close(folder: Path) -> None:
    (folder / "state").chmod(0o555)


def copies_of(folder: Path) -> Path:
    """Return the folder of a table's second copies, on another disk."""
    return disk_beside(folder.parent) / f"copies-of-{folder.parent.name}"


def _name_copies(folder: Path) -> None:
    copies_of(folder).mkdir()
    with (folder / "etc" / "coyote.toml").open("a", encoding="utf-8") as file:
        file.write(f"[copy]\nfolder = '{copies_of(folder)}'\n")


def put_file_in_place(folder: Path) -> None:
    shutil.rmtree(folder / "state")
    (folder / "state").write_bytes(b"no folder")


PLACES = ("STATE_DIRECTORY", "LOGS_DIRECTORY", "CONFIGURATION_DIRECTORY", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
HOMELESS: Mapping[str, str | None] = {**dict.fromkeys(PLACES), "HOME": "/proc/nowhere{folder}"}
MOCKED: Mapping[str, str | None] = {"GPIOZERO_PIN_FACTORY": "mock"}
STRANGE: Mapping[str, str | None] = {
    "LC_ALL": "xx_YY.ISO-8859-9", "LANG": "xx_YY", "PYTHONIOENCODING": "ascii", "LANGUAGE": None,
}  # fmt: skip
FOREIGN_FOLDER = "the table's folder belongs to another user"
UNWRITABLE_FOLDER = "the table may not write to its own folder"
FILE_IN_PLACE = "a file is where the table's folder should be"
UNSAVED = (
    DarkStart("the disk is full", "the disk is full.", script=FULL),
    DarkStart("the disk is read-only", "the disk can only be read", script=READ_ONLY),
    DarkStart("all is read-only", "the disk can only be read", script=ALL_READ_ONLY),
    DarkStart(
        "the folder is another user's",
        FOREIGN_FOLDER,
        give_to_other_user,
        before=UNPRIVILEGED,
        lacks=no_other_user,
        is_read=False,
    ),
    DarkStart(
        "the folder is read-only by its mode",
        UNWRITABLE_FOLDER,
        _close,
        before=UNPRIVILEGED,
        lacks=no_other_user,
    ),
    DarkStart("there is no home", "this user has no home folder", environ=HOMELESS, is_read=False),
    DarkStart("a file is where the folder should be", FILE_IN_PLACE, put_file_in_place, is_read=False),
)
FILLING = DarkStart("the disk gets full", "the disk is full.", script=SMALL)
"""A disk with little room: people play until it is full."""
COPYING = DarkStart("copies go to another disk", "", _name_copies)
"""The other disk outlives the table's own."""
LACKING = (
    DarkStart("the locale isn't there", "", environ=STRANGE),
    DarkStart("there are no pins", "No button works", environ={"GPIOZERO_PIN_FACTORY": "lgpio"}, options=()),
    DarkStart("nobody has named the board", "The wired board isn't chosen yet", environ=MOCKED, options=()),
    DarkStart(
        "the camera is broken", "no camera or picture there", environ=MOCKED, options=("--camera", "usb:9")
    ),
)
"""Something else is missing, but everything is stored."""


# a table in such an environment


class DarkTable:
    """A table started in an environment, and its players."""

    def __init__(self, folder: Path, world: DarkStart) -> None:
        self.folder, self.world = folder, world
        create_folders(folder)
        with open_journal(folder / "state" / "journal.sqlite3") as opened:
            opened.journal.begin(OPEN)
        LinksFile(folder / "state" / "links.json", lambda: OPEN).evening()
        world.prepare(folder)
        self.table = self._started()

    def _started(self) -> WholeTable:
        return WholeTable(self.folder, free_port(), with_supervisor=True, world=self.world.opened(self.folder))

    def start_again(self, *, with_new_card: bool = False) -> None:
        """Kill all processes, and restart in the same environment, or with a new card."""
        self.table.destroy()
        if with_new_card:
            shutil.rmtree(self.folder / "state")
        (self.folder / "said").unlink()
        shutil.rmtree(self.folder / "state.disk", ignore_errors=True)
        self.table = self._started()

    def close(self) -> None:
        self.table.destroy()
        for folder in (*possible_folders(self._state()), copies_of(self.folder)):
            shutil.rmtree(folder, ignore_errors=True)

    def _state(self) -> Path:
        home = self.world.opened(self.folder).environ.get("HOME")
        return self.folder / "state" if home is None else Path(home, ".local/share/coyote-table")

    # people's views and actions

    def _evening(self) -> Evening:
        self.table.page()
        state = self._state()
        places = (*possible_folders(state), state, state.with_name("state.disk"))

        def kept() -> list[Path]:
            files = [place / LINKS for place in places if os.access(place / LINKS, os.R_OK)]
            return sorted(files, key=lambda file: file.stat().st_mtime)

        self.table.await_true(lambda: bool(kept()))
        evening = read_links(kept()[-1])
        assert evening is not None
        return evening

    def phones(self) -> list[Phone]:
        phones = []
        for code in self._evening().codes:
            phone = Phone()
            assert phone.take_seat(self.table.port, code) == SEE_OTHER
            phones.append(phone)
        return phones

    def host(self) -> Phone:
        host, pin = Phone(), self._evening().pin
        assert host.lead(self.table.port, pin) == SEE_OTHER
        return host

    def play(self, phones: list[Phone], rng: Random) -> int:
        """Let everybody answer by phone until the match is over; return the number of answers."""
        # people name the cards then, and are believed
        assert self.host().post(self.table.port, "/twin/mischief", {"what": "unplugged"}) == SEE_OTHER
        for answers in range(MAX_ANSWERS):
            pages = [(phone, Page(phone.get(self.table.port, "/seat"))) for phone in phones]
            if any(page.is_over for _phone, page in pages):
                return answers
            for phone, page in pages:
                if page.asks:
                    said = rng.choice(page.asks).fill_in(rng)
                    phone.post(self.table.port, "/seat/answer", dict(said))
        raise AssertionError("the match doesn't come to its end")

    def answer(self, phones: list[Phone]) -> int:
        with suppress(OSError, HTTPException):
            for phone in phones:
                for leaf in Page(phone.get(self.table.port, "/seat")).asks:
                    if leaf.ask not in UNSTORED_ASKS:
                        said = leaf.fill_in(Random(1))
                        return phone.post(self.table.port, "/seat/answer", dict(said))
        return 0

    def answer_often(self, phones: list[Phone], times: int) -> int:
        return sum(self.answer(phones) == SEE_OTHER for _time in range(times))

    def look(self, path: str = "/") -> str:
        return unescape(self.table.look(path))

    def await_words(self, words: str) -> None:
        self.table.await_true(lambda: bool(page := self.look()) and words in page)

    def restore_copy(self, table: str) -> None:
        """Wait for the button of a table's copy on the host's page, and tap it."""
        host, action, found = self.host(), "/host/copy/restore", list[Mapping[str, str]]()

        def is_there() -> bool:
            forms = Page(host.get(self.table.port, "/host/backup")).leaves
            copies = (leaf.hidden for leaf in forms if leaf.action == action)
            found.extend(each for each in copies if each["table"] == table)
            return bool(found)

        self.table.await_true(is_there)
        host.post(self.table.port, action, found[0])

    def lines_on_disk(self) -> list[str]:
        return kept_lines(copy_journal(self.inside(), self.folder / "copy"))[1]

    def inside(self) -> Path:
        """Return the state's folder as its processes see it: they have their own mounts."""
        return Path(f"/proc/{self.table.pid}/root{self.folder}/state")


# actions in an environment


class DarkFigures(Struct):
    """Figures over many starts in one environment."""

    pages: list[float] = []  # seconds to the first page with the message
    answers: int = 0  # answers acknowledged as stored
    taken: int = 0  # matches played to their end and exported, identical to the play
    moved: list[float] = []  # seconds from a full disk to a match that goes on in memory
    copied: list[float] = []  # seconds from an answer to its second copy
    wrong: list[str] = []

    def must(self, is_so: bool, what: str) -> None:
        self.wrong += [] if is_so else [what]


def run_dark_start(folder: Path, world: DarkStart, rng: Random, figures: DarkFigures) -> None:
    """Start in an environment, run its scenario, and end normally."""
    act = {FILLING.name: _fill, COPYING.name: _lose_card}.get(world.name, _start)
    there = DarkTable(folder, world)
    try:
        act(there, rng, figures)
        figures.must(there.table.hang_up() == 0, f"{world.name}: it doesn't end well")
    except Exception:  # noqa: BLE001 - whatever it is, it is reported with the figures
        figures.wrong.append(f"{world.name}: {format_exc(limit=3)}")
    finally:
        there.close()


def _start(there: DarkTable, rng: Random, figures: DarkFigures) -> None:
    """Start in an environment; without storage: play, be killed, continue, and export the match."""
    there.await_words(there.world.says)
    figures.pages.append(monotonic() - there.table.began)
    if UNSAVED_WORDS not in there.look():
        told = there.answer_often(there.phones(), 1)
        figures.must(told == 1, f"{there.world.name}: an answer doesn't count")
        figures.answers += told
        return
    figures.must((OPEN.setup.names[-1] in there.look()) == there.world.is_read, "another match goes on")
    told, before = there.answer_often(there.phones(), rng.randrange(1, 4)), there.look("/history/1.json")
    there.start_again()
    there.await_words(UNSAVED_WORDS)
    figures.must(there.look("/history/1.json") == before, f"{there.world.name}: lost by a kill")
    figures.answers += told + there.play(there.phones(), rng)
    found = DOWNLOAD_LINK.search(there.look())
    lines = [] if found is None else Phone().get(there.table.port, found[1]).splitlines()
    taken = read_record(lines).match
    is_taken = taken is not None and taken.outcome is not None
    figures.must(is_taken, f"{there.world.name}: the match can't be taken along")
    figures.taken += is_taken


def _fill(there: DarkTable, rng: Random, figures: DarkFigures) -> None:
    """Fill the disk during play, continue in memory, free space, and check that everything is saved."""
    phones, host = there.phones(), there.host()
    told, filler = there.answer_often(phones, rng.randrange(4)), there.inside() / "filler"
    with filler.open("wb", buffering=0) as opened, suppress(OSError):
        while True:
            opened.write(bytes(4096))
    since = monotonic()
    figures.must(there.answer(phones) == SEE_OTHER, "the first answer that the disk refuses doesn't count")
    there.await_words(UNSAVED_WORDS)
    figures.moved.append(monotonic() - since)
    told += 1 + there.answer_often(phones, rng.randrange(1, 5))
    filler.unlink()
    page = Page(host.get(there.table.port, "/host"))
    form = next(leaf for leaf in page.leaves if leaf.action == "/host/save")
    figures.must(
        host.post(there.table.port, "/host/save", form.hidden) == SEE_OTHER, "trying again doesn't save"
    )
    there.table.await_true(lambda: bool(page := there.look()) and UNSAVED_WORDS not in page)
    figures.answers += told
    kept = there.lines_on_disk()
    figures.must(len(kept) == len(record_lines(OPEN)) + told, f"{len(kept)} lines on the disk, {told} told")
    figures.must(read_record(kept).fault is None, "what was saved can't be read")
    figures.must(UNSAVED_WORDS not in there.look(), "it says that it isn't saving")


def _lose_card(there: DarkTable, rng: Random, figures: DarkFigures) -> None:
    """Play, lose the memory card, and restore the second copy to a new one with one tap."""
    told, since = there.answer_often(there.phones(), rng.randrange(1, 5)), monotonic()
    lines = len(record_lines(OPEN)) + told

    def homes() -> list[Path]:
        return [*copies_of(there.folder).glob("coyote-table/*")]

    def copied_lines() -> int:
        return sum(len(filed_or_none(copy)) for home in homes() for copy in kept_copies(home)[:1])

    there.table.await_true(lambda: lines == copied_lines(), COPY_TIMEOUT)
    [home] = homes()
    figures.copied.append(monotonic() - since)
    there.start_again(with_new_card=True)
    there.restore_copy(home.name)
    there.await_words(OPEN.setup.names[-1])
    figures.answers += told
    figures.must(len(there.lines_on_disk()) == lines, f"another match came back than was told: {told} answers")
