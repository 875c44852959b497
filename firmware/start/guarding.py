"""Turn any failure in a game's code into one counted error that names the game.

Each function of a game is wrapped once, when the game is loaded.
"""

import signal
from collections.abc import Callable
from functools import wraps
from threading import current_thread, get_ident, main_thread
from time import monotonic
from typing import Any

from firmware.start.game_calls import CALLS, number_of
from referee.conformance import failing_place
from referee.contract import Game
from referee.games.catalogue import GameError, GameFailure, note_failure
from referee.result_types import with_functions


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
    return with_functions(game, lambda function, _type, where: guarded_function(game, function, where))


def guarded_function(game: Game, function: Callable[..., Any], where: str) -> Callable[..., Any]:
    package = getattr(game.rules.start, "__module__", "").partition(".")[0]
    calls, number = CALLS, number_of(game.name)

    def guard(*arguments: Any, **named: Any) -> Any:
        is_noted = get_ident() == calls.thread
        if is_noted:
            calls.note[1] = monotonic()
            calls.note[0] = number
        try:
            return function(*arguments, **named)
        except BaseException as error:
            if isinstance(error, GameError) or is_by_signal(error):
                raise
            why, place = type(error).__name__, failing_place(error, package)
            raise note_failure(GameFailure(game.name, game.words.title, where, why, place)) from error
        finally:
            if is_noted:
                calls.note[0] = 0.0

    return wraps(function)(guard)
