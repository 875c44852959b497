"""The journal's thread, with any disk fault."""

from concurrent.futures import Future
from errno import ENOSPC
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from firmware.storage.errors import JournalError
from firmware.storage.fallback_journal import FallbackJournal
from firmware.storage.journal import Journal, open_journal
from firmware.storage.state_place import take_back_memory
from firmware.table import writer
from firmware.table.effects import Write
from firmware.table.systemd import AGAIN
from firmware.table.writer import EntryKept, EntryNotKept, JournalChange, Writer
from referee.contract import Answer
from referee.match import Match
from referee.record import record_lines
from referee.summaries import ForgottenPlayer
from tests.firmware.board.inputs.matches import begun_at, bidden, new_match
from tests.firmware.playing import kept_lines
from tests.firmware.storage.faulty_disk import Disk, Fault
from tests.firmware.table.tables import fallback_disk, open_bench
from tests.firmware.table.unkept import FaultCounts, play_on_in_memory, play_past_fault
from tests.tiers import tiered
from tests.waiting import until


class FailingJournal(Journal):
    """A journal that fails once with an unexpected error."""

    def __init__(self) -> None:
        self.fails, self.error = True, Exception()

    def begin(self, match: Match) -> int:
        if self.fails:
            self.fails = False
            raise self.error if self.error.args else MemoryError(f"at move {match.number}")
        return 7


def test_unexpected_journal_error_is_reported() -> None:
    queue, journal = SimpleQueue[EntryKept | EntryNotKept](), FailingJournal()
    writer = Writer(journal, queue.put)
    writer.give(Write(None, new_match()))
    assert queue.get(timeout=30) == EntryNotKept("MemoryError: at move 0")
    writer.give(Write(None, new_match()))
    assert queue.get(timeout=30) == EntryKept(7)
    assert writer.close(30)


@pytest.mark.parametrize(
    "error",
    [
        JournalError("journal disk full", path="/home/ana/.local/share/coyote-table/journal.sqlite3"),
        OSError(ENOSPC, "No space left on device", "/home/ana/journal.sqlite3"),
    ],
)
def test_missing_storage_is_announced_without_paths(error: Exception) -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    journal = FailingJournal()
    journal.error = error
    writer = Writer(journal, queue.put)
    writer.give(Write(None, new_match()))
    told = queue.get(timeout=30)
    assert isinstance(told, EntryNotKept)
    assert told.why
    assert "/" not in str(told.why)
    assert writer.close(30)


def test_name_is_forgotten_by_the_writing_thread(tmp_path: Path) -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        writer = Writer(opened.journal, queue.put)
        writer.give(Write(None, new_match()))
        name = new_match().setup.names[0]
        forget = JournalChange(
            lambda kept: kept.forget(name, "Player {number}"), "not forgotten", Future(), name
        )
        writer.give(forget)
        assert forget.future.result(30) == ForgottenPlayer("Player 1", 1)
        assert queue.get(timeout=30) == EntryKept(1)
        assert writer.close(30)
        assert name not in opened.journal.names()


@pytest.mark.parametrize("full", [True, False], ids=["full", "broken"])
@pytest.mark.parametrize("kind", ["write", "sync"])
def test_unsaved_answers_do_not_count_and_everyone_is_informed(tmp_path: Path, kind: Any, full: bool) -> None:
    figures, firsts = FaultCounts(), tiered((1, 2, 5, 13), (1, 2, 3, 5, 8, 13, 34, 89))
    for first in firsts:
        play_past_fault(tmp_path / str(first), Fault(first, 1 + first % 3, kind=kind, full=full), figures)
    assert figures.wrong == []
    assert figures.not_kept >= len(firsts)
    assert figures.answers > len(firsts)


@pytest.mark.parametrize("full", [True, False], ids=["full", "broken"])
@pytest.mark.parametrize("kind", ["write", "sync"])
def test_every_answer_counts_where_memory_replaces_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, full: bool
) -> None:
    figures, firsts = FaultCounts(), tiered((1, 2, 5, 13), (1, 2, 3, 5, 8, 13, 34, 89))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    for first in firsts:
        play_on_in_memory(tmp_path / str(first), Fault(first, 1 + first % 3, kind=kind, full=full), figures)
    assert figures.wrong == []
    assert figures.faults >= len(firsts)


def test_match_without_answers_survives_start_on_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    match, path, disk = begun_at(new_match(), "now"), tmp_path / "journal.sqlite3", Disk(f"start {tmp_path}")
    with open_journal(path, disk.connect) as opened:
        disk.fault = Fault(1, 10**6, kind="write", full=True)
        fallback = FallbackJournal(opened.journal, path)
        with open_bench(match, tmp_path, number=None, disk=fallback_disk(fallback)) as bench:
            bench.companion.client.restart()
            bench.thread.join(30)
        disk.fault = None
    disk.unregister()
    assert bench.code == AGAIN
    take_back_memory(tmp_path, path)
    assert kept_lines(path) == {1: record_lines(match)}


def test_lines_in_memory_are_saved_without_another_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(writer, "RETRY_INTERVAL", 0.02)
    match, path, disk = begun_at(bidden(5), "now"), tmp_path / "journal.sqlite3", Disk(f"by itself {tmp_path}")
    with open_journal(path, disk.connect) as opened:
        number = opened.journal.begin(match)
        disk.fault = Fault(1, 10**6, kind="write", full=True)
        fallback = FallbackJournal(opened.journal, path, lambda: 0.0)
        with open_bench(match, tmp_path, number=number, disk=fallback_disk(fallback)) as bench:
            client = bench.companion.client
            client.submit(Answer(match.number, "announce", 9, 1)).result(30)
            until(lambda: not client.state().is_saving)
            disk.fault = None
            until(lambda: client.state().is_saving)
            assert opened.journal.lines(number) == record_lines(client.moment())
    disk.unregister()
