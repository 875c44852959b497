"""A table's things move to where the service keeps them: nothing over what lies there."""

import subprocess
import sys
from pathlib import Path

import pytest

from firmware.storage.files import journal_lock
from firmware.storage.state_moving import move_state

WHOLE = {
    "journal.sqlite3": "matches",
    "journal.sqlite3-wal": "newest",
    "links.json": "secret",
    "table.json": "where",
    "decks/coup/deck.json": "taught",
}


def _fill(folder: Path, things: dict[str, str]) -> Path:
    for name, text in things.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _content(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def test_all_moves_into_an_empty_place_and_nobody_else_reads_it(tmp_path: Path) -> None:
    old, new = _fill(tmp_path / "old", WHOLE), tmp_path / "new"
    told = move_state(old, new)
    assert _content(new) == WHOLE
    assert not old.exists()
    assert (told.moved[-1], told.stayed) == ("journal.sqlite3", ())
    assert {path.stat().st_mode & 0o077 for path in new.rglob("*")} == {0}


def test_nothing_is_written_over_and_matches_of_two_journals_are_never_mixed(tmp_path: Path) -> None:
    there = {"journal.sqlite3": "ours", "decks/coup/deck.json": "ours", "board.json": "ours"}
    old = _fill(tmp_path / "old", {**WHOLE, "board.json": "theirs", "decks/high-card/deck.json": "new"})
    new = _fill(tmp_path / "new", there)
    told = move_state(old, new)
    assert _content(new) == {**there, "table.json": "where", "decks/high-card/deck.json": "new"}
    assert told.moved == ("decks/high-card", "table.json")
    assert told.stayed == ("board.json", "decks", "journal.sqlite3", "journal.sqlite3-wal", "links.json")
    assert _content(old)["journal.sqlite3-wal"] == "newest"


def test_a_table_that_plays_keeps_its_things(tmp_path: Path) -> None:
    old, new = _fill(tmp_path / "old", WHOLE), tmp_path / "new"
    with journal_lock(old / "journal.sqlite3"):
        told = move_state(old, new)
    assert told.is_busy
    assert not _content(new)
    assert WHOLE.items() <= _content(old).items()


def test_a_move_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    old, new = _fill(tmp_path / "old", WHOLE), tmp_path / "new"
    _fill(new, {".moving-links.json": "half"})
    (old / "journal.sqlite3-wal").rename(new / "journal.sqlite3-wal")
    move_state(old, new)
    assert _content(new) == WHOLE


@pytest.mark.parametrize("name", ["coyote.toml", "log/coyote.jsonl", ".starts.lock"])
def test_what_is_none_of_its_things_stays(tmp_path: Path, name: str) -> None:
    old = _fill(tmp_path / "old", {name: "mine"})
    told = move_state(old, tmp_path / "new")
    assert (told.moved, told.stayed) == ((), ())
    assert _content(old) == {name: "mine"}


def test_a_link_in_the_place_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    other = _fill(tmp_path / "other", WHOLE)
    (tmp_path / "old").symlink_to(other)
    assert move_state(tmp_path / "old", tmp_path / "new").moved == ()
    assert _content(other) == WHOLE


def test_the_program_says_what_it_did(tmp_path: Path) -> None:
    old, new = _fill(tmp_path / "old", WHOLE), tmp_path / "new"
    command = (sys.executable, "-P", "-m", "firmware.storage.state_moving", str(new), str(old))
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert '"table.json"' in said
    assert _content(new) == WHOLE
