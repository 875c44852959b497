"""How large the house is, beside what each room may have: `python -m tests.house` prints it.

`tests/house.json` has what each may have, exactly. `python -m tests.house --lower` writes what has become less,
with the commit that takes it out; a budget is raised by hand, in a commit that says why.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
BUDGET = ROOT / "tests" / "house.json"
SHORT = 60  # lines below which a file counts as short
WORDS = 22_000  # words that the docs may have, with those of packages
MINUTES = 10.0
"""Processor time that style, types and the first tier may take, on two cores of a rented machine."""


class Room(Struct, frozen=True):
    """Some folders or files, and how many lines of Python are wanted in them."""

    folders: tuple[str, ...]
    wanted: int
    without: tuple[str, ...] = ()


class Module:
    """What is counted of a file; it is read as code only where somebody asks for more than its lines."""

    def __init__(self, text: str) -> None:
        self._text, self.lines = text, text.count("\n")

    @property
    def code(self) -> int:
        """Count the lines that are neither blank nor a comment nor part of a docstring."""
        lines = enumerate(self._text.splitlines(), 1)
        kept = {number for number, line in lines if line.strip() and line.strip()[0] != "#"}
        for node in self._nodes():
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                kept -= lines_of(node) if isinstance(node.value.value, str) else set()
        return len(kept)

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

WHEEL = ("referee", "vision", "hardware", "firmware", "webui", "scripts")
NOT_READ = re.compile(r"^```.*?^```|(?<=\])\([^)]*\)", re.DOTALL | re.MULTILINE)
ROOMS = {
    "referee": Room(("referee",), 18_000),
    "vision": Room(("vision",), 13_000),
    "hardware": Room(("hardware",), 10_700),
    "firmware": Room(("firmware",), 25_300),
    "webui": Room(("webui",), 12_800),
    "scripts": Room((".ci", "coyote_table.py"), 200),
    "club": Room(("plugins/club",), 6_000),
    "games": Room(("plugins",), 2_700, ("plugins/club",)),
    "tests": Room(("tests",), 58_000),
}
WANTED = {name: room.wanted for name, room in ROOMS.items()} | {
    "wheel": 80_000,
    "wheel files": 500,
    "wheel imports": 7_000,
}
"""What each may have once the round is over."""


def modules_of(room: Room) -> Modules:
    places = (ROOT / folder for folder in room.folders)
    files = (path for place in places for path in ([place] if place.is_file() else sorted(place.rglob("*.py"))))
    return {
        path: Module(path.read_text(encoding="utf-8"))
        for path in files
        if not any(path.is_relative_to(ROOT / left_out) for left_out in room.without)
    }


def lines_of(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


# the docs


def words() -> int:
    """Count what there is to read: no rule book or dossier, no example that tests run, no link's address."""
    pages = (page for folder in ("docs", "plugins") for page in (ROOT / folder).rglob("*.md"))
    told = (page.read_text(encoding="utf-8") for page in pages if _is_read(page.relative_to(ROOT)))
    return sum(len(re.findall(r"\S*\w\S*", NOT_READ.sub("", text))) for text in told)


def _is_read(page: Path) -> bool:
    return page.name != "dossier.md" and not any(part == "rules" or part[0] == "." for part in page.parts)


# the budget


def figures(rooms: Mapping[str, Modules]) -> dict[str, int]:
    """Give the figures that have a budget: the lines of each room, and what the wheel comes to."""
    wheel = [module for name in WHEEL for module in rooms[name].values()]
    return {name: _lines(modules.values()) for name, modules in rooms.items()} | {
        "wheel": _lines(wheel),
        "wheel files": len(wheel),
        "wheel imports": sum(module.imports for module in wheel),
    }


def _lines(modules: Iterable[Module]) -> int:
    return sum(module.lines for module in modules)


def budget() -> dict[str, int]:
    return msgspec.json.decode(BUDGET.read_bytes(), type=dict[str, int])


def differences(now: Mapping[str, int], may: Mapping[str, int]) -> list[str]:
    """Say what has more than it may have, and what has less and keeps its budget."""
    over = [f"{name}: {now[name]:,}, and {may[name]:,} are allowed" for name in may if now[name] > may[name]]
    under = [f"{name}: {now[name]:,} of {may[name]:,}" for name in may if now[name] < may[name]]
    cure = ["lower the budget: python -m tests.house --lower"] if under else []
    return [*over, *under, *cure]


def lower(now: Mapping[str, int]) -> list[str]:
    """Write what has become less; what has become more stays as it is, and is told."""
    may = {name: min(allowed, now[name]) for name, allowed in budget().items()}
    BUDGET.write_bytes(msgspec.json.format(msgspec.json.encode(may), indent=4) + b"\n")
    return differences(now, may)


# the report


def report(rooms: Mapping[str, Modules]) -> str:
    """Tell the size of each room and of the whole, last in one line, as the changelog has it."""
    now, may = figures(rooms), budget()
    rows = [f"{'':<24}{'now':>9}{'budget':>9}{'wanted':>9}{'code':>9}{'files':>7}"]
    for name, value in now.items():
        inside = rooms.get(name, {}).values()
        told = f"{sum(each.code for each in inside):>9,}{len(inside):>7}" if inside else ""
        rows.append(f"{name:<24}{value:>9,}{may[name]:>9,}{WANTED[name]:>9,}{told}")
    return "\n".join([*rows, *_shape(rooms), f"docs: {words():,} words ({WORDS:,})", one_line(rooms)])


def _shape(rooms: Mapping[str, Modules]) -> list[str]:
    every = [module for name, modules in rooms.items() if name != "tests" for module in modules.values()]
    functions = sorted(lines for module in every for lines in module.functions)
    middle, most = functions[len(functions) // 2], functions[len(functions) * 9 // 10]
    size = f"median {middle} (6 to 8), 90 % {most} (20), longest {functions[-1]} (60)"
    return [
        f"the longest file: {max(module.lines for module in every)} (600)",
        f"functions: {len(functions):,}; {size}",
    ]


def one_line(rooms: Mapping[str, Modules]) -> str:
    now = figures(rooms)
    short = [module for name in WHEEL for module in rooms[name].values() if module.lines < SHORT]
    share = f"{len(short) / now['wheel files']:.0%} of them under {SHORT} lines, 15 % wanted"
    others = f"{now['club']:,} of the club, {now['games']:,} of games in packages, {now['tests']:,} of tests"
    return f"{now['wheel']:,} lines in {now['wheel files']} files ({share}), {others}"


def spent(times: str) -> str:
    """Say how much processor time a run took, as the shell's `times` prints it, beside what it may take."""
    parts = re.findall(r"([0-9]+)m([0-9.]+)s", times)
    seconds = sum(60 * int(minutes) + float(rest) for minutes, rest in parts)
    return f"processor time: {seconds / 60:.1f} minutes; {MINUTES:g} are allowed, with style and types"


def main() -> None:
    if "--spent" in sys.argv:
        print(spent(sys.stdin.read()))
        return
    rooms = {name: modules_of(room) for name, room in ROOMS.items()}
    wrong = lower(figures(rooms)) if "--lower" in sys.argv else differences(figures(rooms), budget())
    print(report(rooms))
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
