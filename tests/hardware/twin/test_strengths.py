"""Bots of each strength play whole matches, fairly, and only by what their seats may know."""

from random import Random

import pytest

from firmware.benches.bots import duel
from hardware.twin import tabletop
from hardware.twin.bots import BOTS, STRONG_BOTS, bot_action
from hardware.twin.dealer import deal_match
from hardware.twin.playouts import answer_by_bots, next_table
from hardware.twin.strengths import Strength
from referee.contract import Game
from referee.games.catalogue import GAMES
from tests.hardware.twin.matches import shuffle_unseen
from tests.referee.tables import OUTER, new_match

MOMENTS = 120
"""Moments of a match that are looked at."""
OTHERS: tuple[Strength, ...] = ("beginner", "strong")
every_taught = pytest.mark.parametrize(
    ("game", "rules", "seats"), [table for table in OUTER if table.values[0].name in BOTS]
)


@every_taught
@pytest.mark.parametrize("strength", OTHERS)
def test_what_a_bot_does_is_fair_and_depends_on_nothing_that_it_can_t_see(
    game: Game, rules: str, seats: int, strength: Strength
) -> None:
    rng = Random(f"{game.name} {rules} {seats} {strength}")
    table = deal_match(new_match(game, rules, seats), rng)
    for number in range(MOMENTS):
        if not table.match.asks:
            break
        seat = rng.randrange(seats)
        known = [
            tabletop.known_cards(truth, seat) for truth in (table.truth, shuffle_unseen(table.truth, seat, rng))
        ]
        one, two = (bot_action(table.match, seat, cards, Random(number), strength) for cards in known)
        assert one == two
        truth, answer = answer_by_bots(table, rng, (strength,) * seats)
        assert game.is_fair(table.match.state, answer, truth), answer
        table = next_table(table, truth, answer, rng)


@pytest.mark.parametrize("name", BOTS)
def test_each_game_with_a_bot_has_a_strong_one(name: str) -> None:
    assert STRONG_BOTS[name]() is not None
    assert STRONG_BOTS[name]() is not BOTS[name]()


def test_strong_bots_win_more_and_the_same_seed_says_the_same() -> None:
    once, twice = (duel(GAMES["coup"], "strong", "plain", 60, seed=1) for _time in range(2))
    assert once == twice
    assert once.share > 1 / 2
