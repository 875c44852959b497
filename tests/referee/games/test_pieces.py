"""Coins and horses: none gets lost, whatever is played, and all may know how many lie where."""

from random import Random

import pytest

from hardware.twin.player import any_answer
from referee.contract import Game, Refusal
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear

WITH_PIECES = [game for game in GAMES.values() if game.pieces]
ANSWERS = 400


def test_coup_has_coins_and_plenty_coups_horses() -> None:
    assert {game.name: [piece.name for piece in game.pieces] for game in WITH_PIECES} == {
        "coup": ["coins"],
        "plenty-coups": ["horses"],
    }


def play_on(match: Match, rng: Random) -> Match:
    """Give any legal answer."""
    after = hear(match, any_answer(match.asks, match.number, rng))
    return match if isinstance(after, Refusal) else after


@pytest.mark.parametrize("game", WITH_PIECES, ids=lambda game: game.name)
@pytest.mark.parametrize("players", [2, 4])
def test_all_pieces_of_the_match_always_lie_somewhere(game: Game, players: int) -> None:
    rng = Random(players)
    match = begin(Setup(game, game.house(), tuple("ABCD"[:players]), begun="x"))
    assert isinstance(match, Match)
    total: dict[str, int] = {}
    for _answer in range(ANSWERS):
        lying = game.pieces_lying(game.view(match.state, None))
        assert len({(each.piece, each.zone) for each in lying}) == len(lying)
        counts = {
            piece.name: sum(each.count for each in lying if each.piece == piece.name) for piece in game.pieces
        }
        assert all(each.count >= 0 for each in lying)
        assert all(counts[piece.name] <= piece.count for piece in game.pieces)
        if any(counts.values()):
            total = total or counts
            assert counts == total
        if match.outcome is not None:
            break
        match = play_on(match, rng)
    assert total


@pytest.mark.parametrize("game", WITH_PIECES, ids=lambda game: game.name)
def test_each_kind_has_words_for_how_many(game: Game) -> None:
    assert all(piece.name in game.words.counts for piece in game.pieces)


def test_a_treasury_that_pays_more_than_it_has_is_not_counted() -> None:
    game = GAMES["coup"]
    view = game.view(begin(Setup(game, game.house(), ("A", "B"), begun="x")).state, None)  # type: ignore[union-attr]
    in_debt = type(view)(**{name: getattr(view, name) for name in view.__struct_fields__} | {"treasury": -3})
    assert all(not each.is_stock for each in game.pieces_lying(in_debt))
