"""What is done with second copies, each in a process of its own: a stick may hang, and its process with it.

A job says what to do and where things are; a report says what lies where now, and what is wrong.
"""

import errno
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from shutil import disk_usage, rmtree
from tempfile import TemporaryDirectory
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import CHOSEN
from firmware.storage.backups.checking import OtherCopies, StagedBackup
from firmware.storage.backups.copies import (
    DAYS,
    bring_up_to_date,
    day_of,
    kept_copies,
    known_of,
    lines_in,
    places_in,
    take_missing,
    verify_earlier,
    write_copy,
)
from firmware.storage.backups.packing import files_to_pack, stream
from firmware.storage.backups.parts import (
    CONFIGURATION,
    DECKS,
    JOURNAL,
    SCRATCH,
    TABLE,
    BackupError,
    TablePlaces,
    backup_lock,
)
from firmware.storage.backups.sticks import (
    COPY_SETTINGS,
    HOME,
    CopySettings,
    PlaceForCopies,
    places_for_copies,
    use_stick,
    with_table_name,
)
from firmware.storage.backups.unpacking import extract_backup, journal_in, stage
from firmware.storage.match_marks import FORGOTTEN_MARKS, mark_of
from vision.files import make_folder, sweep, write_whole
from vision.troubles import Problem, TroubleError

DAMAGED = {"no backup", "backup of no journal", "backup part damaged", "backup deck damaged"}
"""What is wrong with the copy of a day that was one, and of which lines may be left."""
MOST_TABLES = 20
"""Tables whose copies are listed, of one stick."""


class KeptCopy(Struct, frozen=True):
    """A copy: of which table, under which name, of when, with how many matches."""

    table: str
    name: str
    """The file of a day."""
    made: str
    matches: int | None = None
    is_own: bool = True


class PlaceReport(Struct, frozen=True):
    """A stick or folder, what copies lie there, and what is wrong with it."""

    root: str
    is_used: bool
    free: int = 0
    copies: tuple[KeptCopy, ...] = ()
    trouble: Problem | None = None

    @property
    def label(self) -> str:
        """Give the name by which people know it."""
        return Path(self.root).name


class JobReport(Struct, frozen=True):
    """What lies where, and for a restoring what waits now, or why it failed."""

    places: tuple[PlaceReport, ...] = ()
    trouble: Problem | None = None
    staged: StagedBackup = StagedBackup()


class CopyJob(Struct, frozen=True):
    """What to do, and where things are; a place, a table and a name for what is done to one copy."""

    what: Literal["copy", "use", "restore"]
    state: Path
    journal: Path
    configuration: Path
    now: str
    sticks: tuple[Path, ...] = ()
    folder: Path | None = None
    root: Path | None = None
    table: str = ""
    name: str = ""


def do_copy_job(job: CopyJob) -> JobReport:
    """Do it, and tell what lies where then."""
    here = TablePlaces(job.state, job.journal, job.configuration)
    try:
        staged = StagedBackup()
        if job.root is not None and job.what == "use":
            use_stick(job.root, job.state)
        if job.root is not None and job.what == "restore":
            staged = stage_copy(job.root / HOME / job.table, job.name, here)
    except (OSError, TroubleError) as error:
        return replace(_copy_to_all(job, here), trouble=problem_of(error))
    return replace(_copy_to_all(job, here), staged=staged)


def problem_of(error: OSError | TroubleError) -> Problem:
    """Say what went wrong."""
    if isinstance(error, TroubleError):
        return Problem("copy full") if error.problem.key == "journal disk full" else error.problem
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Problem("copy full")
    return Problem("copy failed", {"why": error.strerror or str(error)})


# copying


def _copy_to_all(job: CopyJob, here: TablePlaces) -> JobReport:
    places = list(places_for_copies(COPY_SETTINGS.read(job.state), job.sticks, job.folder))
    # a table that uses none needs no name
    is_named = any(place.is_used for place in places)
    settings = with_table_name(job.state) if is_named else COPY_SETTINGS.read(job.state)
    return JobReport(tuple(_copy_to(place, settings, here, job.now) for place in places))


def _copy_to(place: PlaceForCopies, settings: CopySettings, here: TablePlaces, now: str) -> PlaceReport:
    """Copy to a place, if it is one of ours, and look what lies there."""
    trouble = None
    try:
        if place.is_used:
            _check_plain(place.home, place.home / settings.table)
            copy_to_table_folder(place.home / settings.table, settings, here, now)
    except (OSError, TroubleError) as error:
        trouble = problem_of(error)
    try:
        free, copies = disk_usage(place.root).free, tuple(_copies_at(place.home, settings.table))
    except OSError as error:
        return PlaceReport(str(place.root), place.is_used, trouble=trouble or problem_of(error))
    return PlaceReport(str(place.root), place.is_used, free, copies, trouble)


def _check_plain(home: Path, own: Path) -> None:
    """Refuse a stick that was prepared to lead elsewhere."""
    for path in (home, own, *own.rglob("*")):
        if path.is_symlink():
            raise BackupError("copy elsewhere", path=str(path))


def copy_to_table_folder(home: Path, settings: CopySettings, here: TablePlaces, now: str) -> None:
    """Bring the copies up to date: what was forgotten leaves them, and what the table has lost is taken."""
    make_folder(home / DAYS)
    with backup_lock(home):
        sweep(home)
        sweep(home / DAYS)
        before = kept_copies(home)
        known = next(filter(None, map(known_of, before)), None)
        if known is not None and known.forgotten < settings.forgotten:
            bring_up_to_date(home, here.journal, _forgotten_by(here.state), settings.forgotten)
        elif before:
            take_missing(here.journal, before[0])
        write_copy(home, here, now, settings.forgotten)
        if not before or day_of(before[0]) != now[:10]:
            verify_earlier(home)


def _forgotten_by(state: Path) -> Callable[[str], bool]:
    """Give what knows the matches that a table has forgotten, by when they were begun."""
    marks = frozenset(FORGOTTEN_MARKS.read(state))
    return lambda begun: mark_of(begun) in marks


# looking


def _copies_at(home: Path, own: str) -> Iterator[KeptCopy]:
    tables = [folder for folder in home.glob("*") if folder.is_dir() and not folder.is_symlink()][:MOST_TABLES]
    for folder in sorted(tables, key=lambda folder: (folder.name != own, folder.name)):
        is_own = folder.name == own
        for number, copy in enumerate(kept_copies(folder)):
            yield (
                _newest(copy, is_own)
                if number == 0
                else KeptCopy(folder.name, copy.name, day_of(copy), None, is_own)
            )


def _newest(copy: Path, is_own: bool) -> KeptCopy:
    known = known_of(copy)
    matches = len({line.match_id for line in lines_in(copy)})
    made = day_of(copy) if known is None else known.made
    return KeptCopy(copy.parent.parent.name, copy.name, made, matches, is_own)


# restoring


def stage_copy(home: Path, name: str, here: TablePlaces) -> StagedBackup:
    """Check a copy, and lay it ready to take the place of all that is here with the next start.

    Lines that are damaged in it are taken from the copies of other days. Of a copy that can't be unpacked any
    more the journal is put back, and with it what else the newest whole copy has.
    """
    others = partial(copies_beside, home, name)
    copy = home / DAYS / name
    try:
        return stage(copy, here, others)
    except BackupError as error:
        if error.problem.key not in DAMAGED or not lines_in(copy):
            raise
    with TemporaryDirectory(prefix=SCRATCH, dir=here.state) as scratch:
        file, journal, rest = (Path(scratch) / name for name in ("copy.zip", JOURNAL, "rest"))
        journal.write_bytes(journal_in(copy))
        _extract_newest_whole(home, rest)
        write_whole(file, stream(files_to_pack(places_in(rest), journal), day_of(copy)))
        staged = stage(file, here, others)
    return replace(staged, left_out=(CONFIGURATION, CHOSEN, TABLE, DECKS, *staged.left_out))


def _extract_newest_whole(home: Path, folder: Path) -> None:
    """Unpack the newest copy that is whole, if there is any."""
    for copy in kept_copies(home):
        rmtree(folder, ignore_errors=True)
        with suppress(BackupError):
            extract_backup(copy, folder)
            return


def copies_beside(home: Path, name: str) -> OtherCopies:
    """Read what the other copies have: by their names they are in order."""
    days = [(copy.name, lines_in(copy)) for copy in kept_copies(home)]
    older = tuple(lines for day, lines in days if day < name)
    newer = tuple(lines for day, lines in reversed(days) if day > name)
    return OtherCopies(older, newer)
