"""Money: a second scorer agrees, the sum is constant, and players who are short borrow."""

from random import Random
from typing import get_args, get_type_hints

import pytest

from hardware.twin.dealer import deal_match as dealt_by_twin
from hardware.twin.player import play_on
from referee.contract import Choice, Option
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.state import CONTRACTS, House
from referee.match import Match, Setup, begin, moments, standing_answers
from tests.given import allowed, present
from tests.hardware.twin.matches import play_honestly
from tests.referee.games.coup_d_etat.script import NAMES, dealt
from tests.referee.games.coup_d_etat.second_scorer import REVOKES, Evening
from tests.tiers import tiered


def second_purses(match: Match) -> tuple[int, ...]:
    steps = standing_answers(match)
    rulings = [*(step.before.rulings for step in steps[1:]), match.position.rulings]
    told = [[each.values["seat"] for each in some if each.key in REVOKES] for some in rulings]
    answers = [(step.answer, seats) for step, seats in zip(steps, told, strict=True)]
    evening = Evening(len(match.setup.names), match.setup.house, answers)
    return tuple(evening.purse[seat] for seat in range(evening.seats))


CHOICES = {
    name: get_args(kind) or (False, True) for name, kind in get_type_hints(House).items() if name != "left_out"
}


def any_house(rng: Random) -> House:
    rules = {name: rng.choice(rule) for name, rule in CHOICES.items()}
    left_out = tuple(rng.sample(sorted(CONTRACTS), 2)) if not rng.randrange(3) else ()
    return House(**rules, left_out=left_out)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("honest", [False, True])
def test_second_scorer_agrees_and_money_is_constant(seats: int, honest: bool) -> None:
    """With any house rules. Random play has a revoke in nearly every deal, honest play none."""
    rng = Random(f"{seats} {honest}")
    for _match in range(tiered(8 if honest else 24, 200)):
        match = allowed(begin(Setup(COUP_D_ETAT, any_house(rng), NAMES[:seats])))
        match = play_honestly(dealt_by_twin(match, rng), rng).match if honest else play_on(match, rng)
        assert match.state.money == second_purses(match)
        assert (match.state.bank, match.state.loans) == (0, ())
        asks = [ask for moment in moments(match) for ask in moment.asks if isinstance(ask, Choice)]
        windows = [ask.window for ask in asks if ask.window is not None]
        assert windows == sorted(windows, reverse=True), "a late press would be taken for another window's"
    for moment in moments(match):
        assert sum(moment.state.money) + moment.state.bank == 10_000 * seats


SHORT = "money:10000,300,10000,400 barbu 7c Ac 8c Kh end"
"""Bo takes the king of hearts in the President's Barbu, owes 800 F, and lacks 500 F."""


def test_loans_are_listed_separately() -> None:
    script = dealt(revoke_penalty="told").plays(f"{SHORT} refuse:2 lend:3 lend:0")
    counts = {standing.seat: standing.counts for standing in COUP_D_ETAT.rules.standings(script.state)}
    assert counts[1] == {"money": 0, "owing": 600}
    assert counts[3] == {"money": 0, "owed": 480}


@pytest.mark.parametrize(("lender", "amount"), [(2, 500), (3, 400)])
def test_lender_sees_the_amount(lender: int, amount: int) -> None:
    """Bo lacks 500 F; Dan has no more than 400 F."""
    state = dealt(revoke_penalty="told").plays(SHORT).state
    told = present(COUP_D_ETAT.book.effect(state, lender, Option("lend")))
    assert told.values == {"amount": amount, "back": amount * 6 // 5}


def test_most_money_wins_and_equals_share() -> None:
    standings = COUP_D_ETAT.rules.standings(dealt().with_money(9000, 12_000, 7000, 12_000).state)
    assert [(one.seat, one.place) for one in standings] == [(1, 1), (3, 1), (0, 3), (2, 4)]
