"""Copies of a table in the folder that the configuration names: a backup for each day.

The newest is kept up to date, and each is read back from the disk before it counts, so that the disk may be
unplugged at any moment. The copies of 14 earlier days stay. A copy that has more than the table stays, too:
what a table has lost is in it. Copies of other tables are listed, so that a new card can start from them.

All of it runs in a process of its own: a disk or a network may hang, and its process with it.
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

from firmware.state_folder import COPIES, JOURNAL
from firmware.storage import line_copies
from firmware.storage.aside import Gone
from firmware.storage.backups import archive
from firmware.storage.backups.restoring import StagedBackup, stage
from firmware.storage.database import SealedLine, ends_in
from firmware.storage.errors import BackupError, JournalError
from firmware.storage.files import Kept
from firmware.storage.journal import NEUTRAL, open_readonly
from firmware.storage.line_copies import NO_TABLE, beginnings_in, count_told
from firmware.storage.match_marks import FORGOTTEN_MARKS, mark_of
from firmware.storage.mending import carve_foreign, database_of, lines_of_foreign, merge, places_of
from referee.record import begun_in, names_in, with_names
from vision.files import make_folder, read_json_or, sweep, write_whole
from vision.troubles import Problem, TroubleError

HOME = "coyote-table"  # the folder below the configured one; in it there is one for each table
EARLIER = 14  # copies that stay beside the newest one
MOST_TABLES = 20


class CopySettings(Struct, frozen=True):
    """What a table remembers of its copies."""

    table: str = ""  # the name of its folder among the copies
    forgotten: int = 0  # how often a name or an evening was forgotten


class RemovedCopySettings(Struct, frozen=True):
    """What an earlier version stored with its copies, and this one ignores."""

    sticks: tuple[str, ...] = ()  # USB sticks that the host had chosen


COPY_SETTINGS = Kept(COPIES, CopySettings, CopySettings())


class KeptCopy(Struct, frozen=True):
    """A copy: of which table, under which name, of when, with how many matches."""

    table: str
    name: str
    made: str
    matches: int | None = None
    is_own: bool = True


class FolderReport(Struct, frozen=True):
    """The configured folder, the copies in it, and what is wrong with it."""

    path: str
    free: int = 0  # bytes
    copies: tuple[KeptCopy, ...] = ()
    trouble: Problem | None = None


class JobReport(Struct, frozen=True):
    """What the folder has, and for a restoring what waits now, or why it failed."""

    folder: FolderReport | None = None
    trouble: Problem | None = None
    staged: StagedBackup = StagedBackup()


class CopyJob(Struct, frozen=True):
    """What to do, and where things are; a table and a name for the copy that is restored."""

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


# what the table remembers of its copies


def with_table_name(state: Path) -> CopySettings:
    """Return what is stored; a table without a name gets one, by which its copies are told from others'."""
    settings = COPY_SETTINGS.read(state)
    if not settings.table:
        settings = replace(settings, table=token_hex(4))
        COPY_SETTINGS.keep(state, settings)
    return settings


def drop_sticks(state: Path) -> bool:
    """Remove the USB sticks that the host had chosen in an earlier version; returns whether there were any."""
    stored = read_json_or(COPY_SETTINGS.file(state), RemovedCopySettings, RemovedCopySettings())
    if stored.sticks:
        # on a disk that is full they stay, and are mentioned again
        with suppress(OSError):
            COPY_SETTINGS.keep(state, COPY_SETTINGS.read(state))
    return bool(stored.sticks)


def forget(here: archive.TablePlaces, _gone: Gone) -> None:
    """Count what was forgotten: copies that are older forget it when they are brought up to date."""
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
            # below a disk that isn't mounted it would lie hidden on the table's own
            raise BackupError("copy beside")
        settings = with_table_name(job.here.state)
        own = settings.table
        for path in (home, home / own, *(home / own).rglob("*")):
            # a disk that was prepared to lead elsewhere
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
    """Bring the copies up to date: what was forgotten leaves them, and what the table has lost is taken."""
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
            # one that is damaged is told, and stays
            for copy in archive.kept_copies(home)[1:]:
                try:
                    verify_from_disk(copy)
                except BackupError as error:
                    raise BackupError("copy of day damaged", name=copy.name) from error


def _write_day(home: Path, here: archive.TablePlaces, now: str, forgotten: int) -> None:
    """Write the copy of this day anew, or begin the next one where the newest has more than the table."""
    newest = next(iter(archive.kept_copies(home)), None)
    is_kept = newest is not None and (
        archive.day_of(newest) != now[:10] or has_less(here.journal, archive.lines_in(newest))
    )
    number = (0 if newest is None else int(newest.name[:4])) + (is_kept or newest is None)
    _write(home / archive.DAYS / f"{number:04}-{now[:10]}.zip", archive.pack_table(here, now, forgotten))
    for old in archive.kept_copies(home)[EARLIER + 1 :]:
        old.unlink()


def _write(copy: Path, pieces: Iterator[bytes]) -> None:
    """Write a copy, and read it back from the disk before it takes the place of another."""
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
                # only into the newest it is looked
                kept = replace(kept, matches=len(ends_in(archive.lines_in(copy))))
                with suppress(BackupError, OSError), archive.open_backup(copy) as there:
                    kept = replace(kept, made=there.manifest.made)
            yield kept


def has_less(journal: Path, copied: Iterable[SealedLine]) -> bool:
    ends = dict[int, int]()
    with suppress(JournalError), open_readonly(journal) as now:
        ends = {each.id: each.lines for each in now.versions()}
    return any(line.number >= ends.get(line.match_id, 0) for line in copied)


def take_missing(journal: Path, copy: Path) -> None:
    """Lay lines that the journal has lost, and that a copy has, where the next start finds them.

    What goes on longer there is taken only from a copy of this very journal: where an earlier day was restored,
    what was played later isn't wanted any more.
    """
    raw = archive.journal_in(copy)
    carved = archive.carved_lines(raw)
    with suppress(JournalError), open_readonly(journal) as now:
        lacking = now.lost_places()
        is_whole_taken = now.table == line_copies.mark_in(raw) and has_less(journal, carved)
        if lacking or is_whole_taken:
            here = now.every_line()
            theirs = line_copies.on_same_course(line_copies.of_beginnings(carved, beginnings_in(here)), here)
            wanted = places_of(theirs) - places_of(here) if is_whole_taken else lacking
            line_copies.lay_found(journal, now.table, here, (line for line in theirs if line.place in wanted))


# what is forgotten


def _times_forgotten(copies: Sequence[Path], now: int) -> int:
    for copy in copies:
        with suppress(BackupError, OSError), archive.open_backup(copy) as there:
            return there.manifest.forgotten
    return now


def _forget_in_copies(home: Path, here: archive.TablePlaces, forgotten: int) -> None:
    """Remove forgotten matches from all copies, the newest last; others get the names that they have by now."""
    marks = frozenset(FORGOTTEN_MARKS.read(here.state))
    with open_readonly(here.journal) as now:
        heads = {begun_in(match.head): match.head for match in now.matches()}
    for copy in reversed(archive.kept_copies(home)):
        try:
            archive.verify_backup(copy)
        except BackupError as error:
            if error.problem.key != "no backup":
                raise
            # damaged: it can't be put back, and can't be changed
            copy.unlink()
            continue
        with archive.open_backup(copy) as there:
            _write(copy, _pack_again(there, marks, heads, forgotten))


def _pack_again(
    there: archive.OpenBackup, marks: frozenset[str], heads: Mapping[str, str], forgotten: int
) -> Iterator[bytes]:
    database = there.content(JOURNAL)
    sound = lines_of_foreign(database)
    lines = merge(carve_foreign(database)) if sound is None else sound
    gone = {line.match_id for line in lines if not line.number and mark_of(begun_in(line.text)) in marks}
    left = [_renamed(line, heads) for line in lines if line.match_id not in gone]
    about = replace(there.manifest, forgotten=forgotten, lines=len(left), told=count_told(left))
    return archive.pack(database_of(left, line_copies.mark_in(database) or NO_TABLE), there.contents(), about)


def _renamed(line: SealedLine, heads: Mapping[str, str]) -> SealedLine:
    """Give a first line the names that its match has by now; of one that isn't known any more, neutral ones."""
    names = names_in(line.text) if line.number == 0 else ()
    now = names_in(heads.get(begun_in(line.text), "")) if names else ()
    if len(now) != len(names):
        now = tuple(NEUTRAL.format(number=number) for number in range(1, len(names) + 1))
    return replace(line, text=with_names(line.text, now)) if now != names else line
