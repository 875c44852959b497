"""The copy of the state before a format change: an older version restores it without losses."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware.start.safe_start import CODE
from firmware.state_folder import FORM
from firmware.storage.database import MIGRATIONS
from firmware.updates.state_copies import copy_state, fit_state, form_of_state, form_of_version, keep_copy
from tests.firmware.updates.faults import Fault, run_with_fault

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


def test_source_states_its_format_and_journal_change_counts(tmp_path: Path) -> None:
    assert len(MIGRATIONS) <= FORM
    assert form_of_version(CODE) == FORM
    # missing in every later version's source
    assert form_of_version(tmp_path) == 1


def test_older_version_restores_copy_and_sets_newer_state_aside(state: Path) -> None:
    keep_copy(state, 2)
    assert form_of_state(state) == 2
    assert stored_lines(state / "form-1") == OLD
    migrate(state)
    # once is enough: the copy is unchanged
    keep_copy(state, 2)
    assert stored_lines(state / "form-1") == OLD
    newer = stored_lines(state)
    aside = fit_state(state, 1)
    assert aside == state / "newer-form-2-1"
    assert stored_lines(state) == OLD
    assert stored_lines(aside) == newer
    assert form_of_state(state) == 1
    assert not (state / "form-1").exists()
    # and once more, beside the first one
    keep_copy(state, 2)
    assert fit_state(state, 1) == state / "newer-form-2-2"
    assert stored_lines(aside) == newer


def test_table_may_play_while_its_journal_is_copied(state: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(state / "journal.sqlite3", isolation_level=None)) as journal:
        journal.execute("BEGIN IMMEDIATE")
        journal.execute("INSERT INTO line VALUES ('not yet')")
        copy_state(state, tmp_path / "copy")
        journal.execute("COMMIT")
    assert stored_lines(tmp_path / "copy") == OLD


def test_kill_at_any_step_leaves_old_or_new_format(place: Path) -> None:
    """The short version of tests/trust/updates.py: the repeated migration completes."""
    at = 1
    while True:
        state = make_state(place / f"{at}")
        kept = run_with_fault(lambda state=state: keep_copy(state, 2), Fault("kill", at), os.environ)
        keep_copy(state, 2)
        assert stored_lines(state / "form-1") == OLD, kept.deeds[-1]
        migrate(state)
        newer = stored_lines(state)
        fitted = run_with_fault(lambda state=state: fit_state(state, 1), Fault("kill", at), os.environ)
        fit_state(state, 1)
        assert stored_lines(state) == OLD, fitted.deeds[-1]
        assert stored_lines(state / "newer-form-2-1") == newer, fitted.deeds[-1]
        if not (kept.was_struck or fitted.was_struck):
            break
        at += 1
    assert at > 10
