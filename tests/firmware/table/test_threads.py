"""The threads beside the loop: the journal's, whatever goes wrong with the disk, and the eyes'."""

from concurrent.futures import Future
from errno import ENOSPC
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal, open_journal
from firmware.table.effects import Write
from firmware.table.notices import Notice
from firmware.table.watcher import (
    BLIND,
    Eyesight,
    EyesNews,
    EyesStarted,
    Watcher,
    is_fed,
    with_news,
    with_starts,
)
from firmware.table.writer import EntryKept, EntryNotKept, Forget, Writer
from referee.contract import Answer
from referee.match import Match
from referee.summaries import ForgottenPlayer
from tests.firmware.board.senses.matches import new_match, open_round
from tests.firmware.storage.faulty_disk import Fault
from tests.firmware.table.tables import open_bench
from tests.firmware.table.unkept import Unkept, play_past_fault
from tests.tiers import tiered
from tests.waiting import until


class _Broken(Journal):
    """A journal that fails once in an unexpected way."""

    def __init__(self) -> None:
        self.fails, self.error = True, Exception()

    def begin(self, match: Match) -> int:
        if self.fails:
            self.fails = False
            raise self.error if self.error.args else MemoryError(f"at move {match.number}")
        return 7


def test_an_unexpected_fault_is_told_and_a_disk_that_keeps_nothing_three_times_in_a_row_is_looked_at() -> None:
    queue, looks = SimpleQueue[EntryKept | EntryNotKept](), [False, True]
    journal = _Broken()
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


@pytest.mark.parametrize(
    "error",
    [
        JournalError("journal disk full", path="/home/ana/.local/share/coyote-table/journal.sqlite3"),
        OSError(ENOSPC, "No space left on device", "/home/ana/journal.sqlite3"),
    ],
)
def test_that_nothing_is_kept_is_told_to_the_room_without_a_folder_of_the_machine(error: Exception) -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    journal = _Broken()
    journal.error = error
    writer = Writer(journal, queue.put)
    writer.give(Write(None, new_match()))
    told = queue.get(timeout=30)
    assert isinstance(told, EntryNotKept)
    assert told.why
    assert "/" not in str(told.why)
    assert writer.close(30)


def test_a_name_is_forgotten_by_the_one_who_writes(tmp_path: Path) -> None:
    queue = SimpleQueue[EntryKept | EntryNotKept]()
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        writer = Writer(opened.journal, queue.put)
        writer.give(Write(None, new_match()))
        name = new_match().setup.names[0]
        forget = Forget(name, Future())
        writer.give(forget)
        assert forget.future.result(30) == ForgottenPlayer("Player 1", 1)
        assert queue.get(timeout=30) == EntryKept(1)
        assert writer.close(30)
        assert name not in opened.journal.names()


@pytest.mark.parametrize("full", [True, False], ids=["full", "broken"])
@pytest.mark.parametrize("kind", ["write", "sync"])
def test_nothing_counts_that_is_not_kept_and_everybody_is_told(tmp_path: Path, kind: Any, full: bool) -> None:
    figures, firsts = Unkept(), tiered((1, 2, 5, 13), (1, 2, 3, 5, 8, 13, 34, 89))
    for first in firsts:
        play_past_fault(tmp_path / str(first), Fault(first, 1 + first % 3, kind=kind, full=full), figures)
    assert figures.wrong == []
    assert figures.not_kept >= len(firsts)
    assert figures.answers > len(firsts)


class _Slow:
    """Eyes that hang in whatever they are told."""

    starts = 1

    def __init__(self) -> None:
        self.let, self.told, self.is_closed = Event(), list[Any](), False

    def news(self) -> list[Any]:
        return [] if self.told else ["seen"]

    def tell(self, message: Any) -> None:
        self.told.append(message)
        self.let.wait(30)

    def close(self) -> None:
        self.is_closed = True


def test_eyes_that_hang_do_not_hold_up_the_loop() -> None:
    eyes, queue = _Slow(), SimpleQueue[Any]()
    watcher = Watcher(lambda: eyes, queue.put)
    assert queue.get(timeout=30) == EyesStarted(1)
    assert queue.get(timeout=30) == EyesNews("seen")
    watcher.tell("one")
    until(lambda: eyes.told)
    watcher.tell("two")  # returns at once, though the first still hangs
    assert eyes.told == ["one"]
    eyes.let.set()
    until(lambda: eyes.told == ["one", "two"])
    eyes.starts = 2
    until(lambda: not queue.empty() and queue.get() == EyesStarted(2))
    watcher.close()
    assert eyes.is_closed


def test_eyes_that_die_again_and_again_without_a_word_starve_it() -> None:
    eyesight = with_news(with_starts(Eyesight(since=0.0), 1, 0.0))
    for life in range(2, 9):
        eyesight = with_starts(eyesight, life, 100.0 + 10 * life)
    assert is_fed(eyesight, 120.0 + BLIND - 1)
    assert not is_fed(eyesight, 120.0 + BLIND + 1)
    assert is_fed(eyesight, 120.0 + 7 * BLIND - 1, slowness=7.0)
    assert not is_fed(eyesight, 120.0 + 7 * BLIND + 1, slowness=7.0)


def test_a_player_of_the_open_match_keeps_their_name(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        name = bench.companion.door.moment().setup.names[0]
        told = bench.companion.door.forget(name.upper()).result(30)
        assert told == Notice("plays now", {"name": name.upper()})
        assert bench.disk.given.empty()
        # another one is given to the writer, and the table goes on
        waiting = bench.companion.door.forget("Wilhelmina")
        given = bench.disk.given.get(timeout=30)
        assert isinstance(given, Forget)
        assert (given.name, given.future) == ("Wilhelmina", waiting)
        heard = bench.companion.door.submit(Answer(1, "announce", 7, 0, "phone"))
        bench.disk.keep_next()
        assert heard.result(30) is bench.companion.door.moment()
