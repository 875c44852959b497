"""`coyote develop new-game`: its template is playable, and no file is overwritten."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.new_game import new_game
from tests.plugins.installed import Environment
from tests.tiers import slow

BAD = ("", "-x", "a b", "a--b", "High", "../up", "2fast", "x" * 41)
TAKEN = ("json", "class", "firmware", "coyote", "piquet")


@pytest.mark.parametrize("name", [*BAD, *TAKEN])
def test_rejects_invalid_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(new_game, ["--", name]).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "tricks").mkdir()
    (tmp_path / "tricks" / "mine.txt").write_text("mine")
    for name, folder, code in (("json", "new", 2), ("tricks", "tricks", 1), ("tricks", "tricks/mine.txt", 1)):
        result = Environment(tmp_path).run("develop", "new-game", name, folder)
        assert (result.code, result.err.count("\n")) == (code, 1), result.err
    assert [path.name for path in tmp_path.rglob("*")] == ["tricks", "mine.txt"]


@slow("five commands")
def test_template_game_is_playable(tmp_path: Path) -> None:
    environment = Environment(tmp_path)
    result = environment.run("develop", "new-game", "three-kings", "elsewhere/kings")
    assert (result.code, result.err) == (0, "")
    assert "pip install -e ./elsewhere/kings" in result.out
    folder = tmp_path / "elsewhere" / "kings"
    assert "$" not in "".join(path.read_text("utf-8") for path in folder.rglob("*.*") if path.is_file())
    environment.install("three-kings", "three_kings:GAME", folder / "three_kings")

    checked = environment.run("develop", "check-game", "three-kings")
    assert (checked.code, checked.err) == (0, "")
    assert "three-kings has no artwork: its cards are drawn plainly." in checked.out
    played = environment.run(
        "play", "three-kings", "--seats", "Ana,Bo", typed="double\n30\n1\n29\n2\n28\n3\nno\n"
    )
    assert (played.code, played.err) == (0, "")
    assert "Ana wins with 6 points." in played.out
    printed = environment.run("print", "deck", "three-kings", "-o", "cards.pdf")
    assert printed.code == 0
    assert "three-kings has no artwork" in printed.err
    assert "TOO CLOSE" not in environment.run("cards", "check", "three-kings").out
