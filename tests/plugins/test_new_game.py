"""`coyote develop new-game`: what it writes plays at once, and it writes over nothing."""

from pathlib import Path

import pytest

from firmware.cli.new_game import game_files
from tests.plugins.installed import Environment
from tests.tiers import slow, tiered

NAMES = ("2fast", "json", "piquet", "../up", "x" * 41)
MORE = ("High", "a b", "a--b", "-x", "", "class", "firmware", "coyote")


@pytest.mark.parametrize("name", tiered(NAMES, NAMES + MORE))
def test_a_name_that_is_none_is_refused_in_a_line(tmp_path: Path, name: str) -> None:
    said = Environment(tmp_path).run("new-game", "--", name)
    assert said.code == 2
    assert said.err.count("\n") == 1, said.err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "tricks").mkdir()
    (tmp_path / "tricks" / "mine.txt").write_text("mine")
    for folder in ("tricks", "tricks/mine.txt"):
        said = Environment(tmp_path).run("new-game", "tricks", folder)
        assert said.code == 1
        assert said.err.count("\n") == 1
    assert [path.name for path in (tmp_path / "tricks").iterdir()] == ["mine.txt"]


def test_what_it_writes_is_short() -> None:
    assert sum(text.count("\n") for _path, text in game_files("three-kings")) <= 350


@slow("five commands, each as a program of its own")
def test_what_it_writes_plays_at_once(tmp_path: Path) -> None:
    environment = Environment(tmp_path)
    said = environment.run("new-game", "three-kings", "elsewhere/kings")
    assert (said.code, said.err) == (0, "")
    assert "pip install -e ./elsewhere/kings" in said.out
    folder = tmp_path / "elsewhere" / "kings"
    assert "$" not in "".join(path.read_text("utf-8") for path in folder.rglob("*.*") if path.is_file())
    environment.install("three-kings", "three_kings:GAME", folder / "three_kings")

    checked = environment.run("check-game", "three-kings")
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
    assert "TOO CLOSE" not in environment.run("decks", "check", "three-kings").out
