"""A version is checked on a copy of a table's state, before anything is switched to it."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from firmware.start.games import hand_in_games
from firmware.start.health_check import (
    MOVES,
    NotWellError,
    check_health,
    make_quiet,
    senses_heard,
    started_table,
)
from tests.size import ROOT
from tests.tiers import release

KEPT = Path(__file__).parents[2] / "fixtures" / "v1.0.0.zip"


@release("what updates take is a release: a whole table starts with the state of version 1.0.0")
def test_this_version_is_well_with_the_state_of_version_1_0_0(tmp_path: Path) -> None:
    hand_in_games()
    with ZipFile(KEPT) as packed:
        packed.extractall(tmp_path)
    state = tmp_path / "state"
    check_health(state)
    assert senses_heard(state) == ("keyboard",) * (len(MOVES) - 1) + ("camera",)


def test_it_can_be_asked_by_itself_as_an_update_does() -> None:
    # no game is known before it hands them in
    command = (sys.executable, "-c", "import firmware.start.health_check")
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def test_a_version_that_cannot_open_the_journal_is_not_well(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as newer:
        newer.executescript("CREATE TABLE of_tomorrow (it); PRAGMA user_version = 768")
    with pytest.raises(NotWellError, match="journal"):
        check_health(tmp_path)


@pytest.mark.parametrize("said", ["{", "[]", '{"language":"fr","sound":{"volume":90,"speed":150}}'])
def test_the_copy_makes_no_sound_and_speaks_english(tmp_path: Path, said: str) -> None:
    chosen = tmp_path / "chosen.json"
    chosen.write_text(said, encoding="utf-8")
    make_quiet(tmp_path)
    choice = msgspec.json.decode(chosen.read_bytes())
    assert choice["sound"]["volume"] == 0
    assert choice["language"] == "en"
    assert choice["sound"].get("speed") == (150 if "speed" in said else None)


@pytest.mark.parametrize(
    ("words", "patience", "told"),
    [
        (("--game", "chess"), 60.0, r"^it shows no page: .*chess"),
        ((), 0.0, "^it shows no page within 0 seconds"),
    ],
    ids=["it ends", "it takes too long"],
)
def test_a_table_that_is_not_well_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], patience: float, told: str
) -> None:
    monkeypatch.setattr("firmware.start.health_check.START_TIMEOUT", patience)
    with started_table(tmp_path, words) as table, pytest.raises(NotWellError, match=told):
        table.wait_until(lambda: False, "it shows no page")
