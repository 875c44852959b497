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
from firmware.storage.journal import (
    OpenedJournal,
    hear,
    open_journal,
    open_readonly,
)
from referee.contract import Answer
from referee.match import Match, Setup, begin
from referee.record import record_lines
from tests.firmware.playing import (
    any_entry,
    any_match,
    kept_lines,
    play_lines,
)
from tests.firmware.storage.journals import change, check_saved, copy_while_open, play_and_close
from tests.firmware.storage.open_match import last_open_match


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "table" / "journal.sqlite3"


# What goes wrong


class Trouble:
    """A connection that fails once at a statement, before it has run or after."""

    def __init__(self, path: Path, statement: str, code: int, *, after: bool) -> None:
        """Open, and wait for the statement."""
        self._db = sqlite3.connect(path, isolation_level=None)
        self._statement: str | None = statement
        self._code, self._after = code, after

    @property
    def in_transaction(self) -> bool:
        """Ask SQLite."""
        return self._db.in_transaction

    def execute(self, sql: str, params: tuple[int | str, ...] = (), /) -> Iterable[Any]:
        """Run a statement, or fail."""
        fails = self._statement is not None and sql.startswith(self._statement)
        rows = [] if fails and not self._after else self._db.execute(sql, params)
        if fails:
            self._statement = None
            error = sqlite3.OperationalError("made up")
            error.sqlite_errorcode = self._code
            raise error
        return rows

    def close(self) -> None:
        """Close the real one."""
        self._db.close()

    def wait_for(self, statement: str) -> None:
        """Fail again."""
        self._statement = statement


def with_trouble(path: Path, code: int, *, after: bool) -> tuple[OpenedJournal, Trouble]:
    """Open a journal whose connection can be told when to fail."""
    troubles: list[Trouble] = []

    def connect(where: Path) -> Database:
        troubles.append(Trouble(where, "never", code, after=after))
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
            trouble.wait_for(statement)
            with pytest.raises(JournalError, match=told) as caught:
                play_lines(opened.journal, match_id, match, 1, rng)
            assert str(path) in str(caught.value)
            assert "\n" not in str(caught.value)
            assert opened.journal.lines(match_id) == record_lines(match)
            match = play_lines(opened.journal, match_id, match, 1, rng)
        assert opened.journal.lines(match_id) == record_lines(match)


def test_entry_that_was_kept_although_writing_it_failed_counts(path: Path) -> None:
    rng = Random(9)
    opened, trouble = with_trouble(path, sqlite3.SQLITE_IOERR, after=True)
    with opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        entry = any_entry(match, rng)
        trouble.wait_for("COMMIT")
        with pytest.raises(JournalError, match="journal disk "):
            hear(opened.journal, match_id, match, entry)
        after = hear(opened.journal, match_id, match, entry)
        assert isinstance(after, Match)
        assert opened.journal.lines(match_id) == record_lines(after)
        with pytest.raises(JournalError, match="line written already"):
            hear(opened.journal, match_id, match, entry)


def test_entry_that_was_kept_is_not_taken_for_another(path: Path) -> None:
    rng = Random(9)
    opened, trouble = with_trouble(path, sqlite3.SQLITE_IOERR, after=True)
    with opened:
        match = any_match(rng)
        match_id = opened.journal.begin(match)
        trouble.wait_for("COMMIT")
        with pytest.raises(JournalError, match="journal disk "):
            opened.journal.append(match_id, 1, any_entry(match, rng))
        for _ in range(2):
            with pytest.raises(JournalError, match="line written already"):
                opened.journal.append(match_id, 1, Answer(0, "another"))
        resumed = last_open_match(opened.journal)
        assert resumed is not None
        assert resumed.match is not None
        match = play_lines(opened.journal, match_id, resumed.match, 3, rng)
        assert opened.journal.lines(match_id) == record_lines(match)


def test_block_that_cannot_be_read_is_damage(path: Path) -> None:
    before = play_and_close(path, 3)
    connects = iter([sqlite3.SQLITE_IOERR_READ])

    def connect(where: Path) -> Database:
        return Trouble(where, "PRAGMA integrity" if next(connects, 0) else "never", 266, after=False)

    with open_journal(path, connect) as opened:
        assert opened.aside is not None
        assert opened.saved_lines == sum(map(len, before.values()))
    assert kept_lines(path) == before


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_BUSY])
@pytest.mark.parametrize("statement", ["PRAGMA journal_mode", "BEGIN", "PRAGMA integrity", "SELECT"])
def test_trouble_that_passes_is_no_damage(path: Path, code: int, statement: str) -> None:
    before = play_and_close(path, 2)
    with pytest.raises(JournalError):
        open_journal(path, lambda where: Trouble(where, statement, code, after=False))
    with open_journal(path) as opened:
        assert opened.repairs() == ()
    assert kept_lines(path) == before


def test_disk_without_a_log_is_refused(path: Path) -> None:
    class NoLog(Trouble):
        def execute(self, sql: str, params: tuple[int | str, ...] = (), /) -> Iterable[Any]:
            return [("delete",)] if "journal_mode" in sql else super().execute(sql, params)

    with pytest.raises(JournalError, match="no log here"):
        open_journal(path, lambda where: NoLog(where, "never", 0, after=False))


def test_folder_that_is_a_file_and_file_that_is_a_folder(path: Path) -> None:
    path.parent.touch()
    with pytest.raises(JournalError):
        open_journal(path)
    path.parent.unlink()
    path.mkdir(parents=True)
    with pytest.raises(JournalError):
        open_journal(path)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "journal disk full"),
        (errno.EIO, "journal disk "),
        (errno.EROFS, "journal rights"),
        (errno.EMFILE, "Too many open files"),
    ],
)
def test_trouble_with_the_folder_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, told: str
) -> None:
    def sync(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(JournalError, match=told):
        open_journal(path)


def test_closed_journal_says_so(path: Path) -> None:
    with open_journal(path) as opened:
        pass
    opened.journal.close()
    with pytest.raises(JournalError, match="closed"):
        opened.journal.latest()


# Damage


def test_file_that_is_no_database_is_moved_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"The quick brown fox\n" * 1000)
    opened, _ = check_saved(path, {})
    assert opened.aside is not None
    assert opened.aside.read_bytes().startswith(b"The quick brown fox")
    assert opened.aside.name.startswith("journal.sqlite3.damaged-")
    assert opened.repairs()[0].values["aside"] == str(opened.aside)


def test_database_of_another_program_is_moved_aside(path: Path) -> None:
    path.parent.mkdir()
    change(path, "CREATE TABLE line (text TEXT)", "INSERT INTO line VALUES ('mine')")
    opened, _ = check_saved(path, {})
    assert opened.aside is not None
    assert b"mine" in opened.aside.read_bytes()


def test_what_lies_aside_is_never_overwritten(path: Path) -> None:
    asides = set()
    for text in (b"one", b"two", b"three"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text * 1000)
        with open_journal(path) as opened:
            assert opened.aside is not None
            asides.add(opened.aside)
    assert sorted(aside.read_bytes()[:3] for aside in asides) == [b"one", b"thr", b"two"]


@pytest.mark.parametrize("step", range(8))
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
    for at in sorted({*range(0, 100, 3), *range(100, len(whole), 499)} - {lowest_of_version}):
        clear(copy)
        copy.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        opened, shorter = check_saved(copy, before)
        assert shorter <= 1
        moved += opened.aside is not None
    assert moved > 20


def clear(copy: Path) -> None:
    for leftover in copy.parent.glob(f"{copy.name}*"):
        leftover.unlink()


@pytest.mark.parametrize("version", [-1, 1000, 0x7F000001])
def test_version_that_cannot_be_is_damage(path: Path, version: int) -> None:
    before = play_and_close(path, 2)
    change(path, f"PRAGMA user_version = {version}")
    opened, shorter = check_saved(path, before)
    assert opened.aside is not None
    assert shorter == 0


def test_blank_page_costs_only_the_lines_on_it(path: Path, tmp_path: Path) -> None:
    before = play_and_close(path, 12)
    whole = path.read_bytes()
    copy = tmp_path / "copy.sqlite3"
    for at in range(0, len(whole), 4096):
        clear(copy)
        copy.write_bytes(whole[:at] + bytes(4096) + whole[at + 4096 :])
        opened, shorter = check_saved(copy, before)
        assert opened.aside is not None
        assert shorter < 6
        assert shorter == 0 or at > 0


def test_destroyed_header_loses_nothing(path: Path) -> None:
    before = play_and_close(path, 12)
    with path.open("r+b") as file:
        file.write(bytes(4096))
    opened, shorter = check_saved(path, before)
    assert shorter == 0
    assert opened.saved_matches == 12
    assert opened.saved_lines == sum(map(len, before.values()))


def test_changed_row_is_noticed_and_cut_off(path: Path) -> None:
    before = play_and_close(path, 3)
    change(path, "UPDATE line SET text = replace(text, 'coyote', 'wolf') WHERE match = 2 AND number = 0")
    opened, shorter = check_saved(path, before)
    assert shorter == 1
    assert opened.saved_matches == 2


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM line WHERE match = 2 AND number = 4",
        "UPDATE line SET match = 7 WHERE match = 2 AND number = 4",
        "UPDATE line SET number = 900 WHERE match = 2 AND number = 4",
        "UPDATE line SET seal = x'ff00ff' WHERE match = 2 AND number = 4",
        "UPDATE line SET text = '' WHERE match = 2 AND number = 4",
        "UPDATE line SET text = x'c3' WHERE match = 2 AND number = 4",
    ],
)
def test_row_that_does_not_belong_is_noticed(path: Path, statement: str) -> None:
    before = play_and_close(path, 3)
    change(path, "PRAGMA secure_delete = ON", statement)
    opened, shorter = check_saved(path, before)
    assert opened.aside is not None
    assert shorter <= 1


def test_log_that_is_garbage_leaves_what_was_in_the_database(path: Path) -> None:
    before = play_and_close(path, 3)
    Path(f"{path}-wal").write_bytes(b"garbage " * 5000)
    opened, shorter = check_saved(path, before)
    assert opened.repairs() == ()
    assert shorter == 0


@pytest.mark.parametrize("size", [1, 32, 100, 3000, 9000])
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
    for at in range(0, len(log), 12007):
        clear(copy)
        copy.write_bytes(database)
        Path(f"{copy}-wal").write_bytes(log[:at] + bytes([log[at] ^ 0xFF]) + log[at + 1 :])
        opened, shorter = check_saved(copy, before)
        assert opened.aside is None
        assert shorter <= 1


def test_database_that_was_deleted_comes_back_from_its_log(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "journal.sqlite3"
    before = copy_while_open(path, copy, 2)
    copy.unlink()
    opened, shorter = check_saved(copy, before)
    assert shorter == 0
    assert opened.saved_matches == 2


@pytest.mark.parametrize("cut", range(6))
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


def test_long_line_is_kept_and_saved_as_long_as_sqlite_reads_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.match.LONGEST_NAME", 20_000)
    with open_journal(path) as opened:
        first = any_match(Random(1))
        setup = Setup(first.setup.game, first.setup.house, ("x" * 20_000, *first.setup.names[1:]))
        match = begin(setup)
        assert isinstance(match, Match)
        opened.journal.begin(match)
    before = kept_lines(path)
    change(path, "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET rootpage = 2 WHERE type = 'index'")
    opened, shorter = check_saved(path, before)
    assert opened.aside is not None
    assert shorter == 0


def test_name_that_looks_like_a_seal_stays_a_name(path: Path) -> None:
    seal = sealed.seal_of(1, 1, b"{}").decode()
    with open_journal(path) as opened:
        first = any_match(Random(1))
        match = begin(Setup(first.setup.game, first.setup.house, (f"{seal}{{}}", *first.setup.names[1:])))
        assert isinstance(match, Match)
        play_lines(opened.journal, opened.journal.begin(match), match, 5, Random(1))
    before = kept_lines(path)
    with path.open("r+b") as file:
        file.write(bytes(4096))
    _, shorter = check_saved(path, before)
    assert shorter == 0


def test_blocks_that_cannot_be_read_are_left_blank(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = play_and_close(path, 12)
    with path.open("r+b") as file:
        file.write(bytes(4096))
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
