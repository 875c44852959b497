"""The thread that keeps second copies: it finds sticks and changes, and outlives a stick that hangs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.parts import backups, jobs
from firmware.parts.backups import SecondCopies
from firmware.parts.jobs import Limits
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import finish_restore
from tests.firmware.storage.backups.sticks_of_tests import Stick, add_match, content_of
from tests.firmware.storage.backups.tables import table_in
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
    """A table, the sticks that are plugged into it, and what it is told of them."""

    def __init__(self, here: TablePlaces) -> None:
        self.here, self.sticks = here, list[Path]()
        self.told: list[tuple[Path, Problem | None]] = []
        self.copies = SecondCopies(here, None, lambda *told: self.told.append(told))
        self.copies.begin()

    def mounted(self) -> tuple[Path, ...]:
        return tuple(self.sticks)


@contextmanager
def table_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Table]:
    for name, value in (("LOOK", 0.01), ("PAUSE", 0.0), ("SHARE", 0.0), ("mounted", tuple)):
        monkeypatch.setattr(backups, name, value)
    table = _Table(table_in(folder / "table", "Ana"))
    monkeypatch.setattr(backups, "mounted", table.mounted)
    try:
        yield table
    finally:
        table.copies.close()


@slow("copies are made by a process of their own")
def test_a_stick_is_found_chosen_kept_up_to_date_and_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = Stick(tmp_path / "STICK", table_in(tmp_path / "other", "Zoe"))
    stick.use()
    with table_at(tmp_path, monkeypatch) as table:
        assert table.copies.places() == ()
        table.sticks.append(stick.root)
        until(table.copies.places)
        [place] = table.copies.places()
        assert (place.label, place.is_used, [copy.is_own for copy in place.copies]) == ("STICK", False, [False])
        [other] = place.copies
        table.copies.use(place.root)
        assert [copy.matches for copy in table.copies.places()[0].copies] == [2, 2]
        add_match(table.here, 3)
        until(lambda: table.copies.places()[0].copies[0].matches == 3)
        for root, name in ((place.root, "0001-2026-10-31.zip"), (str(tmp_path), "")):
            with pytest.raises(OSError, match="isn't there any more"):
                table.copies.restore(root, other.table, name)
        with pytest.raises(OSError, match="isn't plugged in any more"):
            table.copies.use(str(tmp_path))
        half = table.here.state / "restoring" / "half"
        half.mkdir(parents=True)
        with monkeypatch.context() as small:
            small.setattr(backups, "LIMITS", Limits(cpu_seconds=60, memory=50_000_000))
            with pytest.raises(OSError, match="takes more time or memory"):
                table.copies.restore(place.root, other.table, other.name)
        assert not half.exists()
        assert table.copies.restore(place.root, other.table, other.name) == ()
        with pytest.raises(OSError, match="waits already"):
            table.copies.restore(place.root, other.table, other.name)
        table.sticks.clear()
        until(lambda: not table.copies.places())
    assert table.told == []
    finish_restore(table.here)
    assert content_of(table.here) == content_of(stick.here)


def test_a_stick_that_hangs_is_told_and_holds_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = tmp_path / "hangs"
    (tmp_path / "hanging_copies.py").write_text(HANGING.format(hangs=str(hangs)), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    hangs.touch()
    (tmp_path / "STICK").mkdir()
    monkeypatch.setattr(jobs, "PROGRAM", "hanging_copies")
    with table_at(tmp_path, monkeypatch) as table:
        monkeypatch.setattr(backups, "PATIENCE", 0.1)
        table.sticks.append(tmp_path / "STICK")
        until(lambda: table.told)
        assert table.told == [(Path(), Problem("copy hangs"))]
        hangs.unlink()
        monkeypatch.setattr(backups, "PATIENCE", 60.0)
        until(lambda: (Path(), None) in table.told)


def test_a_process_that_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "STICK").mkdir()
    monkeypatch.setattr(jobs, "PROGRAM", "no.such.module")
    with table_at(tmp_path, monkeypatch) as table:
        table.sticks.append(tmp_path / "STICK")
        until(lambda: table.told)
        assert table.told == [(Path(), Problem("copy died"))]
