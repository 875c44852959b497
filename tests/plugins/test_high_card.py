"""The example game, installed in a separate environment: all commands support it without special cases."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.installed import EXAMPLE, PLUGINS, PROGRAM, ROOT, Environment, with_game
from tests.tiers import release, slow


@pytest.fixture(scope="module")
def high_card(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return with_game(tmp_path_factory.mktemp("high-card"), "high-card")


SUITES = ("tests/referee/test_walk.py", "tests/webui/pages/test_new_match.py")


@release("these suites run for our own games at each commit")
@pytest.mark.parametrize("suite", SUITES)
def test_plugin_passes_our_own_checks(high_card: Environment, suite: str) -> None:
    """The page of a new match offers the game with its house rules, and starts it."""
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "high-card", suite]
    done = subprocess.run(
        program, cwd=ROOT, env=high_card.environ(), capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@slow("eleven commands")
def test_matches_of_a_missing_game_are_retained_and_resume(tmp_path: Path) -> None:
    environment = with_game(tmp_path, "high-card")
    for typed in ("double\n30\n1\nquit\n", "29\n2\n28\n3\nyes\ndouble\n30\n1\nquit\n"):
        played = environment.run("play", "high-card", "--seats", "Ana,Bo", typed=typed)
        assert (played.code, played.err) == (0, "")
    # the match's summary is stored while its game is there
    assert "High Card" in environment.run("record", "statistics").out
    kept = environment.run("record", "save", "-o", "match.jsonl")
    assert kept.code == 0
    lines = (tmp_path / "match.jsonl").read_bytes()

    environment.uninstall("high-card")
    missing = "the game high-card isn't installed"
    listed = environment.run("record", "list")
    assert (listed.code, listed.err) == (0, "")
    assert missing in listed.out
    replayed = environment.run("record", "replay", "match.jsonl")
    assert replayed.code == 1
    assert replayed.err.count("\n") == 1
    assert missing in replayed.err
    resumed = environment.run("play", "--match", "2")
    assert (resumed.code, resumed.err.count("\n")) == (1, 1)
    other = environment.run("play", "coup", "--seats", "Ana,Bo", typed="Ana opens\nincome\nquit\n")
    assert (other.code, other.err) == (0, "")
    assert "Match 2" not in other.out
    assert "high-card" in environment.run("record", "statistics").out
    assert environment.run("record", "save", "2", "-o", "again.jsonl").code == 0
    assert (tmp_path / "again.jsonl").read_bytes() == lines

    environment.install("high-card", "high_card:GAME")
    again = environment.run("play", "high-card", "--match", "2", typed="29\n2\n28\n3\nno\n")
    assert (again.code, again.err) == (0, "")
    assert "The match goes on: Ana, Bo." in again.out
    assert "Ana wins with 6 points." in again.out


def test_high_card_matches_the_new_game_template(tmp_path: Path) -> None:
    assert Environment(tmp_path).run("develop", "new-game", "high-card").code == 0
    written = tmp_path / "high-card"
    own = {"README.md", "high_card/art.py", "high_card/bot.py", "high_card/__init__.py"}
    listed = {path.relative_to(EXAMPLE).as_posix() for path in EXAMPLE.rglob("*.*") if path.is_file()}
    listed = {name for name in listed if "__pycache__" not in name and ".egg-info" not in name}
    made = {path.relative_to(written).as_posix() for path in written.rglob("*.*") if path.is_file()}
    assert made | own == listed
    for name in made - own:
        assert (written / name).read_text("utf-8") == (EXAMPLE / name).read_text("utf-8"), name
    plain = (EXAMPLE / "high_card/__init__.py").read_text("utf-8")
    for own_part in (
        ', art="high_card.art:ARTWORK"',
        '    play=Play(bot="high_card.bot:choose_action"),\n',
        " Play,",
    ):
        plain = plain.replace(own_part, "")
    assert plain == (written / "high_card/__init__.py").read_text("utf-8")


# the package's own tests


@slow("a process of its own runs the tests of four packages")
def test_package_tests_pass(tmp_path: Path) -> None:
    """They run in one process beside the installed games, without this project's test helpers."""
    folder, installed = tmp_path / "tests", Environment(tmp_path)
    for path in (each for each in sorted(PLUGINS.glob("*/tests")) if not (each / "__init__.py").exists()):
        installed = with_game(tmp_path, path.parent.name)
        shutil.copytree(path, folder / f"of-{path.parent.name}", ignore=shutil.ignore_patterns("__pycache__"))
    program = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
    done = subprocess.run(
        program, cwd=folder, env=installed.environ(), capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stdout


def test_command_prints_the_french_of_a_game(tmp_path: Path) -> None:
    """Only a new process loads the commands' texts in its own language, before it finds the games."""
    environ = {**with_game(tmp_path, "oh-hell").environ(), "LANGUAGE": "fr"}
    words = [sys.executable, "-P", "-c", PROGRAM, "rules", "oh-hell"]
    done = subprocess.run(words, env=environ, capture_output=True, text=True, check=True)
    assert "Les annonces" in done.stdout
