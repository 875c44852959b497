"""Backup and restore: identical bytes, at any time of backup and after any power failure."""

import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware.language.speaking import problem_text
from firmware.state_folder import FORM
from firmware.storage.backups.archive import MANIFEST, TablePlaces, backup, journal_size
from firmware.storage.backups.restoring import before_folders, finish_restore, stage
from firmware.storage.cards_choice import CARDS_CHOICE, choose_deck
from firmware.storage.configuration import HostChoice, keep
from firmware.storage.errors import BackupError, JournalError
from firmware.storage.files import beside
from firmware.storage.journal import enter, open_journal, open_readonly
from firmware.storage.state_copies import form_of, keep_copy, keep_form
from firmware.storage.wired_board import WIRED_BOARD, WiredBoard
from referee.contract import Answer
from referee.match import Match
from tests.firmware.board.inputs.matches import bidden
from tests.firmware.conftest import Coyote
from tests.firmware.storage.backups import tables
from tests.firmware.storage.backups.tables import MADE, backup_of, kept_content, places_in, table_in
from vision.teaching.stored_drafts import DRAFT


def test_backup_restores_every_byte_over_state_of_a_newer_version(tmp_path: Path) -> None:
    old, here = table_in(tmp_path / "old", "Ana"), table_in(tmp_path / "here", "Bo")
    choose_deck(old.state, "coyote-gigamic", "coyote-gigamic-2", "Ana's box")
    (old.state / "decks" / "Ana" / DRAFT).write_bytes(b"{}")
    WIRED_BOARD.keep(old.state, WiredBoard("fab", "confirmed"))
    before = kept_content(here)
    keep_form(here.state, FORM + 1)
    assert not stage(backup_of(old, tmp_path / "b.zip"), here).was_damaged
    keep_copy(here.state)
    assert (form_of(here.state), kept_content(here)) == (FORM + 1, before)
    told, *_others = finish_restore(here)
    assert told.values["made"] == "2026-02-03 20:15"
    assert (form_of(here.state), kept_content(here)) == (FORM, kept_content(old))
    assert CARDS_CHOICE.read(here.state) == CARDS_CHOICE.read(old.state)
    [aside] = before_folders(here.state)
    with open_readonly(aside / "journal.sqlite3") as journal:
        assert [tuple(journal.lines(match.id)) for match in journal.matches()] == before["matches"]
    assert (aside / "decks" / "Bo" / "deck.json").exists()
    assert (aside / "coyote.toml").exists()
    # pins are driven only where a person has confirmed the board
    assert WIRED_BOARD.read(here.state) == WiredBoard()
    with open_journal(here.journal) as opened:
        assert (opened.aside, opened.saved_lines) == (None, 0)


def test_backup_excludes_secrets_and_names_unreadable_files(tmp_path: Path) -> None:
    here = table_in(tmp_path / "here", "Ana")
    (here.state / "evidence").mkdir()
    (here.state / "evidence" / "1.jpg").write_bytes(b"x")
    (here.state / "decks" / "half").mkdir()
    (here.state / "decks" / "half" / "deck.json").write_bytes(b"{")
    here.configuration.write_bytes(b"[")
    file = backup_of(here, tmp_path / "b.zip")
    with ZipFile(file) as opened:
        assert opened.testzip() is None
        names = set(opened.namelist())
    decks = {f"decks/Ana/{each}" for each in ("deck.json", "Qs/1.png", "Qs/1.jpg", "Qs/cuts.json")}
    assert names == decks | {
        "chosen.json",
        "table.json",
        "table.png",
        "matches/1.jsonl",
        "matches/2.jsonl",
        MANIFEST,
    }
    assert set(stage(file, places_in(tmp_path / "new")).left_out) == {"coyote.toml", "decks/half"}


def test_backup_is_consistent_during_play(tmp_path: Path) -> None:
    here, match = table_in(tmp_path / "here", "Ana"), bidden(5)
    with open_journal(here.journal) as opened:
        number = opened.journal.begin(match)
        pieces = backup(here, MADE)
        content = next(pieces)
        after = enter(opened.journal, number, match, Answer(match.number, "announce", 9, 1))
        assert isinstance(after, Match)
        content += b"".join(pieces)
        lines = opened.journal.lines(number)
        log = beside(here.journal, "-wal").stat().st_size
        assert journal_size(here.journal) == here.journal.stat().st_size + log > log > 0
    file = tmp_path / "b.zip"
    file.write_bytes(content)
    new = places_in(tmp_path / "new")
    stage(file, new)
    finish_restore(new)
    with open_readonly(new.journal) as journal:
        assert journal.lines(number) == lines[:-1]


def test_one_backup_at_a_time(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    pieces = backup(here, MADE)
    next(pieces)
    with pytest.raises(BackupError):
        next(backup(here, MADE))
    pieces.close()
    assert not list(here.state.glob(".backup-*"))
    assert next(backup(here, MADE))


# in its place


def two(folder: Path) -> tuple[TablePlaces, TablePlaces]:
    return table_in(folder / "new", "Ana"), table_in(folder / "old", "Zoë", bidden(7))


def test_moves_nothing_during_play(tmp_path: Path) -> None:
    new, here = two(tmp_path)
    before = tables.files_of(here)
    stage(backup_of(new, tmp_path / "b.zip"), here)
    with open_journal(here.journal):
        with pytest.raises(JournalError):
            finish_restore(here)
        assert tables.files_of(here) == before
    assert finish_restore(here)
    assert kept_content(here) == kept_content(new)


def test_other_owners_configuration_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, here = two(tmp_path)
    own = here.configuration.read_bytes()
    # root, who may run these tests, could access everything
    monkeypatch.setattr(os, "access", lambda _path, how: how != os.W_OK)
    stage(backup_of(new, tmp_path / "b.zip"), here)
    notices = finish_restore(here)
    assert here.configuration.read_bytes() == own
    assert (here.state / "restored.toml").read_bytes() == new.configuration.read_bytes()
    assert "restored.toml" in problem_text(notices[-1])


def test_copies_across_disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, here = two(tmp_path)
    stage(backup_of(new, tmp_path / "b.zip"), here)
    rename = Path.rename

    def far(source: Path, target: Path) -> Path:
        if ("etc" in source.parts) != ("etc" in target.parts):
            raise OSError(18, "Invalid cross-device link")
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", far)
    finish_restore(here)
    assert kept_content(here) == kept_content(new)


# the command line


def test_commands_back_up_and_restore(coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "etc"))
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(bidden(5))
    keep(HostChoice("fr"), tmp_path / "state")
    file = tmp_path / "my backup.zip"
    result = coyote(f"table backup '{file}'")
    assert result.code == 0, result.err
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(bidden(5))
        assert "when the table restarts" in coyote(f"table restore '{file}'").out
    assert coyote(f"table restore '{file}'").code == 1
    finish_restore(
        TablePlaces(tmp_path / "state", tmp_path / "journal.sqlite3", tmp_path / "etc" / "coyote.toml")
    )
    assert len(coyote("record list").out.splitlines()) == 1
