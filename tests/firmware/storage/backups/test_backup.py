"""A backup and back: the same bytes, whenever it is made and wherever the power fails."""

import fcntl
import os
import shutil
from itertools import islice
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from firmware.language.troubles import problem_text
from firmware.state_folder import TRIAL
from firmware.storage.backups.packing import backup
from firmware.storage.backups.parts import LOCK, MANIFEST, BackupError, Manifest, TablePlaces
from firmware.storage.backups.placing import before_folders, finish_restore, mark_of, place_parts
from firmware.storage.backups.unpacking import stage
from firmware.storage.chosen import HostChoice, keep
from firmware.storage.errors import JournalError
from firmware.storage.journal import hear, open_journal, open_readonly
from referee.contract import Answer
from referee.match import Match
from tests.firmware.board.senses.matches import bidden
from tests.firmware.conftest import Coyote
from tests.firmware.storage.backups.tables import MADE, backup_of, files_of, kept_content, places_in, table_in


def names_in(file: Path) -> set[str]:
    with ZipFile(file) as opened:
        assert opened.testzip() is None
        return set(opened.namelist())


def test_a_backup_gives_back_every_byte(tmp_path: Path) -> None:
    old, new = table_in(tmp_path / "old", "Ana"), places_in(tmp_path / "new")
    stage(backup_of(old, tmp_path / "b.zip"), new)
    assert not new.journal.exists()
    [told] = finish_restore(new)
    assert told.values["made"] == "2026-02-03 20:15"
    assert kept_content(new) == kept_content(old)
    with open_journal(new.journal) as opened:
        assert opened.aside is None
        assert opened.saved_lines == 0


def test_secrets_and_evidence_stay_out(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    (here.state / "evidence").mkdir()
    (here.state / "evidence" / "1.jpg").write_bytes(b"x")
    names = names_in(backup_of(here, tmp_path / "b.zip"))
    decks = {"decks/Ana/deck.json", "decks/Ana/Qs/1.png"}
    singles = {"coyote.toml", "chosen.json", "table.json", "table.png", "journal.sqlite3", MANIFEST}
    assert names == decks | singles


def test_what_cannot_be_read_stays_out_and_is_named(tmp_path: Path) -> None:
    here = table_in(tmp_path / "here", "Ana")
    (here.state / "decks" / "half").mkdir()
    (here.state / "decks" / "half" / "deck.json").write_bytes(b"{")
    (here.state / "table.json").write_bytes(b"{")
    here.configuration.write_bytes(b"[")
    file = backup_of(here, tmp_path / "b.zip")
    with ZipFile(file) as opened:
        manifest = msgspec.json.decode(opened.read(MANIFEST), type=Manifest)
    assert set(manifest.left_out) == {"coyote.toml", "table.json", "decks/half"}
    assert stage(file, places_in(tmp_path / "new")).manifest.left_out == manifest.left_out


def test_a_backup_is_of_one_moment_though_the_table_plays_on(tmp_path: Path) -> None:
    here, match = table_in(tmp_path / "here", "Ana"), bidden(5)
    with open_journal(here.journal) as opened:
        number = opened.journal.begin(match)
        pieces = backup(here, MADE)
        content = next(pieces)
        after = hear(opened.journal, number, match, Answer(match.number, "announce", 9, 1))
        assert isinstance(after, Match)
        content += b"".join(pieces)
        lines = opened.journal.lines(number)
    file = tmp_path / "b.zip"
    file.write_bytes(content)
    new = places_in(tmp_path / "new")
    stage(file, new)
    finish_restore(new)
    with open_readonly(new.journal) as journal:
        assert journal.lines(number) == lines[:-1]


def test_nothing_is_left_behind_by_a_download_that_is_cut_off(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    pieces = backup(here, MADE)
    next(pieces)
    pieces.close()
    assert not list(here.state.glob(".backup-*"))


def test_one_at_a_time(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    pieces = backup(here, MADE)
    next(pieces)
    with pytest.raises(BackupError):
        next(backup(here, MADE))
    pieces.close()
    assert next(backup(here, MADE))


def test_without_a_journal_that_is_said(tmp_path: Path) -> None:
    here = places_in(tmp_path)
    here.state.mkdir()
    with pytest.raises(BackupError, match=r"journal\.sqlite3"):
        next(backup(here, MADE))


# in its place


def two(folder: Path) -> tuple[TablePlaces, TablePlaces]:
    return table_in(folder / "new", "Ana"), table_in(folder / "old", "Zoë", bidden(7))


def test_what_was_there_lies_aside(tmp_path: Path) -> None:
    new, here = two(tmp_path)
    (here.state / TRIAL).write_bytes(b"1")
    before = kept_content(here)
    stage(backup_of(new, tmp_path / "b.zip"), here)
    finish_restore(here)
    [aside] = before_folders(here.state)
    assert kept_content(here) == kept_content(new)
    assert (here.state / "links.json").read_text(encoding="utf-8") == "Zoë"
    # what is new here is on trial
    assert (here.state / TRIAL).read_bytes() == b"0"
    beside = TablePlaces(aside, aside / "journal.sqlite3", aside / "coyote.toml")
    with open_readonly(beside.journal) as journal:
        assert [tuple(journal.lines(1))] == before["matches"]
    assert (aside / "decks" / "Zoë" / "deck.json").exists()
    assert beside.configuration.exists()


def test_what_the_backup_has_not_is_not_there_afterwards(tmp_path: Path) -> None:
    new, here = two(tmp_path)
    for name in ("chosen.json", "table.json"):
        (new.state / name).unlink()
    new.configuration.unlink()
    own = here.configuration.read_bytes()
    stage(backup_of(new, tmp_path / "b.zip"), here)
    finish_restore(here)
    assert not (here.state / "chosen.json").exists()
    assert not (here.state / "table.json").exists()
    assert here.configuration.read_bytes() == own


def test_wherever_the_power_fails_the_next_start_goes_on(tmp_path: Path) -> None:
    new, staged = two(tmp_path)
    stage(backup_of(new, tmp_path / "b.zip"), staged)
    wanted = kept_content(new)
    for steps in range(100):
        shutil.copytree(tmp_path / "old", tmp_path / str(steps))
        here = places_in(tmp_path / str(steps))
        done = cut_after(here, steps)
        if steps % 2:
            # and once more, a little later
            cut_after(here, 1)
        finish_restore(here)
        assert kept_content(here) == wanted, done
        [aside] = before_folders(here.state)
        assert len(list(aside.iterdir())) >= 6
        assert (aside / "journal.sqlite3").exists()
        assert not (here.state / "restoring").exists()
        if len(done) < steps:
            assert steps > 10
            return
    raise AssertionError


def cut_after(here: TablePlaces, steps: int) -> list[str]:
    """Put a backup in place up to a step."""
    mark = mark_of(here.state)
    return [] if mark is None else list(islice(place_parts(here, mark), steps))


def test_before_the_mark_everything_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, here = two(tmp_path)
    before, file = kept_content(here), backup_of(new, tmp_path / "b.zip")

    def cut(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("firmware.storage.backups.unpacking.write_whole", cut)
    with pytest.raises(KeyboardInterrupt):
        stage(file, here)
    monkeypatch.undo()
    (here.state / "restoring" / "new").mkdir(parents=True)
    (here.state / ".backup-x").mkdir()
    assert finish_restore(here) == ()
    assert kept_content(here) == before
    assert not (here.state / "restoring").exists()
    assert not (here.state / ".backup-x").exists()


def test_while_a_table_plays_nothing_is_moved(tmp_path: Path) -> None:
    new, here = two(tmp_path)
    before = files_of(here)
    stage(backup_of(new, tmp_path / "b.zip"), here)
    with open_journal(here.journal):
        with pytest.raises(JournalError):
            finish_restore(here)
        assert files_of(here) == before
    assert finish_restore(here)
    assert kept_content(here) == kept_content(new)


def test_while_another_backup_comes_in_nothing_is_swept_away(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    (here.state / "restoring" / "new").mkdir(parents=True)
    with (here.state / LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert finish_restore(here) == ()
        assert (here.state / "restoring").exists()


def test_a_second_one_waits_for_the_first(tmp_path: Path) -> None:
    new, here = two(tmp_path)
    file = backup_of(new, tmp_path / "b.zip")
    stage(file, here)
    with pytest.raises(BackupError, match="waits"):
        stage(file, here)


def test_the_two_newest_folders_stay(tmp_path: Path) -> None:
    new, here = two(tmp_path)
    file = backup_of(new, tmp_path / "b.zip")
    for _time in range(4):
        stage(file, here)
        told = finish_restore(here)
    assert [each.name[:11] for each in before_folders(here.state)] == ["before-0004", "before-0003"]
    assert "before-0002" in problem_text(told[-1])


def test_a_configuration_of_another_owner_is_laid_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, here = two(tmp_path)
    own = here.configuration.read_bytes()
    # root, who may run these tests, would be let in everywhere
    monkeypatch.setattr(os, "access", lambda _path, how: how != os.W_OK)
    stage(backup_of(new, tmp_path / "b.zip"), here)
    told = finish_restore(here)
    assert here.configuration.read_bytes() == own
    assert (here.state / "restored.toml").read_bytes() == new.configuration.read_bytes()
    assert "restored.toml" in problem_text(told[-1])


def test_a_configuration_whose_board_is_not_here_is_laid_beside(tmp_path: Path) -> None:
    new, here = two(tmp_path)
    new.configuration.write_text('board = { profile = "mine", file = "/no/such.toml" }\n', encoding="utf-8")
    own = here.configuration.read_bytes()
    stage(backup_of(new, tmp_path / "b.zip"), here)
    assert "restored.toml" in problem_text(finish_restore(here)[-1])
    assert here.configuration.read_bytes() == own
    assert (here.state / "restored.toml").read_bytes() == new.configuration.read_bytes()


def test_what_lies_on_another_disk_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


# on the command line


def test_the_commands_do_the_same(coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "etc"))
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(bidden(5))
    keep(HostChoice("fr"), tmp_path / "state")
    file = tmp_path / "my backup.zip"
    said = coyote(f"backup '{file}'")
    assert said.code == 0, said.err
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(bidden(5))
        assert "when the table starts again" in coyote(f"restore '{file}'").out
    assert coyote(f"restore '{file}'").code == 1
    finish_restore(
        TablePlaces(tmp_path / "state", tmp_path / "journal.sqlite3", tmp_path / "etc" / "coyote.toml")
    )
    assert len(coyote("matches").out.splitlines()) == 1


def test_a_file_that_is_no_backup_is_one_line(coyote: Coyote, tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(b"hello")
    said = coyote(f"restore {tmp_path / 'b.zip'}")
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert coyote(f"backup {tmp_path / 'no' / 'b.zip'}").err.count("\n") == 1
