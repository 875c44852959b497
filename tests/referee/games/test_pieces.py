"""Coins and horses: none gets lost, whatever is played, and all may know how many lie where."""

from random import Random

import pytest

from referee.contract import Game
from referee.games.catalogue import GAMES
from tests.referee.tables import after_any, new_match

WITH_PIECES = [game for game in GAMES.values() if game.pieces]


@pytest.mark.parametrize(("game", "rules"), [(game, rules) for game in WITH_PIECES for rules in game.settings])
@pytest.mark.parametrize("players", [2, 4])
def test_all_pieces_of_the_match_always_lie_somewhere(game: Game, rules: str, players: int) -> None:
    assert all(piece.name in game.words.counts for piece in game.pieces)
    rng, total = Random(players), dict[str, int]()
    match = new_match(game, rules, players)
    for _answer in range(400):
        lying = game.pieces_lying(game.view(match.state, None))
        assert len({(each.piece, each.zone) for each in lying}) == len(lying)
        assert all(each.count >= 0 for each in lying)
        counts = {
            piece.name: sum(each.count for each in lying if each.piece == piece.name) for piece in game.pieces
        }
        assert all(counts[piece.name] <= piece.count for piece in game.pieces)
        if any(counts.values()):
            total = total or counts
            assert counts == total
        if match.outcome is not None:
            break
        match = after_any(match, rng)
    assert total


def test_a_treasury_that_pays_more_than_it_has_is_not_counted() -> None:
    game = GAMES["coup"]
    view = game.view(new_match(game, "rule text", 2).state, None)
    in_debt = type(view)(**{name: getattr(view, name) for name in view.__struct_fields__} | {"treasury": -3})
    assert all(not each.is_stock for each in game.pieces_lying(in_debt))
