"""What is done with second copies, each in a process of its own: a stick may hang, and its process with it.

A job says what to do and where things are; a report says what lies where now, and what is wrong.
"""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import CHOSEN
from firmware.storage.backups.checking import OtherCopies, RewrittenJournal
from firmware.storage.backups.packing import files_to_pack, stream, write_backup
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
from firmware.storage.backups.unpacking import journal_in_damaged, lines_in_backup, stage
from firmware.storage.errors import JournalError
from firmware.storage.files import read_raw
from firmware.storage.forgotten_marks import forgotten_marks, mark_of
from firmware.storage.sealed_lines import carve_lines
from firmware.storage.second_copy.mirror import (
    HOUR,
    CopyNote,
    found_note,
    has_less,
    mend_mirror,
    note_of,
    places_in_copy,
    remove_from_mirror,
    take_missing,
    update_mirror,
)
from firmware.storage.second_copy.nightly import (
    NIGHTLY,
    bring_days_up_to_date,
    day_of,
    keep_mirror_of_day,
    nightly_copies,
    verify_days,
)
from firmware.storage.second_copy.sticks import (
    CopySettings,
    PlaceForCopies,
    copy_settings,
    is_plain_folder,
    places_for_copies,
    use_stick,
    with_table_name,
)
from vision.files import make_folder, sweep
from vision.troubles import Problem, TroubleError

DAMAGED = {"no backup", "backup of no journal", "backup part damaged", "backup deck damaged"}
"""What is wrong with the copy of a day that was one, and of which lines may be left."""
MOST_TABLES = 20
"""Tables whose copies are listed, of one stick."""


class KeptCopy(Struct, frozen=True):
    """A copy: of which table, under which name, of when, with how many matches."""

    table: str
    name: str
    """Nothing for the mirror, else the file of a day."""
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
    """What lies where, and for a restoring what couldn't be read, or why it failed."""

    places: tuple[PlaceReport, ...] = ()
    left_out: tuple[str, ...] = ()
    trouble: Problem | None = None
    missing: int = 0
    """Lines that no copy has any more."""
    was_damaged: bool = False
    """Whether other copies were asked for what was restored."""


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
        restored = _do_to_one(job, here)
    except (OSError, TroubleError, sqlite3.Error) as error:
        return replace(_copy_to_all(job, here), trouble=problem_of(error))
    return replace(
        _copy_to_all(job, here),
        left_out=restored.left_out,
        missing=restored.missing,
        was_damaged=restored.was_damaged,
    )


def _do_to_one(job: CopyJob, here: TablePlaces) -> JobReport:
    """Use a stick from now on, or lay a copy ready to take the place of all that is here."""
    if job.root is not None and job.what == "use":
        use_stick(job.root, job.state)
    if job.root is not None and job.what == "restore":
        place = PlaceForCopies(job.root, is_used=False)
        return stage_copy(place.home / job.table, job.name, here)
    return JobReport()


def problem_of(error: OSError | TroubleError | sqlite3.Error) -> Problem:
    """Say what went wrong."""
    if isinstance(error, TroubleError):
        return error.problem
    if isinstance(error, sqlite3.Error):
        is_full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
        return Problem("copy full") if is_full else Problem("copy failed", {"why": str(error)})
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Problem("copy full")
    return Problem("copy failed", {"why": error.strerror or str(error)})


# copying


def _copy_to_all(job: CopyJob, here: TablePlaces) -> JobReport:
    places = list(places_for_copies(copy_settings(job.state), job.sticks, job.folder))
    # a table that uses none needs no name
    is_named = any(place.is_used for place in places)
    settings = with_table_name(job.state) if is_named else copy_settings(job.state)
    return JobReport(tuple(_copy_to(place, settings, here, job.now) for place in places))


def _copy_to(place: PlaceForCopies, settings: CopySettings, here: TablePlaces, now: str) -> PlaceReport:
    """Copy to a place, if it is one of ours, and look what lies there."""
    trouble = None
    try:
        if place.is_used:
            _check_plain(place.home, place.home / settings.table)
            copy_to_table_folder(place.home / settings.table, settings, here, now)
    except (OSError, TroubleError, sqlite3.Error) as error:
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
    """Bring a copy up to date: what would be lost, and what another day left, is kept first."""
    make_folder(home)
    with backup_lock(home):
        sweep(home)
        sweep(home / NIGHTLY)
        before = note_of(home) or CopyNote(settings.table, now)
        is_behind, is_gone = before.forgotten < settings.forgotten, _forgotten_by(here.state)
        is_damaged = before.reread != now[:HOUR] and mend_mirror(home / JOURNAL)
        if is_behind:
            remove_from_mirror(home / JOURNAL, is_gone)
        else:
            take_missing(here.journal, home / JOURNAL)
        is_new_day = before.made[:10] != now[:10]
        if is_new_day or is_damaged or has_less(here.journal, home / JOURNAL):
            keep_mirror_of_day(home)
        if is_behind:
            bring_days_up_to_date(home, here.journal, is_gone)
        note = replace(before, made=now, forgotten=settings.forgotten, reread=now[:HOUR])
        update_mirror(here, home, note, is_read_again=before.reread != now[:HOUR], is_damaged=is_damaged)
        if is_new_day:
            verify_days(home)


def _forgotten_by(state: Path) -> Callable[[str], bool]:
    """Give what knows the matches that a table has forgotten, by when they were begun."""
    marks = frozenset(forgotten_marks(state))
    return lambda begun: mark_of(begun) in marks


# looking


def _copies_at(home: Path, own: str) -> Iterator[KeptCopy]:
    """List the copies at a place, those of this table first."""
    tables = [folder for folder in home.glob("*") if is_plain_folder(folder)][:MOST_TABLES]
    for folder in sorted(tables, key=lambda folder: (folder.name != own, folder.name)):
        note, is_own = found_note(folder), folder.name == own
        if note is not None:
            yield KeptCopy(folder.name, "", note.made, note.matches, is_own)
        for copy in nightly_copies(folder):
            yield KeptCopy(folder.name, copy.name, day_of(copy), None, is_own)


# restoring


def stage_copy(home: Path, name: str, here: TablePlaces) -> JobReport:
    """Check a copy, and lay it ready to take the place of all that is here with the next start.

    Lines that are damaged in it are taken from the copies of other days. Of a day whose file can't be unpacked
    any more the journal is put back, and with it what else the mirror has.
    """
    if name:
        try:
            staged = stage(home / NIGHTLY / name, here, partial(copies_beside, home, name))
        except BackupError as error:
            if error.problem.key not in DAMAGED or not lines_in_backup(home / NIGHTLY / name):
                raise
        else:
            return _restored(staged.manifest.left_out, staged.journal)
    note = found_note(home)
    if note is None:
        raise BackupError("no backup")
    with TemporaryDirectory(prefix=SCRATCH, dir=here.state) as scratch:
        file, journal = Path(scratch) / f"copy.{os.getpid()}", home / JOURNAL
        if name:
            journal = Path(scratch) / JOURNAL
            journal.write_bytes(journal_in_damaged(home / NIGHTLY / name))
        files = files_to_pack(places_in_copy(home), journal)
        try:
            write_backup(file, stream(files, note.made))
        except JournalError as error:
            raise BackupError(error.problem.key, **error.problem.values) from error
        staged = stage(file, here, partial(copies_beside, home, name))
    not_of_day = (CONFIGURATION, CHOSEN, TABLE, DECKS) if name else ()
    left_out = (*not_of_day, *files.left_out, *staged.manifest.left_out)
    return _restored(left_out, staged.journal)


def _restored(left_out: tuple[str, ...], journal: RewrittenJournal) -> JobReport:
    return JobReport(left_out=left_out, missing=journal.missing, was_damaged=journal.was_damaged)


def copies_beside(home: Path, name: str) -> OtherCopies:
    """Read what the copies of other days have, and the mirror: by their names they are in order."""
    days = [(copy.name, lines_in_backup(copy)) for copy in nightly_copies(home)]
    older = tuple(lines for day, lines in days if not name or day < name)
    newer = tuple(lines for day, lines in reversed(days) if name and day > name)
    mirror = (tuple(carve_lines(read_raw(home / JOURNAL))),) if name else ()
    return OtherCopies(older, (*newer, *mirror))
