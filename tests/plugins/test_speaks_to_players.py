"""Plug-in games speak to the player who reads: as "you", never by name."""

from random import Random

import pytest

from firmware.language.catalogues import language
from referee.match import Setup, begin
from referee.moment_view import view_of
from tests.given import allowed
from tests.plugins.installed import OUR_GAMES, game_of
from tests.referee.tables import after_any

ENGLISH = language("en")
NAMES = ("Ana", "Bo", "Chloé", "Dédé")
MOMENTS = 80


@pytest.mark.parametrize("name", OUR_GAMES)
def test_asked_player_is_you(name: str) -> None:
    game, rng = game_of(name), Random(f"you {name}")
    house = next(iter(game.rules.settings.values()))
    match = allowed(begin(Setup(game, house, NAMES, begun="2026-11-24T20:00:00+00:00")))
    asked = 0
    while match.asks and match.number < MOMENTS:
        for seat in {seat for ask in match.asks for seat in ask.seats}:
            told = view_of(match, ENGLISH, seat)
            for each in told.questions:
                if seat in each.question.seats:
                    asked += 1
                    assert NAMES[seat] not in each.whole
        match = after_any(match, rng)
    assert asked
