"""The journal keeps what it was told, in order, once, and starts whatever has happened to its files."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from firmware.storage import database
from firmware.storage.errors import JournalError
from firmware.storage.journal import (
    hear,
    open_journal,
    open_readonly,
)
from referee.contract import Answer, Reason, Refusal
from referee.record import record_lines
from tests.firmware.playing import (
    any_match,
    kept_lines,
    play_lines,
    replay_to_bytes,
    state_bytes,
)
from tests.firmware.storage.journals import change, check_saved, play_and_close
from tests.firmware.storage.open_match import last_open_match


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "table" / "journal.sqlite3"


# Keeping and resuming


@pytest.mark.parametrize("seed", range(10))
def test_record_comes_back_as_it_was_told(path: Path, seed: int) -> None:
    rng = Random(seed)
    with open_journal(path) as opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        match = play_lines(opened.journal, match_id, match, rng.randrange(60), rng)
        assert opened.journal.lines(match_id) == record_lines(match)
    with open_journal(path) as opened:
        assert opened.repairs() == ()
        assert opened.journal.lines(match_id) == record_lines(match)
    assert replay_to_bytes(kept_lines(path)[match_id]) == state_bytes(match)


def test_open_match_goes_on_where_it_was_left(path: Path) -> None:
    rng = Random(4)
    with open_journal(path) as opened:
        match = any_match(rng)
        opened.journal.begin(match)
    while match.asks:
        with open_journal(path) as opened:
            resumed = last_open_match(opened.journal)
            assert resumed is not None
            assert resumed.match is not None
            assert resumed.fault is None
            assert state_bytes(resumed.match) == state_bytes(match)
            match = play_lines(opened.journal, resumed.id, resumed.match, 7, rng)
    with open_journal(path) as opened:
        assert last_open_match(opened.journal) is None


def test_nothing_to_resume_in_an_empty_journal(path: Path) -> None:
    with open_journal(path) as opened:
        assert last_open_match(opened.journal) is None
        assert opened.journal.latest() is None
        assert opened.journal.matches() == []
        assert opened.journal.lines(1) == []


def test_only_the_latest_match_is_resumed(path: Path) -> None:
    with open_journal(path) as opened:
        opened.journal.begin(any_match(Random(1)))
        second = opened.journal.begin(any_match(Random(2)))
        assert opened.journal.latest() == second
        resumed = last_open_match(opened.journal)
    assert resumed is not None
    assert resumed.id == second


def test_matches_are_listed_with_their_heads(path: Path) -> None:
    before = play_and_close(path, 4)
    with open_readonly(path) as journal:
        kept = journal.matches()
    assert [match.id for match in kept] == [1, 2, 3, 4]
    assert [(match.lines, match.head) for match in kept] == [
        (len(lines), lines[0]) for lines in before.values()
    ]


def test_fault_in_the_record_is_carried_and_a_new_match_can_take_over(path: Path) -> None:
    rng = Random(3)
    with open_journal(path) as opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        match = play_lines(opened.journal, match_id, match, 5, rng)
        opened.journal.append(match_id, 6, Answer(5, "no such ask"))
        resumed = last_open_match(opened.journal)
        assert resumed is not None
        assert resumed.match is not None
        assert resumed.fault is not None
        assert (resumed.id, resumed.fault.line, resumed.match.number) == (match_id, 7, 5)
        over = opened.journal.begin(resumed.match)
        assert opened.journal.lines(over) == record_lines(match)
        goes_on = last_open_match(opened.journal)
    assert goes_on is not None
    assert goes_on.fault is None


def test_refused_answer_is_not_kept(path: Path) -> None:
    with open_journal(path) as opened:
        match = any_match(Random(3))
        match_id = opened.journal.begin(match)
        refusal = hear(opened.journal, match_id, match, Answer(0, "no such ask"))
        assert isinstance(refusal, Refusal)
        assert refusal.reason is Reason.NOT_ASKED
        assert len(opened.journal.lines(match_id)) == 1


# What is refused


@pytest.mark.parametrize("number", [0, 3, 5, 7, 99])
def test_only_the_next_line_is_taken(path: Path, number: int) -> None:
    rng = Random(5)
    with open_journal(path) as opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        match = play_lines(opened.journal, match_id, match, 5, rng)
        assert match.entry is not None
        for _ in range(2):
            with pytest.raises(JournalError, match=f"number={number}, match=1"):
                opened.journal.append(match_id, number, match.entry)
        match = play_lines(opened.journal, match_id, match, 1, rng)
        assert opened.journal.lines(match_id) == record_lines(match)


@pytest.mark.parametrize("number", [0, 1])
def test_entry_needs_a_match(path: Path, number: int) -> None:
    with open_journal(path) as opened:
        with pytest.raises(JournalError, match="line missing"):
            opened.journal.append(1, number, Answer(0, "opener"))
        assert opened.journal.matches() == []


def test_newer_version_is_refused_and_left_as_it_is(path: Path) -> None:
    play_and_close(path, 2)
    change(path, f"PRAGMA user_version = {len(database.MIGRATIONS) + 1}")
    before = path.read_bytes()
    for opening in (open_journal, open_readonly):
        with pytest.raises(JournalError, match="newer journal"):
            opening(path)
    assert path.read_bytes() == before


def test_older_version_is_migrated_and_keeps_its_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = play_and_close(path, 2)
    newer = (*database.MIGRATIONS, ("CREATE TABLE note (text TEXT)", "INSERT INTO note VALUES ('new')"))
    monkeypatch.setattr(database, "MIGRATIONS", newer)
    with open_journal(path) as opened:
        assert opened.repairs() == ()
    assert kept_lines(path) == before
    monkeypatch.undo()
    with pytest.raises(JournalError, match="newer journal"):
        open_journal(path)


def test_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = play_and_close(path, 2)
    newer = (*database.MIGRATIONS, ("CREATE TABLE note (text TEXT)", "INSERT INTO nowhere VALUES (1)"))
    monkeypatch.setattr(database, "MIGRATIONS", newer)
    with pytest.raises(JournalError):
        open_journal(path)
    monkeypatch.undo()
    with open_journal(path) as opened:
        assert opened.repairs() == ()
    assert kept_lines(path) == before


# Several at once


def test_second_table_is_kept_out(path: Path) -> None:
    with open_journal(path):
        with pytest.raises(JournalError, match="another table"):
            open_journal(path)
        with pytest.raises(JournalError, match="another table"):
            open_journal(path.parent / ".." / path.parent.name / path.name)
    with open_journal(path) as opened:
        assert opened.repairs() == ()


def test_link_to_a_journal_is_the_journal(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    before = play_and_close(path, 2)
    link.symlink_to(path)
    with open_journal(link), pytest.raises(JournalError, match="another table"):
        open_journal(path)
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    opened, shorter = check_saved(link, before)
    assert opened.aside is not None
    assert opened.aside.parent == path.parent
    assert shorter == 0


def test_match_that_is_on_can_be_read_but_not_written(path: Path) -> None:
    rng = Random(6)
    with open_journal(path) as opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        with open_readonly(path) as reader:
            for _ in range(5):
                match = play_lines(opened.journal, match_id, match, 1, rng)
                assert reader.lines(match_id) == record_lines(match)
            with pytest.raises(JournalError):
                reader.begin(match)
        play_lines(opened.journal, match_id, match, 1, rng)


def test_nothing_to_read_yet(path: Path) -> None:
    with pytest.raises(JournalError, match="no journal yet"):
        open_readonly(path)
    path.parent.mkdir()
    path.touch()
    with pytest.raises(JournalError, match="no journal yet"):
        open_readonly(path)


def test_another_program_that_holds_the_database_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 20)
    rng = Random(7)
    with open_journal(path) as opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="journal busy"):
            play_lines(opened.journal, match_id, match, 1, rng)
        other.close()
        match = play_lines(opened.journal, match_id, match, 1, rng)
        assert opened.journal.lines(match_id) == record_lines(match)
