"""What the pages are given to make backups with, and to put them in place."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import monotonic
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from firmware.language import wall_clock as wall
from firmware.language.speaking import HinderedError, Sentence, problem_sentence, say
from firmware.parts.jobs import Job, JobError, JobSlowError, Limits
from firmware.state_folder import DECKS
from firmware.storage.backups.archive import MOST_BYTES, READERS, TablePlaces, backup, journal_size
from firmware.storage.backups.copies import CopyJob, JobReport, PlaceReport, do_copy_job, mounted
from firmware.storage.backups.restoring import (
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
from vision.troubles import Problem


class BackupContents(Struct, frozen=True):
    """What a backup would and would not hold, in bytes, and the copies moved aside earlier."""

    journal: int
    decks: Mapping[str, int]
    others: int
    evidence: int
    befores: Sequence[tuple[str, int]] = ()


class Backups:
    """Backups of this table; what hinders them is OSError or BackupError."""

    def __init__(self, here: TablePlaces, evidence: Path) -> None:
        self._here, self._evidence = here, evidence

    def holding(self) -> BackupContents:
        state = self._here.state
        others = sum(_stamp(file)[0] for file in map(self._here.file, READERS))
        decks = {each.name: size_of(each) for each in sorted((state / DECKS).glob("[!.]*")) if each.is_dir()}
        aside = [(each.name, size_of(each)) for each in before_folders(state)]
        journal = self._here.with_newest_lines().journal
        return BackupContents(journal_size(journal), decks, others, size_of(self._evidence), aside)

    def backup(self) -> Generator[bytes, None, None]:
        yield from backup(self._here.with_newest_lines(), wall.timestamp())

    @contextmanager
    def room(self, size: int) -> Iterator[IO[bytes]]:
        """Give a file for one that comes in, if there is room for it and what is in it."""
        state = self._here.state
        if disk_usage(state).free < 3 * size + RESERVE:
            raise HinderedError(say("The disk is full: make room, then try again."))
        with (
            TemporaryDirectory(prefix=SCRATCH, dir=state) as folder,
            (Path(folder) / "sent").open("w+b") as file,
        ):
            yield file

    def stage(self, file: IO[bytes], is_gone: Callable[[], bool]) -> Sequence[Sentence]:
        """Check one, and lay it ready for the next start; give what there is to say about it.

        The work ends once whoever sent it is gone.
        """
        file.flush()
        return left_out_of(stage_apart(Path(file.name), self._here, is_gone))


LIMITS = Limits(cpu_seconds=240, largest_file=MOST_BYTES)
"""What reading a backup may use; one of a million lines takes 20 seconds of a processor and 760 MB."""


def stage_apart(file: Path, here: TablePlaces, is_gone: Callable[[], bool] = lambda: False) -> StagedBackup:
    """Check a backup and lay it ready in a process of its own, which has limits: it may be a stranger's."""
    if MARK.read(here.state) is not None:
        raise BackupError("backup waits")
    try:
        report = Job(do_stage_job, StageJob(file.resolve(), here), limits=LIMITS).answer(PATIENCE, is_gone)
    except JobError as error:
        discard_staged(here.state)
        raise BackupError("backup too heavy") from error
    if report.trouble is not None:
        raise BackupError(report.trouble.key, **report.trouble.values)
    return report.staged


def left_out_of(staged: StagedBackup) -> tuple[Sentence, ...]:
    """Say what a backup lacks, and what of it may not come in."""
    lines, names, strange = staged.missing, staged.left_out, staged.strange
    damaged = say(
        "The journal in it was damaged: what it lacks is taken from other copies, as far as they have it."
    )
    lost = say("Lines of matches that no copy has any more: {lines}; the history shows which.", lines=lines)
    unread = say("Not in this backup, as it couldn't be read: {names}", names=names)
    other = say("Left out, as it would read files or call others than this table does: {names}", names=strange)
    said = (staged.was_damaged, damaged), (lines, lost), (names, unread), (strange, other)
    return tuple(sentence for is_so, sentence in said if is_so)


LOOK = 5.0  # seconds between two looks for sticks and changes
PAUSE, SHARE = 60.0, 20.0
"""Seconds between two copies at least, and how many times as long as copying takes."""
ANYWHERE = Path()  # the place of trouble that belongs to none
PATIENCE = 300.0  # seconds after which a copy is given up: its stick hangs
HOST_WAITS = 20.0  # seconds that the host's page waits for a copy that is being made
Stamps = tuple[tuple[int, int], ...]


class SecondCopies:
    """Second copies of this table."""

    def __init__(
        self, here: TablePlaces, folder: Path | None, tell: Callable[[Path, Problem | None], None]
    ) -> None:
        """Take the configuration's folder, if any; what is wrong with a place is told, and its end."""
        self._here, self._folder, self._tell = here, folder, tell
        self._report, self._lock, self._over = JobReport(), Lock(), Event()
        self._working: Job[JobReport] | None = None
        self._wrong: dict[Path, Problem] = {}
        self._thread = Thread(target=self._run, name="second copy", daemon=True)

    def begin(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Copy no more; a process that hangs is left to the system."""
        self._over.set()
        working = self._working
        if working is not None:
            working.kill()
        self._thread.join(1)

    def places(self) -> tuple[PlaceReport, ...]:
        """List the sticks and folders, and what lies there, as they were seen last."""
        return self._report.places

    def use(self, root: str) -> None:
        """Keep copies on a stick from now on, and make the first one; OSError says what hinders."""
        if root not in {place.root for place in self.places()}:
            raise HinderedError(say("That stick isn't plugged in any more."))
        self._ask(replace(self._job(), what="use", root=Path(root)))

    def restore(self, root: str, table: str, name: str) -> tuple[Sentence, ...]:
        """Lay a copy ready for the next start, and give notes for the host; OSError says what hinders."""
        seen = {(place.root, copy.table, copy.name) for place in self.places() for copy in place.copies}
        if (root, table, name) not in seen:
            raise HinderedError(say("That copy isn't there any more."))
        if MARK.read(self._here.state) is not None:
            raise HinderedError(problem_sentence(Problem("backup waits")))
        wish = replace(self._job(), what="restore", root=Path(root), table=table, name=name)
        return left_out_of(self._ask(wish).staged)

    def _ask(self, wish: CopyJob) -> JobReport:
        report = self._do(wish)
        if report.trouble is not None:
            raise HinderedError(problem_sentence(report.trouble))
        return report

    def _run(self) -> None:
        """Copy when a stick comes or goes, when something has changed, and again where that failed."""
        sticks, stamps, rests_until = tuple[Path, ...](), Stamps(), 0.0
        while not self._over.wait(LOOK):
            now, changed, begun = mounted(), _stamps(self._here.with_newest_lines()), monotonic()
            if now != sticks or (changed != stamps and begun >= rests_until):
                report = self._do(self._job())
                is_well = not report.trouble and not any(place.trouble for place in report.places)
                sticks, stamps = now, changed if is_well else ()
                rests_until = monotonic() + max(PAUSE, SHARE * (monotonic() - begun))

    def _job(self) -> CopyJob:
        return CopyJob("copy", self._here.with_newest_lines(), wall.timestamp(), mounted(), self._folder)

    def _do(self, job: CopyJob) -> JobReport:
        """Have a process do it; what hangs is killed, and nothing else is begun before it is gone."""
        hangs = replace(self._report, trouble=Problem("copy hangs"))
        if not self._lock.acquire(timeout=HOST_WAITS):
            return hangs
        try:
            if self._over.is_set() or (self._working is not None and not self._working.is_over):
                return hangs
            # where there is no place, nothing lies anywhere, and nothing is wrong
            is_anywhere = job.root or job.sticks or job.folder
            report = self._report = self._await(job) if is_anywhere else JobReport()
            if job.what == "copy":
                self._tell_troubles(report)
            return report
        finally:
            self._lock.release()

    def _await(self, job: CopyJob) -> JobReport:
        try:
            # games tell which matches can be read
            is_foreign = job.what == "restore"
            limits = LIMITS if is_foreign else None
            working = self._working = Job(do_copy_job, job, limits=limits, has_games=is_foreign)
            return working.answer(PATIENCE)
        except JobError as error:
            key = "copy hangs" if isinstance(error, JobSlowError) else "copy died"
            if job.what == "restore":
                discard_staged(job.here.state)
                key = "backup too heavy" if key == "copy died" else key
            return replace(self._report, trouble=Problem(key))

    def _tell_troubles(self, report: JobReport) -> None:
        troubles = {ANYWHERE: report.trouble, **{Path(place.root): place.trouble for place in report.places}}
        wrong = {root: trouble for root, trouble in troubles.items() if trouble is not None}
        for root in {**self._wrong, **wrong}:
            if wrong.get(root) != self._wrong.get(root):
                self._tell(root, wrong.get(root))
        self._wrong = wrong


def _stamps(here: TablePlaces) -> Stamps:
    journals = (here.journal, beside(here.journal, "-wal"))
    return tuple(map(_stamp, (*journals, *map(here.file, READERS), here.state / DECKS)))


def _stamp(file: Path) -> tuple[int, int]:
    try:
        there = file.stat()
    except OSError:
        return (0, 0)
    return there.st_size, there.st_mtime_ns
