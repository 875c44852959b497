"""The journal's thread: whatever goes wrong with the disk, an answer comes back."""

from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue

from firmware.core.notices import Notice
from firmware.core.table import Write
from firmware.core.writer import EntryKept, EntryNotKept, Forget, Writer
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import Journal, open_journal
from referee.match import Match
from referee.summaries import ForgottenPlayer
from tests.firmware.board.senses.matches import new_match


class Broken(Journal):
    """A journal that fails once in an unexpected way."""

    def __init__(self) -> None:
        """Hold nothing."""
        self.fails = True

    def begin(self, match: Match) -> int:
        """Fail the first time."""
        if self.fails:
            self.fails = False
            raise MemoryError(f"at move {match.number}")
        return 7


def test_an_unexpected_fault_is_told_and_the_next_entry_is_written() -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    writer = Writer(Broken(), queue.put)
    for _time in range(2):
        writer.give(Write(None, new_match()))
    assert queue.get(timeout=30) == EntryNotKept("MemoryError: at move 0")
    assert queue.get(timeout=30) == EntryKept(7)
    assert writer.close(30)


def test_a_disk_that_keeps_nothing_three_times_in_a_row_is_looked_at() -> None:
    queue, looks = SimpleQueue[EntryKept | EntryNotKept](), [False, True]
    journal = Broken()
    writer = Writer(journal, queue.put, looks.pop)
    for is_lost in (False, False, True, False):
        journal.fails = True
        writer.give(Write(None, new_match()))
        told = queue.get(timeout=30)
        assert isinstance(told, EntryNotKept)
        assert told.is_disk_lost is is_lost
    assert looks == []
    writer.give(Write(None, new_match()))
    assert queue.get(timeout=30) == EntryKept(7)
    journal.fails = True
    writer.give(Write(None, new_match()))
    assert queue.get(timeout=30) == EntryNotKept("MemoryError: at move 0")
    assert writer.close(30)


def forget_name(writer: Writer, name: str) -> object:
    forget = Forget(name, Future())
    writer.give(forget)
    return forget.future.result(30)


def test_a_name_is_forgotten_by_the_one_who_writes(tmp_path: Path) -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        writer = Writer(opened.journal, queue.put)
        writer.give(Write(None, new_match()))
        name = new_match().setup.names[0]
        assert forget_name(writer, name) == ForgottenPlayer("Player 1", 1)
        assert queue.get(timeout=30) == EntryKept(1)
        assert writer.close(30)
        assert name not in opened.journal.names()


def test_a_name_that_cannot_be_forgotten_is_told_and_the_next_entry_is_written() -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    broken = Broken()
    broken.fails = False
    writer = Writer(broken, queue.put)
    told = forget_name(writer, "Ana")
    assert isinstance(told, Notice)
    assert told.key == "not forgotten"
    writer.give(Write(None, new_match()))
    assert queue.get(timeout=30) == EntryKept(7)
    assert writer.close(30)
