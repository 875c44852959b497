"""Exact odds of bids from the cards a seat could see, and ratings of a match's decisions."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, combinations_with_replacement
from math import comb, prod
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import HeardAnswer, expand_counts, first_surplus_card, weigh_choice, without
from referee.contract.asks import Choice, Datum, Number, Option, Ruling, make_ruling
from referee.contract.coaching import Judgement, Kind, Laboratory, Line, Remark, Weighed, make_remark
from referee.games.coyote.rules import COYOTE
from referee.games.coyote.state import (
    CAVE,
    Bid,
    Bidding,
    CountedRound,
    Doubling,
    House,
    Revealing,
    State,
    tally,
)
from referee.kit.answers import who_said


class Odds(Struct, frozen=True):
    """The exact probability distribution of a total."""

    chances: Mapping[int, Fraction]

    def at_least(self, number: int) -> Fraction:
        return sum((chance for total, chance in self.chances.items() if total >= number), Fraction(0))


def odds(house: House, hidden: int, seen: Iterable[str], discarded: Iterable[str]) -> Odds:
    """Return the odds of the total if `hidden` unseen cards are in play besides those seen."""
    seen, discarded = tuple(seen), tuple(discarded)
    deck = house.deck
    strange = first_surplus_card(deck.counts, seen + discarded)
    if strange is not None:
        raise ValueError(f"{deck.name} has no such card left: {strange}")
    unseen = without(deck.counts, seen + discarded)
    if not 0 <= hidden <= sum(unseen.values()):
        raise ValueError(f"{hidden} cards can't be hidden: {sum(unseen.values())} are left")
    return Odds(_chances(house.doubling, hidden, seen, unseen, discarded))


def _chances(
    doubling: Doubling, hidden: int, seen: tuple[str, ...], unseen: dict[str, int], discarded: tuple[str, ...]
) -> dict[int, Fraction]:
    """Count a cave as the card it draws: any unseen card, or a discard if none is left."""
    pool = {face: count for face, count in unseen.items() if count and face != CAVE}
    chosen, known = hidden + seen.count(CAVE), tuple(card for card in seen if card != CAVE)
    size = sum(pool.values())
    if chosen <= size:
        ways = Counter[int]()
        for cards in combinations_with_replacement(pool, chosen):
            deals = prod(comb(pool[face], count) for face, count in Counter(cards).items())
            ways[tally(known + cards, (), doubling).total] += deals
        return {total: Fraction(count, comb(size, chosen)) for total, count in ways.items() if count}
    known += tuple(expand_counts(pool))
    totals = [tally((*known, card), (), doubling).total for card in discarded]
    totals = totals or [tally(known, (), doubling).total]
    return {total: Fraction(totals.count(total), len(totals)) for total in set(totals)}


@lru_cache(maxsize=64)
def _odds_without(house: House, cards: tuple[str, ...], own: str, discard: tuple[str, ...]) -> Odds:
    place = cards.index(own)
    return odds(house, 1, cards[:place] + cards[place + 1 :], discard)


def chance_seen(house: House, revealed: CountedRound, seat: int, number: int) -> float:
    """Return the probability that the total reaches a number, given all cards except the seat's own.

    If its own card is unknown, average over the cards without a known owner.
    """
    owners = revealed.owners or (None,) * len(revealed.cards)
    mine = seat if seat in owners else None
    own = [card for card, owner in zip(revealed.cards, owners, strict=True) if owner == mine]
    sights = [_odds_without(house, revealed.cards, card, revealed.discard) for card in own]
    return float(sum((sight.at_least(number) for sight in sights), Fraction(0)) / len(sights))


def insight(state: State) -> tuple[Ruling, ...]:
    """Report the known owners of the last round's cards."""
    revealed = state.revealed
    owners = () if revealed is None else zip(revealed.owners, revealed.cards, strict=False)
    worn = sorted((owner, card) for owner, card in owners if owner is not None)
    return (make_ruling("worn", "worn", worn=tuple(chain.from_iterable(worn))),) if worn else ()


Seen = Callable[[int], float]
"""Returns the probability that the total reaches a number, given the visible cards."""


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    judged, waiting = list[Judgement](), list[HeardAnswer]()
    for heard in line:
        before, after = heard.state.stage, heard.after.stage
        if isinstance(before, Bidding) and heard.answer.seat is not None:
            waiting.append(heard)
        if isinstance(before, Revealing) and not isinstance(after, Revealing):
            if heard.after.revealed.plain:
                judged += _judge_round(heard, waiting)
            waiting = []
    return tuple(judged)


def _judge_round(counted: HeardAnswer, decisions: Iterable[HeardAnswer]) -> Iterator[Judgement]:
    for heard in decisions:
        seat = who_said(heard.answer)
        seen = partial(chance_seen, counted.after.house, counted.after.revealed, seat)
        if (chosen := _weigh(heard, seat, seen)) is not None:
            best = max((chosen, *_others(heard, seat, seen)), key=attrgetter("worth"))
            judged = weigh_choice(heard, seat, Kind.CHANCE, chosen, best)
            yield replace(judged, remarks=(*judged.remarks, *_tell_own(counted.after.revealed, seat)))


def _tell_own(revealed: CountedRound, seat: int) -> Iterator[Remark]:
    worn = zip(revealed.owners, revealed.cards, strict=False)
    yield from (make_remark("coach-wore", seat=seat, card=card) for owner, card in worn if owner == seat)


def _weigh(heard: HeardAnswer, seat: int, seen: Seen) -> Weighed | None:
    """Rate a bid, a bid taken over, or a call; other decisions have no odds of their own."""
    value, bids = heard.answer.value, heard.state.stage.bids
    if isinstance(value, int):
        return _weigh_number("coach-bid", value, seen, seat=seat)
    if value == Option("approve"):
        return _weigh_number("coach-approve", bids[-1].number, seen, seat=seat)
    return _weigh_call("coach-call", bids[-1], seen, seat=seat) if value == COYOTE else None


def _others(heard: HeardAnswer, seat: int, seen: Seen) -> Iterator[Weighed]:
    """Rate the alternatives in turn: calling the last bid, and the lowest bid."""
    stage = heard.state.stage
    for ask in heard.asks if seat == stage.turn else ():
        if isinstance(ask, Number):
            least = next(number for number in range(ask.least, ask.most + 1) if number not in ask.barred)
            yield _weigh_number("coach-least", least, seen)
        elif isinstance(ask, Choice) and ask.key == "turn" and COYOTE in ask.options:
            yield _weigh_call("coach-rather-call", stage.bids[-1], seen)


def _weigh_number(key: str, number: int, seen: Seen, **details: Datum) -> Weighed:
    chance = seen(number)
    return Weighed(chance, number, make_remark(key, **details, number=number, chance=chance))


def _weigh_call(key: str, bid: Bid, seen: Seen, **details: Datum) -> Weighed:
    chance = 1 - seen(bid.number)
    remark = make_remark(key, **details, bidder=bid.seat, number=bid.number, chance=chance)
    return Weighed(chance, COYOTE, remark)
