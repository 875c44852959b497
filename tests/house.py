"""How large the house is, beside what each room may have: `python -m tests.house` prints it."""

import ast
import sys
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
OVER = 1.05
"""By so much a room may exceed its budget before the suite fails."""
SHORT = 60
"""Lines below which a file counts as short."""


class Room(Struct, frozen=True):
    """Some folders, how many lines of Python they may have today, and how many are wanted."""

    folders: tuple[str, ...]
    budget: int
    wanted: int
    without: tuple[str, ...] = ()


class Module(Struct, frozen=True):
    """What is counted of a file."""

    lines: int
    code: int
    """Lines that are neither blank nor a comment nor part of a docstring."""
    imports: int
    functions: tuple[int, ...]
    """The lines of each function."""


ROOMS = {
    "referee": Room(("referee",), 19_900, 15_500),
    "vision": Room(("vision",), 14_550, 11_500),
    "hardware": Room(("hardware",), 11_660, 9_500),
    "firmware": Room(("firmware",), 32_345, 18_000),
    "webui": Room(("webui",), 14_550, 11_000),
    "club": Room(("plugins/club",), 6_350, 6_000),
    "plugins": Room(("plugins",), 2_000, 1_500, ("plugins/club",)),
}


def modules_of(room: Room) -> dict[Path, Module]:
    """Count each file of Python in a room."""
    return {
        path: count(path.read_text(encoding="utf-8"))
        for folder in room.folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not any(path.is_relative_to(ROOT / left_out) for left_out in room.without)
    }


def count(text: str) -> Module:
    """Count a module's lines."""
    nodes = list(ast.walk(ast.parse(text)))
    kept = {
        number for number, line in enumerate(text.splitlines(), 1) if line.strip() and line.strip()[0] != "#"
    }
    for node in nodes:
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            kept -= lines_of(node)
    return Module(
        lines=text.count("\n"),
        code=len(kept),
        imports=sum(len(lines_of(node)) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)),
        functions=tuple(
            len(lines_of(node)) for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ),
    )


def lines_of(node: ast.stmt) -> set[int]:
    """Name the lines that a statement takes."""
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def overfull() -> list[str]:
    """List the rooms that have grown beyond their budgets."""
    sizes = {name: sum(module.lines for module in modules_of(room).values()) for name, room in ROOMS.items()}
    return [
        f"{name} has {lines:,} lines; it may have {ROOMS[name].budget:,} (tests/house.py)"
        for name, lines in sizes.items()
        if lines > ROOMS[name].budget * OVER
    ]


def report() -> str:
    """Tell the size of each room and of the whole."""
    rooms = {name: list(modules_of(room).values()) for name, room in ROOMS.items()}
    every = [module for modules in rooms.values() for module in modules]
    functions = sorted(lines for module in every for lines in module.functions)
    short = sum(module.lines < SHORT for module in every) / len(every)
    rows = [f"{'room':<24}{'lines':>9}{'code':>9}{'files':>7}{'budget':>9}{'wanted':>9}"]
    for name, modules in rooms.items():
        lines, code = sum(module.lines for module in modules), sum(module.code for module in modules)
        room = ROOMS[name]
        rows.append(f"{name:<24}{lines:>9,}{code:>9,}{len(modules):>7}{room.budget:>9,}{room.wanted:>9,}")
    total, code = sum(module.lines for module in every), sum(module.code for module in every)
    rows.append(f"{'all':<24}{total:>9,}{code:>9,}{len(every):>7}{'':>9}{75_000:>9,}")
    middle, most = functions[len(functions) // 2], functions[len(functions) * 9 // 10]
    longest, imports = max(module.lines for module in every), sum(module.imports for module in every)
    size = f"median {middle} (6 to 8), 90 % {most} (20), longest {functions[-1]} (60)"
    rows += [
        f"files: {short:.0%} under {SHORT} lines (15 % wanted); the longest {longest}",
        f"imports: {imports:,} lines (6,000 wanted)",
        f"functions: {len(functions):,}; {size}",
    ]
    return "\n".join(rows)


if __name__ == "__main__":
    print(report())
    sys.exit("\n".join(overfull()) or None)
