"""A state of 0.1.0, as its owner goes on with it: played on, backed up, restored elsewhere, forgotten."""

import shutil
from pathlib import Path
from random import Random

import pytest

from firmware.parts.backups import SecondCopies
from firmware.parts.privacy import Privacy
from firmware.storage.backups.parts import TablePlaces
from firmware.storage.backups.placing import before_folders
from firmware.storage.configuration import settings_in
from firmware.storage.journal import open_journal, open_matches
from referee.match import Match
from tests.firmware.conftest import Coyote
from tests.firmware.playing import kept_lines, play_lines

FIXTURE = Path(__file__).parents[2] / "fixtures" / "v0.1.0"
EVENING, UNDATED = "2026-01-10", [10, 11, 12, 13]
"""When the matches of it were begun, and those that don't say when."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Give a copy of the old state, as opening may bring it up to date."""
    return shutil.copytree(FIXTURE, tmp_path / "old")


def go_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> TablePlaces:
    """Have commands be about the table of a folder."""
    here = TablePlaces(
        folder / "state", folder / "state" / "journal.sqlite3", folder / "configuration" / "coyote.toml"
    )
    monkeypatch.setenv("STATE_DIRECTORY", str(here.state))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(here.configuration.parent))
    monkeypatch.setenv("COYOTE_JOURNAL", str(here.journal))
    return here


def play_to_the_end(journal: Path) -> None:
    with open_journal(journal) as opened:
        [resumed] = open_matches(opened.journal)
        assert isinstance(resumed.match, Match)
        assert not play_lines(opened.journal, resumed.id, resumed.match, 10**6, Random(2)).asks


def test_an_old_state_is_played_on_restored_into_an_empty_folder_and_forgotten(
    old: Path, coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = go_to(old, monkeypatch)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert "it runs as six, as before" in coyote("table board").out, "no start has asked for it yet"
    play_to_the_end(here.journal)
    assert coyote(f"table backup {tmp_path / 'b.zip'}").code == 0
    new = go_to(tmp_path / "empty", monkeypatch)
    restored = coyote(f"table restore {tmp_path / 'b.zip'}")
    lines = kept_lines(here.journal)
    assert (restored.code, kept_lines(new.journal)) == (0, lines)
    assert f"with {len(lines)} matches.\n" in restored.out, "nothing was here that lies aside now"
    assert before_folders(new.state) == ()
    matches = Privacy(new, settings_in(new.configuration), SecondCopies(new, None, print)).kept()[0]
    assert (matches.kind, matches.count, matches.since) == ("matches", len(lines), EVENING)
    forgotten = coyote("table forget Ana")
    assert forgotten.code == 0
    assert str(new.configuration) in forgotten.out, "the next match would seat Ana again"
    assert str(new.configuration) not in coyote("table forget 恵美").out
    assert coyote(f"table forget --yes --evening {EVENING}").code == 0
    left = kept_lines(new.journal)
    assert list(left) == UNDATED
    assert '"Ana"' not in str(left)
    assert "these are: undated" in coyote(f"table forget --evening {EVENING}").err
    forgotten = coyote("table forget --yes --evening undated")
    assert "Forgotten: undated. Matches: 4.\n" in forgotten.out
    assert "still seats Bo, Chloé, Дарья" in forgotten.out
    assert kept_lines(new.journal) == {}
