"""Where a match turned: the lead is who stands first alone, and a change of it is told once."""

from itertools import pairwise
from random import Random

import pytest

from referee.contract import Game
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.lead import lead_changes, leader_of
from referee.match import Match, TakeBack, moments, take_back
from tests.referee.tables import after_any, new_match
from tests.referee.test_film import MOMENTS, played_with_mistakes


def played(game: Game, seed: int, seats: int = 3) -> Match:
    """Play until it is over, or long enough."""
    rng, match = Random(f"{game.name} {seed}"), new_match(game, next(iter(game.settings)), seats)
    while match.asks and match.number < MOMENTS:
        match = after_any(match, rng)
    return match


def story_of(match: Match) -> list[Match]:
    return list(moments(match))[::-1]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_change_is_where_another_player_leads_alone(game: Game, seed: int) -> None:
    match = played(game, seed)
    story = story_of(match)
    led = [(moment.number, leader) for moment in story if (leader := leader_of(moment)) is not None]
    changes = lead_changes(story)
    assert [(each.number, each.seat, each.before) for each in changes] == [
        (number, seat, before) for (_at, before), (number, seat) in pairwise(led) if seat != before
    ]
    assert all(each.kept == "" for each in changes[:-1])
    if match.outcome is not None and len(match.outcome.winners) == 1:
        assert not led or led[-1][1] == match.outcome.winners[0]
        if changes:
            assert changes[-1].seat == match.outcome.winners[0]
            assert changes[-1].kept == ("at the end" if changes[-1].number == match.number else "to the end")
    else:
        assert all(each.kept == "" for each in changes)


def test_matches_turn_in_games_where_somebody_leads() -> None:
    # at Coup all who are still in stand alike: nobody leads before the end
    for game in ("coup", "coup-d-etat", "coyote", "plenty-coups"):
        turned = any(lead_changes(story_of(played(GAMES[game], seed))) for seed in range(4))
        assert turned == (game != "coup"), game


def test_what_was_taken_back_turned_nothing() -> None:
    for game in GAMES.values():
        film = film_of(played_with_mistakes(game, 1))
        for turn in film.turns:
            assert film.moments[turn.number].later != "undone"


def test_a_turn_that_is_taken_back_is_none() -> None:
    match = played(GAMES["plenty-coups"], 1)
    last = lead_changes(story_of(match))[-1]
    turned = next(moment for moment in story_of(match) if moment.number == last.number)
    tried = (take_back(turned, TakeBack(turned.number, seat)) for seat in range(3))
    film = film_of(next(each for each in tried if isinstance(each, Match)))
    assert last.number not in [each.number for each in film.turns]
