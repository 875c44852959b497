"""The games and decks available at this table; `firmware/start` finds and registers them."""

import re

from msgspec import Struct

from referee.contract import Deck, Game

GAMES: dict[str, Game] = {}
ORIGINALS: dict[str, Game] = {}
"""Unwrapped games, for code checks; those in use convert errors to `GameError`."""

MAX_NAME_LETTERS = 40
NAME = re.compile(rf"(?=.{{1,{MAX_NAME_LETTERS}}}$)[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""Valid game names, as used in URLs, file names and commands."""

DECKS: dict[str, Deck] = {}


def add_game(game: Game) -> None:
    GAMES[game.name] = game
    for house in game.rules.settings.values():
        deck = game.table.deck(house)
        DECKS.setdefault(deck.name, deck)


# failing games

MAX_FAILURES = 2


class GameError(Exception):
    """A game's own code failed, or returned a value of the wrong type."""

    def __init__(self, failure: "GameFailure") -> None:
        super().__init__(f"{failure.game} failed in {failure.where}: {failure.why}{failure.place}")
        self.failure = failure


class GameFailure(Struct, frozen=True):
    """A game failure: the function, the kind of error, and the line.

    The error message is omitted, as it may name hidden cards. No function: the game stopped an earlier start.
    """

    game: str
    title: str
    where: str
    why: str
    place: str = ""

    @property
    def details(self) -> dict[str, str]:
        """The failing function, the kind of error and the line."""
        return {"where": self.where, "why": self.why, "place": self.place}


DISABLED: dict[str, GameFailure] = {}
"""Games disabled until the next start, with their last failure."""
_FAILURES: dict[str, int] = {}


def note_failure(failure: GameFailure) -> GameError:
    """Count a failure; the second one disables the game until the next start."""
    _FAILURES[failure.game] = _FAILURES.get(failure.game, 0) + 1
    if _FAILURES[failure.game] >= MAX_FAILURES and GAMES.pop(failure.game, None) is not None:
        DISABLED[failure.game] = failure
    return GameError(failure)
