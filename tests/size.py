"""Report the size of the code: `python -m tests.size` prints it, also in the CI log.

With `--imports` it prints how much of our own code some modules load.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
KEPT = ("*.txt", "*.jsonl", "*.json", "*.html", "*.svg")
"""File types of the tests' expected results."""
NOT_READ = re.compile(r"^```.*?^```|(?<=\])\([^)]*\)", re.DOTALL | re.MULTILINE)


def _folders(pattern: str) -> tuple[str, ...]:
    return tuple(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob(pattern)))


class Part(Struct, frozen=True):
    """Folders or files that are counted together."""

    folders: tuple[str, ...]


class Module:
    """A file's counts; it is parsed only when more than its number of lines is needed."""

    def __init__(self, text: str) -> None:
        self._text, self.lines = text, text.count("\n")

    @property
    def code(self) -> int:
        """Number of lines that are neither blank nor a comment nor part of a docstring."""
        lines = enumerate(self._text.splitlines(), 1)
        counted = {number for number, line in lines if line.strip() and line.strip()[0] != "#"}
        for node in self._nodes():
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                counted -= lines_of(node) if isinstance(node.value.value, str) else set()
        return len(counted)

    @property
    def imports(self) -> int:
        kinds = ast.Import | ast.ImportFrom
        return sum(len(lines_of(node)) for node in self._nodes() if isinstance(node, kinds))

    @property
    def functions(self) -> tuple[int, ...]:
        kinds = ast.FunctionDef | ast.AsyncFunctionDef
        return tuple(len(lines_of(node)) for node in self._nodes() if isinstance(node, kinds))

    def _nodes(self) -> Iterator[ast.AST]:
        return ast.walk(ast.parse(self._text))


Modules = Mapping[Path, Module]

TESTS = ("tests", "conftest.py", "plugins/conftest.py", *_folders("plugins/*/tests"))
GAMES = tuple(folder for folder in _folders("plugins/*/*/") if "/club/" not in folder and folder not in TESTS)
WHEEL = ("referee", "vision", "hardware", "firmware", "webui", "scripts")
PARTS = {
    "referee": Part(("referee",)),
    "vision": Part(("vision",)),
    "hardware": Part(("hardware",)),
    "firmware": Part(("firmware",)),
    "webui": Part(("webui",)),
    "scripts": Part((".ci", "coyote_table.py")),
    "club": Part(("plugins/club/club",)),
    "games": Part(GAMES),
    "tests": Part(TESTS),
}


def modules_of(part: Part) -> Modules:
    places = (ROOT / folder for folder in part.folders)
    files = (path for place in places for path in ([place] if place.is_file() else sorted(place.rglob("*.py"))))
    return {path: Module(path.read_text(encoding="utf-8")) for path in files}


def lines_of(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def words(pages: Iterable[Path]) -> int:
    """Number of words, without tested examples and link addresses."""
    texts = (page.read_text(encoding="utf-8") for page in pages)
    return sum(len(re.findall(r"\S*\w\S*", NOT_READ.sub("", text))) for text in texts)


def words_of_docs() -> str:
    users = [DOCS / f"{name}.md" for name in ("play", "real-cards", "evening", "build", "care")]
    developers = [*(DOCS / "dev").rglob("*.md")]
    whole = words([ROOT / "README.md", *DOCS.glob("*.md"), *developers])
    return (
        f"words of README and docs: {whole:,}; users' pages: {words(users):,}; docs/dev: {words(developers):,}"
    )


def _text_lines(folders: Iterable[str], patterns: Iterable[str]) -> int:
    files = (path for folder in folders for pattern in patterns for path in (ROOT / folder).rglob(pattern))
    return sum(path.read_bytes().count(b"\n") for path in files)


def report(parts: Mapping[str, Modules]) -> str:
    """Return the size of each part and of the whole."""
    rows = [f"{'':<12}{'lines':>9}{'code':>9}{'files':>7}"]
    for name, modules in parts.items():
        rows.append(_row(name, modules.values()))
    wheel = [module for name in WHEEL for module in parts[name].values()]
    kept, catalogues = _text_lines(TESTS, KEPT), _text_lines(["referee", "plugins"], ["*.po"])
    more = f"imports of the wheel: {sum(module.imports for module in wheel):,}"
    texts = f"stored texts of tests: {kept:,} lines; catalogues: {catalogues:,}"
    return "\n".join([*rows, _row("wheel", wheel), *_shape(parts), more, texts, words_of_docs()])


def _row(name: str, modules: Iterable[Module]) -> str:
    counted = list(modules)
    lines, code = (sum(values) for values in zip(*((each.lines, each.code) for each in counted), strict=True))
    return f"{name:<12}{lines:>9,}{code:>9,}{len(counted):>7}"


def _shape(parts: Mapping[str, Modules]) -> list[str]:
    every = [module for name, modules in parts.items() if name != "tests" for module in modules.values()]
    functions = sorted(lines for module in every for lines in module.functions)
    middle, most = functions[len(functions) // 2], functions[len(functions) * 9 // 10]
    return [
        f"the longest file: {max(module.lines for module in every)} lines",
        f"functions: {len(functions):,}; median {middle} lines, 90 % at most {most}, longest {functions[-1]}",
    ]


def spent(times: str) -> str:
    """Return the processor time of a run, from the output of the shell's `times`."""
    parts = re.findall(r"([0-9]+)m([0-9.]+)s", times)
    seconds = sum(60 * int(minutes) + float(rest) for minutes, rest in parts)
    return f"processor time: {seconds / 60:.1f} minutes, with style and types"


ENTRIES = {
    "seat page": "webui.pages.players.seat",
    "table's loop": "firmware.table.loop",
    "referee": "referee.moment_view",
}
"""Modules whose imports are counted."""
PACKAGES = ("referee", "vision", "hardware", "firmware", "webui")
LOADED = """
from importlib import import_module
import sys
import_module(sys.argv[1])
files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
print("\\n".join(file for name, file in files.items() if file and name.split(".")[0] in sys.argv[2:]))
"""
"""Prints the files of our packages that importing a module loads."""


def loaded_by(module: str) -> tuple[Path, ...]:
    """Return our own files that a fresh interpreter loads to import a module."""
    command = [sys.executable, "-c", LOADED, module, *PACKAGES]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    return tuple(Path(line) for line in printed.splitlines())


def report_imports(entries: Mapping[str, str]) -> str:
    """Return how many of our own lines and files each module loads."""
    counted = [
        (name, [Module(path.read_text(encoding="utf-8")) for path in loaded_by(entries[name])])
        for name in entries
    ]
    rows = (f"{name:<14}{sum(each.lines for each in files):>9,}{len(files):>7}" for name, files in counted)
    return "\n".join([f"{'imported by':<14}{'lines':>9}{'files':>7}", *rows])


def main() -> None:
    if "--imports" in sys.argv:
        print(report_imports(ENTRIES))
    elif "--spent" in sys.argv:
        print(spent(sys.stdin.read()))
    else:
        print(report({name: modules_of(part) for name, part in PARTS.items()}))


if __name__ == "__main__":
    main()
