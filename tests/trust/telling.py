"""Shared parts of trust scripts: arguments, printed figures, and the exit status."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from typing import Any, NoReturn, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

MOST = 20  # maximum faults printed at the end
SKIPPED = 77  # exit status of a script that can't run here
Figures = TypeVar("Figures", bound=Struct)


def wishes(doc: str | None, *amounts: str, words: str = "", **options: Any) -> Any:
    """Parse the command line: integer amounts, words, and options with their defaults."""
    parser = ArgumentParser(description=doc, formatter_class=RawDescriptionHelpFormatter)
    for name in amounts:
        parser.add_argument(name, type=int)
    if words:
        parser.add_argument(words, nargs="*")
    for name, usual in options.items():
        kind: dict[str, Any] = {"action": "store_true"} if usual is False else {"type": type(usual)}
        parser.add_argument(f"--{name}", default=usual, help=f"usually {usual!r}", **kind)
    return parser.parse_intermixed_args()


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def spread(values: Sequence[float], unit: float = 1.0) -> str:
    """Format the median, the 95th percentile, the maximum and the count."""
    if len(values) < 2:
        return " ".join(f"{unit * each:.3g}" for each in values) or "-"
    slow = quantiles(values, n=20, method="inclusive")[-1]
    return f"{unit * median(values):.3g}, {unit * slow:.3g}, {unit * max(values):.3g} ({len(values)})"


def figure_lines(figures: Struct) -> Iterator[str]:
    """Yield a line for each figure, by its name; `finish` prints the faults."""
    for name, value in asdict(figures).items():
        if name != "wrong" and value not in ({}, []):
            yield f"{name.replace('_', ' ')}: {_text(value)}"


def _text(value: Any) -> str:
    match value:
        case dict():
            rows = sorted(value.items(), key=lambda row: -row[1] if isinstance(row[1], int | float) else 0.0)
            return "; ".join(f"{name} {_text(each)}" for name, each in rows)
        case [float() | int(), *_]:
            return spread(value)
        case float():
            return f"{value:.3g}"
        case _:
            return str(value)


def add_up(several: Sequence[Figures]) -> Figures:
    """Add up the figures of parallel runs."""
    whole = type(several[0])()
    for figures in several:
        for name, more in asdict(figures).items():
            one: Any = getattr(whole, name)
            if not isinstance(one, dict):
                setattr(whole, name, one + more)
            elif any(isinstance(each, list) for each in (one | more).values()):
                setattr(whole, name, {key: [*one.get(key, []), *more.get(key, [])] for key in one | more})
            else:
                setattr(whole, name, dict(Counter(one) + Counter(more)))
    return whole


def finish(figures: Struct | None = None, wrong: Sequence[object] = ()) -> NoReturn:
    """Print figures and faults, and exit with 1 if there are faults."""
    for line in () if figures is None else figure_lines(figures):
        say(line)
    every = [*getattr(figures, "wrong", ()), *wrong]
    for each in every[:MOST]:
        say(f"  wrong: {each}")
    if not every:
        say("nothing is wrong")
    sys.exit(bool(every))
