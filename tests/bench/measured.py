"""What all benches share: their options, how to time, what they give, and how figures are printed."""

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from time import perf_counter
from typing import Any, TypeVar

import click
import cv2
import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

T = TypeVar("T")


def amount(name: str, usual: float, told: str, least: float, most: float) -> Callable[..., Any]:
    """Give a bench an option that takes a number; a whole one where the usual one is whole."""
    kind = click.IntRange(int(least), int(most)) if isinstance(usual, int) else click.FloatRange(least, most)
    return click.option(f"--{name}", default=usual, show_default=True, type=kind, help=told)


small_option = click.option("--small", is_flag=True, help="With pictures as small as where memory is scarce.")


class Measured(Struct, frozen=True):
    """What a bench measured."""

    name: str
    figures: Mapping[str, object]
    ratios: Mapping[str, str]
    """What holds on other machines, too: a share, or how many times a yardstick of the same run."""
    notes: tuple[str, ...] = ()
    shown: Mapping[str, object] | None = None
    """What people read, where that isn't all figures."""
    fault: str = ""
    """What must not be, and was."""


def bench(told: str, seed: int | None = 1) -> Callable[[Callable[..., Measured]], click.Command]:
    """Make a command of a bench, with what all have: a seed where chance plays a part, and JSON."""

    def make(measure: Callable[..., Measured]) -> click.Command:
        @wraps(measure)
        def print_measured(*, as_json: bool, **options: Any) -> Measured:
            measured = measure(**options)
            print_figures(measured, as_json=as_json)
            return measured

        command = click.command(help=told)(print_measured)
        if seed is not None:
            number = click.IntRange(0, 2**31)
            where = "Where chance starts."
            option = click.Option(["--seed"], default=seed, show_default=True, type=number, help=where)
            command.params.append(option)
        command.params.append(click.Option(["--json", "as_json"], is_flag=True, help="Print one object."))
        return command

    return make


def timed(chore: Callable[[], T], clock: Callable[[], float] = perf_counter) -> tuple[T, float]:
    """Do a chore once; return what it gives, and its milliseconds: by `process_time` its own work alone."""
    start = clock()
    given = chore()
    return given, 1000 * (clock() - start)


def milliseconds(chore: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Time a chore once."""
    return timed(chore, clock)[1]


class Times(Struct, frozen=True):
    """How long something took: so often, and no time where it never was."""

    count: int = 0
    median: float | None = None
    p95: float | None = None
    p99: float | None = None
    most: float | None = None


def times_of(taken: Iterable[float], unit: float = 1.0) -> Times:
    """Sum times up, in this unit."""
    times = np.array([*taken]) * unit
    cuts = [*np.quantile(times, (0.5, 0.95, 0.99, 1.0)).round(2).tolist()] if times.size else []
    return Times(times.size, *cuts)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let OpenCV have one thread alone meanwhile."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def percent(part: float, whole: float = 1.0) -> str:
    """Write a share down."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def times_as_much(value: float | None, yardstick: float | None) -> str:
    """Write down how many times a yardstick something is."""
    return f"{value / yardstick:.2f} times" if value and yardstick else "-"


def print_figures(measured: Measured, *, as_json: bool) -> None:
    """Print them for people, or all of them as one object."""
    if as_json:
        machine = {"bench": measured.name, "python": platform.python_version(), "machine": platform.machine()}
        click.echo(msgspec.json.encode({**machine, **measured.figures}))
        return
    for title, value in (measured.figures if measured.shown is None else measured.shown).items():
        click.echo("\n".join(_lines(title, value)))
    click.echo("\n".join(measured.notes), nl=bool(measured.notes))


def _lines(title: str, value: object) -> Iterator[str]:
    match value:
        case [Struct() | Mapping(), *_others]:
            yield f"\n{title}:"
            yield from table(value)
        case Struct():
            yield f"\n{title}:"
            yield from (f"  {name.replace('_', ' ')}: {text(each)}" for name, each in _fields(value))
        case _:
            yield f"{title}: {text(value)}"


def table(rows: Sequence[Struct | Mapping[str, object]]) -> Iterator[str]:
    """Set rows in columns, each under its name; numbers stand at the right."""
    cells = [[name.replace("_", " ") for name, _value in _fields(rows[0])]]
    cells += [[text(value) for _name, value in _fields(row)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    is_word = [isinstance(value, str) for _name, value in _fields(rows[0])]
    for row in cells:
        columns = zip(row, widths, is_word, strict=True)
        yield "  ".join(cell.ljust(wide) if word else cell.rjust(wide) for cell, wide, word in columns).rstrip()


def _fields(row: Struct | Mapping[str, object]) -> Iterable[tuple[str, object]]:
    return (row if isinstance(row, Mapping) else asdict(row)).items()


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
