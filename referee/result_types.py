"""Changes to all functions of a game, and a check of the types that they return. Pure."""

import re
from collections.abc import Callable
from functools import cache, wraps
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Game, Transition
from referee.contract.asks import Refusal, Ruling

CONTRACT = "referee.contract"
"""Module with the types and default functions of a game's parts."""
Check = Callable[[Any], bool]
Change = Callable[[Callable[..., Any], Any, str], Callable[..., Any]]
"""Returns another function, from a function, its type, and its part and name."""
_hints_of = cache(get_type_hints)
"""Resolving a type's hints takes most of a game's loading; a game has hundreds of values of few types."""


def with_functions(game: Game, change: Change) -> Game:
    """Return the game with its own functions changed."""
    changes = {
        name: _with_changes(getattr(game, name), kind, name, change)
        for name, kind in _hints_of(Game).items()
        if isinstance(getattr(game, name), Struct)
    }
    return replace(game, **changes)


def _with_changes(value: Any, hint: Any, where: str, change: Change) -> Any:
    """Return a function, or a part of a game with its functions, changed; any other value as it is."""
    if isinstance(value, Struct):
        if not type(value).__module__.startswith(CONTRACT):
            return value
        hints = _hints_of(type(value))
        old = {name: getattr(value, name) for name in value.__struct_fields__}
        new = {name: _with_changes(each, hints[name], f"{where}.{name}", change) for name, each in old.items()}
        changes = {name: each for name, each in new.items() if each is not old[name]}
        return replace(value, **changes) if changes else value
    if isinstance(value, tuple) and get_origin(hint) is tuple:
        changed = tuple(_with_changes(each, get_args(hint)[0], where, change) for each in value)
        return value if all(new is old for new, old in zip(changed, value, strict=True)) else changed
    # optional functions have a union type
    kinds = [kind for kind in (hint, *get_args(hint)) if get_origin(kind) is Callable]
    if not kinds or not callable(value) or getattr(value, "__module__", "").startswith(CONTRACT):
        return value
    return change(value, kinds[0], where)


def with_checked_results(game: Game) -> Game:
    """Return the game with functions that raise TypeError if they return another type than the contract's."""

    def change(function: Callable[..., Any], kind: Any, where: str) -> Callable[..., Any]:
        result = get_args(kind)[1]
        is_right = _transition_check(game) if Transition in get_args(result) else _check_of(result)

        def checked(*given: Any) -> Any:
            value = function(*given)
            if not is_right(value):
                raise TypeError(f"`{where}` returned {value!r:.100}, which is no {_name_of(result)}")
            return value

        return wraps(function)(checked)

    return with_functions(game, change)


def _transition_check(game: Game) -> Check:
    """Return a check that includes a transition's state and rulings."""
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
        checks = tuple(map(_check_of, parts))
        return lambda value: any(check(value) for check in checks)
    if origin is tuple:
        is_right = _check_of(parts[0])
        return lambda value: isinstance(value, tuple) and all(map(is_right, value))
    wanted = origin or kind
    return lambda value: isinstance(value, wanted)


_MODULES = re.compile(r"[a-z_.]+\.(?=[A-Z])")
"""Module prefix of a type's name."""


def _name_of(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else _MODULES.sub("", str(kind))
