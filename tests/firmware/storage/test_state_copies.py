"""The copy of the state before a format change, and the refusal of newer state."""

import os
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from firmware.state_folder import FORM, READY, RESTORING
from firmware.storage.database import MIGRATIONS
from firmware.storage.errors import JournalError
from firmware.storage.state_copies import form_of, keep_copy, keep_form, require_readable
from tests.firmware.storage.faults import run_and_kill

OLD = {"links.json": "old", "decks/shop/deck.json": "taught", "journal.sqlite3": "1: Ana, Bo"}


def make_state(state: Path) -> Path:
    """Create a state in the first format; the last answer is only in SQLite's write-ahead log."""
    (state / "decks" / "shop").mkdir(parents=True)
    (state / "evidence").mkdir()
    (state / "evidence" / "1.jpg").write_bytes(b"large")
    for name in ("links.json", "decks/shop/deck.json"):
        (state / name).write_text(OLD[name], encoding="utf-8")
    journal = state / "journal.sqlite3"
    with closing(sqlite3.connect(journal, isolation_level=None)) as made:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("PRAGMA user_version = 1")
        made.execute("CREATE TABLE line (text TEXT)")
        made.execute("INSERT INTO line VALUES ('Ana')")
        log = journal.with_name(f"{journal.name}-wal")
        made.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        made.execute("INSERT INTO line VALUES ('Bo')")
        both = [(file, file.read_bytes()) for file in (journal, log)]
    for file, content in both:
        file.write_bytes(content)
    return state


def migrate(state: Path) -> None:
    """Write it in the next format, as a newer version does, and play on."""
    (state / "links.json").write_text("new", encoding="utf-8")
    with closing(sqlite3.connect(state / "journal.sqlite3", isolation_level=None)) as journal:
        journal.execute("PRAGMA user_version = 2")
        journal.execute("INSERT INTO line VALUES ('Eve')")


def stored_lines(folder: Path) -> dict[str, str]:
    """Read the stored state without changing it."""
    kept = {
        name: (folder / name).read_text(encoding="utf-8")
        for name in ("links.json", "decks/shop/deck.json")
        if (folder / name).exists()
    }
    journal = folder / "journal.sqlite3"
    if journal.exists():
        with closing(sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True)) as opened:
            [(form,)] = opened.execute("PRAGMA user_version")
            lines = ", ".join(text for (text,) in opened.execute("SELECT text FROM line"))
        kept[journal.name] = f"{form}: {lines}"
    return kept


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return make_state(tmp_path / "state")


def test_journal_change_counts() -> None:
    assert len(MIGRATIONS) <= FORM


def test_state_is_copied_once_before_a_newer_format(state: Path) -> None:
    keep_copy(state, 1)
    assert not (state / "form-1").exists()
    keep_copy(state, 2)
    assert form_of(state) == 2
    assert stored_lines(state / "form-1") == OLD
    assert not (state / "form-1" / "evidence").exists()
    migrate(state)
    keep_copy(state, 2)
    assert stored_lines(state / "form-1") == OLD


def test_older_version_refuses_newer_state_until_a_restore_replaces_it(state: Path) -> None:
    keep_form(state, 3)
    migrate(state)
    newer = stored_lines(state)
    for refused in (require_readable, keep_copy):
        with pytest.raises(JournalError, match="newer state"):
            refused(state, 2)
    assert (stored_lines(state), form_of(state)) == (newer, 3)
    (state / RESTORING).mkdir()
    (state / RESTORING / READY).touch()
    keep_copy(state, 2)


def test_unfinished_migration_is_no_table(tmp_path: Path) -> None:
    """If nobody can free space for the copy, the table doesn't start."""
    keep_copy(tmp_path / "new", 2)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["form"]
    state = make_state(tmp_path / "state")
    (state / ".form-1").touch()
    with pytest.raises(JournalError):
        keep_copy(state, 2)
    assert form_of(state) == 1


def test_other_program_may_write_while_its_journal_is_copied(state: Path) -> None:
    with closing(sqlite3.connect(state / "journal.sqlite3", isolation_level=None)) as journal:
        journal.execute("BEGIN IMMEDIATE")
        journal.execute("INSERT INTO line VALUES ('not yet')")
        keep_copy(state, 2)
        journal.execute("COMMIT")
    assert stored_lines(state / "form-1") == OLD


def test_damaged_journal_is_copied_byte_by_byte(state: Path) -> None:
    (state / "journal.sqlite3").write_bytes(b"damaged" * 900)
    keep_copy(state, 2)
    assert (state / "form-1" / "journal.sqlite3").read_bytes() == b"damaged" * 900
    assert (state / "form-1" / "journal.sqlite3-wal").exists()


def test_kill_at_any_step_leaves_old_or_new_format(tmp_path: Path) -> None:
    """The repeated migration completes."""
    for at in count(1):
        state = make_state(tmp_path / f"{at}")
        run = run_and_kill(lambda state=state: keep_copy(state, 2), at, os.environ)
        keep_copy(state, 2)
        assert stored_lines(state / "form-1") == OLD, run.deeds[-1]
        if not run.was_killed:
            break
    assert at > 5
