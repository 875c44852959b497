"""The journal starts whatever has happened to its files, and loses nothing that can be read."""

import errno
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.storage import sealed_lines as sealed
from firmware.storage.database import Database
from firmware.storage.errors import JournalError
from firmware.storage.journal import OpenedJournal, hear, open_journal, open_readonly
from referee.contract import Answer
from referee.match import Match, Setup, begin
from referee.record import record_lines
from tests.firmware.playing import any_entry, any_match, kept_lines, play_lines
from tests.firmware.storage.journals import change, check_saved, copy_while_open, play_and_close
from tests.tiers import tiered


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table" / "journal.sqlite3"


# What goes wrong


class _Trouble:
    """A connection that fails once at a statement, before it has run or after."""

    def __init__(self, path: Path, statement: str, code: int, *, after: bool = False) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self.close = self._db.close
        self.statement: str | None = statement
        self._code, self._after = code, after

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, sql: str, params: tuple[int | str, ...] = (), /) -> Iterable[Any]:
        fails = self.statement is not None and sql.startswith(self.statement)
        rows = [] if fails and not self._after else self._db.execute(sql, params)
        if fails:
            self.statement = None
            error = sqlite3.OperationalError("made up")
            error.sqlite_errorcode = self._code
            raise error
        return rows


def with_trouble(path: Path, code: int, *, after: bool) -> tuple[OpenedJournal, _Trouble]:
    """Open a journal whose connection can be told when to fail."""
    troubles: list[_Trouble] = []

    def connect(where: Path) -> Database:
        troubles.append(_Trouble(where, "never", code, after=after))
        return troubles[-1]

    return open_journal(path, connect), troubles[0]


@pytest.mark.parametrize(
    ("code", "told"),
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
def test_trouble_is_one_line_and_the_journal_goes_on(path: Path, code: int, told: str) -> None:
    rng = Random(8)
    opened, trouble = with_trouble(path, code, after=False)
    with opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        for statement in ("BEGIN", "INSERT", "COMMIT"):
            trouble.statement = statement
            with pytest.raises(JournalError, match=told) as caught:
                play_lines(opened.journal, match_id, match, 1, rng)
            assert str(path) in str(caught.value)
            assert "\n" not in str(caught.value)
            assert opened.journal.lines(match_id) == record_lines(match)
            match = play_lines(opened.journal, match_id, match, 1, rng)
        assert opened.journal.lines(match_id) == record_lines(match)


def test_entry_that_was_kept_although_writing_it_failed_counts_once_and_for_no_other(path: Path) -> None:
    rng = Random(9)
    opened, trouble = with_trouble(path, sqlite3.SQLITE_IOERR, after=True)
    with opened:
        match = any_match(rng)
        match_id, entry = opened.journal.begin(match), any_entry(match, rng)
        trouble.statement = "COMMIT"
        with pytest.raises(JournalError, match="journal disk "):
            hear(opened.journal, match_id, match, entry)
        with pytest.raises(JournalError, match="line written already"):
            opened.journal.append(match_id, 1, Answer(0, "another"))
        after = hear(opened.journal, match_id, match, entry)
        assert isinstance(after, Match)
        assert opened.journal.lines(match_id) == record_lines(after)
        with pytest.raises(JournalError, match="line written already"):
            hear(opened.journal, match_id, match, entry)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("PRAGMA journal_mode", sqlite3.SQLITE_FULL),
        ("BEGIN", sqlite3.SQLITE_IOERR_WRITE),
        ("PRAGMA integrity", sqlite3.SQLITE_BUSY),
        ("SELECT", sqlite3.SQLITE_FULL),
    ],
)
def test_trouble_that_passes_is_no_damage(path: Path, statement: str, code: int) -> None:
    before = play_and_close(path, 2)
    with pytest.raises(JournalError):
        open_journal(path, lambda where: _Trouble(where, statement, code))
    with open_journal(path) as opened:
        assert opened.repairs() == ()
    assert kept_lines(path) == before


# Damage


@pytest.mark.parametrize("is_database", [False, True])
def test_what_is_none_of_ours_is_moved_aside_and_kept(path: Path, is_database: bool) -> None:
    path.parent.mkdir()
    if is_database:
        change(path, "CREATE TABLE line (text TEXT)", "INSERT INTO line VALUES ('quick brown')")
    else:
        path.write_bytes(b"The quick brown fox\n" * 1000)
    opened, _ = check_saved(path, {})
    assert opened.aside is not None
    assert b"quick brown" in opened.aside.read_bytes()
    assert opened.repairs()[0].values["aside"] == str(opened.aside)


@pytest.mark.parametrize("step", tiered((0, 1, 5), range(8)))
def test_truncated_file_keeps_what_is_left(path: Path, step: int) -> None:
    before = play_and_close(path, 12, step)
    size = path.stat().st_size
    os.truncate(path, size * step // 8 + step)
    opened, shorter = check_saved(path, before)
    assert (opened.aside is not None) == (step > 0)
    assert shorter >= 1
    assert opened.saved_lines > 0 or step < 2


def test_flipped_byte_costs_no_more_than_the_rest_of_one_match(path: Path, tmp_path: Path) -> None:
    before = play_and_close(path, 8)
    whole = path.read_bytes()
    copy = tmp_path / "copy.sqlite3"
    lowest_of_version = 63
    moved = 0
    header, pages = range(0, 100, tiered(12, 3)), range(100, len(whole), tiered(2999, 499))
    for at in sorted({*header, *pages} - {lowest_of_version}):
        clear(copy)
        copy.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        opened, shorter = check_saved(copy, before)
        assert shorter <= 1
        moved += opened.aside is not None
    assert moved > tiered(5, 20)


def clear(copy: Path) -> None:
    for leftover in copy.parent.glob(f"{copy.name}*"):
        leftover.unlink()


def test_blank_page_costs_only_the_lines_on_it(path: Path, tmp_path: Path) -> None:
    before = play_and_close(path, 12)
    whole = path.read_bytes()
    copy = tmp_path / "copy.sqlite3"
    for at in range(0, len(whole), tiered(3, 1) * 4096):
        clear(copy)
        copy.write_bytes(whole[:at] + bytes(4096) + whole[at + 4096 :])
        opened, shorter = check_saved(copy, before)
        assert opened.aside is not None
        assert shorter < 6
        if at == 0:
            assert (shorter, opened.saved_matches) == (0, 12)
            assert opened.saved_lines == sum(map(len, before.values()))


@pytest.mark.parametrize("size", tiered((1, 3000), (1, 32, 100, 3000, 9000)))
def test_log_with_a_destroyed_beginning_is_read_by_its_seals(path: Path, tmp_path: Path, size: int) -> None:
    copy = tmp_path / "copy" / "journal.sqlite3"
    before = copy_while_open(path, copy, 6)
    with Path(f"{copy}-wal").open("r+b") as file:
        file.write(bytes(size))
    opened, shorter = check_saved(copy, before)
    assert shorter == 0
    assert opened.saved_lines > 0
    assert opened.repairs() != ()


def test_flipped_byte_in_the_log_costs_no_more_than_the_rest_of_one_match(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "journal.sqlite3"
    before = copy_while_open(path, copy, 3)
    database, log = copy.read_bytes(), Path(f"{copy}-wal").read_bytes()
    for at in range(0, len(log), tiered(60_013, 12_007)):
        clear(copy)
        copy.write_bytes(database)
        Path(f"{copy}-wal").write_bytes(log[:at] + bytes([log[at] ^ 0xFF]) + log[at + 1 :])
        opened, shorter = check_saved(copy, before)
        assert opened.aside is None
        assert shorter <= 1


@pytest.mark.parametrize("cut", tiered((0, 2, 5), range(6)))
def test_mending_that_is_cut_short_is_finished_the_next_time(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    copy = tmp_path / "copy" / "journal.sqlite3"
    play_and_close(path, 6)
    before = copy_while_open(path, copy, 6)
    with copy.open("r+b") as file:
        file.seek(4096 * 4)
        file.write(bytes(8))
    renames = iter(range(100))
    rename = Path.rename

    def cut_short(source: Path, target: Path) -> Path:
        if next(renames) == cut:
            raise KeyboardInterrupt
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", cut_short)
    with pytest.raises(KeyboardInterrupt):
        open_journal(copy)
    monkeypatch.undo()
    opened, shorter = check_saved(copy, before)
    assert shorter == 0
    assert opened.aside is not None
    assert opened.aside.exists()
    assert opened.saved_lines == sum(map(len, before.values()))


SEAL = sealed.seal_of(1, 1, b"{}").decode()


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (f"{SEAL}{{}}", ()),
        (
            "x" * 20_000,
            ("PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET rootpage = 2 WHERE type = 'index'"),
        ),
    ],
    ids=["like a seal", "long"],
)
def test_any_name_is_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str, damage: tuple[str, ...]
) -> None:
    monkeypatch.setattr("referee.match.LONGEST_NAME", 20_000)
    with open_journal(path) as opened:
        first = any_match(Random(1))
        match = begin(Setup(first.setup.game, first.setup.house, (name, *first.setup.names[1:])))
        assert isinstance(match, Match)
        play_lines(opened.journal, opened.journal.begin(match), match, 5, Random(1))
    before = kept_lines(path)
    change(path, *damage)
    if not damage:
        path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    opened, shorter = check_saved(path, before)
    assert opened.aside is not None
    assert shorter == 0


def test_blocks_that_cannot_be_read_are_left_blank(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = play_and_close(path, 12)
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    pread = os.pread

    def bad_block(handle: int, size: int, at: int) -> bytes:
        if at == 4096 * 3:
            raise OSError(errno.EIO, "bad block")
        return pread(handle, size, at)

    monkeypatch.setattr(os, "pread", bad_block)
    opened, shorter = check_saved(path, before)
    assert opened.saved_matches > 5
    assert 0 < shorter < 6


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Milk, bread, a card for Ana.", encoding="utf-8")
    for opening in (open_journal, open_readonly):
        with pytest.raises(JournalError, match="no journal"):
            opening(notes)
    assert notes.read_text(encoding="utf-8") == "Milk, bread, a card for Ana."
    assert list(tmp_path.iterdir()) == [notes]
    empty = tmp_path / "empty"
    empty.touch()
    with open_journal(empty) as opened:
        assert opened.repairs() == ()
