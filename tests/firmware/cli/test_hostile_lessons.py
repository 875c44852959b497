"""`coyote cards teach` reports each hostile file in one line, and teaches the others."""

import shlex
from pathlib import Path

import pytest

from firmware.state_folder import DECKS, state_directory
from tests.firmware.cli.hostile_lessons import GOOD, LESSONS, NAMES
from tests.firmware.conftest import Coyote


@pytest.mark.parametrize("lesson", LESSONS)
def test_hostile_file_is_reported_in_one_line(
    coyote: Coyote, tmp_path: Path, lesson: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.cli.teach.try_taught", lambda *_pictures: ())
    folder = tmp_path / "lesson"
    folder.mkdir()
    (folder / "good.png").write_bytes(GOOD)
    LESSONS[lesson](folder)
    result = coyote(f"cards teach mine --from {folder}")
    assert result.code == 1
    lines = (result.out + result.err).splitlines()
    assert all(line.isprintable() for line in lines)
    assert sum("lesson/" in line for line in lines) == 1
    is_taught = "counts" not in lesson
    assert (state_directory() / DECKS / "mine" / "good" / "1.png").exists() == is_taught


@pytest.mark.parametrize("name", NAMES)
def test_name_that_no_deck_may_have_is_refused(coyote: Coyote, tmp_path: Path, name: str) -> None:
    result = coyote(shlex.join(("cards", "teach", "--from", str(tmp_path), "--", name)))
    assert (result.code, result.out, len(result.err.splitlines())) == (2, "", 1)


def test_margin_that_is_no_number_is_refused(coyote: Coyote, tmp_path: Path) -> None:
    (tmp_path / "good.png").write_bytes(GOOD)
    result = coyote(f"cards teach mine --margin nan --from {tmp_path}")
    assert (result.code, "nan isn't possible: give millimetres" in result.err) == (2, True)
