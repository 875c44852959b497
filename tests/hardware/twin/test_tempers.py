"""The tempers of the bots are true: what pages say of each is what it does, counted over decisions."""

from random import Random

import pytest

from hardware.twin.bots import bot_action
from hardware.twin.bots.tempers import EVEN, TEMPERS, lean
from referee.contract import Answer, Option
from referee.games.catalogue import GAMES
from referee.kit.claims import CHALLENGE
from referee.match import hear
from tests.bench.bots import measure_tempers
from tests.given import allowed
from tests.referee.tables import new_match
from tests.tiers import slow, tiered
from webui.drawing.bots import BOT_NAMES, SAID_OF

MATCHES = {
    "coup": tiered(40, 200),
    "coyote": tiered(30, 150),
    "coup-d-etat": tiered(15, 60),
    "plenty-coups": tiered(5, 40),
}
"""Matches in which each temper decides often enough to tell it from the others."""


@slow("whole matches of four games, until each temper has shown itself")
@pytest.mark.parametrize("name", MATCHES)
def test_each_temper_is_what_pages_say_of_it(name: str) -> None:
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
    """Say whether a temper does something most, least or never."""
    others = [rate for other, rate in rates.items() if other != temper]
    holds = {
        "most": rates[temper] > max(others),
        "least": rates[temper] < min(others),
        "never": not rates[temper],
    }
    return {often for often, does in holds.items() if does}


def test_the_cautious_one_challenges_less_than_the_bold_one() -> None:
    match = new_match(GAMES["coup"], "rule text", 4)
    for said in (Answer(0, "opener", Option("opens", 0)), Answer(1, "action", Option("tax"), 0)):
        match = allowed(hear(match, said))
    challenges = dict.fromkeys(TEMPERS, 0)
    for name, temper in TEMPERS.items():
        for seed in range(2000):
            deed = bot_action(match, 1, {}, Random(seed), "plain", temper)
            challenges[name] += deed is not None and deed.answer is not None and deed.answer.value == CHALLENGE
    assert challenges["Zip"] < challenges["Pip"] < challenges["Ursa"] < challenges["Nox"]


def test_each_animal_has_a_temper_and_all_games_say_which_of_them_show() -> None:
    assert tuple(TEMPERS) == BOT_NAMES == tuple(SAID_OF)
    assert {name: game.play.traits for name, game in GAMES.items() if game.play.traits}.keys() == MATCHES.keys()


@pytest.mark.parametrize(
    ("chance", "odds", "leaning"), [(0.5, 3, 0.75), (0.25, 3, 0.5), (0, 3, 0), (1, 0, 1), (0.3, 0, 0)]
)
def test_odds_change_by_a_factor_and_what_is_certain_stays_so(
    chance: float, odds: float, leaning: float
) -> None:
    assert lean(chance, odds) == pytest.approx(leaning)
    assert lean(chance, EVEN.doubts) == pytest.approx(chance)
