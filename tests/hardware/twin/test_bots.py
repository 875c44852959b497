"""Bots of each strength play whole matches legally, using only their own seat's view."""

from random import Random

import pytest

from firmware.table.card_answers import answer_from_cards as cards_said
from hardware.twin import tabletop
from hardware.twin.bots import BOTS, BotAction, bot_action
from hardware.twin.dealer import deal_match
from hardware.twin.strengths import STRENGTHS, TEMPERS, Strength
from referee.contract import CENTRE, PILE, Answer, Game, Option, Show, hand_of
from referee.games.catalogue import GAMES
from referee.games.coup import COUP
from referee.match import hear
from tests.bench.bots import duel, measure_tempers
from tests.given import allowed, present
from tests.hardware.twin.matches import SOME, moments_by_bots, shuffle_unseen
from tests.referee.games.coup.script import table as coup_table
from tests.referee.games.ogallala.script import begin_midway
from tests.referee.tables import new_match
from tests.tiers import slow, tiered
from webui.views.bots import BOT_NAMES, SAID_OF

LONG = 3000
MOMENTS = tiered(80, 120)  # moments of a match at which hidden cards are exchanged
every_taught = pytest.mark.parametrize(
    ("game", "rules", "seats"), [table for table in SOME if table.values[0].name in BOTS]
)


@every_taught
@pytest.mark.parametrize("strength", STRENGTHS)
def test_bots_finish_matches_using_only_their_own_view(
    game: Game, rules: str, seats: int, strength: Strength
) -> None:
    rng = Random(f"{game.name} {rules} {seats} {strength}")
    count = 0
    table = deal_match(new_match(game, rules, seats), rng)
    for count, (held, answer) in enumerate(moments_by_bots(table, rng, (strength,) * seats), 1):
        assert game.play.is_fair(held.match.state, answer, held.truth), answer
        assert count < LONG
        if count <= MOMENTS:
            seat = rng.randrange(seats)
            known = [
                tabletop.known_cards(game, truth, seat)
                for truth in (held.truth, shuffle_unseen(game, held.truth, seat, rng))
            ]
            one, two = (bot_action(held.match, seat, cards, Random(count), strength) for cards in known)
            assert one == two
        elif strength == "strong":
            break
    assert count


def test_strong_bots_win_more_and_seeds_reproduce() -> None:
    once, twice = (duel(GAMES["coup"], "strong", "plain", 6, seed=1) for _time in range(2))
    assert once == twice
    assert duel(GAMES["coup"], "strong", "plain", 60, seed=1).share > 1 / 2


def test_bot_proves_true_claims_and_retains_its_best_card() -> None:
    rng, claims = Random(5), 0
    for seed in range(tiered(8, 60)):
        for table, answer in moments_by_bots(deal_match(new_match(COUP, "rule text", 3), Random(seed)), rng):
            if answer.ask != "prove" or not isinstance(answer.value, tuple):
                continue
            claims += 1
            (card,) = answer.value
            assert card == table.match.state.stage.deed.claimed
    assert claims


# Ogallala


def test_counted_canoe_is_recounted_once_after_a_misread() -> None:
    script = begin_midway("B S B S\nB", "keg").draws("S").puts(1, 1).says("end", "end")
    ask = next(ask for ask in script.match.asks if isinstance(ask, Show))
    truth = {CENTRE: ("empty-bow", "empty-stern"), PILE: ("keg",)}
    due = tabletop.cards_due(script.match, truth, ask, frozenset({0}))
    assert due == ((CENTRE, "empty-bow"), (CENTRE, "empty-stern"))
    reach = tabletop.cards_in_reach(truth, tabletop.Tabletop(), script.match, 0)
    assert [(held.zone, held.face) for held in reach] == [(CENTRE, "empty-stern")]
    assert bot_action(script.match, 0, {}, Random(1)) == BotAction()
    misread = allowed(hear(script.match, Answer(script.match.number, "count", ("keg", "empty-bow"), 0)))
    done = present(bot_action(misread, 0, {}, Random(1)))
    assert done.answer is not None
    assert done.answer.value == Option("as-recorded")
    # a card on its way to the middle isn't missing there
    assert cards_said(script.match, ()) is None


# tempers


MATCHES = {
    "coup": tiered(40, 200),
    "coyote": tiered(30, 150),
    "coup-d-etat": tiered(40, 150),
    "plenty-coups": tiered(5, 40),
}
"""Enough matches to distinguish each temper from the others."""


@slow("whole matches, until each temper has shown itself")
@pytest.mark.parametrize("name", tiered(("coup",), tuple(MATCHES)))
def test_each_temper_matches_its_description(name: str) -> None:
    shown = measure_tempers(GAMES[name], MATCHES[name], seed=1)
    rates = {
        trait: {each.temper: each.rate for each in shown if each.trait == trait}
        for trait in GAMES[name].play.traits
    }
    found = {
        (temper, trait): _extremes(rates[trait], temper)
        for temper, said in SAID_OF.items()
        for trait in said
        if trait in rates
    }
    assert found
    assert all(SAID_OF[temper][trait] in extremes for (temper, trait), extremes in found.items()), rates


def _extremes(rates: dict[str, float], temper: str) -> set[str]:
    others = [rate for other, rate in rates.items() if other != temper]
    holds = {
        "most": rates[temper] > max(others),
        "least": rates[temper] < min(others),
        "never": not rates[temper],
    }
    return {often for often, does in holds.items() if does}


def test_animals_have_tempers_and_games_list_the_visible_ones() -> None:
    assert tuple(TEMPERS) == BOT_NAMES == tuple(SAID_OF)
    assert {name: game.play.traits for name, game in GAMES.items() if game.play.traits}.keys() == MATCHES.keys()


@pytest.mark.parametrize("strength", ["plain", "strong"])
def test_captain_steals_from_a_player_with_coins(strength: Strength) -> None:
    match = coup_table("0:2", "0:2", "3:2").match
    done = present(bot_action(match, 0, {hand_of(0): ("captain", "contessa")}, Random(1), strength))
    assert present(done.answer).value == Option("steal", seat=2)
