"""Matches with known cards: no card is lost, the count is right, and every situation occurs."""

from collections import Counter
from random import Random

import pytest

from hardware.twin.dealer import DealtMatch, deal_match
from referee.contract import CENTRE, DISCARD, PILE
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import SETTINGS, House
from referee.games.ogallala.hands import kept_aside, land
from referee.games.ogallala.state import Sourcing, State
from referee.games.ogallala.territory import cards_in, has_doubles
from referee.legal import refusal
from referee.match import Setup, begin, moments
from tests.given import allowed, present
from tests.referee.games.ogallala.script import NAMES, answer_as_builder
from tests.referee.games.ogallala.second_scorer import points_of_row
from tests.tiers import tiered


def table(house: House, seats: int, rng: Random) -> DealtMatch:
    return deal_match(allowed(begin(Setup(OGALLALA, house, NAMES[:seats]))), rng)


def play_builders(house: House, seats: int, rng: Random) -> DealtMatch:
    one = table(house, seats, rng)
    while one.match.asks:
        one = answer_as_builder(one, rng)
        # the card's source is unknown, so no hand has moved it yet
        if not isinstance(one.match.state.stage, Sourcing):
            look(one)
    return one


def look(one: DealtMatch) -> None:
    state, truth = one.match.state, one.truth
    assert isinstance(state, State)
    counts = state.hidden_cards
    assert min(counts.values()) >= 0
    assert sum(counts.values()) == state.pile_size == len(truth[PILE])
    assert Counter(truth[PILE]) == +Counter(counts)
    assert Counter(truth.get(DISCARD, ())) == Counter(state.discard)
    assert truth.get(DISCARD, ())[-1:] == state.discard[-1:]
    lifted = Counter(truth.get(CENTRE, ()))
    for seat, territory in enumerate(state.territories):
        on_table = Counter(truth.get(land(seat), ()))
        assert not on_table - Counter(cards_in(territory))
        assert not Counter(cards_in(territory)) - on_table - lifted
        assert Counter(truth.get(kept_aside(seat), ())) == Counter(state.aside[seat])
        assert not any(has_doubles(canoe.cards) for canoe in territory.canoes)


@pytest.mark.parametrize("rules", SETTINGS)
@pytest.mark.parametrize("seats", tiered((2, 5), range(2, 6)))
def test_cards_are_conserved_and_second_scorer_agrees(rules: str, seats: int) -> None:
    """Every territory is valid, piles are declared empty only if they are, and the count is right."""
    rng, house = Random(f"{rules} {seats}"), SETTINGS[rules]
    match = play_builders(house, seats, rng).match
    for moment in moments(match):
        assert not moment.state.pile_size or "no-cards" not in {ruling.key for ruling in moment.rulings}
        if moment.before is not None:
            assert refusal(moment.before.asks, moment.entry) is None  # type: ignore[arg-type]
    any_order, lands = house.combo_order == "any", match.state.territories
    second = [sum(points_of_row([*row], any_order=any_order) for row in each.rows) for each in lands]
    standings = {standing.seat: standing.counts["points"] for standing in OGALLALA.rules.standings(match.state)}
    assert [standings[seat] for seat in range(seats)] == second
    outcome = present(match.outcome)
    assert outcome.winners == tuple(seat for seat in range(seats) if second[seat] == max(second))
    held = max(len(territory.complete) for territory in match.state.territories)
    assert held <= 5
    stood_still = any(ruling.key == "standstill" for moment in moments(match) for ruling in moment.rulings)
    assert outcome.reason == "no-cards" or held >= 3 or house.count_ever or stood_still
