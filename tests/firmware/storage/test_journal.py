"""The journal keeps what it was told, in order, once, and starts whatever has happened to its files."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.storage import database
from firmware.storage import sealed_lines as sealed
from firmware.storage.database import Database
from firmware.storage.errors import JournalError
from firmware.storage.journal import (
    OpenedJournal,
    hear,
    open_journal,
    open_readonly,
    resume,
)
from hardware.twin.player import play_on
from referee.contract import Answer, Reason, Refusal
from referee.match import Match, Setup, begin
from referee.record import record_lines
from tests.firmware.playing import (
    any_entry,
    any_match,
    kept_lines,
    play_lines,
    play_matches,
    replayed_bytes,
    state_bytes,
)


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "table" / "journal.sqlite3"


def played(path: Path, matches: int, seed: int = 0) -> dict[int, list[str]]:
    """Play so many matches, keep each at once, close, and give what is kept."""
    rng = Random(seed)
    with open_journal(path) as opened:
        for _ in range(matches):
            opened.journal.begin(play_on(any_match(rng), rng))
    return kept_lines(path)


def copied_while_open(path: Path, to: Path, matches: int) -> dict[int, list[str]]:
    """Copy the files of an open journal, as a kill leaves them: most lines stand in the log only."""
    to.parent.mkdir()
    with open_journal(path) as opened:
        play_matches(opened.journal, matches, Random(matches))
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{to}{ending}")
    return kept_lines(path)


def check_saved(path: Path, before: dict[int, list[str]]) -> tuple[OpenedJournal, int]:
    """Open; each match kept must be the first lines of what it was. Give how many matches got shorter."""
    with open_journal(path) as opened:
        now = {match.id: opened.journal.lines(match.id) for match in opened.journal.matches()}
        for match_id, lines in now.items():
            assert lines == before[match_id][: len(lines)]
            replayed_bytes(lines)
        shorter = sum(now.get(match_id) != lines for match_id, lines in before.items())
        match = any_match(Random(1))
        match_id = opened.journal.begin(match)
        assert match_id == max(now, default=0) + 1
        play_lines(opened.journal, match_id, match, 3, Random(1))
    with open_journal(path) as again:
        assert again == OpenedJournal(again.journal)
        assert len(again.journal.lines(match_id)) == 4
    return opened, shorter


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
    assert replayed_bytes(kept_lines(path)[match_id]) == state_bytes(match)


def test_open_match_goes_on_where_it_was_left(path: Path) -> None:
    rng = Random(4)
    with open_journal(path) as opened:
        match = any_match(rng)
        opened.journal.begin(match)
    while match.asks:
        with open_journal(path) as opened:
            resumed = resume(opened.journal)
            assert resumed is not None
            assert resumed.match is not None
            assert resumed.fault is None
            assert state_bytes(resumed.match) == state_bytes(match)
            match = play_lines(opened.journal, resumed.id, resumed.match, 7, rng)
    with open_journal(path) as opened:
        assert resume(opened.journal) is None


def test_nothing_to_resume_in_an_empty_journal(path: Path) -> None:
    with open_journal(path) as opened:
        assert resume(opened.journal) is None
        assert opened.journal.latest() is None
        assert opened.journal.matches() == []
        assert opened.journal.lines(1) == []


def test_only_the_latest_match_is_resumed(path: Path) -> None:
    with open_journal(path) as opened:
        opened.journal.begin(any_match(Random(1)))
        second = opened.journal.begin(any_match(Random(2)))
        assert opened.journal.latest() == second
        resumed = resume(opened.journal)
    assert resumed is not None
    assert resumed.id == second


def test_matches_are_listed_with_their_heads(path: Path) -> None:
    before = played(path, 4)
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
        resumed = resume(opened.journal)
        assert resumed is not None
        assert resumed.match is not None
        assert resumed.fault is not None
        assert (resumed.id, resumed.fault.line, resumed.match.number) == (match_id, 7, 5)
        over = opened.journal.begin(resumed.match)
        assert opened.journal.lines(over) == record_lines(match)
        goes_on = resume(opened.journal)
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
    played(path, 2)
    change(path, f"PRAGMA user_version = {len(database.MIGRATIONS) + 1}")
    before = path.read_bytes()
    for opening in (open_journal, open_readonly):
        with pytest.raises(JournalError, match="newer journal"):
            opening(path)
    assert path.read_bytes() == before


def test_older_version_is_migrated_and_keeps_its_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = played(path, 2)
    newer = (*database.MIGRATIONS, ("CREATE TABLE note (text TEXT)", "INSERT INTO note VALUES ('new')"))
    monkeypatch.setattr(database, "MIGRATIONS", newer)
    with open_journal(path) as opened:
        assert opened.repairs() == ()
    assert kept_lines(path) == before
    monkeypatch.undo()
    with pytest.raises(JournalError, match="newer journal"):
        open_journal(path)


def test_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = played(path, 2)
    newer = (*database.MIGRATIONS, ("CREATE TABLE note (text TEXT)", "INSERT INTO nowhere VALUES (1)"))
    monkeypatch.setattr(database, "MIGRATIONS", newer)
    with pytest.raises(JournalError):
        open_journal(path)
    monkeypatch.undo()
    with open_journal(path) as opened:
        assert opened.repairs() == ()
    assert kept_lines(path) == before


def change(path: Path, *statements: str) -> None:
    """Change a database behind the journal's back."""
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


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
    before = played(path, 2)
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
        resumed = resume(opened.journal)
        assert resumed is not None
        assert resumed.match is not None
        match = play_lines(opened.journal, match_id, resumed.match, 3, rng)
        assert opened.journal.lines(match_id) == record_lines(match)


def test_block_that_cannot_be_read_is_damage(path: Path) -> None:
    before = played(path, 3)
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
    before = played(path, 2)
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
    before = played(path, 12, step)
    size = path.stat().st_size
    os.truncate(path, size * step // 8 + step)
    opened, shorter = check_saved(path, before)
    assert (opened.aside is not None) == (step > 0)
    assert shorter >= 1
    assert opened.saved_lines > 0 or step < 2


def test_flipped_byte_costs_no_more_than_the_rest_of_one_match(path: Path, tmp_path: Path) -> None:
    before = played(path, 8)
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
    before = played(path, 2)
    change(path, f"PRAGMA user_version = {version}")
    opened, shorter = check_saved(path, before)
    assert opened.aside is not None
    assert shorter == 0


def test_blank_page_costs_only_the_lines_on_it(path: Path, tmp_path: Path) -> None:
    before = played(path, 12)
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
    before = played(path, 12)
    with path.open("r+b") as file:
        file.write(bytes(4096))
    opened, shorter = check_saved(path, before)
    assert shorter == 0
    assert opened.saved_matches == 12
    assert opened.saved_lines == sum(map(len, before.values()))


def test_changed_row_is_noticed_and_cut_off(path: Path) -> None:
    before = played(path, 3)
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
    before = played(path, 3)
    change(path, "PRAGMA secure_delete = ON", statement)
    opened, shorter = check_saved(path, before)
    assert opened.aside is not None
    assert shorter <= 1


def test_log_that_is_garbage_leaves_what_was_in_the_database(path: Path) -> None:
    before = played(path, 3)
    Path(f"{path}-wal").write_bytes(b"garbage " * 5000)
    opened, shorter = check_saved(path, before)
    assert opened.repairs() == ()
    assert shorter == 0


@pytest.mark.parametrize("size", [1, 32, 100, 3000, 9000])
def test_log_with_a_destroyed_beginning_is_read_by_its_seals(path: Path, tmp_path: Path, size: int) -> None:
    copy = tmp_path / "copy" / "journal.sqlite3"
    before = copied_while_open(path, copy, 6)
    with Path(f"{copy}-wal").open("r+b") as file:
        file.write(bytes(size))
    opened, shorter = check_saved(copy, before)
    assert shorter == 0
    assert opened.saved_lines > 0
    assert opened.repairs() != ()


def test_flipped_byte_in_the_log_costs_no_more_than_the_rest_of_one_match(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "journal.sqlite3"
    before = copied_while_open(path, copy, 3)
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
    before = copied_while_open(path, copy, 2)
    copy.unlink()
    opened, shorter = check_saved(copy, before)
    assert shorter == 0
    assert opened.saved_matches == 2


@pytest.mark.parametrize("cut", range(6))
def test_mending_that_is_cut_short_is_finished_the_next_time(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    copy = tmp_path / "copy" / "journal.sqlite3"
    played(path, 6)
    before = copied_while_open(path, copy, 6)
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
    before = played(path, 12)
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
