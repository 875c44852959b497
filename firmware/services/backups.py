"""Backups for the pages: create, check and restore them."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import monotonic
from typing import IO, Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.language import wall_clock as wall
from firmware.language.speaking import Sentence, problem_sentence, say
from firmware.services.jobs import Job, JobError, JobSlowError, Limits
from firmware.state_folder import DECKS
from firmware.storage.backups.archive import MOST_BYTES, READERS, TablePlaces, backup, journal_size
from firmware.storage.backups.copies import CopyJob, FolderReport, JobReport, do_copy_job
from firmware.storage.backups.restoring import (
    CAMERA,
    MARK,
    RESERVE,
    SCRATCH,
    StagedBackup,
    StageJob,
    before_folders,
    discard_staged,
    do_stage_job,
)
from firmware.storage.errors import BackupError
from firmware.storage.files import beside, size_of
from firmware.storage.memory_folders import unsaved_files
from vision.troubles import Problem


class BackupContents(Struct, frozen=True):
    """Sizes in bytes of a backup's parts, of omitted parts, and of copies moved aside earlier."""

    journal: int
    decks: Mapping[str, int]
    others: int
    evidence: int
    befores: Sequence[tuple[str, int]] = ()


class Backups:
    """Backups of this table; failures raise OSError or BackupError."""

    def __init__(self, here: TablePlaces, evidence: Path) -> None:
        self._here, self._evidence = here, evidence

    def holding(self) -> BackupContents:
        state = self._here.state
        others = sum(_stamp(file)[0] for file in map(self._here.file, READERS))
        decks = {each.name: size_of(each) for each in sorted((state / DECKS).glob("[!.]*")) if each.is_dir()}
        aside = [(each.name, size_of(each)) for each in before_folders(state)]
        return BackupContents(journal_size(self._here.journal), decks, others, size_of(self._evidence), aside)

    def backup(self) -> Generator[bytes, None, None]:
        yield from backup(self._here, wall.timestamp())

    @contextmanager
    def room(self, size: int) -> Iterator[IO[bytes]]:
        """Provide a temporary file for an upload; raises BackupError if the disk is too full to unpack it."""
        state = self._here.state
        if disk_usage(state).free < 3 * size + RESERVE:
            raise BackupError("no room to unpack")
        with (
            TemporaryDirectory(prefix=SCRATCH, dir=state) as folder,
            (Path(folder) / "sent").open("w+b") as file,
        ):
            yield file

    def stage(self, file: IO[bytes], is_gone: Callable[[], bool]) -> Sequence[Sentence]:
        """Check a backup and stage it for the next start; returns notes for the host.

        Stops once `is_gone` returns true.
        """
        file.flush()
        return left_out_of(stage_apart(Path(file.name), self._here, is_gone))


LIMITS = Limits(cpu_seconds=240, largest_file=MOST_BYTES)
"""Limits for reading a backup; one million lines take 20 CPU seconds and 760 MB."""


def stage_apart(file: Path, here: TablePlaces, is_gone: Callable[[], bool] = lambda: False) -> StagedBackup:
    """Check and stage a backup in a separate, limited process, because the file may be malicious."""
    if MARK.read(here.state) is not None:
        raise BackupError("backup waits")
    try:
        report = Job(do_stage_job, StageJob(file.resolve(), here), limits=LIMITS).answer(COPY_TIMEOUT, is_gone)
    except JobError as error:
        discard_staged(here.state)
        raise BackupError("backup too heavy") from error
    if report.trouble is not None:
        raise BackupError(report.trouble.key, **report.trouble.values)
    return report.staged


def left_out_of(staged: StagedBackup) -> tuple[Sentence, ...]:
    """Return notes about the missing and rejected parts of a backup."""
    lines, names = staged.missing, staged.left_out
    strange = tuple(name for name in staged.strange if name != CAMERA)
    damaged = say("The journal in this backup was damaged; other copies fill the gaps as far as possible.")
    lost = say("Lines of matches that are lost in all copies: {lines}; the history shows which.", lines=lines)
    unread = say("Not in this backup, because it couldn't be read: {names}", names=names)
    other = say(
        "Left out, because it names files or addresses that this table doesn't use: {names}", names=strange
    )
    notes = (
        (staged.was_damaged, damaged),
        (lines, lost),
        (names, unread),
        (strange, other),
        (CAMERA in staged.strange, problem_sentence(Problem("camera left out"))),
    )
    return tuple(sentence for is_so, sentence in notes if is_so)


COPY_CHECK_INTERVAL = 5.0  # seconds between checks for changes
MIN_COPY_INTERVAL, REST_RATIO = 60.0, 20.0
"""Minimum seconds between copies, and minimum ratio of rest to copying time."""
COPY_TIMEOUT = 300.0  # seconds after which a copy is cancelled, because its disk hangs
HOST_TIMEOUT = 20.0  # seconds that the host's page waits for a running copy
Stamps = tuple[tuple[int, int], ...]


class SecondCopies:
    """Second copies of this table, in the configured folder."""

    def __init__(self, here: TablePlaces, folder: Path | None, tell: Callable[[Problem | None], None]) -> None:
        """Copy to `folder`; None disables copies. Calls `tell` when a problem begins, changes or ends."""
        self._here, self._folder, self._tell = here, folder, tell
        self._report = JobReport(None if folder is None else FolderReport(str(folder)))
        self._lock, self._over = Lock(), Event()
        self._working: Job[JobReport] | None = None
        self._wrong: Problem | None = None
        self._thread = Thread(target=self._run, name="second copy", daemon=True)

    def begin(self) -> None:
        if self._folder is not None:
            self._thread.start()

    def close(self) -> None:
        """Stop copying; a process that hangs is abandoned."""
        self._over.set()
        working = self._working
        if working is not None:
            working.kill()
        if self._thread.is_alive():
            self._thread.join(1)

    def folder(self) -> FolderReport | None:
        """Return the folder and its copies as of the last check; None without a folder."""
        return self._report.folder

    def restore(self, table: str, name: str) -> tuple[Sentence, ...]:
        """Stage a copy for the next start and return notes for the host; raises OSError or BackupError."""
        copies = () if (there := self.folder()) is None else there.copies
        if self._folder is None or (table, name) not in {(copy.table, copy.name) for copy in copies}:
            raise BackupError("copy gone")
        if MARK.read(self._here.state) is not None:
            raise BackupError("backup waits")
        report = self._do(CopyJob("restore", self._here, wall.timestamp(), self._folder, table, name))
        if report.trouble is not None:
            raise BackupError(report.trouble.key, **report.trouble.values)
        return left_out_of(report.staged)

    def _run(self) -> None:
        """Copy after each change, and retry after failures."""
        stamps, rests_until = (Stamps(), Stamps()), 0.0
        while self._folder is not None and not self._over.wait(COPY_CHECK_INTERVAL):
            begun, changed = monotonic(), _stamps(self._here)
            if changed != stamps and begun >= rests_until:
                what: Literal["copy", "backup"] = "copy" if changed[1] == stamps[1] else "backup"
                report = self._do(CopyJob(what, self._here, wall.timestamp(), self._folder))
                is_well = _trouble_in(report) is None
                stamps = changed if is_well else (Stamps(), Stamps())
                rests_until = monotonic() + max(MIN_COPY_INTERVAL, REST_RATIO * (monotonic() - begun))

    def _do(self, job: CopyJob) -> JobReport:
        """Run a job in a process; a hanging one is killed, and must end before the next one starts."""
        hangs = replace(self._report, trouble=Problem("copy hangs"))
        if not self._lock.acquire(timeout=HOST_TIMEOUT):
            return hangs
        try:
            if self._over.is_set() or (self._working is not None and not self._working.is_over):
                return hangs
            report = self._report = self._await(job)
            # closing kills the process, which is no trouble
            if job.what != "restore" and not self._over.is_set() and _trouble_in(report) != self._wrong:
                self._wrong = _trouble_in(report)
                self._tell(self._wrong)
            return report
        finally:
            self._lock.release()

    def _await(self, job: CopyJob) -> JobReport:
        try:
            # a restore checks which matches are readable, and needs their games for it
            is_foreign = job.what == "restore"
            limits = LIMITS if is_foreign else None
            working = self._working = Job(do_copy_job, job, limits=limits, has_games=is_foreign)
            return working.answer(COPY_TIMEOUT)
        except JobError as error:
            key = "copy hangs" if isinstance(error, JobSlowError) else "copy died"
            if job.what == "restore":
                discard_staged(job.here.state)
                key = "backup too heavy" if key == "copy died" else key
            return replace(self._report, trouble=Problem(key))


def _trouble_in(report: JobReport) -> Problem | None:
    return report.trouble or (None if report.folder is None else report.folder.trouble)


def _stamps(here: TablePlaces) -> tuple[Stamps, Stamps]:
    """Return the stamps of the matches, and of everything else in a backup."""
    journals = (here.journal, beside(here.journal, "-wal"), *unsaved_files(here.journal))
    others = (*map(here.file, READERS), here.state / DECKS)
    return tuple(map(_stamp, journals)), tuple(map(_stamp, others))


def _stamp(file: Path) -> tuple[int, int]:
    try:
        there = file.stat()
    except OSError:
        return (0, 0)
    return there.st_size, there.st_mtime_ns
