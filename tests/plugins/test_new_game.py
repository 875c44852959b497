"""`coyote develop new-game`: names that it rejects, and files that it doesn't overwrite.

`test_high_card.py` compares and plays what it writes.
"""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.new_game import new_game

BAD = ("", "-x", "a b", "a--b", "High", "../up", "2fast", "x" * 41)
TAKEN = ("json", "class", "firmware", "coyote", "piquet")


@pytest.mark.parametrize("name", [*BAD, *TAKEN])
def test_rejects_invalid_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(new_game, ["--", name]).exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "folder", "code"), [("json", "new", 2), ("tricks", "tricks", 1), ("tricks", "tricks/mine.txt", 1)]
)
def test_existing_files_are_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, folder: str, code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tricks").mkdir()
    (tmp_path / "tricks" / "mine.txt").write_text("mine")
    result = CliRunner().invoke(new_game, [name, folder])
    assert (result.exit_code, "Error: " in result.stderr) == (code, True)
    assert [path.name for path in tmp_path.rglob("*")] == ["tricks", "mine.txt"]


def test_template_uses_the_given_name_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(new_game, ["three-kings"]).exit_code == 0
    written = [path for path in (tmp_path / "three-kings").rglob("*.*") if path.is_file()]
    assert tmp_path / "three-kings" / "three_kings" / "__init__.py" in written
    for path in written:
        assert not re.search(r"\$|high[-_ ]card", path.read_text("utf-8"), re.IGNORECASE), path
