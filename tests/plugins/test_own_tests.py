"""Each plug-in passes its own tests where it is installed, as an author runs them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.installed import PLUGINS, PROGRAM, with_game


@pytest.mark.parametrize("name", sorted(path.parent.name for path in PLUGINS.glob("*/tests")))
def test_its_own_tests_pass(name: str, tmp_path: Path) -> None:
    installed, folder = with_game(tmp_path, name), tmp_path / "tests"
    shutil.copytree(PLUGINS / name / "tests", folder, ignore=shutil.ignore_patterns("__pycache__"))
    program = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(
        program, cwd=folder, env=installed.environ(), capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stdout


def test_a_command_speaks_its_french(tmp_path: Path) -> None:
    """Commands have their language before the games are found."""
    installed = with_game(tmp_path, "oh-hell")
    said = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, "rules", "oh-hell"],
        env={**installed.environ(), "LANGUAGE": "fr"},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert "Les annonces" in said.stdout, said
