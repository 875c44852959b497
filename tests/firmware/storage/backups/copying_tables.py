"""Tables that copy to a folder on another disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from typing import Literal
from zipfile import ZipFile

from msgspec.structs import replace

from firmware.state_folder import CONFIGURATION, JOURNAL
from firmware.storage.backups.archive import MANIFEST, TablePlaces, kept_copies, verify_backup
from firmware.storage.backups.copies import CopyJob, FolderReport, JobReport, do_copy_job
from firmware.storage.backups.restoring import finish_restore
from firmware.storage.journal import open_journal
from firmware.storage.match_files import MATCHES
from referee.match import Match
from tests.firmware.playing import match_at
from tests.firmware.storage.backups.tables import kept_content
from tests.given import present

DAY = "2026-11-{day:02}T20:15:00+01:00"


DISKS = (Path("/dev/shm"), Path("/var/tmp"))  # noqa: S108 - one of them is another disk than the tests'


def disk_beside(folder: Path) -> Path:
    return next(disk for disk in DISKS if disk.stat().st_dev != folder.stat().st_dev)


@contextmanager
def other_disk(than: Path) -> Iterator[Path]:
    """Create an empty folder on another disk than a given one."""
    with TemporaryDirectory(dir=disk_beside(than)) as folder:
        yield Path(folder)


class CopyingTable:
    """A table, and the folder of its copies."""

    def __init__(self, folder: Path, here: TablePlaces) -> None:
        self.folder, self.here = folder, here

    def job(self, day: int = 1, what: Literal["copy", "backup"] = "copy") -> CopyJob:
        return CopyJob(what, self.here, DAY.format(day=day), self.folder)

    def copy(self, day: int = 1, what: Literal["copy", "backup"] = "copy") -> FolderReport:
        return present(do_copy_job(self.job(day, what)).folder)

    def restore(self, table: str, name: str) -> JobReport:
        """Stage a copy for restoring, and start the table."""
        report = do_copy_job(replace(self.job(), what="restore", table=table, name=name))
        finish_restore(self.here)
        return report

    @property
    def home(self) -> Path:
        """Return the folder of the only table with copies there."""
        [home] = [path for path in (self.folder / "coyote-table").iterdir() if path.is_dir()]
        return home

    @property
    def files(self) -> Path:
        """Return the folder of the match files there."""
        return self.home / f"{JOURNAL}{MATCHES}"


def copied_content(table: CopyingTable) -> dict[str, object]:
    """Return the copy's content, in the table's form: the match files, and all else from the newest backup."""
    with TemporaryDirectory() as folder:
        there = Path(folder) / "copy"
        copy = kept_copies(table.home)[0]
        verify_backup(copy)
        with ZipFile(copy) as opened:
            opened.extractall(there)
        (there / MANIFEST).unlink()
        rmtree(there / "matches")
        copytree(table.files, there / table.files.name)
        return content_of(TablePlaces(there, there / JOURNAL, there / CONFIGURATION))


def content_of(here: TablePlaces) -> dict[str, object]:
    """Return a table's content that belongs in a copy, by names without paths."""
    return {name.split("/", 1)[-1]: content for name, content in kept_content(here).items()}


def played_by(number: int, *names: str) -> Match:
    """Start a match, distinguished from others by its number."""
    return match_at(f"2026 {number}", *names)


def add_match(here: TablePlaces, number: int, *names: str) -> None:
    with open_journal(here.journal) as opened:
        opened.journal.begin(played_by(number, *(names or ("Ana", "Bo"))))
