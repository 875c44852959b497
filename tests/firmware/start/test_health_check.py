"""The health check of a version on a copy of a table's state, before the table switches to it."""

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
def test_this_version_accepts_state_of_version_1_0_0(tmp_path: Path) -> None:
    hand_in_games()
    with ZipFile(KEPT) as packed:
        packed.extractall(tmp_path)
    state = tmp_path / "state"
    check_health(state)
    assert senses_heard(state) == ("keyboard",) * (len(MOVES) - 1) + ("camera",)


def test_health_check_runs_alone_as_in_an_update() -> None:
    # no game is loaded before the check loads them
    command = (sys.executable, "-c", "import firmware.start.health_check")
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def test_version_that_cannot_open_journal_fails(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as newer:
        newer.executescript("CREATE TABLE of_tomorrow (it); PRAGMA user_version = 768")
    with pytest.raises(NotWellError, match="journal"):
        check_health(tmp_path)


@pytest.mark.parametrize("expected", ["{", "[]", '{"language":"fr","sound":{"volume":90,"speed":150}}'])
def test_checked_copy_is_silent_and_english(tmp_path: Path, expected: str) -> None:
    chosen = tmp_path / "chosen.json"
    chosen.write_text(expected, encoding="utf-8")
    make_quiet(tmp_path)
    choice = msgspec.json.decode(chosen.read_bytes())
    assert choice["sound"]["volume"] == 0
    assert choice["language"] == "en"
    assert choice["sound"].get("speed") == (150 if "speed" in expected else None)


@pytest.mark.parametrize(
    ("words", "patience", "expected"),
    [
        (("--game", "chess"), 60.0, r"^it shows no page: .*chess"),
        ((), 0.0, "^it shows no page within 0 seconds"),
    ],
    ids=["it ends", "it takes too long"],
)
def test_failing_table_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], patience: float, expected: str
) -> None:
    monkeypatch.setattr("firmware.start.health_check.START_TIMEOUT", patience)
    with started_table(tmp_path, words) as table, pytest.raises(NotWellError, match=expected):
        table.wait_until(lambda: False, "it shows no page")
