"""What the pages are given to make backups with, and to put them in place."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import monotonic
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from firmware.language import wall_clock as wall
from firmware.language.sentences import HinderedError, Sentence, say
from firmware.language.storage_troubles import left_out_lines
from firmware.language.troubles import error_sentence, problem_sentence
from firmware.parts.jobs import Job, JobError, JobSlowError, begin_job
from firmware.state_folder import CHOSEN
from firmware.storage.backups.checking import StagedBackup
from firmware.storage.backups.jobs import CopyJob, JobReport, PlaceReport, do_copy_job
from firmware.storage.backups.packing import backup, journal_size
from firmware.storage.backups.parts import DECKS, EMPTY, RESERVE, SCRATCH, TABLE, BackupError, TablePlaces
from firmware.storage.backups.placing import before_folders, size_of
from firmware.storage.backups.sticks import mounted
from firmware.storage.backups.unpacking import stage
from firmware.storage.files import beside
from vision.troubles import Problem


class BackupContents(Struct, frozen=True):
    """What a backup would and would not hold, in bytes, and the copies moved aside earlier."""

    journal: int
    decks: Mapping[str, int]
    others: int
    evidence: int
    befores: Sequence[tuple[str, int]] = ()


class Backups:
    """Backups of this table; what hinders them is OSError, in one line."""

    def __init__(self, here: TablePlaces, evidence: Path) -> None:
        self._here, self._evidence = here, evidence

    def holding(self) -> BackupContents:
        """Return what a backup would hold."""
        state = self._here.state
        others = (*(state / name for name in (CHOSEN, TABLE, EMPTY)), self._here.configuration)
        decks = {each.name: size_of(each) for each in sorted((state / DECKS).glob("[!.]*")) if each.is_dir()}
        aside = [(each.name, size_of(each)) for each in before_folders(state)]
        small = sum(map(_size, others))
        return BackupContents(journal_size(self._here.journal), decks, small, size_of(self._evidence), aside)

    def backup(self) -> Generator[bytes, None, None]:
        """Make one, piece by piece."""
        with _plain_errors():
            yield from backup(self._here, wall.timestamp())

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

    def stage(self, file: IO[bytes]) -> Sequence[Sentence]:
        """Check one, and lay it ready for the next start; give what there is to say about it."""
        file.flush()
        with _plain_errors():
            staged = stage(Path(file.name), self._here)
        return left_out_of(staged)


def left_out_of(staged: StagedBackup) -> tuple[Sentence, ...]:
    """Say what a backup lacks, and what of it may not come in."""
    return tuple(
        left_out_lines(staged.left_out, staged.missing, was_damaged=staged.was_damaged, strange=staged.strange)
    )


@contextmanager
def _plain_errors() -> Iterator[None]:
    try:
        yield
    except BackupError as error:
        raise HinderedError(error_sentence(error)) from error


def _size(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_size
    return 0


LOOK = 5.0
"""Seconds between two looks for sticks and changes."""
PAUSE, SHARE = 60.0, 20.0
"""Seconds between two copies at least, and how many times as long as copying takes."""
ANYWHERE = Path()
"""The place of trouble that belongs to none."""
PATIENCE = 300.0
"""Seconds after which a copy is given up: its stick hangs."""
HOST_WAITS = 20.0
"""Seconds that the host's page waits for a copy that is being made."""

Stamps = tuple[tuple[int, int], ...]


class CopyNews(Struct, frozen=True):
    """What lies where, and when that was looked at."""

    report: JobReport = JobReport()
    at: str = ""


class SecondCopies:
    """Second copies of this table."""

    def __init__(
        self, here: TablePlaces, folder: Path | None, tell: Callable[[Path, Problem | None], None]
    ) -> None:
        """Take where things are, and the folder of the configuration, if it names one.

        What goes wrong with a place is told, and that it is well again.
        """
        self._here, self._folder, self._tell = here, folder, tell
        self._news, self._lock, self._over = CopyNews(), Lock(), Event()
        self._sticks: tuple[Path, ...] = ()
        self._stamps: Stamps = ()
        self._next = 0.0
        self._working: Job[JobReport] | None = None
        self._wrong: dict[Path, Problem] = {}
        self._thread = Thread(target=self._run, name="second copy", daemon=True)

    def begin(self) -> None:
        """Begin to look for sticks and changes."""
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
        return self._news.report.places

    def use(self, root: str) -> None:
        """Keep copies on a stick from now on, and make the first one; OSError says what hinders."""
        if root not in {place.root for place in self.places()}:
            raise HinderedError(say("That stick isn't plugged in any more."))
        _expect_well(self._do(replace(self._job(), what="use", root=Path(root))))

    def restore(self, root: str, table: str, name: str) -> tuple[Sentence, ...]:
        """Lay a copy ready for the next start, and give notes for the host; OSError says what hinders."""
        seen = {(place.root, copy.table, copy.name) for place in self.places() for copy in place.copies}
        if (root, table, name) not in seen:
            raise HinderedError(say("That copy isn't there any more."))
        wish = replace(self._job(), what="restore", root=Path(root), table=table, name=name)
        staged = _expect_well(self._do(wish)).staged
        return left_out_of(staged)

    # looking

    def _run(self) -> None:
        while not self._over.wait(LOOK):
            sticks, stamps = mounted(), _stamps(self._here)
            is_changed = stamps != self._stamps and monotonic() >= self._next
            if sticks != self._sticks or is_changed:
                self._sticks, self._stamps = sticks, stamps
                self._copy(is_anywhere=bool(sticks or self._folder))

    def _copy(self, *, is_anywhere: bool) -> None:
        """Copy to all places; where there is none, nothing lies anywhere, and nothing is wrong."""
        begun = monotonic()
        if is_anywhere:
            report = self._do(self._job())
            if report.trouble or any(place.trouble for place in report.places):
                # it is tried again, also if nothing changes
                self._stamps = ()
        else:
            self._news = CopyNews()
            self._tell_troubles(JobReport())
        self._next = monotonic() + max(PAUSE, SHARE * (monotonic() - begun))

    def _job(self) -> CopyJob:
        here = self._here
        return CopyJob(
            "copy", here.state, here.journal, here.configuration, wall.timestamp(), mounted(), self._folder
        )

    # processes

    def _do(self, job: CopyJob) -> JobReport:
        """Have a process do it; what hangs is killed, and nothing else is begun before it is gone."""
        if not self._lock.acquire(timeout=HOST_WAITS):
            return replace(self._news.report, trouble=Problem("copy hangs"))
        try:
            if self._over.is_set() or (self._working is not None and not self._working.is_over):
                return replace(self._news.report, trouble=Problem("copy hangs"))
            report = self._await(job)
            if isinstance(report, Problem):
                report = replace(self._news.report, trouble=report)
            self._news = CopyNews(report, job.now)
            if job.what == "copy":
                self._tell_troubles(report)
        finally:
            self._lock.release()
        return report

    def _await(self, job: CopyJob) -> JobReport | Problem:
        try:
            # matches are played again to see whether they can be
            working = self._working = begin_job(do_copy_job, job, has_games=job.what == "restore")
            return working.answer(PATIENCE)
        except JobSlowError:
            return Problem("copy hangs")
        except JobError:
            return Problem("copy died")

    def _tell_troubles(self, report: JobReport) -> None:
        hangs = {} if report.trouble is None else {ANYWHERE: report.trouble}
        places = {Path(place.root): place.trouble for place in report.places if place.trouble is not None}
        wrong = {**hangs, **places}
        for root in self._wrong.keys() - wrong.keys():
            self._tell(root, None)
        for root, trouble in wrong.items():
            if self._wrong.get(root) != trouble:
                self._tell(root, trouble)
        self._wrong = wrong


def _expect_well(report: JobReport) -> JobReport:
    if report.trouble is not None:
        raise HinderedError(problem_sentence(report.trouble))
    return report


def _stamps(here: TablePlaces) -> Stamps:
    journals = (here.journal, beside(here.journal, "-wal"))
    files = (*(here.state / name for name in (CHOSEN, TABLE, EMPTY, DECKS)), here.configuration)
    return tuple(map(_stamp, (*journals, *files)))


def _stamp(file: Path) -> tuple[int, int]:
    try:
        there = file.stat()
    except OSError:
        return (0, 0)
    return there.st_size, there.st_mtime_ns
