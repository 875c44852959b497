"""A table that is killed at any moment loses no acknowledged answer and has none twice."""

import subprocess
import sys
from pathlib import Path

import msgspec

from tests.firmware.storage.killing import Figures

KILLS = 500


def test_kill_at_any_moment_loses_nothing() -> None:
    # In a process of its own: a fork of one that runs threads, as a test runner may, is asking for trouble.
    command = [sys.executable, "-m", "tests.long.kill", str(KILLS)]
    root = Path(__file__).parents[3]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=1200, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    figures = msgspec.json.decode(run.stdout, type=Figures)
    assert (figures.lost, figures.doubled, figures.wrong_state) == (0, 0, 0)
    assert figures.kills == KILLS
    # a busy machine kills more of them before they have begun to play
    assert figures.playing > KILLS / 20
    assert figures.at_start > KILLS / 100
    assert figures.matches_over > 0
