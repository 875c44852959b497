"""Every way to play that is known: games, their settings, every number of players."""

import os
from itertools import groupby
from random import Random

import pytest
from _pytest.mark import ParameterSet

from hardware.twin.player import any_answer
from referee.contract import Game, Refusal
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay", "Gil", "Hal", "Ivo", "Jo", "Kim", "Lou")

TABLES = [
    pytest.param(game, rules, seats, id=f"{game.name}, {rules}, {seats}")
    for game in GAMES.values()
    for rules in game.settings
    for seats in game.seats(game.settings[rules])
]
every_table = pytest.mark.parametrize(("game", "rules", "seats"), TABLES)


def _fewest_and_most() -> list[ParameterSet]:
    """Give the smallest and the largest table of each setting."""
    settings = (list(tables) for _setting, tables in groupby(TABLES, lambda table: table.values[:2]))
    return [table for tables in settings for table in (tables[0], tables[-1])]


OUTER = TABLES if os.environ.get("COYOTE_ALL_TABLES") else _fewest_and_most()
"""For what takes long, the fewest and the most players of each setting; COYOTE_ALL_TABLES=1: all."""
outer_tables = pytest.mark.parametrize(("game", "rules", "seats"), OUTER)


def new_match(game: Game, rules: str, seats: int) -> Match:
    """Begin a match."""
    match = begin(Setup(game, game.settings[rules], NAMES[:seats]))
    assert not isinstance(match, Refusal), match
    return match


def after_any(match: Match, rng: Random) -> Match:
    """Give any legal answer."""
    after = hear(match, any_answer(match.asks, match.number, rng))
    assert not isinstance(after, Refusal), after
    return after
