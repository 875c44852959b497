"""The journal keeps what it was told, in order, once, and starts whatever has happened to its files."""

from pathlib import Path
from random import Random

import pytest

from firmware.storage import database
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_journal, open_readonly
from referee.contract import Answer
from referee.record import record_lines
from tests.firmware.playing import any_match, kept_lines, play_lines, replay_to_bytes, state_bytes
from tests.firmware.storage.journals import change, play_and_close
from tests.firmware.storage.open_match import last_open_match
from tests.tiers import tiered


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table" / "journal.sqlite3"


# Keeping and resuming


@pytest.mark.parametrize("seed", range(tiered(3, 20)))
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


def test_matches_are_listed_with_their_heads_and_the_latest_is_resumed(path: Path) -> None:
    before = play_and_close(path, 4)
    with open_journal(path) as opened:
        open_one = opened.journal.begin(any_match(Random(2)))
        assert opened.journal.latest() == open_one == 5
        resumed = last_open_match(opened.journal)
        assert resumed is not None
        assert resumed.id == open_one
        kept = opened.journal.matches()[:4]
    assert [(match.id, match.lines, match.head) for match in kept] == [
        (number, len(lines), lines[0]) for number, lines in before.items()
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


# What is refused


@pytest.mark.parametrize("number", [0, 5, 7])
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


def test_newer_version_is_refused_and_left_as_it_is(path: Path) -> None:
    play_and_close(path, 2)
    change(path, f"PRAGMA user_version = {len(database.MIGRATIONS) + 1}")
    before = path.read_bytes()
    for opening in (open_journal, open_readonly):
        with pytest.raises(JournalError, match="newer journal"):
            opening(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("last", ["INSERT INTO note VALUES ('new')", "INSERT INTO nowhere VALUES (1)"])
def test_older_version_is_migrated_and_a_migration_that_fails_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    before = play_and_close(path, 2)
    fails = "nowhere" in last
    monkeypatch.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, ("CREATE TABLE note (text TEXT)", last)))
    if fails:
        with pytest.raises(JournalError):
            open_journal(path)
        monkeypatch.undo()
    with open_journal(path) as opened:
        assert opened.repairs() == ()
    assert kept_lines(path) == before
    monkeypatch.undo()
    if not fails:
        with pytest.raises(JournalError, match="newer journal"):
            open_journal(path)


# Several at once


def test_second_table_is_kept_out(path: Path) -> None:
    with open_journal(path):
        with pytest.raises(JournalError, match="another table"):
            open_journal(path)
        with pytest.raises(JournalError, match="another table"):
            open_journal(path.parent / ".." / path.parent.name / path.name)
    with open_journal(path) as opened:
        assert opened.repairs() == ()


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
