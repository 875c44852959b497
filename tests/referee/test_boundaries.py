"""Every boundary that a sentence of a rule book draws has its tests on both sides."""

import pytest

from referee.contract import Game
from referee.games.catalogue import GAMES
from tests.referee.boundaries import boundary_rules, sides_with_tests

every_book = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@every_book
def test_every_boundary_of_a_book_is_tested_on_both_sides(game: Game) -> None:
    drawn = {rule.id for rule in boundary_rules(game)}
    tested = sides_with_tests(game)
    assert sorted(rule for rule in drawn if (rule, "within") not in tested) == []
    assert sorted(rule for rule in drawn if (rule, "beyond") not in tested) == []


@every_book
def test_tests_stand_on_sides_of_rules_that_there_are(game: Game) -> None:
    assert {rule for rule, _side in sides_with_tests(game)} <= {
        rule.id for chapter in game.book for rule in chapter.rules
    }
