"""The commands printed on the first pages of the docs work as printed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import Coyote
from tests.tiers import slow

ROOT = Path(__file__).parents[3]
UNTESTED_COMMANDS = (
    "./run table image",
    "./run cards teach",
    "./run cards learn",
    "./run print case",
    "./run table wifi",
)
"""Commands that need a memory card, a network, the user's pictures, or 15 seconds of OpenSCAD.

`./run` alone needs a browser and is tested in tests/browser.
"""


def commands_of_pages(*names: str) -> Iterator[str]:
    """Yield commands on separate lines, without the explanation after them."""
    for name in names:
        text = (ROOT / name).read_text(encoding="utf-8")
        yield from (line.split("  ")[0] for line in re.findall(r"^ +(\./run.*)$", text, re.MULTILINE))


@slow("decks and mats are drawn, a photograph is read")
def test_commands_of_the_docs_run_as_printed(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.jpg").write_bytes((ROOT / "docs" / "pictures" / "table-coyote.jpg").read_bytes())
    assert coyote(f"record add {ROOT}/tests/snapshots/kept/commands/today/match-1.jsonl").code == 0
    pages = ("README.md", *(f"docs/{name}.md" for name in ("play", "real-cards", "evening", "build", "care")))
    tried = 0
    for command in dict.fromkeys(commands_of_pages(*pages)):
        if command == "./run" or command.startswith(UNTESTED_COMMANDS):
            continue
        said, tried = coyote(command.removeprefix("./run ")), tried + 1
        assert (said.code, "Traceback" in said.err) == (0, False), f"{command}: {said.err}"
    assert tried > 12
    assert {"coyote.pdf", "film.html", "match.jsonl", "wiring"} <= {path.name for path in tmp_path.iterdir()}
