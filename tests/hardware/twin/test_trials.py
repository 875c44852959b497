"""Positions that bots play on: seen cards lie where they were seen, and what is told has its error."""

from random import Random

import pytest

from hardware.twin.dealer import deal_match
from hardware.twin.playouts import DEALS, play_out, try_out
from referee.contract import Game
from referee.film import film_of, play_branch
from referee.games.catalogue import GAMES
from referee.match import Match, hear
from tests.given import allowed, present
from tests.hardware.twin.matches import moments_by_bots
from tests.referee.tables import new_match
from tests.tiers import tiered

KNOWN = ("coup", "coup-d-etat", "coyote", "ogallala")
"""Games in which bots can always play on; at Plenty Coups hands are known in part."""
SOME = tiered(KNOWN[:3], KNOWN)
every_known = pytest.mark.parametrize("game", [GAMES[name] for name in SOME], ids=SOME)


def played_by_bots(game: Game, seed: int = 1, most: int = 120) -> Match:
    rng = Random(seed)
    moments = moments_by_bots(deal_match(new_match(game, next(iter(game.rules.settings)), 3), rng), rng)
    match = next(moments)[0].match
    for table, answer in moments:
        match = allowed(hear(table.match, answer))
        if match.number >= most:
            break
    return match


def moments_of(match: Match) -> list[Match]:
    film = film_of(match)
    return [film.moments[int(film.last * share)].match for share in (0.1, 0.4, 0.8)]


@every_known
def test_tries_share_wins_and_say_how_far_they_may_be_off(game: Game) -> None:
    moment = moments_of(played_by_bots(game))[1]
    found = present(try_out(moment, "plain", 1, tries=6, seconds=1e9))
    assert found.tries == 6
    assert sum(found.shares) == pytest.approx(1)
    # so few tries tell hardly anything
    assert all(0.3 <= error <= 1 for error in found.errors)
    assert try_out(moment, "plain", 1, tries=6, seconds=1e9) == found


def test_who_has_won_wins_always_and_who_is_about_to_more_often() -> None:
    match = played_by_bots(GAMES["coup"])
    assert match.outcome is not None
    winner, film = match.outcome.winners[0], film_of(match)
    found = present(try_out(match, "plain", 1, tries=DEALS, seconds=1e9))
    assert found.shares[winner] == 1
    assert found.errors == pytest.approx((3 / DEALS,) * 3)
    early, late = (
        try_out(film.moments[at].match, "plain", 1, tries=tiered(60, 150), seconds=1e9)
        for at in (0, film.last - 1)
    )
    assert early is not None
    assert late is not None
    assert late.shares[winner] > early.shares[winner] + early.errors[winner]


def test_time_that_is_over_ends_it_and_none_at_all_tells_nothing() -> None:
    moment = moments_of(played_by_bots(GAMES["coup"]))[0]
    ticks = iter(range(10_000))
    assert present(try_out(moment, "plain", 1, seconds=7, clock=lambda: float(next(ticks)))).tries == 6
    assert try_out(moment, "plain", 1, seconds=0, clock=lambda: 0.0) is None


@every_known
def test_what_bots_play_out_is_a_branch_that_the_rules_allow(game: Game) -> None:
    moment = moments_of(played_by_bots(game))[1]
    for most in (5, 300):
        answers = play_out(moment, "plain", 3, most)
        after = allowed(play_branch(moment, answers))
        assert 0 < len(answers) <= most
        assert len(answers) == most or not after.asks
