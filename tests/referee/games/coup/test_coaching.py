"""Analysis of claims in Coup: exact probabilities by a second method, public knowledge only, bounded work."""

from collections.abc import Callable, Mapping
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language
from hardware.twin.dealer import DealtMatch, Truth, deal_match, step
from hardware.twin.playouts import MOST_ANSWERS, BotLaboratory
from referee.coaching import analyse, judgement_texts, line_of
from referee.contract import Answer, Kind, Option, hand_of, make_ruling
from referee.contract.cards import expand_counts, without
from referee.games.coup import COUP
from referee.games.coup.coaching import (
    DEALS,
    MORE_DEALS,
    WEIGHED,
    chance_to_hold,
    claim_chance,
    claims_after,
    deal_hidden,
)
from referee.games.coup.hands import moves
from referee.games.coup.state import DECK, Deed
from referee.kit.claims import CHALLENGE, PASS
from referee.kit.coaching import cards_seen
from referee.match import Correct, Match, hear
from tests.referee.laboratories import MOST_WORDS, StillLaboratory, count_words, match_by_bots
from tests.referee.tables import new_match

OPEN = ("duke", "duke", "captain", "contessa")


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("face", ["duke", "contessa", "assassin"])
def test_open_card_odds_match_full_enumeration(face: str, count: int) -> None:
    unseen = without(DECK.counts, OPEN)
    hands = list(combinations(expand_counts(unseen), count))
    counted = sum(face in held for held in hands) / len(hands)
    assert chance_to_hold(unseen, count, face) == pytest.approx(counted)


def test_claims_weight_deals_by_bluff_rate() -> None:
    unseen, bluff = without(DECK.counts, OPEN), 0.1
    weights = {True: 0.0, False: 0.0}
    for held in permutations(expand_counts(unseen), 2):
        weights["duke" in held] += (1 if "duke" in held else bluff) * (1 if "captain" in held else bluff)
    chance = chance_to_hold(unseen, 2, "duke", frozenset({"duke", "captain"}), bluff)
    assert chance == pytest.approx(weights[True] / sum(weights.values()))


def test_claims_are_dropped_when_the_hand_changes() -> None:
    claims = claims_after(
        {}, [make_ruling("claims-tax", seat=0), make_ruling("blocks", seat=1, face="contessa")]
    )
    assert claims == {0: {"duke"}, 1: {"contessa"}}
    assert claims_after(claims, [make_ruling("swaps", seat=0, card="duke")])[0] == frozenset()
    assert claims_after(claims, [make_ruling("loses", seat=0, card="duke")])[0] == frozenset()
    assert claims_after(claims, [make_ruling("loses", seat=0, card="captain")])[0] == {"duke"}


def without_card(match: Match, seed: int) -> tuple[Match, int, int] | None:
    """Replace the card of the last loss, if the rest of the match stays the same."""
    lost = [heard for heard in line_of(match) if heard.answer.ask == "lose"]
    heard = lost[seed % len(lost)]
    (card,) = heard.answer.value
    other = next(face for face, left in heard.asks[0].among.items() if left and face != card)
    corrected = hear(match, Correct(match.number, heard.moment, (other,)))
    if not isinstance(corrected, Match) or corrected.outcome != match.outcome:
        return None
    return corrected, heard.moment, heard.asks[0].seats[0]


def test_later_reveals_do_not_change_earlier_judgements() -> None:
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
    assert 0 < still.plays <= 3 * WEIGHED * 2 * DEALS
    seats = analyse(match, busy)
    assert busy.answers <= 3 * WEIGHED * 2 * (DEALS + MORE_DEALS) * MOST_ANSWERS
    assert any(each.kind is Kind.WINS for seat in seats for each in seat.judgements)


class Winning(StillLaboratory):
    """Lets a seat win if it answers with a certain word; records the decisions played on."""

    def __init__(self, word: Option) -> None:
        super().__init__()
        self.word, self.moments = word, set[int]()

    def chance(self, moment: int) -> Random:
        self.moments.add(moment)
        return super().chance(moment)

    def play_until(
        self, state: Any, places: object, answer: Answer, is_over: Callable[[Any], bool], seed: float
    ) -> Any:
        del places, is_over, seed
        if answer.value != self.word:
            return state
        return replace(state, fallen=tuple(seat for seat in range(len(state.coins)) if seat != answer.seat))


@pytest.mark.parametrize(("better", "key"), [(CHALLENGE, "challenge"), (PASS, "pass")])
@pytest.mark.parametrize("seed", range(3))
def test_decisions_against_the_odds_are_compared(better: Option, key: str, seed: int) -> None:
    """Challenges of likely claims and passes of unlikely ones are played on, and the better answer is named."""
    match = match_by_bots("coup", "rule text", 4, seed)
    laboratory = Winning(better)
    found = COUP.play.coach(line_of(match), laboratory)
    compared = [each for each in found if each.moment in laboratory.moments]
    assert compared
    for each in compared:
        assert (each.remarks[0].values["honest"] > 0.5) == (each.chosen == CHALLENGE)
        assert each.kind is Kind.WINS
        assert (each.better == better) == (each.chosen != better)
        if each.better is not None:
            assert each.remarks[-1].key == f"coach-rather-{key}"
            assert each.loss == pytest.approx(each.remarks[-1].values["gain"] / 100, abs=0.01)
            assert count_words(judgement_texts(match, each, language("fr"))) <= MOST_WORDS


def test_impossible_claims_have_probability_zero() -> None:
    first = line_of(match_by_bots("coup", "rule text", 3))[0].state
    state, deed = replace(first, lost=(("duke",), ("duke",), ())), Deed(0, "tax")
    assert claim_chance(state, deed, {}) == pytest.approx(1 / 13)
    assert claim_chance(state, deed, {1: ("duke",)}) == 0
    # a card that all saw its owner keep is certain, or one of two if the other is unknown
    assert claim_chance(state, deed, {0: ("duke",)}) == 1
    assert claim_chance(state, Deed(2, "tax"), {2: ("captain",), 1: ("contessa",)}) == pytest.approx(1 / 11)
    assert claim_chance(replace(state, lost=(("duke",), ("duke",), ("duke",))), deed, {}) == 0


def test_simulated_deals_follow_claim_likelihood() -> None:
    state = new_match(COUP, "rule text", 3).state
    rng, claims, known = Random(4), {1: frozenset({"duke"})}, {0: ("captain", "contessa")}

    def share_of_dukes(claimed: Mapping[int, frozenset[str]], bluff: float, seat: int) -> float:
        deals = [deal_hidden(state, 0, known, claimed, bluff, rng) for _deal in range(400)]
        return sum("duke" in places[hand_of(seat)] for places in deals) / len(deals)

    unseen = without(DECK.counts, ("captain", "contessa"))
    assert share_of_dukes({}, 0.1, 1) == pytest.approx(chance_to_hold(unseen, 2, "duke"), abs=0.08)
    known[2] = ("duke",)
    assert share_of_dukes({}, 0.1, 2) == 1
    del known[2]
    expected = chance_to_hold(unseen, 2, "duke", frozenset({"duke"}), 0.1)
    assert share_of_dukes(claims, 0.1, 1) == pytest.approx(expected, abs=0.08)


@pytest.mark.parametrize("seed", range(4))
def test_judgements_use_the_full_own_hand(seed: int) -> None:
    """All hands are known here: each probability uses the seat's own cards, or no judgement is made."""
    rng, truths = Random(seed), list[Truth]()
    dealt = deal_match(new_match(COUP, "rule text", 3), rng)
    while dealt.match.asks:
        truths.append(dealt.truth)
        stepped = step(dealt, rng)
        assert isinstance(stepped, DealtMatch)
        dealt = stepped
    line = line_of(dealt.match)
    seen = [cards_seen(line, moves, hand_of(seat)) for seat in range(3)]
    judged = [each for seat in analyse(dealt.match, StillLaboratory()) for each in seat.judgements]
    for judgement in judged:
        moment, heard = judgement.moment, line[judgement.moment]
        known = {seat: cards[moment] for seat, cards in enumerate(seen)}
        known[judgement.seat] = truths[moment][hand_of(judgement.seat)]
        chance = claim_chance(heard.state, heard.state.stage.deed, known)
        assert judgement.remarks[0].values["chance"] == pytest.approx(chance)
    assert judged
