"""Shared parts of benchmarks: options, timing, results and output."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from time import perf_counter
from typing import Any, TypeVar

import click
import cv2
import numpy as np
from msgspec import Struct

T = TypeVar("T")


def amount(name: str, usual: float, told: str, least: float, most: float) -> Callable[..., Any]:
    """Add a numeric option to a benchmark; an integer if its default is one."""
    kind = click.IntRange(int(least), int(most)) if isinstance(usual, int) else click.FloatRange(least, most)
    return click.option(f"--{name}", default=usual, show_default=True, type=kind, help=told)


small_option = click.option("--small", is_flag=True, help="With pictures as small as where memory is scarce.")


class Measured(Struct, frozen=True):
    """The results of a benchmark."""

    ratios: Mapping[str, str]
    """Results comparable between machines: shares, or multiples of a reference in the same run."""
    notes: tuple[str, ...] = ()
    fault: str = ""  # a violated requirement, if any


def bench(told: str, seed: int | None = 1) -> Callable[[Callable[..., Measured]], click.Command]:
    """Turn a benchmark into a command; with a `--seed` option unless `seed` is None."""

    def make(measure: Callable[..., Measured]) -> click.Command:
        @wraps(measure)
        def print_measured(**options: Any) -> Measured:
            measured = measure(**options)
            for line in (*(f"{what}: {figure}" for what, figure in measured.ratios.items()), *measured.notes):
                click.echo(line)
            return measured

        command = click.command(help=told)(print_measured)
        if seed is not None:
            number = click.IntRange(0, 2**31)
            where = "Where chance starts."
            option = click.Option(["--seed"], default=seed, show_default=True, type=number, help=where)
            command.params.append(option)
        return command

    return make


def timed(chore: Callable[[], T], clock: Callable[[], float] = perf_counter) -> tuple[T, float]:
    """Run a chore once; return its result and milliseconds. `process_time` measures only this process."""
    start = clock()
    given = chore()
    return given, 1000 * (clock() - start)


def milliseconds(chore: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    return timed(chore, clock)[1]


def p95(taken: Iterable[float]) -> float | None:
    """Return the 95th percentile; None without measurements."""
    times = [*taken]
    return round(1000 * float(np.quantile(times, 0.95)), 2) if times else None


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit OpenCV to one thread in this context."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def percent(part: float, whole: float = 1.0) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def times_as_much(value: float | None, yardstick: float | None) -> str:
    return f"{value / yardstick:.2f} times" if value and yardstick else "-"


def right_and_wrong(right: int, wrong: int, of: int) -> str:
    return f"{percent(right, of)}, {wrong} of {of:,}"
