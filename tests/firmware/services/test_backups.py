"""Received backups are read in a limited process that cleans up after itself."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.backup import restore
from firmware.services import backups, jobs
from firmware.services.backups import Backups
from firmware.services.jobs import Limits
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import MARK
from firmware.storage.errors import BackupError
from tests.firmware.storage.backups.tables import backup_of, files_of, table_in

TOO_HEAVY = "takes too much time or memory: choose another file"
SMALL = Limits(cpu_seconds=60, memory=50_000_000)  # too small even for Python


@pytest.fixture
def here(tmp_path: Path) -> TablePlaces:
    return table_in(tmp_path / "here", "Zoë")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return backup_of(table_in(tmp_path / "there", "Ana"), tmp_path / "good.zip")


def upload(here: TablePlaces, file: Path, is_gone: Callable[[], bool] = lambda: False) -> list[str]:
    table = Backups(here, here.state / "evidence")
    with table.room(file.stat().st_size) as sent:
        sent.write(file.read_bytes())
        return list(map(str, table.stage(sent, is_gone)))


def leave_partial_files(here: TablePlaces) -> None:
    """Create the leftovers of a killed process."""
    half = here.state / "restoring" / "new" / "journal.sqlite3"
    half.parent.mkdir(parents=True)
    half.touch()


def test_excessive_backup_is_rejected_in_one_line_by_page_and_command(
    here: TablePlaces, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "LIMITS", SMALL)
    before = files_of(here)
    leave_partial_files(here)
    with pytest.raises(BackupError) as error:
        upload(here, good)
    assert error.value.problem.key == "backup too heavy"
    assert not (here.state / "restoring").exists()
    monkeypatch.setenv("STATE_DIRECTORY", str(here.state))
    done = CliRunner().invoke(restore, [str(good), "--journal", str(here.journal)])
    assert (done.exit_code, TOO_HEAVY in done.output, done.output.count("\n")) == (1, True, 1)
    assert files_of(here) == before


def test_work_ends_when_sender_disconnects(
    here: TablePlaces, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stuck_job.py").write_text("import signal\nsignal.pause()\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(jobs, "PROGRAM", "stuck_job")
    leave_partial_files(here)
    asked = iter([False, True])
    with pytest.raises(BackupError):
        upload(here, good, lambda: next(asked))
    assert next(asked, None) is None
    assert not (here.state / "restoring").exists()


def test_invalid_backup_is_rejected_and_waiting_one_is_not_replaced(
    here: TablePlaces, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, half = files_of(here), tmp_path / "half.zip"
    half.write_bytes(good.read_bytes()[:-9])
    with pytest.raises(BackupError) as error:
        upload(here, half)
    assert error.value.problem.key == "no backup"
    assert files_of(here) == before
    assert upload(here, good) == []
    monkeypatch.setattr(backups, "LIMITS", SMALL)
    with pytest.raises(BackupError) as error:
        upload(here, good)
    assert error.value.problem.key == "backup waits"
    assert MARK.read(here.state) is not None
