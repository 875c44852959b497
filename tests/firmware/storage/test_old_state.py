"""States of old versions: played on, backed up, restored elsewhere, copied, forgotten."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from unittest.mock import Mock
from zipfile import ZipFile

import pytest
from msgspec import Struct

from firmware.services.privacy import Privacy
from firmware.storage.backups.archive import TablePlaces, kept_copies, open_backup
from firmware.storage.backups.restoring import before_folders
from firmware.storage.configuration import settings_in
from firmware.storage.journal import open_journal, open_matches
from tests.firmware.conftest import Coyote
from tests.firmware.playing import kept_lines, play_lines
from tests.firmware.storage.backups.copying_tables import CopyingTable, other_disk
from tests.given import present

FIXTURES = Path(__file__).parents[2] / "fixtures"
EVENING = "2026-01-10"  # start of the first matches


class OldState(Struct, frozen=True):
    """Content of an old state."""

    board: str
    others: list[int]  # matches started later, or without a date
    undated: int


OLD = {"v1.0.0": OldState("fab is wired.", [7, 8], 1)}


def unpack(name: str, folder: Path) -> None:
    """Return a copy of an old state, as opening may migrate it."""
    with ZipFile(FIXTURES / f"{name}.zip") as packed:
        packed.extractall(folder)


def use_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> TablePlaces:
    here = TablePlaces(
        folder / "state", folder / "state" / "journal.sqlite3", folder / "configuration" / "coyote.toml"
    )
    monkeypatch.setenv("STATE_DIRECTORY", str(here.state))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(here.configuration.parent))
    monkeypatch.setenv("COYOTE_JOURNAL", str(here.journal))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    return here


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with other_disk(tmp_path) as disk:
        yield disk


def copied_lines(copy: Path) -> dict[int, list[str]]:
    lines: dict[int, list[str]] = {}
    with open_backup(copy) as opened:
        found = (each.line for each in opened.lines())
        for line in sorted(found, key=lambda line: (line.match_id, line.number)):
            lines.setdefault(line.match_id, []).append(line.text)
    return lines


@pytest.mark.parametrize("name", OLD)
def test_old_state_is_played_restored_elsewhere_copied_and_forgotten(
    name: str, coyote: Coyote, tmp_path: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = OLD[name]
    unpack(name, tmp_path / "old")
    here = use_table(tmp_path / "old", monkeypatch)
    assert old.board in coyote("table board").out
    with open_journal(here.journal) as opened:
        [resumed] = open_matches(opened.journal)
        assert not play_lines(opened.journal, resumed.id, present(resumed.match), 10**6, Random(2)).asks
    assert coyote(f"table backup {tmp_path / 'b.zip'}").code == 0
    new = use_table(tmp_path / "empty", monkeypatch)
    restored = coyote(f"table restore {tmp_path / 'b.zip'}")
    lines = kept_lines(here.journal)
    assert (restored.code, kept_lines(new.journal)) == (0, lines)
    assert f"(matches: {len(lines)}).\n" in restored.out, "nothing was here that lies aside now"
    assert before_folders(new.state) == ()
    table = CopyingTable(disk, new)
    assert table.copy().trouble is None
    assert [*map(copied_lines, kept_copies(table.home))] == [lines]
    no_club = Mock(**{"status.return_value.club": ""})
    matches = Privacy(new, settings_in(new.configuration), no_club).kept()[0]
    assert (matches.kind, matches.count, matches.since) == ("matches", len(lines), EVENING)
    forgotten = coyote("table forget Ana")
    assert forgotten.code == 0
    assert str(new.configuration) in forgotten.out, "the next match would seat Ana again"
    assert str(new.configuration) not in coyote("table forget 恵美").out
    assert coyote(f"table forget --yes --evening {EVENING}").code == 0
    left = kept_lines(new.journal)
    assert list(left) == old.others
    assert '"Ana"' not in str(left)
    assert "undated" in coyote(f"table forget --evening {EVENING}").err
    forgotten = coyote("table forget --yes --evening undated")
    assert f"Deleted: undated. Matches: {old.undated}.\n" in forgotten.out
    assert list(kept_lines(new.journal)) == old.others[old.undated :]
    assert table.copy(2).trouble is None
    assert [*map(copied_lines, kept_copies(table.home))] == [kept_lines(new.journal)] * 2
