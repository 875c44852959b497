"""Second copies: in the configured folder, each table has its match files as of now, and a backup for each day.

The day's backup is made at the first copy of a day, at a start, and when anything but matches has changed. The
first copy of the next day completes it from the match files. 14 earlier ones stay, and any that has matches the
table has lost. Files are read back from the disk before they count, so the disk may be unplugged at any time.
Other tables' copies are listed, so that a new card can start from them.

All of this runs in a separate process, because a disk or a network may hang.
"""

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from shutil import disk_usage
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import COPIES, JOURNAL
from firmware.storage import match_files
from firmware.storage.aside import Gone
from firmware.storage.backups import archive
from firmware.storage.backups.restoring import StagedBackup, forget_again, stage
from firmware.storage.errors import BackupError
from firmware.storage.files import Kept, beside, read_raw
from firmware.storage.journal import open_mended
from firmware.storage.lines import (
    beginnings_in,
    count_told,
    is_in,
    merge,
    of_beginnings,
    on_same_course,
    texts_in,
)
from firmware.storage.match_files import MATCHES, new_table, table_among
from referee.record import begun_in
from referee.sums import FiledLine, SealedLine
from vision.files import make_folder, sweep, write_whole
from vision.troubles import Problem, TroubleError

HOME = "coyote-table"  # the folder below the configured one; it has a folder for each table
EARLIER = 14  # backups that stay beside the newest one
MOST_TABLES = 20


class CopySettings(Struct, frozen=True):
    """A table's stored data about its copies."""

    table: str = ""  # the table's folder among the copies
    forgotten: int = 0  # how often a name or an evening was forgotten


COPY_SETTINGS = Kept(COPIES, CopySettings, CopySettings())


class KeptCopy(Struct, frozen=True):
    """A backup in a copy: its table, name, date and, of the newest, number of matches."""

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
    """An operation and its paths; for a restore also the backup's table and name.

    "copy" writes the match files, "backup" also the day's backup.
    """

    what: Literal["copy", "backup", "restore"]
    here: archive.TablePlaces
    now: str
    folder: Path
    table: str = ""
    name: str = ""


def do_copy_job(job: CopyJob) -> JobReport:
    trouble, staged = None, StagedBackup()
    try:
        if job.what == "restore":
            _refuse_links(job.folder / HOME, job.table)
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


def forget(here: archive.TablePlaces, _gone: Gone) -> None:
    """Count a deletion; older copies apply it when they are updated."""
    settings = COPY_SETTINGS.read(here.state)
    if settings.table:
        COPY_SETTINGS.keep(here.state, replace(settings, forgotten=settings.forgotten + 1))


# copying


def _copy_to_folder(job: CopyJob) -> FolderReport:
    home, report = job.folder / HOME, FolderReport(str(job.folder))
    settings = COPY_SETTINGS.read(job.here.state)
    try:
        if not job.folder.is_dir():
            raise BackupError("copy folder gone")
        if job.folder.stat().st_dev == job.here.state.stat().st_dev:
            # a missing mount would put the copy on the table's own disk
            raise BackupError("copy beside")
        if not settings.table:
            settings = replace(settings, table=token_hex(4))
            COPY_SETTINGS.keep(job.here.state, settings)
        _refuse_links(home, settings.table)
        copy_to_table_folder(home / settings.table, settings, job)
    except (OSError, TroubleError) as error:
        report = replace(report, trouble=problem_of(error))
    try:
        return replace(report, free=disk_usage(job.folder).free, copies=tuple(_copies_at(home, settings.table)))
    except OSError as error:
        return replace(report, trouble=report.trouble or problem_of(error))


def _refuse_links(home: Path, table: str) -> None:
    """Refuse a disk prepared with links, which could redirect reads and writes, or with pipes, which block."""
    for path in (home, home / table, *(home / table).rglob("*")):
        if path.is_symlink() or (path.exists() and not path.is_dir() and not path.is_file()):
            raise BackupError("copy elsewhere", path=str(path))


def copy_to_table_folder(home: Path, settings: CopySettings, job: CopyJob) -> None:
    """Update the copy: remove forgotten data from it, and recover lines that the table has lost.

    Recovered lines are placed where the next start finds them. Of another journal, as after restoring an
    earlier day, only lines between existing ones are recovered, because matches played later are unwanted.
    """
    here, forgotten = job.here, settings.forgotten
    make_folder(home / archive.DAYS)
    with archive.backup_lock(home):
        sweep(home / archive.DAYS)
        with open_mended(here.journal) as journal:
            table, lines, lost = journal.table, journal.every_line(), journal.lost_places()
        heads = {(line.place, begun_in(line.text)): line for line in lines if line.number == 0}
        if _times_forgotten(archive.kept_copies(home), forgotten) < forgotten:
            for copy in reversed(archive.kept_copies(home)):
                if not _rewrite(copy, here.state, heads, forgotten):
                    # a damaged backup can't be restored or edited
                    copy.unlink()
        before, copied, is_damaged = archive.kept_copies(home), list[FiledLine](), True
        with suppress(OSError, BackupError):
            copied, is_damaged = archive.filed_in(before[0]) if before else ([], False)
        theirs = forget_again([each.line for each in copied], here.state)
        is_same, texts, known = table_among(copied) in {None, table}, texts_in(lines), beginnings_in(lines)
        missing = [
            line
            for line in on_same_course(of_beginnings(theirs, known), lines)
            if line.place in lost or (is_same and line.match_id in known and line.place not in texts)
        ]
        match_files.lay(here.journal, table, missing)
        is_less = not is_same and not all(is_in(line, texts) for line in theirs)
        is_new = not before or archive.day_of(before[0]) != job.now[:10] or is_less
        if before and is_new:
            # its match files are about to change; a damaged backup is reported below
            _rewrite(before[0], here.state, heads, forgotten)
        if is_new or is_damaged or not is_same or job.what == "backup":
            number = (int(before[0].name[:4]) if before else 0) + is_new
            backup = home / archive.DAYS / f"{number:04}-{job.now[:10]}.zip"
            _write(backup, archive.pack_table(here, job.now, forgotten))
            for old in archive.kept_copies(home)[EARLIER + 1 :]:
                old.unlink()
        _write_files(home / JOURNAL, table, merge([*lines, *missing]))
        if is_new:
            # a damaged backup is reported and stays
            for copy in archive.kept_copies(home)[1:]:
                try:
                    verify_from_disk(copy)
                except BackupError as error:
                    raise BackupError("copy of day damaged", name=copy.name) from error


def _write_files(path: Path, table: int, lines: Sequence[SealedLine]) -> None:
    """Write the match files that have changed, and read them back from the disk."""
    for file, content in match_files.update(path, table, lines).items():
        _drop_cache(file)
        if read_raw(file) != content:
            raise BackupError("copy damaged", name=file.name)


def _write(copy: Path, pieces: Iterator[bytes]) -> None:
    """Write a copy, and read it back from the disk before it replaces another."""
    try:
        write_whole(copy, pieces, verify_from_disk)
    except BackupError as error:
        raise BackupError("copy damaged", name=copy.name) from error


def verify_from_disk(copy: Path) -> None:
    _drop_cache(copy)
    archive.verify_backup(copy)


def _drop_cache(file: Path) -> None:
    with file.open("r+b") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _copies_at(home: Path, own: str) -> Iterator[KeptCopy]:
    tables = [folder for folder in home.glob("*") if folder.is_dir() and not folder.is_symlink()][:MOST_TABLES]
    for folder in sorted(tables, key=lambda folder: (folder.name != own, folder.name)):
        for number, copy in enumerate(archive.kept_copies(folder)):
            kept = KeptCopy(folder.name, copy.name, archive.day_of(copy), is_own=folder.name == own)
            if number == 0:
                # only the newest backup is opened
                kept = replace(kept, matches=len(list(beside(folder / JOURNAL, MATCHES).glob("*.jsonl"))))
                with suppress(BackupError, OSError), archive.open_backup(copy) as there:
                    kept = replace(kept, made=there.manifest.made)
            yield kept


# forgotten data


def _times_forgotten(copies: Sequence[Path], now: int) -> int:
    for copy in copies:
        with suppress(BackupError, OSError), archive.open_backup(copy) as there:
            return there.manifest.forgotten
    return now


Heads = Mapping[tuple[tuple[int, int], str], SealedLine]  # the first lines of matches, by place and start


def _rewrite(copy: Path, state: Path, heads: Heads, forgotten: int) -> bool:
    """Remove forgotten data from a backup, and complete the newest one. Return False if it is damaged."""
    try:
        archive.verify_backup(copy)
    except BackupError as error:
        if error.problem.key != "no backup":
            raise
        return False
    found = archive.filed_in(copy)[0]
    current = [heads.get((each.line.place, begun_in(each.line.text)), each.line) for each in found]
    left = forget_again(current, state)
    with archive.open_backup(copy) as there:
        about = replace(there.manifest, forgotten=forgotten, lines=len(left), told=count_told(left))
        _write(copy, archive.pack(table_among(found) or new_table(), left, there.contents(), about))
    return True
