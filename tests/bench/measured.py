"""What all benches share: their options, how to time, and how figures are printed."""

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

import click
import msgspec
from msgspec import Struct


def amount(name: str, usual: float, told: str, least: float, most: float) -> Callable[..., Any]:
    """Give a bench an option that takes a number; a whole one where the usual one is whole."""
    kind = click.IntRange(int(least), int(most)) if isinstance(usual, int) else click.FloatRange(least, most)
    return click.option(f"--{name}", default=usual, show_default=True, type=kind, help=told)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one object.")
small_option = click.option("--small", is_flag=True, help="With pictures as small as where memory is scarce.")


def seed_option(usual: int = 1) -> Callable[..., Any]:
    """Say where chance starts."""
    return amount("seed", usual, "Where chance starts.", 0, 2**31)


def milliseconds(chore: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Time a chore once; by `process_time` its own work alone, whatever else runs on the machine."""
    start = clock()
    chore()
    return 1000 * (clock() - start)


def print_figures(name: str, figures: Mapping[str, object], *notes: str, as_json: bool) -> None:
    if as_json:
        machine = {"bench": name, "python": platform.python_version(), "machine": platform.machine()}
        click.echo(msgspec.json.encode({**machine, **figures}))
        return
    for title, value in figures.items():
        click.echo("\n".join(_lines(title, value)))
    click.echo("\n".join(notes), nl=bool(notes))


def _lines(title: str, value: object) -> Iterator[str]:
    match value:
        case [Struct(), *_others]:
            yield f"\n{title}:"
            yield from table(value)
        case Struct():
            yield f"\n{title}:"
            yield from (f"  {name.replace('_', ' ')}: {text(each)}" for name, each in _fields(value))
        case _:
            yield f"{title}: {text(value)}"


def table(rows: Sequence[Struct]) -> Iterator[str]:
    """Set rows in columns, each under its name; numbers stand at the right."""
    cells = [[name.replace("_", " ") for name, _value in _fields(rows[0])]]
    cells += [[text(value) for _name, value in _fields(row)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    is_word = [isinstance(value, str) for _name, value in _fields(rows[0])]
    for row in cells:
        columns = zip(row, widths, is_word, strict=True)
        yield "  ".join(cell.ljust(wide) if word else cell.rjust(wide) for cell, wide, word in columns).rstrip()


def _fields(row: Struct) -> Iterable[tuple[str, object]]:
    return ((name, getattr(row, name)) for name in row.__struct_fields__)


def text(value: object) -> str:
    """Write a figure down."""
    match value:
        case None:
            return "-"
        case Struct():
            return ", ".join(f"{name.replace('_', ' ')} {text(each)}" for name, each in _fields(value))
        case Mapping():
            return ", ".join(f"{name} {text(each)}" for name, each in sorted(value.items())) or "-"
        case list() | tuple():
            return ", ".join(map(text, value)) or "-"
        case int() if not isinstance(value, bool):
            return f"{value:,}"
        case _:
            return str(value)
