"""Exact analysis of tricks: the probability of winning one, and the value of its cards, from public knowledge.

A seat's own hand consists of the cards it laid from then on; decisions with a hand that never became known are
not judged. A card takes the trick if no later player holds a higher card of its suit. All distributions of the
unseen cards are equally likely, except that a seat holds no card of a suit it denied.

Judged are players who pay under a contract of the President, and players who attempt a coup in tricks with
cards the coup needs. Alternatives in a coup are compared only if the trick decides it: otherwise a card saved
for a later trick may be worth more.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from referee.contract import Answer, hand_of, weigh_choice
from referee.contract.coaching import Judgement, Kind, Laboratory, Line, Weighed, make_remark
from referee.games.coup_d_etat.hands import is_fair, moves
from referee.games.coup_d_etat.state import (
    CARDS,
    COUP,
    FAILURE,
    HAND,
    ORDER,
    PRICES,
    STRENGTH,
    SUIT,
    Playing,
    State,
)
from referee.games.coup_d_etat.tricks import Haul, count_items, haul, needs_every_trick, whole_haul
from referee.kit.coaching import cards_held, ways_to_deal
from referee.kit.french_cards import SUITS
from referee.kit.tricks import suits_denied, taker_of


class Choice(Struct, frozen=True):
    """A possible card: the probability that it wins the trick, and its expected value."""

    card: str
    chance: float
    stake: int  # value of the trick with this card; in a coup, the amount at risk
    worth: float  # expected value in francs


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge all cards laid in tricks with an alternative."""
    seats = range(len(line[0].state.money)) if line else range(0)
    held = {seat: cards_held(line, moves, hand_of(seat)) for seat in seats}
    return tuple(_judgements(line, held))


def _judgements(line: Line, held: dict[int, Sequence[tuple[str, ...]]]) -> Iterator[Judgement]:
    for place, heard in enumerate(line):
        state, playing = heard.state, heard.state.stage
        if not isinstance(playing, Playing) or heard.answer.ask != "card":
            continue
        seat = state.next_to_play(playing)
        own, is_coup = held[seat][place], playing.deal.claimant == seat
        if len(own) != HAND - len(playing.tricks) or not (is_coup or playing.deal.claimant is None):
            continue
        choices = tuple(_choices(state, playing, seat, own))
        chosen = next((choice for choice in choices if heard.answer.value == (choice.card,)), None)
        # an illegal card has no fair alternative to compare with
        if (
            chosen is None
            or len(choices) < 2
            or (is_coup and not chosen.stake)
            or not ways(state, playing, own)
        ):
            continue
        remark = make_remark(
            _key(chosen, is_coup), seat=seat, card=chosen.card, chance=chosen.chance, stake=chosen.stake
        )
        if is_coup and not all(is_decided(state, playing, choice.card) for choice in choices):
            yield Judgement(heard.moment, seat, heard.answer.value, Kind.POINTS, chosen.worth, (remark,))
        else:
            best = max(choices, key=lambda choice: (choice.worth, choice == chosen))
            lost = round(best.worth - chosen.worth)
            rather = make_remark(
                "coach-rather-card", card=best.card, chance=best.chance, stake=best.stake, lost=lost
            )
            weighed = Weighed(chosen.worth, heard.answer.value, remark)
            yield weigh_choice(heard, seat, Kind.POINTS, weighed, Weighed(best.worth, (best.card,), rather))


def _choices(state: State, playing: Playing, seat: int, own: tuple[str, ...]) -> Iterator[Choice]:
    for card in own:
        if is_fair(state, Answer(0, "card", (card,), seat), {hand_of(seat): own}):
            chance = chance_to_take(state, playing, own, card)
            stake = stake_of(state, playing, card)
            is_coup = playing.deal.claimant == seat
            yield Choice(card, chance, stake, -(1 - chance) * stake if is_coup else -chance * stake)


# Value of a trick.


def stake_of(state: State, playing: Playing, card: str) -> int:
    """Return the cost of taking a trick; in one's own coup, the cost of missing a needed card."""
    terms, seat, lies = playing.deal.terms, state.next_to_play(playing), _lying(playing, card)
    if playing.deal.claimant != seat:
        return sum(PRICES[item] * lies[item] for item in terms.items)
    is_needed = needs_every_trick(state.house, playing.deal) or any(lies[item] for item in terms.items)
    return FAILURE + terms.reward * (len(state.money) - 1) if is_needed and not is_lost(state, playing) else 0


def is_lost(state: State, playing: Playing) -> bool:
    """Return whether others have taken a card that the coup needs."""
    others = [seat for seat in range(len(state.money)) if seat != playing.deal.claimant]
    if needs_every_trick(state.house, playing.deal):
        return any(trick.winner in others for trick in playing.tricks)
    return any(haul(playing, seat)[item] for seat in others for item in playing.deal.terms.items)


def is_decided(state: State, playing: Playing, card: str) -> bool:
    """Return whether all cards the coup still needs are in this trick, with this card."""
    took, lies = haul(playing, state.next_to_play(playing)), _lying(playing, card)
    everything = whole_haul(len(state.money))
    has_all = all(took[item] + lies[item] == everything[item] for item in playing.deal.terms.items)
    return has_all and not needs_every_trick(state.house, playing.deal)


def _lying(playing: Playing, card: str) -> Haul:
    items = count_items((*playing.cards, card))
    return {**items, "first-trick": playing.number == 1, "last-trick": playing.number == HAND}


# Probability of winning a trick.


def chance_to_take(state: State, playing: Playing, own: tuple[str, ...], card: str) -> float:
    """Return the probability that no later player can beat a card, if it leads the trick now."""
    seats, seat, cards = len(state.money), state.next_to_play(playing), (*playing.cards, card)
    if taker_of(ORDER, playing.leader, cards, playing.suit or SUIT[card], seats) != seat:
        return 0.0
    to_come = frozenset((seat + step) % seats for step in range(1, seats - len(playing.cards)))
    if card == COUP or not to_come:
        return 1.0
    higher = frozenset(each for each in CARDS if SUIT[each] == SUIT[card] and STRENGTH[each] > STRENGTH[card])
    every = ways(state, playing, own)
    return ways(state, playing, own, higher, to_come) / every if every else 0.0


def ways(
    state: State,
    playing: Playing,
    own: tuple[str, ...],
    cards: frozenset[str] = frozenset(),
    without: frozenset[int] = frozenset(),
) -> int:
    """Return the number of distributions of the unseen cards in which some seats hold none of certain cards."""
    seats, seat = len(state.money), state.next_to_play(playing)
    left = {
        other: HAND - len(playing.tricks) - ((other - playing.leader) % seats < len(playing.cards))
        for other in range(seats)
        if other != seat
    }
    if playing.deal.claimant in left and COUP not in playing.seen:
        left[playing.deal.claimant] -= 1
    seen = {*playing.seen, *own, COUP}
    unseen = [card for card in state.deck.counts if card not in seen]
    room, kinds = (*left.values(), len(unseen) - sum(left.values())), Counter[frozenset[int]]()
    denied = [suits_denied(playing.denials, other) for other in left]
    places = {
        suit: frozenset([len(left), *(place for place, each in enumerate(denied) if suit not in each)])
        for suit in SUITS
    }
    barred = frozenset([place for place, other in enumerate(left) if other in without])
    for card in unseen:
        kinds[places[SUIT[card]] - barred if card in cards else places[SUIT[card]]] += 1
    return ways_to_deal(kinds, room)


def _key(chosen: Choice, is_coup: bool) -> str:
    if not chosen.chance:
        return "coach-card-lost"
    return "coach-card-coup" if is_coup else "coach-card"
