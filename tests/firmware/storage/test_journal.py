"""The journal stores lines in order and once, and loses no readable one."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from functools import partial, partialmethod
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from firmware.storage import database, match_files
from firmware.storage.errors import JournalError
from firmware.storage.journal import OpenedJournal, open_journal, open_matches, open_readonly
from hardware.twin.player import play_on
from referee.contract import Answer
from referee.match import Match
from referee.record import record_lines
from tests.firmware import playing
from tests.firmware.playing import any_match, kept_lines, play_lines
from tests.given import present
from tests.open_connections import CONNECTIONS
from tests.tiers import tiered


def play_and_close(path: Path, matches: int) -> dict[int, list[str]]:
    """Play some matches, store each at once, close the journal, and return the stored lines."""
    rng = Random(0)
    with open_journal(path) as opened:
        for _ in range(matches):
            opened.journal.begin(play_on(any_match(rng), rng))
    return kept_lines(path)


def play_five(opened: OpenedJournal, rng: Random) -> Match:
    match = any_match(rng)
    return play_lines(opened.journal, opened.journal.begin(match), match, 5, rng)


def check_saved(path: Path, before: dict[int, list[str]]) -> tuple[OpenedJournal, int]:
    """Open the journal; each stored line must be unchanged and in place. Returns the number of lost lines."""
    with open_journal(path) as opened:
        now = {match.id: opened.journal.lines(match.id) for match in opened.journal.matches()}
        for match_id, lines in now.items():
            assert all(not text or text == before[match_id][number] for number, text in enumerate(lines))
        lost = sum(len(lines) - sum(map(bool, now.get(match_id, ()))) for match_id, lines in before.items())
        match = any_match(Random(1))
        match_id = opened.journal.begin(match)
        assert match_id == max(now, default=0) + 1
        play_lines(opened.journal, match_id, match, 3, Random(1))
    with open_journal(path) as again:
        assert again == OpenedJournal(again.journal, missing=opened.missing)
        assert len(again.journal.lines(match_id)) == 4
    return opened, lost


# Storing and resuming


def test_open_match_continues(path: Path) -> None:
    rng = Random(4)
    with open_journal(path) as opened:
        match = any_match(rng)
        opened.journal.begin(match)
    while match.asks:
        with open_journal(path) as opened:
            resumed = next(open_matches(opened.journal))
            assert resumed.fault is None
            assert playing.state_bytes(resumed.match) == playing.state_bytes(match)
            match = play_lines(opened.journal, resumed.id, present(resumed.match), 7, rng)
    with open_journal(path) as opened:
        assert opened.repairs() == ()
        assert next(open_matches(opened.journal), None) is None
        assert opened.journal.lines(1) == record_lines(match)
        assert opened.journal.begin(any_match(rng)) == opened.journal.latest() == 2
        heads = [opened.journal.lines(each)[0] for each in (1, 2)]
        assert [kept.head for kept in opened.journal.matches()] == heads
        assert [each.id for each in open_matches(opened.journal)] == [2]


def test_new_match_replaces_faulty_one(path: Path) -> None:
    rng = Random(3)
    with open_journal(path) as opened:
        match = play_five(opened, rng)
        opened.journal.append(1, 6, Answer(5, "no such ask"))
        resumed = next(open_matches(opened.journal))
        read = present(resumed.match)
        assert (resumed.id, present(resumed.fault).line, read.number) == (1, 7, 5)
        assert opened.journal.lines(opened.journal.begin(read)) == record_lines(match)
        assert next(open_matches(opened.journal)).fault is None


# Rejected writes


@pytest.mark.parametrize("number", [0, 5, 7])
def test_accepts_only_the_next_line(path: Path, number: int) -> None:
    rng = Random(5)
    with open_journal(path) as opened:
        match = play_five(opened, rng)
        for _ in range(2):
            with pytest.raises(JournalError, match=f"number={number}, match=1"):
                opened.journal.append(1, number, present(match.entry))
        match = play_lines(opened.journal, 1, match, 1, rng)
        assert opened.journal.lines(1) == record_lines(match)


@pytest.mark.parametrize("last", ["INSERT INTO note VALUES ('new')", "INSERT INTO nowhere VALUES (1)"])
def test_migrates_or_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch, last: str) -> None:
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
    content = path.read_bytes()
    for opening in () if fails else (open_journal, open_readonly):
        with pytest.raises(JournalError, match="newer journal"), opening(path):
            pass
    assert path.read_bytes() == content


# Several processes


def test_locks_out_second_table_and_reader_writes_nothing(path: Path) -> None:
    rng = Random(6)
    with open_journal(path) as opened:
        for same in (path, path.parent / ".." / path.parent.name / path.name):
            with pytest.raises(JournalError, match="another table"):
                open_journal(same)
        with open_readonly(path) as reader:
            match = play_five(opened, rng)
            assert reader.lines(1) == record_lines(match)
            with pytest.raises(JournalError):
                reader.begin(match)


def test_missing_and_foreign_files_are_untouched(path: Path) -> None:
    with pytest.raises(JournalError, match="no journal yet"), open_readonly(path):
        pass
    path.parent.mkdir()
    path.write_text("Milk, bread, a card for Ana.", encoding="utf-8")
    notes = path.rename(path.with_name("notes.txt"))
    for opening in (open_journal, open_readonly):
        with pytest.raises(JournalError, match="no journal"), opening(notes):
            pass
    assert notes.read_text(encoding="utf-8") == "Milk, bread, a card for Ana."
    assert list(path.parent.iterdir()) == [notes]
    path.touch()
    with pytest.raises(JournalError, match="no journal yet"), open_readonly(path):
        pass
    notes.write_bytes(b"")
    for empty in (path, notes):
        with open_journal(empty) as opened:
            assert opened.repairs() == ()


# Errors


class _Trouble:
    """A connection that fails once, at a statement."""

    def __init__(self, path: Path, statement: str, code: int) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self.close = self._db.close
        self.statement: str | None = statement
        self._code = code

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, sql: str, params: tuple[int | str, ...] = (), /) -> Iterable[Any]:
        if self.statement is not None and sql.startswith(self.statement):
            self.statement = None
            error = sqlite3.OperationalError("made up")
            error.sqlite_errorcode = self._code
            raise error
        return self._db.execute(sql, params)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (sqlite3.SQLITE_FULL, "journal disk full"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, "journal disk full"),
        (sqlite3.SQLITE_IOERR_FSYNC, "journal disk "),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "journal busy"),
        (sqlite3.SQLITE_READONLY, "journal rights"),
        (sqlite3.SQLITE_CANTOPEN, "journal rights"),
        (sqlite3.SQLITE_CORRUPT, "journal damaged"),
        (sqlite3.SQLITE_NOMEM, "made up"),
    ],
)
def test_journal_continues_after_error(path: Path, code: int, expected: str) -> None:
    rng = Random(8)
    path.parent.mkdir()
    trouble = _Trouble(path, "never", code)
    with open_journal(path, lambda _path: trouble) as opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        for statement in ("BEGIN", "INSERT", "COMMIT"):
            trouble.statement = statement
            with pytest.raises(JournalError, match=expected) as caught:
                play_lines(opened.journal, match_id, match, 1, rng)
            assert str(path) in str(caught.value)
            assert "\n" not in str(caught.value)
            assert opened.journal.lines(match_id) == record_lines(match)
            match = play_lines(opened.journal, match_id, match, 1, rng)
        assert opened.journal.lines(match_id) == record_lines(match)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("PRAGMA journal_mode", sqlite3.SQLITE_FULL),
        ("BEGIN", sqlite3.SQLITE_IOERR_WRITE),
        ("PRAGMA integrity", sqlite3.SQLITE_BUSY),
        ("SELECT", sqlite3.SQLITE_FULL),
    ],
)
def test_temporary_error_is_not_damage(path: Path, statement: str, code: int) -> None:
    before = play_and_close(path, 2)
    with pytest.raises(JournalError):
        open_journal(path, lambda where: _Trouble(where, statement, code))
    with open_journal(path) as opened:
        assert opened.repairs() == ()
    assert kept_lines(path) == before


def test_unreadable_copy_is_reported_and_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = Mock(side_effect=PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    before = play_and_close(path, 2)
    with monkeypatch.context() as refused:
        refused.setattr(match_files, "read_raw", refuse)
        with pytest.raises(JournalError, match="journal rights"), open_journal(path):
            pass
        assert not CONNECTIONS.take_left()
    assert kept_lines(path) == before


# Damage


@pytest.mark.parametrize("cut", tiered((0, 12), range(14)))
def test_interrupted_repair_is_finished_later(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    copy = tmp_path / "copy" / "journal.sqlite3"
    play_and_close(path, 6)
    copy.parent.mkdir()
    with open_journal(path) as opened:
        playing.play_matches(opened.journal, 6, Random(6))
        # as a kill leaves it: most lines are in the write-ahead log only
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{copy}{ending}")
    before = kept_lines(path)
    with copy.open("r+b") as file:
        file.seek(4096 * 4)
        file.write(bytes(8))
    renames = iter(range(100))

    def cut_short(rename: Callable[[Path, Path], Path], source: Path, target: Path) -> Path:
        if next(renames) == cut:
            raise KeyboardInterrupt
        return rename(source, target)

    for name in ("rename", "replace"):
        monkeypatch.setattr(Path, name, partialmethod(partial(cut_short, getattr(Path, name))))
    with pytest.raises(KeyboardInterrupt):
        open_journal(copy)
    monkeypatch.undo()
    _opened, lost = check_saved(copy, before)
    assert lost == 0
    assert list(copy.parent.glob("*.damaged-*/journal.sqlite3"))


def test_saves_name_that_looks_like_a_seal(path: Path) -> None:
    name = f"{database.seal_of(1, 1, b'{}').decode()}{{}}"
    with open_journal(path) as opened:
        match = playing.match_at("", name, "Bo")
        play_lines(opened.journal, opened.journal.begin(match), match, 5, Random(1))
    before = kept_lines(path)
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    opened, lost = check_saved(path, before)
    assert opened.aside is not None
    assert lost == 0


def test_unreadable_blocks_are_zero(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = play_and_close(path, 12)
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    shutil.rmtree(f"{path}.matches")
    pread = os.pread

    def bad_block(handle: int, size: int, at: int) -> bytes:
        if at == 4096 * 3:
            raise OSError(errno.EIO, "bad block")
        return pread(handle, size, at)

    monkeypatch.setattr(os, "pread", bad_block)
    opened, lost = check_saved(path, before)
    assert opened.saved_matches > 5
    assert 0 < lost < 40
