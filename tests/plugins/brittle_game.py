"""A third-party game whose functions fail on demand of a test or a file."""

import ctypes
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Game
from referee.games.coyote import COYOTE
from referee.games.plenty_coups import PLENTY_COUPS

NAME, TITLE = "brittle", "Brittle"
SWITCH = "COYOTE_BRITTLE"
"""Environment variable with a file that names a failing function: `rules.hear exit`. Without it, all work."""
HIDDEN = "max0"  # a card that no page or log may name, though an error could
PARTS = ("rules", "table", "shown", "counting", "book", "play")


class UnusualError(BaseException):
    """An error that handlers of usual errors don't catch."""


def _fail(error: BaseException) -> NoReturn:
    raise error


def _dig(depth: int = 0) -> int:
    return _dig(depth + 1) + 1


KINDS: dict[str, Callable[[], Any]] = {
    "error": lambda: _fail(ValueError(f"{HIDDEN} lies before Ana")),
    "exit": lambda: _fail(SystemExit(3)),
    "interrupt": lambda: _fail(KeyboardInterrupt()),
    "base": lambda: _fail(UnusualError(HIDDEN)),
    "recursion": _dig,
    "memory": lambda: _fail(MemoryError()),
    "end": lambda: _fail(StopIteration()),
}
"""Ways in which a function may fail."""


def _hang() -> None:
    while True:
        pass


def _hold() -> None:
    """Hang without letting other threads run, and without using the processor."""
    ctypes.PyDLL(None).sleep(3600)


HANGS: dict[str, Callable[[], Any]] = {"hang": _hang, "hold": _hold}

Failing = Callable[[str], str]
"""Returns a function's kind of failure by its part and name; None if it works."""


def by_file(where: str) -> str:
    try:
        name, kind = Path(os.environ[SWITCH]).read_text(encoding="ascii").split()
    except (KeyError, OSError):
        return ""
    return kind if name == where else ""


def brittle(base: Game, failing: Failing = by_file) -> Game:
    """Return a game under another name, with functions that fail as configured."""
    words = replace(base.words, title=TITLE)
    parts = {name: _brittle_part(getattr(base, name), name, failing) for name in PARTS}
    return replace(base, name=NAME, words=words, **parts)


def _brittle_part(part: Any, name: str, failing: Failing) -> Any:
    changes = {}
    for field in part.__struct_fields__:
        value = getattr(part, field)
        where = f"{name}.{field}"
        if isinstance(value, Struct) and type(value).__module__.startswith("referee.contract"):
            changes[field] = _brittle_part(value, where, failing)
        elif callable(value) and not isinstance(value, type):
            changes[field] = partial(_call, failing, where, value)
    return replace(part, **changes)


def _call(failing: Failing, where: str, function: Callable[..., Any], *given: Any) -> Any:
    kind = failing(where)
    return {**KINDS, **HANGS}[kind]() if kind else function(*given)


def functions_of(part: Any, name: str = "") -> Iterator[str]:
    for field in part.__struct_fields__ if name else PARTS:
        value, where = getattr(part, field), f"{name}.{field}" if name else field
        if isinstance(value, Struct) and type(value).__module__.startswith("referee.contract"):
            yield from functions_of(value, where)
        elif callable(value) and not isinstance(value, type):
            yield where


FUNCTIONS = {where: game for game in (PLENTY_COUPS, COYOTE) for where in functions_of(game)}
"""The functions of a game's contract, each with one of our games that has it."""
GAME = brittle(COYOTE)
