"""What all benchmarks share: how to time, what the machine is, how to print."""

import platform
from collections.abc import Callable, Iterable
from time import perf_counter

import click
import msgspec

json_option = click.option("--json", "as_json", is_flag=True, help="Print one object.")


def milliseconds(chore: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Time a chore once; by `process_time` its own work alone, whatever else runs on the machine."""
    start = clock()
    chore()
    return 1000 * (clock() - start)


def print_figures(name: str, figures: dict[str, object], table: Iterable[str], *, as_json: bool) -> None:
    """Print the figures as one object or as a table."""
    if as_json:
        machine = {"bench": name, "python": platform.python_version(), "machine": platform.machine()}
        click.echo(msgspec.json.encode({**machine, **figures}))
    else:
        click.echo("\n".join(table))
