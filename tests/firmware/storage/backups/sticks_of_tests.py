"""Sticks that are folders, and tables that copy to them."""

from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from msgspec.structs import replace

from firmware.state_folder import CONFIGURATION, JOURNAL
from firmware.storage.backups.archive import MANIFEST, TablePlaces, kept_copies, verify_backup
from firmware.storage.backups.copies import CopyJob, JobReport, do_copy_job
from firmware.storage.backups.restoring import finish_restore
from firmware.storage.journal import open_journal
from referee.match import Match
from tests.firmware.playing import match_at
from tests.firmware.storage.backups.tables import kept_content

DAY = "2026-11-{day:02}T20:15:00+01:00"


class Stick:
    """A stick that is plugged in, and a table that uses it."""

    def __init__(self, folder: Path, here: TablePlaces) -> None:
        self.root, self.here = folder, here
        folder.mkdir(exist_ok=True)

    def job(self, day: int = 1) -> CopyJob:
        here = self.here
        now = DAY.format(day=day)
        return CopyJob("copy", here, now, (self.root,))

    def use(self, day: int = 1) -> JobReport:
        return do_copy_job(replace(self.job(day), what="use", root=self.root))

    def copy(self, day: int = 1) -> JobReport:
        return do_copy_job(self.job(day))

    def restore(self, table: str, name: str) -> JobReport:
        """Lay a copy ready, and start the table."""
        report = do_copy_job(replace(self.job(), what="restore", root=self.root, table=table, name=name))
        finish_restore(self.here)
        return report

    @property
    def home(self) -> Path:
        """Give the folder of the only table that has copies there."""
        [home] = [path for path in (self.root / "coyote-table").iterdir() if path.is_dir()]
        return home


def copied_content(stick: Stick) -> dict[str, object]:
    """Give all that the newest copy has, as the table has it."""
    with TemporaryDirectory() as folder:
        there = Path(folder) / "copy"
        copy = kept_copies(stick.home)[0]
        verify_backup(copy)
        with ZipFile(copy) as opened:
            opened.extractall(there)
        (there / MANIFEST).unlink()
        return content_of(TablePlaces(there, there / JOURNAL, there / CONFIGURATION))


def content_of(here: TablePlaces) -> dict[str, object]:
    """Give all that a table keeps and a copy has, by names that say nothing of where it lies."""
    return {name.split("/", 1)[-1]: content for name, content in kept_content(here).items()}


def played_by(number: int, *names: str) -> Match:
    """Begin a match; its number tells it from others."""
    return match_at(f"2026 {number}", *names)


def add_match(here: TablePlaces, number: int, *names: str) -> None:
    with open_journal(here.journal) as opened:
        opened.journal.begin(played_by(number, *(names or ("Ana", "Bo"))))
