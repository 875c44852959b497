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

FIRST_FAULTS = tiered((1, 5), (1, 2, 3, 5, 8, 13, 34, 89))
"""The number of the first request to the disk that fails."""


class FailingJournal(Journal):
    """A journal that fails once."""

    def __init__(self, error: Exception) -> None:
        self.errors = [error]

    def begin(self, _match: Match) -> int:
        if self.errors:
            raise self.errors.pop()
        return 7


@pytest.mark.parametrize(
    "error",
    [
        JournalError("journal disk full", path="/home/ana/.local/share/coyote-table/journal.sqlite3"),
        OSError(ENOSPC, "No space left on device", "/home/ana/journal.sqlite3"),
        MemoryError("unexpected"),
    ],
    ids=["journal", "system", "unexpected"],
)
def test_failed_writing_is_reported_without_paths_and_may_succeed_later(error: Exception) -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    writer = Writer(FailingJournal(error), queue.put)
    writer.give(Write(None, new_match()))
    told = queue.get(timeout=30)
    assert isinstance(told, EntryNotKept)
    assert told.why
    assert "/" not in str(told.why)
    writer.give(Write(None, new_match()))
    assert queue.get(timeout=30) == EntryKept(7)
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
    figures = FaultCounts()
    for first in FIRST_FAULTS:
        play_past_fault(tmp_path / str(first), Fault(first, 1 + first % 3, kind=kind, full=full), figures)
    assert figures.wrong == []
    assert figures.not_kept >= len(FIRST_FAULTS)
    assert figures.answers > len(FIRST_FAULTS)


@pytest.mark.parametrize("full", [True, False], ids=["full", "broken"])
@pytest.mark.parametrize("kind", ["write", "sync"])
def test_every_answer_counts_where_memory_replaces_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, full: bool
) -> None:
    figures = FaultCounts()
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    for first in FIRST_FAULTS:
        play_on_in_memory(tmp_path / str(first), Fault(first, 1 + first % 3, kind=kind, full=full), figures)
    assert figures.wrong == []
    assert figures.faults >= len(FIRST_FAULTS)


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
