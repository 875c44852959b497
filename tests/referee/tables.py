"""All supported tables: games, settings and numbers of players."""

from collections.abc import Iterator
from random import Random

import pytest

from hardware.twin.player import any_answer
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear
from tests.given import allowed
from tests.tiers import ALL

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay", "Gil", "Hal", "Ivo", "Jo", "Kim", "Lou")

TABLES = [
    pytest.param(game, rules, seats, id=f"{game.name}, {rules}, {seats}")
    for game in GAMES.values()
    for rules in game.rules.settings
    for seats in game.rules.seats(game.rules.settings[rules])
]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_table = pytest.mark.parametrize(("game", "rules", "seats"), TABLES)


def _is_outer(game: Game, rules: str, seats: int) -> bool:
    """Return whether this is the smallest or largest number of players of a setting."""
    sizes = game.rules.seats(game.rules.settings[rules])
    return seats in {min(sizes), max(sizes)}


OUTER = [table for table in TABLES if ALL or _is_outer(*table.values)]
"""Smallest and largest tables of each setting, for slow tests; releases use all."""


def new_match(game: Game, rules: str, seats: int) -> Match:
    return allowed(begin(Setup(game, game.rules.settings[rules], NAMES[:seats])))


def after_any(match: Match, rng: Random) -> Match:
    return allowed(hear(match, any_answer(match.asks, match.number, rng)))


def random_moments(match: Match, rng: Random, most: int) -> Iterator[Match]:
    """Yield a match and its next moments, at most so many in all, while it is played by any legal answers."""
    yield match
    for _answer in range(most - 1):
        if not match.asks:
            return
        match = after_any(match, rng)
        yield match
