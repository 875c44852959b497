"""Scripts of the long tests: arguments by a function's signature, figures and faults, the exit status."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from inspect import Parameter, signature
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, NoReturn, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import asdict

MOST = 20  # maximum faults printed at the end
SKIPPED = 77  # exit status of a script that can't run here
Figures = TypeVar("Figures", bound=Struct)
Result = TypeVar("Result")
Main = TypeVar("Main", bound=Callable[..., Iterable[object] | None])
say = partial(print, flush=True)


def script(main: Main) -> Main:
    """Run a module's last function if the module is the program.

    It yields figures, which are structs, and faults, which are anything else; figures of one type are added up.
    `scratch` is a temporary folder; all other parameters are arguments.
    """
    if main.__module__ == "__main__":
        with TemporaryDirectory() as scratch:
            report(call(main, sys.argv[1:], Path(scratch)))
    return main


def call(main: Callable[..., Result], words: Sequence[str], scratch: Path | None = None) -> Result:
    """Call a function with the command line: parameters without default or before `/` are given by place."""
    doc = main.__doc__ or sys.modules[main.__module__].__doc__
    parser = ArgumentParser(description=doc, formatter_class=RawDescriptionHelpFormatter)
    parameters = signature(main).parameters.values()
    for each in parameters:
        if each.name != "scratch":
            _add_argument(parser, each)
    given, places, options = parser.parse_intermixed_args(words), list[object](), dict[str, object]()
    for each in parameters:
        value: Any = scratch if each.name == "scratch" else getattr(given, each.name)
        if each.kind is Parameter.KEYWORD_ONLY:
            options[each.name] = value
        else:
            places += value if each.kind is Parameter.VAR_POSITIONAL else [value]
    return main(*places, **options)


def _add_argument(parser: ArgumentParser, parameter: Parameter) -> None:
    name, kind, usual = parameter.name, parameter.annotation, parameter.default
    typed: dict[str, Any] = {"type": kind} if isinstance(kind, type) else {"choices": get_args(kind)}
    if parameter.kind is Parameter.VAR_POSITIONAL:
        parser.add_argument(name, nargs="*", **typed)
    elif usual is Parameter.empty:
        parser.add_argument(name, **typed)
    elif parameter.kind is Parameter.POSITIONAL_ONLY:
        parser.add_argument(name, nargs="?", default=usual, **typed)
    elif usual is False:
        parser.add_argument(f"--{name}", action="store_true")
    else:
        parser.add_argument(f"--{name}", default=usual, help=f"usually {usual}", **typed)


def report(found: Iterable[object] | None) -> NoReturn:
    """Print figures and faults, also those so far at Ctrl-C; exit with 1 if there are faults."""
    if found is None:
        sys.exit()
    figures, wrong = dict[type, Struct](), list[object]()
    with suppress(KeyboardInterrupt):
        for each in found:
            if isinstance(each, Struct):
                kind = type(each)
                figures[kind] = add_up([figures[kind], each]) if kind in figures else each
            else:
                wrong.append(each)
    for counted in figures.values():
        for line in figure_lines(counted):
            say(line)
        wrong += getattr(counted, "wrong", ())
    for each in wrong[:MOST]:
        say(f"  wrong: {each}")
    if not wrong:
        say("nothing is wrong")
    sys.exit(bool(wrong))


def skip(why: str) -> NoReturn:
    say(why)
    sys.exit(SKIPPED)


def spread(values: Sequence[float], unit: float = 1.0) -> str:
    """Format the median, the 95th percentile, the maximum and the count."""
    if len(values) < 2:
        return " ".join(f"{unit * each:.3g}" for each in values) or "-"
    slow = quantiles(values, n=20, method="inclusive")[-1]
    return f"{unit * median(values):.3g}, {unit * slow:.3g}, {unit * max(values):.3g} ({len(values)})"


def figure_lines(figures: Struct) -> Iterator[str]:
    """Yield a line for each figure, by its name, without the faults."""
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
