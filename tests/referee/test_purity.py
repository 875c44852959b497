"""The referee imports nothing that blocks, prints, reads a clock or uses random numbers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOM = Path(__file__).parents[2] / "referee"

PURE = {
    "base64", "collections", "collections.abc", "contextlib", "datetime", "enum", "fractions", "functools",
    "itertools", "json", "math", "msgspec", "msgspec.inspect", "msgspec.structs", "operator", "re", "string",
    "types", "typing", "unicodedata", "zlib",
}  # fmt: skip
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
"""Functions of `datetime` that read a clock; the others only compute dates."""
IMPURE_NAMES = {"print", "open", "input", "exec", "eval", "breakpoint", "__import__"}


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in ROOM.rglob("*.py")}), ids=lambda folder: folder.name
)
def test_imports_and_names_are_pure(folder: Path) -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= PURE
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.module in PURE or node.module.split(".")[0] == "referee"
        elif isinstance(node, ast.Name):
            assert node.id not in IMPURE_NAMES
        elif isinstance(node, ast.Attribute):
            assert ast.unparse(node) not in CLOCKS
        assert not isinstance(node, ast.Global | ast.Nonlocal)


def test_playing_loads_no_other_package() -> None:
    program = (
        "import sys, referee.games.catalogue, referee.record, referee.sentences\n"
        "print(*[room for room in ('firmware', 'vision', 'webui', 'hardware', 'click', 'sqlite3', 'random')"
        " if room in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
