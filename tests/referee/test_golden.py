"""The golden playthroughs are there and still true."""

from pathlib import Path

import pytest

from tests.referee.golden import FOLDER, playthrough, settings

SETTINGS = settings()


@pytest.mark.parametrize("path", SETTINGS, ids=lambda path: path.stem)
def test_playthrough_is_as_it_was(path: Path) -> None:
    assert path.exists(), "write it with python -m tests.referee.golden, and read it"
    assert path.read_text(encoding="utf-8") == playthrough(*SETTINGS[path])


def test_no_playthrough_is_left_over() -> None:
    assert set(FOLDER.glob("*.txt")) == set(SETTINGS)
