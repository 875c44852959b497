"""Analysis of tricks in Coup d'État: probabilities compared with every deal, and tricks that decide a coup."""

from collections.abc import Callable, Iterator
from itertools import chain, permutations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from referee.coaching import line_of
from referee.contract import Answer, Judgement, hand_of
from referee.games.coup_d_etat.coaching import chance_to_take, deal_hidden, judge_decisions, stake_of, ways
from referee.games.coup_d_etat.state import COUP, SUIT, Contract, Deal, Playing, State, deck_for
from referee.kit.answers import cards_said
from referee.kit.tricks import Denial, Trick
from tests.referee.games.coup_d_etat.script import Script, dealt
from tests.referee.laboratories import StillLaboratory, match_by_bots

TABLE = 4
LEFT = ("As", "10s", "Ks", "Qs", "9h", "8h", "Ad", "7c")


def late(cards: tuple[str, ...] = (), denials: tuple[Denial, ...] = (), contract: Contract = "siege") -> State:
    """Return the seventh trick, led by seat 0: two cards each, the others have been played."""
    seen = tuple(card for card in deck_for(TABLE).counts if card not in {*LEFT, COUP})
    tricks = tuple(Trick(0, seen[start : start + TABLE], 0) for start in range(0, 24, TABLE))
    suit = SUIT[cards[0]] if cards else ""
    playing = Playing(Deal(contract, 0), 0, suit, cards, (*seen, *cards, COUP), tricks, denials=denials)
    first = line_of(match_by_bots("coup-d-etat", "rule text", TABLE))[0].state
    return replace(first, stage=playing)


def hands_dealt(state: State, own: tuple[str, ...]) -> Iterator[dict[int, tuple[str, ...]]]:
    """Deal the unseen cards in every order, and yield the deals consistent with the denials."""
    playing: Playing = state.stage
    me = len(playing.cards)
    hands = [(seat, 1 if seat < me else 2) for seat in range(TABLE) if seat != me]
    unseen = [card for card in deck_for(TABLE).counts if card not in {*playing.seen, *own}]
    denied = {(denial.seat, denial.suit) for denial in playing.denials}
    for order in permutations(unseen):
        rest, dealt_now = list(order), dict[int, tuple[str, ...]]()
        for seat, count in hands:
            dealt_now[seat], rest = tuple(rest[:count]), rest[count:]
        if not {(seat, card[-1]) for seat, cards in dealt_now.items() for card in cards} & denied:
            yield dealt_now


def chance_dealt(state: State, own: tuple[str, ...], card: str) -> float | None:
    """Return the share of these deals in which no later player beats a card."""
    playing: Playing = state.stage
    order = ["7", "8", "9", "J", "Q", "K", "10", "A"]
    hands = [*hands_dealt(state, own)]
    if not hands:
        return None

    def beats(other: str, one: str) -> bool:
        return other[-1] == one[-1] and order.index(other[:-1]) > order.index(one[:-1])

    if playing.cards and (card[-1] != playing.suit or any(beats(other, card) for other in playing.cards)):
        return 0.0
    later = ([*chain(*(hand[seat] for seat in hand if seat > len(playing.cards)))] for hand in hands)
    return sum(not any(beats(other, card) for other in cards) for cards in later) / len(hands)


@pytest.mark.parametrize("seed", range(60))
def test_odds_are_exact_with_denials(seed: int) -> None:
    """Denials in other suits count too: a player without them holds more of this one."""
    rng = Random(seed)
    cards = tuple(rng.sample(LEFT, rng.randrange(4)))
    suits = [(seat, suit) for seat in range(TABLE) for suit in "shdc" if seat != len(cards)]
    denials = tuple(Denial(seat, suit, 2) for seat, suit in rng.sample(suits, rng.randrange(5)))
    state = late(cards, denials)
    own = tuple(rng.sample([card for card in LEFT if card not in cards], 2))
    for card in own:
        expected = chance_dealt(state, own, card)
        assert (expected is None) == (ways(state, state.stage, own) == 0)
        found = chance_to_take(state, state.stage, own, card)
        # a beaten card takes nothing, and the leader of a last card always takes the trick
        assert found == pytest.approx(expected or 0.0) or (expected is None and len(cards) == TABLE - 1)


def test_denials_in_other_suits_count() -> None:
    """Seat 2 has no heart, so it holds two of the ace and king of spades and the ace of diamonds."""
    own, hearts = ("10s", "7c"), (Denial(2, "h", 2),)
    for denials, chance in (((), 1 / 5), (hearts, 1 / 9)):
        state = late(("Qs",), denials)
        assert chance_to_take(state, state.stage, own, "10s") == pytest.approx(chance)
        assert chance_dealt(state, own, "10s") == pytest.approx(chance)


def test_trick_value_follows_the_contract() -> None:
    def stake(card: str, contract: Contract = "siege", **more: object) -> int:
        state = late(("Qs",), contract=contract)
        return stake_of(state, replace(state.stage, **more), card)

    assert stake("10s") == 200
    assert stake("10s", "victory") == 200
    assert stake("10s", "barbu") == 0
    assert stake("9h", "prison", tricks=()) == 400
    # a coup depends on its needed cards until it is lost: seat 0 has taken spades
    assert stake("10s", tricks=(), deal=Deal("siege", 0, claimant=1)) == 800 + 3 * 1000
    assert stake("10s", deal=Deal("siege", 0, claimant=1)) == 0


def judged(script: Script) -> dict[int, Judgement]:
    """Return the judgements by the number of cards laid before."""
    line = line_of(script.match)
    cards = [heard.moment for heard in line if heard.answer.ask == "card"]
    return {cards.index(each.moment): each for each in judge_decisions(line, StillLaboratory())}


def test_undecided_coup_is_not_rated() -> None:
    """In Prison, first and last trick count: the first card is described but not rated."""
    play = "0:prison As 8s 9s 10s 7d Ah 8h 9h 10h Kh Jh Qh 7h"
    ((place, first),) = judged(dealt(revoke_penalty="told").plays(play).to_the_end()).items()
    assert (place, first.seat, first.best, first.loss) == (0, 0, None, 0)


def test_coup_is_rated_in_its_deciding_trick() -> None:
    """In Barbu, the trick has the king of hearts: Bo lays the 7 although he had the ace."""
    play = "1:barbu Ac 8c 9c 10c 7d 9d Ad Kd 10d Qh Kh 8h 7h Jc 7c Ah Qc"
    found = judged(dealt(revoke_penalty="told").plays(play).to_the_end())
    assert (found[11].seat, found[11].best, found[11].loss) == (1, 0, 800 + 3 * 600)


def test_lost_coup_is_not_judged() -> None:
    assert not judged(dealt(revoke_penalty="told").plays("1:barbu 7c Kh Ac 10c 7d Ad").to_the_end())


class Paying(StillLaboratory):
    """Pays the seat of an answer 300 F for each of certain cards; a deal in which it fails costs 700 F."""

    def __init__(self, cards: frozenset[str], fails: int = 0) -> None:
        super().__init__()
        self.cards, self.fails = cards, fails

    def play_until(
        self, state: Any, places: Any, answer: Answer, is_over: Callable[[Any], bool], seed: float
    ) -> object:
        del seed
        self.plays += 1
        seat, (card,) = state.next_to_play(state.stage), cards_said(answer)
        assert card in places[hand_of(seat)]
        assert not is_over(state)
        is_failure = self.fails and self.plays // 2 % self.fails == 0
        money = list(state.money)
        money[seat] += (-700 if is_failure else 300) if card in self.cards else 0
        return replace(state, money=tuple(money))


def test_card_that_brings_more_money_by_the_end_of_the_deal_is_better() -> None:
    """A card's gain includes later tricks and secret coups, for the President too."""
    line = line_of(match_by_bots("coup-d-etat", "rule text", TABLE))
    aces = frozenset({"As", "Ah", "Ad", "Ac"})
    found = judge_decisions(line, Paying(aces))
    better = [each for each in found if each.remarks[0].key == "coach-played-on-card"]
    assert {each.better for each in better} <= {(ace,) for ace in aces}
    assert better
    assert {(round(each.loss), each.remarks[-1].values["gain"]) for each in better} == {(300, 300)}
    assert not {each.chosen for each in better} & {(ace,) for ace in aces}


def test_uncertain_gain_is_no_advice() -> None:
    """It wins 300 F in two of three deals, and loses 700 F in the others: 33 F less on average."""
    line = line_of(match_by_bots("coup-d-etat", "rule text", TABLE))
    found = judge_decisions(line, Paying(frozenset({"As", "Ah", "Ad", "Ac"}), fails=3))
    assert not [each for each in found if each.remarks[0].key == "coach-played-on-card"]


def test_hands_dealt_anew_fit_what_was_shown() -> None:
    """Each seat gets as many cards as it holds, none of a suit that it denied."""
    own, denials = ("10s", "7c"), (Denial(2, "h", 2), Denial(3, "s", 4))
    state = late(("Qs",), denials)
    for seed in range(20):
        hands = deal_hidden(state, state.stage, own, Random(seed))
        assert {seat: len(hands[hand_of(seat)]) for seat in range(TABLE)} == {0: 1, 1: 2, 2: 2, 3: 2}
        dealt_out = [card for seat in range(TABLE) for card in hands[hand_of(seat)]]
        assert sorted((*dealt_out, "Qs")) == sorted(LEFT)
        assert "h" not in {SUIT[card] for card in hands[hand_of(2)]}
        assert "s" not in {SUIT[card] for card in hands[hand_of(3)]}


def test_unknown_hand_is_not_judged() -> None:
    assert not judged(dealt().plays("victory Ah 7c 8h 9h Kd 7d 8d 9d 10h Jh stop"))
