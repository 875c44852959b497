"""The games at this table and their decks; `firmware/start` finds them and hands them in."""

import re

from msgspec import Struct

from referee.contract import Deck, Game

GAMES: dict[str, Game] = {}
ORIGINALS: dict[str, Game] = {}
"""The games as their packages have them, for checks of their code: those in use fail by a `GameError`."""

LONGEST = 40
NAME = re.compile(rf"(?=.{{1,{LONGEST}}}$)[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""How a game is called: it stands in addresses, in files, and in what is typed."""

DECKS: dict[str, Deck] = {}


def add_game(game: Game) -> None:
    GAMES[game.name] = game
    for house in game.rules.settings.values():
        deck = game.table.deck(house)
        DECKS.setdefault(deck.name, deck)


# games whose own code fails

MOST_FAILURES = 2


class GameError(Exception):
    """A game's own code has failed, or given something of a wrong type."""

    def __init__(self, failure: "GameFailure") -> None:
        super().__init__(f"{failure.game} failed in {failure.where}: {failure.why}{failure.place}")
        self.failure = failure


class GameFailure(Struct, frozen=True):
    """How a game failed: in which of its functions, by which kind of error, and in which line.

    What the error itself says is left out: it may name cards that are hidden.
    """

    game: str
    title: str
    where: str
    why: str
    place: str = ""


DISABLED: dict[str, GameFailure] = {}
"""The games that are left out until the next start, and how each failed last."""
_FAILURES: dict[str, int] = {}


def note_failure(failure: GameFailure) -> GameError:
    """Count a failure; the second one takes the game from the table until the next start."""
    _FAILURES[failure.game] = _FAILURES.get(failure.game, 0) + 1
    if _FAILURES[failure.game] >= MOST_FAILURES and GAMES.pop(failure.game, None) is not None:
        DISABLED[failure.game] = failure
    return GameError(failure)
