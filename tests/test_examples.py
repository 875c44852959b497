"""The examples of the docs, run with the commands printed beside them."""

import re
import shlex
from pathlib import Path

import pytest

from tests.firmware.conftest import Coyote, coyote  # noqa: F401 - a fixture
from tests.tiers import slow

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "dev" / "examples"
COMMANDS = re.findall(
    r"^    \./run (.*?)   ", (EXAMPLES / "README.md").read_text(encoding="utf-8"), re.MULTILINE
)


@slow("it teaches a deck, reads a table with it, and makes a film")
def test_example_commands_work(
    coyote: Coyote,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    assert len(COMMANDS) == 6
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    results = {" ".join(shlex.split(each)[:2]): coyote(each) for each in COMMANDS}
    assert {command: each.err for command, each in results.items() if each.code} == {}
    assert "doubt" not in results["cards teach"].out
    assert sorted(results["cards read"].out.split()[-5:]) == [
        "ambassador",
        "assassin",
        "assassin",
        "captain",
        "duke",
    ]
    assert "wins" in results["record replay"].out
    assert "<html" in (tmp_path / "film.html").read_text(encoding="utf-8")
    assert "<html" in (tmp_path / "deck.html").read_text(encoding="utf-8")
