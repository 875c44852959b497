"""A journal whose disk rejects lines continues in memory, and saves them once the disk accepts lines."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import Struct

from firmware.storage import memory_folders, state_place
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.errors import JournalError
from firmware.storage.fallback_journal import REST, FallbackJournal
from firmware.storage.journal import Journal, open_journal
from firmware.storage.match_history import History
from firmware.storage.memory_folders import unsaved_records
from firmware.storage.state_place import take_back_memory
from referee.match import Match
from referee.record import record_lines
from tests.firmware.board.inputs.matches import begun_at, bidden
from tests.firmware.playing import kept_lines
from tests.firmware.storage.backups.tables import backup_of, places_in
from tests.firmware.storage.faulty_disk import Disk, Fault
from tests.given import Clock, present
from vision.troubles import Problem

ALWAYS = 10**6
FULL = Problem("unsaved full", {"room": 1})


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    monkeypatch.setattr(memory_folders, "MEMORY", root)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "table"))
    return root


class SteppingClock(Clock):
    """A clock that advances at each reading."""

    step = 0.0

    def __call__(self) -> float:
        self.seconds += self.step
        return self.seconds


class FilledDiskJournal(Struct, frozen=True, eq=False):
    """A journal on a disk that a test fills, with its fallback in memory."""

    path: Path
    disk: Disk
    journal: Journal
    fallback: FallbackJournal
    clock: SteppingClock

    @contextmanager
    def refusing(self, *, full: bool = True) -> Iterator[None]:
        """Reject writes to the database and, as a full disk, to all other files."""
        self.disk.fault = Fault(1, ALWAYS, kind="write", full=full)
        refused = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) if full else None
        with patch.object(state_place, "_try_folder", side_effect=refused):
            yield
        self.disk.fault = None

    def play(self, match_id: int, *numbers: int, begun: str = "one") -> Match:
        """Write the last entry of a match with these bids."""
        match = begun_at(bidden(*numbers), begun)
        self.fallback.append(match_id, match.number, present(match.entry))
        return match


@pytest.fixture
def kept(path: Path) -> Iterator[FilledDiskJournal]:
    disk, clock = Disk(f"fallback {path}"), SteppingClock()
    with open_journal(path, disk.connect) as opened:
        fallback = FallbackJournal(opened.journal, path, clock)
        assert fallback.begin(begun_at(bidden(3), "one")) == 1
        yield FilledDiskJournal(path, disk, opened.journal, fallback, clock)
    disk.unregister()


def lines(*numbers: int, begun: str = "one") -> list[str]:
    return record_lines(begun_at(bidden(*numbers), begun))


def test_line_refused_by_full_disk_goes_to_memory_and_back(kept: FilledDiskJournal) -> None:
    with kept.refusing():
        kept.play(1, 3, 5)
        assert kept.fallback.unsaved == FULL
        kept.play(1, 3, 5, 8)
        assert kept.fallback.save() is None
        assert kept.fallback.unsaved == FULL
        assert kept.journal.lines(1) == lines(3)
        assert History(kept.path).lines(1) == lines(3, 5, 8)
    assert kept.fallback.save() == Problem("taken from memory", {"lines": 2, "matches": 1})
    assert kept.fallback.unsaved is None
    assert kept.journal.lines(1) == lines(3, 5, 8)
    assert [*memory_folders.MEMORY.iterdir()] == []
    kept.play(1, 3, 5, 8, 9)
    assert History(kept.path).lines(1) == lines(3, 5, 8, 9)


def test_match_begun_on_full_disk_keeps_its_number(kept: FilledDiskJournal) -> None:
    with kept.refusing():
        assert kept.fallback.begin(begun_at(bidden(), "two")) == 2
        kept.fallback.name_seats(2, ("Zoé", "Bo", "Cleo", "Dan"))
        kept.play(1, 3, 5)
        kept.fallback.take_up(2)
    assert kept.fallback.save() is not None
    assert kept.journal.last_written() == 2
    assert "Zoé" in kept.journal.lines(2)[0]
    assert kept.journal.lines(1) == lines(3, 5)


def test_next_start_saves_lines_of_killed_table(kept: FilledDiskJournal, path: Path) -> None:
    with kept.refusing():
        kept.play(1, 3, 5)
        assert kept.fallback.begin(begun_at(bidden(), "two")) == 2
        kept.play(1, 3, 5, 8)
        assert take_back_memory(path.parent, path) == ()
    kept.journal.close()
    notices = take_back_memory(path.parent, path)
    assert notices == (Problem("taken from memory", {"lines": 2 + len(lines(begun="two")), "matches": 2}),)
    assert kept_lines(path) == {1: lines(3, 5, 8), 2: lines(begun="two")}
    with open_journal(path) as opened:
        assert opened.journal.last_written() == 1
    assert take_back_memory(path.parent, path) == ()
    assert [*memory_folders.MEMORY.iterdir()] == []


@pytest.mark.parametrize("is_spent", [True, False])
def test_slowly_failing_disk_is_retried_later(kept: FilledDiskJournal, is_spent: bool) -> None:
    with kept.refusing(full=False):
        kept.clock.step = 3.0
        kept.play(1, 3, 5)
        kept.clock.step = 0.0
    assert present(kept.fallback.unsaved).key == "unsaved broken"
    kept.clock.seconds += 3 * REST - (not is_spent)
    assert (kept.fallback.save_if_due() is not None) == is_spent
    assert (kept.fallback.unsaved is None) == is_spent
    kept.fallback.save()
    assert kept.fallback.unsaved is None


def test_full_memory_raises_the_disks_error(kept: FilledDiskJournal, memory: Path) -> None:
    nowhere = patch.object(memory_folders, "possible_folders", lambda _state: iter(()))
    with kept.refusing(), nowhere, pytest.raises(JournalError, match="journal disk full"):
        kept.play(1, 3, 5)
    with pytest.raises(JournalError, match="line missing"):
        kept.play(1, 3, 5, 8)
    assert kept.fallback.unsaved is None
    assert [*memory.iterdir()] == []


def test_unsaved_lines_are_never_overwritten(kept: FilledDiskJournal, path: Path) -> None:
    with kept.refusing():
        kept.play(1, 3, 5)
    later = FallbackJournal(kept.journal, path, kept.clock)
    with kept.refusing(), pytest.raises(JournalError, match="journal disk full"):
        later.append(1, bidden(3, 6).number, present(bidden(3, 6).entry))
    assert unsaved_records(path) == {1: lines(3, 5)}


def test_cannot_forget_while_lines_are_in_memory(kept: FilledDiskJournal) -> None:
    name = bidden().setup.names[0]
    with kept.refusing():
        kept.play(1, 3, 5)
        with pytest.raises(JournalError):
            kept.fallback.forget(name)
    kept.fallback.save()
    assert kept.fallback.forget(name).matches == 1


def test_backups_include_memory(kept: FilledDiskJournal, tmp_path: Path) -> None:
    here = TablePlaces(kept.path.parent, kept.path, kept.path.with_name("coyote.toml"))
    there = places_in(tmp_path / "there")
    with kept.refusing():
        kept.play(1, 3, 5)
        stage(backup_of(here, tmp_path / "b.zip"), there)
    finish_restore(there)
    assert kept_lines(there.journal) == {1: lines(3, 5)}
