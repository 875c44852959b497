"""Golden playthroughs and displays are unchanged, and independent of chance and order."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.contract import Game
from tests.referee import golden, shown
from tests.tiers import slow

KEPT: dict[Path, tuple[Callable[[Game, str], str], Game, str]] = {
    path: (tell, *setting)
    for tell, settings in (
        (golden.playthrough, golden.settings(golden.FOLDER)),
        (shown.shown_in, shown.settings()),
    )
    for path, setting in settings.items()
}


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.stem} {path.stem}")
def test_playthrough_matches_golden_file(path: Path) -> None:
    tell, game, rules = KEPT[path]
    assert path.exists(), f"write it with python -m {tell.__module__}, and read it"
    assert path.read_text(encoding="utf-8") == tell(game, rules)


def test_no_unused_golden_files() -> None:
    assert {*golden.FOLDER.glob("*.txt"), *shown.FOLDER.glob("*.txt")} == set(KEPT)


MATCHES = {"coyote": 30, "coup": 40, "coup-d-etat": 2, "plenty-coups": 2, "ogallala": 1}
"""Matches that take a second; `python -m tests.trust.determinism` plays thousands, on several Pythons."""


def start_python(seed: str, *arguments: str) -> "subprocess.Popen[str]":
    matches = (f"{name}={number}" for name, number in MATCHES.items())
    command = [sys.executable, "-m", "tests.referee.same_bytes", *matches, *arguments]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


@slow("three Pythons of their own play all games")
def test_digests_do_not_depend_on_hash_seed(tmp_path: Path) -> None:
    with start_python("0", "--keep", str(tmp_path)) as played, start_python("4711") as again:
        digests = [played.communicate()[0], again.communicate()[0]]
    with start_python("815", "--replay", str(tmp_path)) as replayed:
        digests.append(replayed.communicate()[0])
    assert played.returncode == again.returncode == replayed.returncode == 0
    assert [line.split()[0] for line in digests[0].splitlines()] == list(MATCHES)
    assert len(set(digests)) == 1
