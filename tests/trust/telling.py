"""How a script of trust ends: it prints its figures in lines, and fails if anything isn't as promised."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from typing import Any, NoReturn, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

MOST = 20  # faults that are told at the end
SKIPPED = 77  # how a script ends that can't try what it is for
Figures = TypeVar("Figures", bound=Struct)


def wishes(doc: str | None, *amounts: str, words: str = "", **options: Any) -> Any:
    """Read what the command asks for: amounts and words, and options with what they usually are."""
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
    """Tell the median, the slowest of twenty, and the slowest."""
    if len(values) < 2:
        return " ".join(f"{unit * each:.3g}" for each in values) or "-"
    slow = quantiles(values, n=20, method="inclusive")[-1]
    return f"{unit * median(values):.3g}, {unit * slow:.3g}, {unit * max(values):.3g} ({len(values)})"


def figure_lines(figures: Struct) -> Iterator[str]:
    """Put figures in lines, as they are named; what is wrong comes at the end, by `finish`."""
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
    """Add up the figures of what ran side by side."""
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
    """Print figures and what is wrong, and fail if anything is."""
    for line in () if figures is None else figure_lines(figures):
        say(line)
    every = [*getattr(figures, "wrong", ()), *wrong]
    for each in every[:MOST]:
        say(f"  wrong: {each}")
    if not every:
        say("nothing is wrong")
    sys.exit(bool(every))
