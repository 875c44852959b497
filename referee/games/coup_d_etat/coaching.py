"""Whether a trick could still be won, and what lay in it: exact, by what had fallen and one's own hand.

A seat's own hand is what it laid from then on. A card takes the trick for certain if none of those still to
come holds a higher one of its suit; how likely that is follows from the unseen cards, and from who had denied
the suit. Judged are players under a contract of the President, who pay for what they take, and those who
attempt a coup, who must take it.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import comb

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import (
    Answer,
    HeardAnswer,
    Judgement,
    Kind,
    Laboratory,
    Line,
    Weighed,
    Zone,
    make_remark,
    weigh_choice,
)
from referee.games.coup_d_etat.contracts import CONTRACTS, FAILURE, PRICES, SO_FAR
from referee.games.coup_d_etat.deck import COUP, HAND, STRENGTH, SUIT, deck_for
from referee.games.coup_d_etat.hands import hand, is_fair, moves
from referee.games.coup_d_etat.score import count_items
from referee.games.coup_d_etat.state import Playing, State, next_to_play
from referee.games.coup_d_etat.tricks import winner
from referee.kit.held_cards import cards_held


class Choice(Struct, frozen=True):
    """A card that could be laid: how likely the trick was its player's for certain, and what that comes to."""

    card: str
    chance: float
    stake: int
    """What lies in the trick, with this card."""
    worth: float
    """Francs, on average."""


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge all cards laid in tricks where another could have been laid."""
    seats = range(len(line[0].state.money)) if line else range(0)
    held = {seat: cards_held(line, moves, partial(_hand_of, seat)) for seat in seats}
    return tuple(_judgements(line, held))


def _hand_of(seat: int, _heard: HeardAnswer) -> Zone:
    return hand(seat)


def _judgements(line: Line, held: dict[int, Sequence[tuple[str, ...]]]) -> Iterator[Judgement]:
    for place, heard in enumerate(line):
        playing = heard.state.stage
        if not isinstance(playing, Playing) or heard.answer.ask != "card":
            continue
        seat = next_to_play(heard.state, playing)
        if playing.deal.claimant not in {None, seat}:
            continue
        choices = tuple(_choices(heard.state, playing, seat, held[seat][place]))
        chosen = next((choice for choice in choices if heard.answer.value == (choice.card,)), None)
        # a card that no fair player could have laid has nothing to be set against
        if chosen is not None and len(choices) > 1:
            yield _judge(heard, seat, chosen, choices)


def _choices(state: State, playing: Playing, seat: int, own: tuple[str, ...]) -> Iterator[Choice]:
    """Weigh each card that a fair player could lay."""
    for card in own:
        if is_fair(state, Answer(0, "card", (card,), seat), {hand(seat): own}):
            chance = chance_to_take(state, playing, own, card)
            stake = stake_of(playing, seat, len(state.money), card)
            is_coup = playing.deal.claimant == seat
            yield Choice(card, chance, stake, -(1 - chance) * stake if is_coup else -chance * stake)


def stake_of(playing: Playing, seat: int, seats: int, card: str) -> int:
    """Say what a trick costs who takes it; in a coup, what it costs not to take something that counts."""
    terms = CONTRACTS[playing.deal.contract]
    items = count_items((*playing.cards, card))
    price = sum(PRICES[item] * items[item] for item in SO_FAR if item in terms.items)
    number = len(playing.tricks)
    price += PRICES["first-trick"] * ("first-trick" in terms.items and number == 0)
    price += PRICES["last-trick"] * ("last-trick" in terms.items and number == HAND - 1)
    if playing.deal.claimant != seat:
        return price
    return FAILURE + terms.reward * (seats - 1) if price else 0


def chance_to_take(state: State, playing: Playing, own: tuple[str, ...], card: str) -> float:
    """Tell how likely no player still to come can beat a card, if it leads the trick now."""
    seats, seat = len(state.money), next_to_play(state, playing)
    laid = replace(playing, cards=(*playing.cards, card), suit=playing.suit or SUIT[card])
    if winner(laid, seats) != seat:
        return 0.0
    if card == COUP:
        return 1.0
    unseen = [other for other in deck_for(seats).counts if other not in {*playing.seen, *own, COUP}]
    higher = sum(SUIT[other] == SUIT[card] and STRENGTH[other] > STRENGTH[card] for other in unseen)
    return chance_without(higher, *_places(state, playing, len(unseen), SUIT[card]))


def chance_without(cards: int, before: int, places: int) -> float:
    """Tell how likely none of so many cards is in the first of so many places."""
    return comb(places - before, cards) / comb(places, cards) if cards <= places else 0.0


def _places(state: State, playing: Playing, unseen: int, suit: str) -> tuple[int, int]:
    """Count the places of a suit's unseen cards: those of seats still to come, and all of them."""
    seats, seat = len(state.money), next_to_play(state, playing)
    done = len(playing.cards)
    left = {
        other: HAND - len(playing.tricks) - (((other - playing.leader) % seats) < done)
        for other in range(seats)
        if other != seat
    }
    if playing.deal.claimant in left and COUP not in playing.seen:
        left[playing.deal.claimant] -= 1
    void = {denial.seat for denial in playing.denials if denial.suit == suit}
    aside = unseen - sum(left.values())
    to_come = [other for other in left if (other - playing.leader) % seats > done]
    coming = sum(left[other] for other in to_come if other not in void)
    return coming, aside + sum(count for other, count in left.items() if other not in void)


def _judge(heard: HeardAnswer, seat: int, chosen: Choice, choices: Sequence[Choice]) -> Judgement:
    """Set the card that was laid against the best one."""
    best = max(choices, key=lambda choice: (choice.worth, choice == chosen))
    is_coup = heard.state.stage.deal.claimant == seat
    said = make_remark(
        _key(chosen, is_coup), seat=seat, card=chosen.card, chance=chosen.chance, stake=chosen.stake
    )
    rather = make_remark(
        "coach-rather-card",
        card=best.card,
        chance=best.chance,
        stake=best.stake,
        lost=round(best.worth - chosen.worth),
    )
    weighed = Weighed(chosen.worth, heard.answer.value, said)
    return weigh_choice(heard, seat, Kind.POINTS, weighed, Weighed(best.worth, (best.card,), rather))


def _key(chosen: Choice, is_coup: bool) -> str:
    if not chosen.chance:
        return "coach-card-lost"
    return "coach-card-coup" if is_coup else "coach-card"
