"""What is shown in a match of each setting is there, and is still true."""

from pathlib import Path

import pytest

from tests.referee.shown import FOLDER, settings, shown_in

SETTINGS = settings()


@pytest.mark.parametrize("path", SETTINGS, ids=lambda path: path.stem)
def test_what_is_shown_is_as_it_was(path: Path) -> None:
    assert path.exists(), "write it with python -m tests.referee.shown, and read it"
    assert path.read_text(encoding="utf-8") == shown_in(*SETTINGS[path])


def test_nothing_that_was_shown_is_left_over() -> None:
    assert set(FOLDER.glob("*.txt")) == set(SETTINGS)
