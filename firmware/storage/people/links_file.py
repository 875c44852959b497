"""The evening in a private file, so that people keep their seats across restarts.

The table and `coyote table pin` may both write it. Each reads the other's version before a change, with the
folder locked.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

import msgspec
from msgspec.structs import replace

from firmware.state_folder import LINKS
from firmware.storage.aside import Gone, folders_aside
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.files import write_private
from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Evening, seated_match
from firmware.storage.people.links import draw_codes, draw_pin, draw_token
from referee.match import Match
from vision.files import read_small, sweep

LARGEST = 1_000_000
KEEPING = 600.0  # most seconds of running time lost by a power cut
TRIES, PAUSE = 20, 0.01  # attempts to lock the folder, and seconds between them
Change = Callable[[Evening], Evening]


class LinksFile:
    """The evening and its file."""

    def __init__(
        self,
        file: Path,
        moment: Callable[[], Match | None] = lambda: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Read the file; start anew if it is missing, and move it aside first if it is unreadable.

        People are seated in the current match; a command beside the table has none.
        """
        self._file, self._lock, self._clock, self._started = file, Lock(), clock, clock()
        self._moment = moment
        self._mark: tuple[int, int] | None = None
        self._heard: dict[str, float] = {}
        self.aside: Path | None = None
        """Path of an unreadable file that was moved aside."""
        self._is_in_the_way = False
        """Whether an unreadable file couldn't be moved; then nothing is written."""
        # a table with an unreadable file may have had a host, so no other phone may claim it
        self._evening = Evening(draw_token(), draw_pin(), has_had_host=file.exists())
        self._read()
        self._ran = self._evening.ran

    def evening(self) -> Evening:
        return self.change(lambda evening: evening)

    def change(self, change: Change) -> Evening:
        """Change the current evening, and store it if it is different."""
        with self._lock:
            # read with the lock held: a slow thread must not restore an earlier match
            match = self._moment()
            self._reread()
            if change(self._seat_people(match)) != self._evening:
                with _folder_lock(self._file.parent):
                    self._reread()
                    self._keep(change(self._seat_people(match)))
            return self._evening

    def renew(self, change: Change) -> Evening:
        """Change the evening regardless of the match, for a command beside the table."""
        with self._lock, _folder_lock(self._file.parent):
            self._reread()
            self._keep(change(self._evening))
            return self._evening

    def now(self) -> float:
        """Return the seconds that the table has run in total."""
        return self._ran + self._clock() - self._started

    def hear(self, token: str) -> None:
        self._heard[token] = self.now()

    def heard(self, token: str) -> float | None:
        """Return when a device was last active; None if it wasn't since the start."""
        return self._heard.get(token)

    def keep_time(self) -> None:
        with self._lock:
            if self.now() >= self._evening.ran + KEEPING:
                self._keep(self._evening)

    def _seat_people(self, match: Match | None) -> Evening:
        evening = evenings.expire(self._evening, self.now())
        if match is None or evening.match == seated_match(match):
            return evening
        return evenings.sit_down(evening, match, draw_codes(len(match.setup.names), evening.codes))

    def _keep(self, evening: Evening) -> None:
        self._evening = replace(evening, ran=max(evening.ran, self.now()))
        if self._is_in_the_way:
            return
        # a full disk must not lock out phones: they only have to join again after a restart
        with suppress(OSError):
            write_private(self._file, msgspec.json.encode(self._evening))
            self._mark = _mark_of(self._file)

    def _read(self) -> None:
        self._mark = _mark_of(self._file)
        kept = read_links(self._file)
        if kept is not None:
            self._evening = kept
        elif self._mark is not None:
            self.aside = lay_aside(self._file)
            self._is_in_the_way = self.aside is None

    def _reread(self) -> None:
        mark = _mark_of(self._file)
        if mark is None or mark == self._mark:
            return
        kept = read_links(self._file)
        if kept is not None:
            self._evening, self._mark = kept, mark


@contextmanager
def _folder_lock(folder: Path) -> Iterator[None]:
    """Lock out other programs if the folder can be locked."""
    with ExitStack() as ends:
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            ends.callback(os.close, handle)
            # phones don't wait long for another program
            for _try in range(TRIES):
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    sleep(PAUSE)
                else:
                    break
        yield


def read_links(file: Path) -> Evening | None:
    """Read a links file; None if it is missing, unreadable or of another format."""
    try:
        content = read_small(file, LARGEST)
        form = msgspec.json.decode(content, type=dict[str, object]).get("form")
        return msgspec.json.decode(content, type=Evening) if form == evenings.FORM else None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def links_files(state: Path) -> Iterator[Path]:
    """Yield the links files of a state, including those moved aside."""
    for folder in (state, *folders_aside(state)):
        stem = f"{Path(LINKS).stem}*.json"
        files = folder.glob(stem) if folder == state else folder.rglob(stem)
        yield from sorted(path for path in files if path.is_file())


def forget(here: TablePlaces, gone: Gone) -> None:
    for file in links_files(here.state):
        for name in gone.names:
            forget_in_file(file, name)


def forget_in_file(file: Path, name: str) -> None:
    """Forget a name in a links file that a table may be using; an unreadable file is deleted."""
    with _folder_lock(file.parent):
        sweep(file.parent, file.name)
        kept = read_links(file)
        if kept is None:
            file.unlink(missing_ok=True)
        elif (changed := evenings.forget_name(kept, name)) is not kept:
            write_private(file, msgspec.json.encode(changed))


def _mark_of(file: Path) -> tuple[int, int] | None:
    """Return a value that changes with a file's content; None if there is no file."""
    with suppress(OSError):
        there = file.stat()
        return there.st_ino, there.st_mtime_ns
    return None


def lay_aside(file: Path) -> Path | None:
    """Rename a file so that it isn't overwritten, beside earlier ones."""
    places = (file.with_name(f"{file.stem}.set-aside-{number}{file.suffix}") for number in range(1, 100))
    for aside in (place for place in places if not place.exists()):
        try:
            file.rename(aside)
        except OSError:
            return None
        return aside
    return None
