"""Matches with known hands: the twin deals, sees all cards, and revokes on demand."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, answer_of, deal_match, follow_rulings
from referee.contract import PILE, Answer, Ask, Show, hand_of
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.hands import trick_pile
from referee.games.coup_d_etat.state import COUP, House, Laying, Playing
from referee.games.coup_d_etat.tricks import cards_taken
from referee.legal import ask_named
from referee.match import Match, Setup, begin, hear
from tests.given import allowed
from tests.hardware.twin.matches import one_revoked
from tests.referee.games.coup_d_etat.script import NAMES
from tests.referee.games.coup_d_etat.second_scorer import REVOKES
from tests.tiers import tiered

WHEN_VOID = {"coup_card": "only_when_void", "coup_led": "leader_names_suit"}
ALL_LEADS = {"lead_rule": "all_leads", "ace_chain": "any_ace", "domino_open": "any_matching"}
HOUSES = [replace(House(revoke_penalty="told"), **rules) for rules in ({}, WHEN_VOID, ALL_LEADS)]
every_house = pytest.mark.parametrize(("house", "seats"), [*product(HOUSES, (3, 4))])


def table(house: House, seats: int, rng: Random) -> DealtMatch:
    return deal_match(allowed(begin(Setup(COUP_D_ETAT, house, NAMES[:seats]))), rng)


def hear_answer(table: DealtMatch, answer: Answer, rng: Random) -> DealtMatch:
    after = allowed(hear(table.match, answer))
    return DealtMatch(after, follow_rulings(table.truth, after, rng))


def answer_or_revoke(table: DealtMatch, rng: Random, often: float) -> tuple[Answer, bool]:
    """Answer fairly, or sometimes illegally for the hand; return whether it was illegal."""
    answer = answer_of(table, rng)
    if rng.random() < often:
        show = next((ask for ask in table.match.asks if isinstance(ask, Show)), None)
        wrong = _wrong_pass(table) or (show and _wrong_card(table, show))
        if wrong and not COUP_D_ETAT.play.is_fair(table.match.state, wrong, table.truth):
            return wrong, True
    return answer, False


def _wrong_pass(table: DealtMatch) -> Answer | None:
    ask: Ask | None = ask_named(table.match.asks, "pass")
    return Answer(table.match.number, "pass", ask.options[0], ask.seats[0]) if ask else None  # type: ignore[union-attr]


def _wrong_card(table: DealtMatch, show: Show) -> Answer | None:
    cards, owners = one_revoked(table, show)
    return Answer(table.match.number, show.key, cards, owners=owners) if cards else None


@every_house
def test_revokes_are_detected_exactly(house: House, seats: int) -> None:
    """By the last trick, or the last domino of a President's contract, all hands are known."""
    rng = Random(f"{house} {seats}")
    found = 0
    for _match in range(tiered(3, 20)):
        one, true, told, is_open = table(house, seats, rng), set[int](), set[object](), False
        while one.match.asks:
            stage = one.match.state.stage
            answer, is_revoke = answer_or_revoke(one, rng, 0.06)
            true |= {_turn(one.match)} if is_revoke else set()
            is_open |= isinstance(stage, Laying) and stage.deal.claimant is not None
            one = hear_answer(one, answer, rng)
            rulings = one.match.rulings
            told |= {r.values["seat"] for r in rulings if r.key in REVOKES}
            if any(ruling.key in {"deal", "won", "shared"} for ruling in rulings):
                # in a coup of Dominos most hands stay hidden
                assert told <= true if is_open else told == true
                found += len(told)
                true, told, is_open = set(), set(), False
    assert found > 10


def _turn(match: Match) -> int:
    stage = match.state.stage
    assert isinstance(stage, Playing | Laying)
    return stage.turn if isinstance(stage, Laying) else match.state.next_to_play(stage)


@every_house
def test_honest_match_matches_the_cards(house: House, seats: int) -> None:
    """No revoke is ruled, hands shrink card by card, tricks go to their winners, and no card is lost."""
    rng = Random(f"table {house} {seats}")
    one, counts = table(house, seats, rng), Counter(COUP_D_ETAT.table.deck(house).counts)
    while one.match.asks:
        answer = answer_of(one, rng)
        if answer.ask in {"holder", "nobody"}:
            assert (answer.ask == "nobody") == (one.truth[PILE] == (COUP,))
        one = hear_answer(one, answer, rng)
        assert not {ruling.key for ruling in one.match.rulings} & {*REVOKES, "void"}
        assert Counter(card for cards in one.truth.values() for card in cards) == counts
        stage = one.match.state.stage
        if isinstance(stage, Playing):
            for seat in range(seats):
                assert Counter(one.truth.get(trick_pile(seat), ())) == Counter(cards_taken(stage, seat))
                has_laid = (seat - stage.leader) % seats < len(stage.cards)
                assert len(one.truth[hand_of(seat)]) == 8 - len(stage.tricks) - has_laid
        if isinstance(stage, Laying):
            assert tuple(len(one.truth[hand_of(seat)]) for seat in range(seats)) == stage.left
