"""A table's files are private, even outside systemd, and copied ones become private."""

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest

from firmware.storage.backups.archive import backup_lock
from firmware.storage.configuration import HostChoice, keep
from firmware.storage.files import make_private
from firmware.storage.journal import FILES, open_journal
from firmware.storage.match_history import History
from firmware.storage.match_marks import keep_pause
from firmware.table.logbook import MAX_LOG_BYTES, Logbook
from tests.firmware.board.inputs.matches import bidden


@pytest.fixture(autouse=True)
def open_to_all() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> set[int]:
    return {S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}


def play(journal: Path) -> None:
    """Play a match, and check the files meanwhile: SQLite's log disappears at its end."""
    with open_journal(journal) as opened:
        opened.journal.begin(bidden(5))
        History(journal).all_in(opened.journal)
        assert {journal.name + ending for ending in FILES} <= {file.name for file in journal.parent.iterdir()}
        assert modes(journal.parent) == {0o600}


def test_files_are_private_from_creation_and_become_so_when_opened(tmp_path: Path) -> None:
    state = tmp_path / "state"
    play(state / "journal.sqlite3")
    # readable files become private
    for file in state.glob("journal.sqlite3*/*.jsonl"):
        file.chmod(0o644)
    (state / "journal.sqlite3").chmod(0o644)
    play(state / "journal.sqlite3")
    keep(HostChoice("fr"), state)
    keep_pause(state, bidden(5), is_paused=True)
    with backup_lock(state):
        assert modes(state) == {0o600}
    assert S_IMODE(state.stat().st_mode) == 0o700


def test_new_log_file_is_private(tmp_path: Path) -> None:
    log = tmp_path / "log" / "coyote.jsonl"
    book = Logbook(log)
    for _line in range(3):
        book.note("long", text="x" * (MAX_LOG_BYTES // 2))
    book.close()
    assert len(list(log.parent.iterdir())) > 1
    assert (modes(log.parent), S_IMODE(log.parent.stat().st_mode)) == ({0o600}, 0o700)


def test_readable_folder_becomes_private(tmp_path: Path) -> None:
    state, elsewhere = tmp_path / "state", tmp_path / "elsewhere"
    (state / "decks" / "coup").mkdir(parents=True)
    (state / "decks" / "coup" / "deck.json").touch(0o664)
    elsewhere.touch(0o644)
    (state / "link").symlink_to(elsewhere)
    make_private(state)
    assert {S_IMODE(path.lstat().st_mode) for path in (state, *state.glob("decks/**/"))} == {0o700}
    assert modes(state / "decks") == {0o600}
    assert S_IMODE(elsewhere.stat().st_mode) == 0o644
