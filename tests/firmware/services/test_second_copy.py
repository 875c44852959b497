"""The thread of second copies: detects changes, and survives a hanging disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.services import backups, jobs
from firmware.services.backups import SecondCopies
from firmware.services.jobs import Limits
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import finish_restore
from firmware.storage.errors import BackupError
from tests.firmware.storage.backups.copying_tables import CopyingTable, add_match, content_of, other_disk
from tests.firmware.storage.backups.tables import table_in
from tests.given import present
from tests.tiers import slow
from tests.waiting import until
from vision.troubles import Problem

HANGING = """
import signal
from pathlib import Path
from firmware.start.job_process import main
if Path({hangs!r}).exists():
    signal.pause()
main()
"""


class _Table:
    """A table that copies to a folder, and its reported trouble."""

    def __init__(self, here: TablePlaces, folder: Path) -> None:
        self.here = here
        self.told: list[Problem | None] = []
        self.copies = SecondCopies(here, folder, self.told.append)
        self.copies.begin()


@contextmanager
def table_at(folder: Path, disk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Table]:
    for name, value in (("COPY_CHECK_INTERVAL", 0.01), ("MIN_COPY_INTERVAL", 0.0), ("REST_RATIO", 0.0)):
        monkeypatch.setattr(backups, name, value)
    table = _Table(table_in(folder / "table", "Ana"), disk)
    try:
        yield table
    finally:
        table.copies.close()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with other_disk(tmp_path) as disk:
        yield disk


@slow("copies are made by a process of their own")
def test_folder_is_kept_up_to_date_and_restored(
    tmp_path: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = CopyingTable(disk, table_in(tmp_path / "other", "Zoe"))
    before.copy()
    with table_at(tmp_path, disk, monkeypatch) as table:

        def matches() -> list[int | None]:
            return [copy.matches for copy in present(table.copies.folder()).copies]

        until(lambda: matches() == [2, 2])
        [own, other] = present(table.copies.folder()).copies
        assert (own.is_own, other.is_own) == (True, False)
        add_match(table.here, 3)
        until(lambda: matches() == [3, 2])
        with pytest.raises(BackupError, match="copy gone"):
            table.copies.restore(other.table, "0001-2026-10-31.zip")
        half = table.here.state / "restoring" / "half"
        half.mkdir(parents=True)
        with monkeypatch.context() as small:
            small.setattr(backups, "LIMITS", Limits(cpu_seconds=60, memory=50_000_000))
            with pytest.raises(BackupError, match="backup too heavy"):
                table.copies.restore(other.table, other.name)
        assert not half.exists()
        assert table.copies.restore(other.table, other.name) == ()
        with pytest.raises(BackupError, match="backup waits"):
            table.copies.restore(other.table, other.name)
    assert table.told == []
    finish_restore(table.here)
    assert content_of(table.here) == content_of(before.here)


def test_without_folder_nothing_is_copied_or_restored(tmp_path: Path) -> None:
    copies = SecondCopies(table_in(tmp_path, "Ana"), None, print)
    copies.begin()
    assert copies.folder() is None
    with pytest.raises(BackupError, match="copy gone"):
        copies.restore("", "")
    copies.close()


def test_hanging_disk_is_reported_and_delays_neither_table_nor_end(
    tmp_path: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = tmp_path / "hangs"
    (tmp_path / "hanging_copies.py").write_text(HANGING.format(hangs=str(hangs)), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    hangs.touch()
    monkeypatch.setattr(jobs, "PROGRAM", "hanging_copies")
    with table_at(tmp_path, disk, monkeypatch) as table:
        monkeypatch.setattr(backups, "COPY_TIMEOUT", 0.1)
        until(lambda: table.told)
        assert table.told == [Problem("copy hangs")]
        hangs.unlink()
        monkeypatch.setattr(backups, "COPY_TIMEOUT", 60.0)
        until(lambda: table.told[-1] is None)
        # a copy ended by closing is no trouble
        hangs.touch()
        add_match(table.here, 3)
        until(lambda: table.copies._working is not None)
        reports = len(table.told)
    table.copies._thread.join()
    assert len(table.told) == reports
