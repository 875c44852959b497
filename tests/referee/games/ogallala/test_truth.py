"""Matches of builders, whose truth is known: no card is lost, the count is right, everything comes up."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, deal_match
from referee.contract import CENTRE, DISCARD, PILE, Refusal
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.canoes import canoes_in, complete_in, crews_of, has_doubles
from referee.games.ogallala.hands import kept_aside, land
from referee.games.ogallala.house import SETTINGS, House, deck_of
from referee.games.ogallala.state import Sourcing, State, hidden_cards, pile_size
from referee.games.ogallala.territory import HIGHEST, WIDEST, cards_in, cells_of
from referee.legal import refusal
from referee.match import Match, Setup, begin, moments
from tests.referee.games.ogallala.builder import answer_as_builder
from tests.referee.games.ogallala.script import NAMES
from tests.referee.games.ogallala.second_scorer import points_of_row

every_way = pytest.mark.parametrize(
    ("rules", "seats"), [(rules, seats) for rules in SETTINGS for seats in range(2, 6)]
)


def table(house: House, seats: int, rng: Random) -> DealtMatch:
    """Sit down at a twin."""
    match = begin(Setup(OGALLALA, house, NAMES[:seats]))
    assert isinstance(match, Match)
    return deal_match(match, rng)


def play_builders(house: House, seats: int, rng: Random) -> DealtMatch:
    """Let builders play to the end, and look at every moment."""
    one = table(house, seats, rng)
    while one.match.asks:
        one = answer_as_builder(one, rng)
        # while it isn't said from which pile a card comes, hands haven't moved it
        if not isinstance(one.match.state.stage, Sourcing):
            look(one)
    return one


def look(one: DealtMatch) -> None:
    """Check what must always hold."""
    state, truth = one.match.state, one.truth
    assert isinstance(state, State)
    counts = hidden_cards(state)
    assert min(counts.values()) >= 0
    assert sum(counts.values()) == pile_size(state) == len(truth[PILE])
    assert Counter(truth[PILE]) == +Counter(counts)
    assert Counter(truth.get(DISCARD, ())) == Counter(state.discard)
    assert truth.get(DISCARD, ())[-1:] == state.discard[-1:]
    lifted = Counter(truth.get(CENTRE, ()))
    for seat, territory in enumerate(state.territories):
        on_table = Counter(truth.get(land(seat), ()))
        assert not on_table - Counter(cards_in(territory))
        assert not Counter(cards_in(territory)) - on_table - lifted
        assert Counter(truth.get(kept_aside(seat), ())) == Counter(state.aside[seat])
        sound(state, seat)


def sound(state: State, seat: int) -> None:
    """Check that a territory is as the rules let it be."""
    territory = state.territories[seat]
    assert len(territory.rows) <= HIGHEST
    assert all(len(row) <= WIDEST for row in territory.rows)
    held = cells_of(territory)
    for (x, y), card in held.items():
        other = held.get((x + 1, y))
        assert other is None or card.endswith("stern") == other.endswith("bow")
    for canoe in canoes_in(territory):
        assert not has_doubles(canoe.cards)
        assert not state.house.two_crews or len(crews_of(canoe.cards)) < 2


@every_way
def test_no_card_is_lost_and_every_territory_is_sound(rules: str, seats: int) -> None:
    rng = Random(f"{rules} {seats}")
    for _match in range(2):
        play_builders(SETTINGS[rules], seats, rng)


@every_way
def test_the_second_scorer_agrees_on_whole_matches(rules: str, seats: int) -> None:
    rng, house = Random(f"score {rules} {seats}"), SETTINGS[rules]
    state = play_builders(house, seats, rng).match.state
    any_order = house.combo_order == "any"
    second = [
        sum(points_of_row([*row], any_order=any_order) for row in territory.rows)
        for territory in state.territories
    ]
    standings = {standing.seat: standing.counts["points"] for standing in OGALLALA.standings(state)}
    assert [standings[seat] for seat in range(seats)] == second
    outcome = OGALLALA.outcome(state)
    assert outcome is not None
    assert outcome.winners == tuple(seat for seat in range(seats) if second[seat] == max(second))


def test_builders_come_to_everything() -> None:
    """Nearly all that can be ruled is ruled in a few matches, and nothing that has no words."""
    told = Counter[str]()
    for seed in range(4):
        rng = Random(seed)
        for house in (*SETTINGS.values(), replace(SETTINGS["rule text"], unplaced_booty="keep_aside")):
            match = play_builders(house, 2 + seed, rng).match
            told.update(ruling.key for moment in moments(match) for ruling in moment.rulings)
    assert set(told) <= set(OGALLALA.words.rulings)
    rare = {"which-pile", "no-place", "unplaced", "aside", "fetches", "put-back", "lapses", "count-set"}
    rare |= {"missing", "extra", "odds"}  # no player lies here, and insight is no ruling
    rare |= {"is-complete", "is-incomplete", "is-protected"}  # told of canoes by the grids
    assert set(OGALLALA.words.rulings) - rare <= set(told)


@every_way
def test_a_claim_that_the_piles_are_empty_is_fair_only_when_they_are(rules: str, seats: int) -> None:
    rng = Random(seats)
    match = play_builders(SETTINGS[rules], seats, rng).match
    for moment in moments(match):
        if any(ruling.key == "no-cards" for ruling in moment.rulings):
            assert moment.before is not None
            assert not pile_size(moment.state)


def test_answers_of_builders_are_legal_for_what_was_asked() -> None:
    match = play_builders(SETTINGS["other rules"], 3, Random(1)).match
    for moment in moments(match):
        if moment.before is not None:
            answer = moment.entry
            assert not isinstance(refusal(moment.before.asks, answer), Refusal)  # type: ignore[arg-type]


def test_the_end_comes_with_three_to_five_canoes_or_without_cards() -> None:
    reasons = Counter[str]()
    for seed in range(10):
        match = play_builders(House(), 2, Random(seed)).match
        assert match.outcome is not None
        reasons[match.outcome.reason] += 1
        held = [len(complete_in(territory)) for territory in match.state.territories]
        assert max(held) <= 5
        assert match.outcome.reason == "no-cards" or max(held) >= 3
    assert deck_of(House()).size == 112
    assert reasons
