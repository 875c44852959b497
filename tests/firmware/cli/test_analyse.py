"""`coyote analyse`: decisions of a match that is over, by its number or from a file."""

import json
from pathlib import Path

import pytest

from firmware.storage.journal import open_journal
from referee.record import record_lines
from tests.firmware.board.senses.matches import bidden
from tests.firmware.conftest import Coyote
from tests.referee.laboratories import match_by_bots


def test_turning_points_are_told_player_by_player(coyote: Coyote, tmp_path: Path) -> None:
    match = match_by_bots("coyote", "kidult", 3)
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(match)
    said = coyote("analyse 1")
    assert said.code == 0
    assert all(name in said.out for name in match.setup.names)
    assert "Turning points" in said.out
    assert "it would have held with" in said.out
    assert "Seed of what was played on: 1" in said.out
    one = coyote("analyse 1 --seat bo").out
    assert "Bo: decisions judged" in one
    assert "Ana: decisions judged" not in one
    assert "no player is named Zoe; there are Ana, Bo, Chloé" in coyote("analyse 1 --seat Zoe").err


def test_a_match_from_a_file_is_analysed_as_data(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    match = match_by_bots("coup", "rule text", 2)
    file.write_text("".join(f"{line}\n" for line in record_lines(match)), encoding="utf-8")
    once = coyote(f"analyse {file} --json --seed 5").out
    data = json.loads(once)
    assert (data["game"], data["seed"]) == ("coup", 5)
    decisions = [each for player in data["players"] for each in player["decisions"]]
    assert decisions
    for each in decisions:
        assert each["kind"] in {"chance", "wins"}
        assert 0 <= each["worth"] <= 1
        assert each["text"]
    assert coyote(f"analyse {file} --json --seed 5").out == once


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("analyse 7", "there is no such match; coyote matches lists them"),
        ("analyse 1", "this match isn't over"),
        ("analyse nothing-there", "no match and no file"),
    ],
)
def test_what_can_t_be_analysed_is_refused_in_a_line(
    coyote: Coyote, tmp_path: Path, line: str, why: str
) -> None:
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(bidden(3, 5))
    said = coyote(line)
    assert said.code == 1
    assert why in said.err
    assert said.err.count("\n") == 1


def test_a_damaged_file_is_named_with_its_line(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    lines = record_lines(match_by_bots("coyote", "kidult", 3))
    file.write_text("\n".join([*lines[:4], "nonsense", *lines[5:]]), encoding="utf-8")
    assert "up to line 5 only" in coyote(f"analyse {file}").err
