"""Copies of a table in the configured folder: one backup for each day.

The newest one is kept up to date. Each is read back from the disk before it counts, so the disk may be
unplugged at any time. Copies of 14 earlier days stay. A copy with more lines than the table also stays, because
it has what the table has lost. Other tables' copies are listed, so that a new card can start from them.

All of this runs in a separate process, because a disk or a network may hang.
"""

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from shutil import disk_usage
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import COPIES
from firmware.storage import match_files
from firmware.storage.aside import Gone
from firmware.storage.backups import archive
from firmware.storage.backups.restoring import StagedBackup, stage
from firmware.storage.errors import BackupError, JournalError
from firmware.storage.files import Kept
from firmware.storage.journal import NEUTRAL, open_readonly
from firmware.storage.lines import beginnings_in, count_told, of_beginnings, on_same_course, places_of
from firmware.storage.match_files import new_table, table_among
from firmware.storage.match_marks import FORGOTTEN_MARKS, mark_of
from referee.record import begun_in, names_in, with_names
from referee.sums import FiledLine, SealedLine
from vision.files import make_folder, sweep, write_whole
from vision.troubles import Problem, TroubleError

HOME = "coyote-table"  # the folder below the configured one; it has a folder for each table
EARLIER = 14  # copies that stay beside the newest one
MOST_TABLES = 20


class CopySettings(Struct, frozen=True):
    """A table's stored data about its copies."""

    table: str = ""  # the table's folder among the copies
    forgotten: int = 0  # how often a name or an evening was forgotten


COPY_SETTINGS = Kept(COPIES, CopySettings, CopySettings())


class KeptCopy(Struct, frozen=True):
    """A copy: its table, name, date and number of matches."""

    table: str
    name: str
    made: str
    matches: int | None = None
    is_own: bool = True


class FolderReport(Struct, frozen=True):
    """The configured folder, its copies and its problem, if any."""

    path: str
    free: int = 0  # bytes
    copies: tuple[KeptCopy, ...] = ()
    trouble: Problem | None = None


class JobReport(Struct, frozen=True):
    """The state of the folder, and for a restore the waiting backup or the error."""

    folder: FolderReport | None = None
    trouble: Problem | None = None
    staged: StagedBackup = StagedBackup()


class CopyJob(Struct, frozen=True):
    """An operation and its paths; for a restore also the copy's table and name."""

    what: Literal["copy", "restore"]
    here: archive.TablePlaces
    now: str
    folder: Path
    table: str = ""
    name: str = ""


def do_copy_job(job: CopyJob) -> JobReport:
    trouble, staged = None, StagedBackup()
    try:
        if job.what == "restore":
            staged = stage(job.folder / HOME / job.table / archive.DAYS / job.name, job.here)
    except (OSError, TroubleError) as error:
        trouble = problem_of(error)
    return JobReport(_copy_to_folder(job), trouble, staged)


def problem_of(error: OSError | TroubleError) -> Problem:
    if isinstance(error, TroubleError):
        return Problem("copy full") if error.problem.key == "journal disk full" else error.problem
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Problem("copy full")
    return Problem("copy failed", {"why": error.strerror or str(error)})


# stored data about the copies


def with_table_name(state: Path) -> CopySettings:
    """Return the stored settings; a table without a name gets one, which identifies its copies."""
    settings = COPY_SETTINGS.read(state)
    if not settings.table:
        settings = replace(settings, table=token_hex(4))
        COPY_SETTINGS.keep(state, settings)
    return settings


def forget(here: archive.TablePlaces, _gone: Gone) -> None:
    """Count a deletion; older copies apply it when they are updated."""
    settings = COPY_SETTINGS.read(here.state)
    if settings.table:
        COPY_SETTINGS.keep(here.state, replace(settings, forgotten=settings.forgotten + 1))


# copying


def _copy_to_folder(job: CopyJob) -> FolderReport:
    home, report = job.folder / HOME, FolderReport(str(job.folder))
    own = COPY_SETTINGS.read(job.here.state).table
    try:
        if not job.folder.is_dir():
            raise BackupError("copy folder gone")
        if job.folder.stat().st_dev == job.here.state.stat().st_dev:
            # a missing mount would put the copy on the table's own disk
            raise BackupError("copy beside")
        settings = with_table_name(job.here.state)
        own = settings.table
        for path in (home, home / own, *(home / own).rglob("*")):
            # a disk prepared with links could redirect writes
            if path.is_symlink():
                raise BackupError("copy elsewhere", path=str(path))
        copy_to_table_folder(home / own, settings, job.here, job.now)
    except (OSError, TroubleError) as error:
        report = replace(report, trouble=problem_of(error))
    try:
        return replace(report, free=disk_usage(job.folder).free, copies=tuple(_copies_at(home, own)))
    except OSError as error:
        return replace(report, trouble=report.trouble or problem_of(error))


def copy_to_table_folder(home: Path, settings: CopySettings, here: archive.TablePlaces, now: str) -> None:
    """Update the copies: remove forgotten data from them, and recover lines that the table has lost."""
    make_folder(home / archive.DAYS)
    with archive.backup_lock(home):
        sweep(home)
        sweep(home / archive.DAYS)
        before = archive.kept_copies(home)
        if _times_forgotten(before, settings.forgotten) < settings.forgotten:
            _forget_in_copies(home, here, settings.forgotten)
        elif before:
            take_missing(here.journal, before[0])
        _write_day(home, here, now, settings.forgotten)
        if not before or archive.day_of(before[0]) != now[:10]:
            # a damaged copy is reported and stays
            for copy in archive.kept_copies(home)[1:]:
                try:
                    verify_from_disk(copy)
                except BackupError as error:
                    raise BackupError("copy of day damaged", name=copy.name) from error


def _write_day(home: Path, here: archive.TablePlaces, now: str, forgotten: int) -> None:
    """Rewrite today's copy, or start the next one if the newest has more lines than the table."""
    newest = next(iter(archive.kept_copies(home)), None)
    is_kept = newest is not None and (
        archive.day_of(newest) != now[:10] or has_less(here.journal, archive.filed_or_none(newest))
    )
    number = (0 if newest is None else int(newest.name[:4])) + (is_kept or newest is None)
    _write(home / archive.DAYS / f"{number:04}-{now[:10]}.zip", archive.pack_table(here, now, forgotten))
    for old in archive.kept_copies(home)[EARLIER + 1 :]:
        old.unlink()


def _write(copy: Path, pieces: Iterator[bytes]) -> None:
    """Write a copy, and read it back from the disk before it replaces another."""
    try:
        write_whole(copy, pieces, verify_from_disk)
    except BackupError as error:
        raise BackupError("copy damaged", name=copy.name) from error


def verify_from_disk(copy: Path) -> None:
    with copy.open("r+b") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    archive.verify_backup(copy)


def _copies_at(home: Path, own: str) -> Iterator[KeptCopy]:
    tables = [folder for folder in home.glob("*") if folder.is_dir() and not folder.is_symlink()][:MOST_TABLES]
    for folder in sorted(tables, key=lambda folder: (folder.name != own, folder.name)):
        for number, copy in enumerate(archive.kept_copies(folder)):
            kept = KeptCopy(folder.name, copy.name, archive.day_of(copy), is_own=folder.name == own)
            if number == 0:
                # only the newest copy is opened
                kept = replace(kept, matches=len({each.line.match_id for each in archive.filed_or_none(copy)}))
                with suppress(BackupError, OSError), archive.open_backup(copy) as there:
                    kept = replace(kept, made=there.manifest.made)
            yield kept


def has_less(journal: Path, copied: Iterable[FiledLine]) -> bool:
    ends = dict[int, int]()
    with suppress(JournalError), open_readonly(journal) as now:
        ends = {each.id: each.lines for each in now.versions()}
    return any(each.line.number >= ends.get(each.line.match_id, 0) for each in copied)


def take_missing(journal: Path, copy: Path) -> None:
    """Place lines that only a copy has where the next start finds them.

    Later lines are taken only from a copy of this very journal. After a restore of an earlier day, matches
    played later are unwanted.
    """
    copied = archive.filed_or_none(copy)
    with suppress(JournalError), open_readonly(journal) as now:
        lacking = now.lost_places()
        is_whole_taken = now.table == table_among(copied) and has_less(journal, copied)
        if lacking or is_whole_taken:
            here = now.every_line()
            lines = (each.line for each in copied)
            theirs = on_same_course(of_beginnings(lines, beginnings_in(here)), here)
            wanted = places_of(theirs) - places_of(here) if is_whole_taken else lacking
            match_files.lay(journal, now.table, [line for line in theirs if line.place in wanted])


# forgotten data


def _times_forgotten(copies: Sequence[Path], now: int) -> int:
    for copy in copies:
        with suppress(BackupError, OSError), archive.open_backup(copy) as there:
            return there.manifest.forgotten
    return now


def _forget_in_copies(home: Path, here: archive.TablePlaces, forgotten: int) -> None:
    """Remove forgotten matches from all copies, the newest last, and update names in the others."""
    marks = frozenset(FORGOTTEN_MARKS.read(here.state))
    with open_readonly(here.journal) as now:
        heads = {begun_in(match.head): match.head for match in now.matches()}
    for copy in reversed(archive.kept_copies(home)):
        try:
            archive.verify_backup(copy)
        except BackupError as error:
            if error.problem.key != "no backup":
                raise
            # a damaged copy can't be restored or edited
            copy.unlink()
            continue
        with archive.open_backup(copy) as there:
            _write(copy, _pack_again(there, marks, heads, forgotten))


def _pack_again(
    there: archive.OpenBackup, marks: frozenset[str], heads: Mapping[str, str], forgotten: int
) -> Iterator[bytes]:
    found = there.lines()
    gone = {
        each.line.match_id
        for each in found
        if each.line.number == 0 and mark_of(begun_in(each.line.text)) in marks
    }
    left = [_renamed(each.line, heads) for each in found if each.line.match_id not in gone]
    about = replace(there.manifest, forgotten=forgotten, lines=len(left), told=count_told(left))
    return archive.pack(table_among(found) or new_table(), left, there.contents(), about)


def _renamed(line: SealedLine, heads: Mapping[str, str]) -> SealedLine:
    """Return a first line with its match's current names; for an unknown match, with neutral ones."""
    names = names_in(line.text) if line.number == 0 else ()
    now = names_in(heads.get(begun_in(line.text), "")) if names else ()
    if len(now) != len(names):
        now = tuple(NEUTRAL.format(number=number) for number in range(1, len(names) + 1))
    return replace(line, text=with_names(line.text, now)) if now != names else line
