"""Turn any failure in a game's code into one counted error that names the game.

Each function of a game is wrapped once, when the game is loaded. The types of its results are checked as well:
a wrong one would fail later, outside the game.
"""

import re
import signal
from collections.abc import Callable
from functools import cache, wraps
from threading import current_thread, main_thread
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from referee.conformance import failing_place
from referee.contract import Game, Transition
from referee.contract.asks import Refusal, Ruling
from referee.games.catalogue import GameError, GameFailure, note_failure

CONTRACT = "referee.contract"
"""Module with the types and default functions of a game's parts."""
Check = Callable[[Any], bool]


class InterruptedBySignal(KeyboardInterrupt):
    """Ctrl-C, raised by the program's own handler, so never by a game."""


class EndedBySignal(SystemExit):
    """A request of the system to end, raised by the program's own handler, so never by a game."""


def interrupt(*_signal: object) -> None:
    raise InterruptedBySignal


def end_program(*_signal: object) -> None:
    raise EndedBySignal(0)


def is_by_signal(error: BaseException) -> bool:
    """Return whether an error comes from a signal that ends the program, rather than from running code."""
    if isinstance(error, InterruptedBySignal | EndedBySignal):
        return True
    # without our handler, Python's own raises wherever the main thread is
    is_python = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return type(error) is KeyboardInterrupt and is_python and current_thread() is main_thread()


def guarded(game: Game) -> Game:
    """Return the game with guarded functions, which raise nothing but `GameError`."""
    changes = {
        name: _guard(game, getattr(game, name), kind, name)
        for name, kind in get_type_hints(Game).items()
        if isinstance(getattr(game, name), Struct)
    }
    return replace(game, **changes)


def _guard(game: Game, value: Any, hint: Any, where: str) -> Any:
    """Return a function, or a part of a game with its functions, guarded; any other value unchanged."""
    if isinstance(value, Struct):
        if not type(value).__module__.startswith(CONTRACT):
            return value
        hints = get_type_hints(type(value))
        old = {name: getattr(value, name) for name in value.__struct_fields__}
        new = {name: _guard(game, each, hints[name], f"{where}.{name}") for name, each in old.items()}
        changes = {name: each for name, each in new.items() if each is not old[name]}
        return replace(value, **changes) if changes else value
    if isinstance(value, tuple) and get_origin(hint) is tuple:
        guards = tuple(_guard(game, each, get_args(hint)[0], where) for each in value)
        return value if all(new is old for new, old in zip(guards, value, strict=True)) else guards
    # optional functions have a union type
    kinds = [kind for kind in (hint, *get_args(hint)) if get_origin(kind) is Callable]
    if not kinds or not callable(value) or getattr(value, "__module__", "").startswith(CONTRACT):
        return value
    given, kind = get_args(kinds[0])
    return _guard_function(game, value, kind, where, 0 if given is ... else len(given))


def guarded_bot(game: Game, bot: Callable[..., Any]) -> Callable[..., Any]:
    return _guard_function(game, bot, Any, "play.bot")


def _guard_function(
    game: Game, function: Callable[..., Any], kind: Any, where: str, given: int = 0
) -> Callable[..., Any]:
    """Guard a function whose result has a type; `given` is its number of arguments, if known."""
    is_right = _transition_check(game) if Transition in get_args(kind) else _check_of(kind)
    # comparing classes takes a fifth of the time of `isinstance` with a union
    classes = _classes_of(kind) - {Transition}
    package = getattr(game.rules.start, "__module__", "").partition(".")[0]
    failure = GameFailure(game.name, game.words.title, where, f"it didn't give {_name_of(kind)}")

    def failed(error: BaseException) -> GameError:
        why, place = type(error).__name__, failing_place(error, package)
        return note_failure(replace(failure, why=why, place=place))

    def guard_state(state: Any) -> Any:
        try:
            value = function(state)
        except BaseException as error:
            if _is_passed_on(error):
                raise
            raise failed(error) from error
        if type(value) in classes or is_right(value):
            return value
        raise note_failure(failure)

    def guard(*arguments: Any, **named: Any) -> Any:
        try:
            value = function(*arguments, **named)
        except BaseException as error:
            if _is_passed_on(error):
                raise
            raise failed(error) from error
        if type(value) in classes or is_right(value):
            return value
        raise note_failure(failure)

    # functions of a state alone are called most; without `*arguments` their guard takes half the time
    return wraps(function)(guard_state if given == 1 else guard)


def _is_passed_on(error: BaseException) -> bool:
    return isinstance(error, GameError) or is_by_signal(error)


# results of functions


def _transition_check(game: Game) -> Check:
    """Return a check that includes a transition's state and rulings, before they enter a match."""
    are_rulings = _check_of(tuple[Ruling, ...])

    def is_right(value: Any) -> bool:
        if isinstance(value, Transition):
            return isinstance(value.state, game.rules.state) and are_rulings(value.rulings)
        return isinstance(value, Refusal)

    return is_right


@cache
def _check_of(kind: Any) -> Check:
    """Return a check for a type; it includes the items of tuples, but not the fields of structs."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda _value: True
    if origin in {Union, UnionType}:
        plain = tuple(part for part in parts if isinstance(part, type))
        if len(plain) == len(parts):
            return lambda value: isinstance(value, plain)
        checks = tuple(map(_check_of, parts))
        return lambda value: any(check(value) for check in checks)
    if origin is tuple:
        return _check_of_items(parts[0])
    wanted = origin or kind
    return lambda value: isinstance(value, wanted)


def _check_of_items(kind: Any) -> Check:
    """Return a check for a tuple whose items have a type."""
    classes, is_right = _classes_of(kind), _check_of(kind)

    def are_right(values: Any) -> bool:
        if not isinstance(values, tuple):
            return False
        for value in values:  # noqa: SIM110 - a generator takes three times as long
            if type(value) not in classes and not is_right(value):
                return False
        return True

    return are_right


def _classes_of(kind: Any) -> frozenset[type]:
    """Return the classes of a type or union, without generic ones."""
    kinds = get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)
    return frozenset(each for each in kinds if isinstance(each, type) and get_origin(each) is None)


_MODULES = re.compile(r"[a-z_.]+\.(?=[A-Z])")
"""Module prefix of a type's name."""


def _name_of(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else _MODULES.sub("", str(kind))
