"""What all benchmarks share: how to time, what the machine is, how to print."""

import platform
from collections.abc import Callable, Iterable
from time import perf_counter, process_time

import click
import msgspec

from firmware.language.speaking import _

json_option = click.option("--json", "as_json", is_flag=True, help=_("Print one object."))


def milliseconds(chore: Callable[[], object]) -> float:
    """Time a chore once."""
    start = perf_counter()
    chore()
    return 1000 * (perf_counter() - start)


def processor_milliseconds(chore: Callable[[], object]) -> float:
    """Time the work of a chore alone: what else runs on the machine doesn't count."""
    start = process_time()
    chore()
    return 1000 * (process_time() - start)


def print_figures(name: str, figures: dict[str, object], table: Iterable[str], *, as_json: bool) -> None:
    """Print the figures as one object or as a table."""
    if as_json:
        machine = {"bench": name, "python": platform.python_version(), "machine": platform.machine()}
        click.echo(msgspec.json.encode({**machine, **figures}))
    else:
        click.echo("\n".join(table))
