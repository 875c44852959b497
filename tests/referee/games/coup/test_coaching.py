"""Claims at Coup: exact chances by another way to count, only what a seat could know, bounded work."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, permutations, product
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest
from msgspec.structs import replace

from hardware.twin.playouts import MOST_ANSWERS, BotLaboratory
from referee.coaching import analyse, line_of
from referee.contract import Answer, Kind, Zone, make_ruling
from referee.contract.cards import expand_counts, without
from referee.games.coup.claims import chance_to_hold, claim_chance, claims_after
from referee.games.coup.coaching import DEALS, Doubt, _play_on, _shuffled, deal_hidden, telling_doubts
from referee.games.coup.deck import COUP as DECK
from referee.games.coup.hands import hand
from referee.games.coup.state import DeclaredAction, Window
from referee.games.coup.windows import CHALLENGE, PASS
from referee.match import Correct, Match, correct
from tests.referee.laboratories import StillLaboratory, match_by_bots

OPEN = ("duke", "duke", "captain", "contessa")


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("face", ["duke", "contessa", "assassin"])
def test_a_chance_by_open_cards_is_what_counting_every_deal_gives(face: str, count: int) -> None:
    unseen = without(DECK.counts, OPEN)
    hands = list(combinations(expand_counts(unseen), count))
    counted = sum(face in held for held in hands) / len(hands)
    assert chance_to_hold(unseen, count, face) == pytest.approx(counted)


def test_claims_of_a_player_who_seldom_bluffs_weigh_each_deal() -> None:
    unseen, bluff = without(DECK.counts, OPEN), 0.1
    weights = {True: 0.0, False: 0.0}
    for held in permutations(expand_counts(unseen), 2):
        weights["duke" in held] += (1 if "duke" in held else bluff) * (1 if "captain" in held else bluff)
    chance = chance_to_hold(unseen, 2, "duke", frozenset({"duke", "captain"}), bluff)
    assert chance == pytest.approx(weights[True] / sum(weights.values()))


def test_what_is_claimed_is_forgotten_when_the_hand_changes() -> None:
    claims = claims_after(
        {}, [make_ruling("claims-tax", seat=0), make_ruling("blocks", seat=1, face="contessa")]
    )
    assert claims == {0: {"duke"}, 1: {"contessa"}}
    assert claims_after(claims, [make_ruling("swaps", seat=0, card="duke")])[0] == frozenset()
    assert claims_after(claims, [make_ruling("loses", seat=0, card="duke")])[0] == frozenset()
    assert claims_after(claims, [make_ruling("loses", seat=0, card="captain")])[0] == {"duke"}


def test_a_seat_s_own_cards_are_dealt_to_it_and_all_fifteen_are_somewhere() -> None:
    line = line_of(match_by_bots("coup", "rule text", 4))
    heard = next(heard for heard in line if isinstance(heard.state.stage, Window))
    places = deal_hidden(heard.state, 2, ("duke",), {}, 1.0, Random(1))
    assert "duke" in places[hand(2)]
    assert Counter(card for cards in places.values() for card in cards) == Counter(DECK.counts)


def without_card(match: Match, seed: int) -> tuple[Match, int, int] | None:
    """Let another card come to light at the last loss, if that leaves the match as it is."""
    lost = [heard for heard in line_of(match) if heard.answer.ask == "lose"]
    heard = lost[seed % len(lost)]
    (card,) = heard.answer.value
    other = next(face for face, left in heard.asks[0].among.items() if left and face != card)
    corrected = correct(match, Correct(match.number, heard.moment, (other,)))
    if not isinstance(corrected, Match) or corrected.outcome != match.outcome:
        return None
    return corrected, heard.moment, heard.asks[0].seats[0]


def test_what_others_turned_up_later_changes_nothing_of_what_was_said_before() -> None:
    compared = 0
    for seed in range(6):
        match = match_by_bots("coup", "rule text", 4, seed)
        found = without_card(match, seed)
        if found is None:
            continue
        other, moment, loser = found
        one, two = (
            [
                (each.moment, each.remarks[0])
                for seat in analyse(each_match, StillLaboratory())
                for each in seat.judgements
                if each.moment < moment and seat.seat != loser
            ]
            for each_match in (match, other)
        )
        assert one == two
        compared += len(one)
    assert compared > 20


def test_work_is_bounded() -> None:
    match = match_by_bots("coup", "rule text", 3)
    still, busy = StillLaboratory(), BotLaboratory(match.setup, 1)
    analyse(match, still)
    assert 0 < still.plays <= 4 * DEALS
    seats = analyse(match, busy)
    assert busy.answers <= still.plays * MOST_ANSWERS
    assert any(each.kind is Kind.WINS for seat in seats for each in seat.judgements)


def test_a_claim_of_a_character_that_lies_open_thrice_or_is_held_can_t_be_true() -> None:
    first = line_of(match_by_bots("coup", "rule text", 3))[0].state
    window = Window(DeclaredAction(0, "tax"), 1, (1, 2))
    state = replace(first, lost=(("duke",), ("duke",), ()), stage=window)
    assert claim_chance(state, window, ()) == pytest.approx(1 / 13)
    assert claim_chance(state, window, ("duke",)) == 0
    assert claim_chance(replace(state, lost=(("duke",), ("duke",), ("duke",))), window, ()) == 0


@pytest.mark.parametrize(("honest", "is_telling"), [(0.49, True), (0.5, False), (0.51, False)])
def test_only_a_pass_that_gave_something_away_is_played_on(honest: float, is_telling: bool) -> None:
    """A claim that is as often true as not costs as much to doubt as to believe."""
    line = line_of(match_by_bots("coup", "rule text", 4))
    heard = next(heard for heard in line if heard.answer.value == PASS)
    doubt = Doubt(heard, 2, (), {}, honest, honest)
    assert list(telling_doubts([doubt], 2)) == ([doubt] if is_telling else [])
    assert list(telling_doubts([doubt], 1)) == []


class Draws:
    """A source of chance whose numbers are known."""

    def __init__(self, *numbers: float) -> None:
        """Lay the numbers ready."""
        self._numbers = iter(numbers)

    def random(self) -> float:
        """Give the next one."""
        return next(self._numbers)


def test_every_order_of_cards_is_as_likely_as_any_other() -> None:
    draws = product(*([choice / ways for choice in range(ways)] for ways in (4, 3, 2)))
    orders = Counter(tuple(_shuffled(list("abcd"), Draws(*each))) for each in draws)
    assert set(orders) == set(permutations("abcd"))
    assert set(orders.values()) == {1}


class KnownShares(StillLaboratory):
    """Gives the seat 2 shares that were set before: after a challenge by deal, and nothing after a pass."""

    def __init__(self, *shares: float) -> None:
        """Remember them."""
        super().__init__()
        self._shares = iter(shares)

    def play(
        self, state: object, places: Mapping[Zone, tuple[str, ...]], answer: Answer, players: str, seed: float
    ) -> tuple[float, ...]:
        """Give the next share."""
        del state, places, players, seed
        return (0, 0, next(self._shares) if answer.value == CHALLENGE else 0)


def test_the_error_of_a_gain_is_that_of_a_mean_of_so_many_deals() -> None:
    heard = next(each for each in line_of(match_by_bots("coup", "rule text", 4)) if each.answer.value == PASS)
    doubt, shares = Doubt(heard, 2, (), {}, 0.5, 0.5), (1.0, 0.0, 0.25, 0.25)
    values = _play_on(doubt, len(shares), "plain", KnownShares(*shares))
    assert (values.challenge, values.passing) == (mean(shares), 0)
    assert values.error == pytest.approx(stdev(shares) / sqrt(len(shares)))
    assert _play_on(doubt, 1, "plain", KnownShares(0.5)).error == 0
