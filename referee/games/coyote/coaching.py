"""Coyote's odds: how likely a number holds by what a seat sees; decisions of a match, weighed by them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, combinations
from math import comb
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import HeardAnswer, expand_counts, first_surplus_card, weigh_choice, without
from referee.contract.asks import Choice, Datum, Number, Option, Ruling, make_ruling
from referee.contract.coaching import Judgement, Kind, Laboratory, Line, Remark, Weighed, make_remark
from referee.games.coyote.rules import COYOTE
from referee.games.coyote.state import (
    CAVE,
    FOX,
    LEADER,
    SPECIALS,
    TURN,
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

WayCounts = dict[int, int]  # totals, and the number of ways to each


class Odds(Struct, frozen=True):
    """The exact distribution of a total."""

    chances: Mapping[int, Fraction]

    def at_least(self, number: int) -> Fraction:
        return sum((chance for total, chance in self.chances.items() if total >= number), Fraction(0))


def odds(house: House, hidden: int, seen: Iterable[str], discarded: Iterable[str]) -> Odds:
    """Give the odds of the total when `hidden` cards are out besides those seen."""
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
    """Let a cave stand for the card that it draws: any unseen card, or a discard if none is left."""
    pool = {face: count for face, count in unseen.items() if count and face != CAVE}
    chosen, known = hidden + seen.count(CAVE), tuple(card for card in seen if card != CAVE)
    size = sum(pool.values())
    if chosen <= size:
        ways = _ways(doubling, chosen, known, pool)
        return {total: Fraction(count, comb(size, chosen)) for total, count in ways.items()}
    known += tuple(expand_counts(pool))
    totals = [tally((*known, card), (), doubling).total for card in discarded]
    totals = totals or [tally(known, (), doubling).total]
    return {total: Fraction(totals.count(total), len(totals)) for total in set(totals)}


def _ways(doubling: Doubling, chosen: int, known: tuple[str, ...], pool: dict[str, int]) -> WayCounts:
    ways: WayCounts = {}
    faces = [face for face in (FOX, TURN, LEADER) if face in pool]
    for specials in chain.from_iterable(combinations(faces, count) for count in range(len(faces) + 1)):
        rest = chosen - len(specials)
        if rest < 0:
            continue
        table = known + specials
        for total, count in _ordinary_ways(doubling, rest, table, pool).items():
            ways[total] = ways.get(total, 0) + count
    return ways


class _Plan(Struct, frozen=True):
    """How many cards are chosen, and the factors of the greens, strongest first, and of the reds."""

    chosen: int
    strongest: tuple[int, ...]
    green: int
    red: int

    def worth(self, value: int, before: int, copies: int) -> int:
        """Give the sum of some copies of a value, after so many stronger greens."""
        if value <= 0:
            return copies * value * self.red
        special = self.strongest[before : before + copies]
        return value * (sum(special) + self.green * (copies - len(special)))


_Found = dict[tuple[int, int], WayCounts]
"""(greens so far, as far as it matters; cards chosen so far) -> sum so far -> ways."""


def _ordinary_ways(doubling: Doubling, chosen: int, table: tuple[str, ...], pool: dict[str, int]) -> WayCounts:
    """Choose the ordinary cards, strongest first: the fox and the turn take the first greens."""
    green = 2 ** table.count(LEADER)
    red = green if doubling == "total" else 1
    plan = _Plan(chosen, (0,) * table.count(FOX) + (-red,) * table.count(TURN), green, red)
    found: _Found = {(0, 0): {0: 1}}
    for face in sorted({*pool, *table} - {FOX, TURN, LEADER}, key=_value, reverse=True):
        found = _with_copies(found, plan, _value(face), (table.count(face), pool.get(face, 0)))
    ways: WayCounts = {}
    for (_, cards), sums in found.items():
        if cards == chosen:
            _add(ways, sums, 0, 1)
    return ways


def _with_copies(found: _Found, plan: _Plan, value: int, copies: tuple[int, int]) -> _Found:
    known, more = copies
    after: _Found = {}
    for (stronger, cards), sums in found.items():
        for extra in range(min(more, plan.chosen - cards) + 1):
            both = known + extra
            greens = min(stronger + both, len(plan.strongest)) if value > 0 else stronger
            into = after.setdefault((greens, cards + extra), {})
            _add(into, sums, plan.worth(value, stronger, both), comb(more, extra))
    return after


def _add(into: WayCounts, sums: WayCounts, shift: int, factor: int) -> None:
    for total, count in sums.items():
        into[total + shift] = into.get(total + shift, 0) + count * factor


def _value(face: str) -> int:
    return 0 if face in SPECIALS else int(face)


@lru_cache(maxsize=64)
def _odds_without(house: House, cards: tuple[str, ...], own: str, discard: tuple[str, ...]) -> Odds:
    place = cards.index(own)
    return odds(house, 1, cards[:place] + cards[place + 1 :], discard)


def chance_seen(house: House, told: CountedRound, seat: int, number: int) -> float:
    """Return how likely a number was by the cards that a seat saw: all but its own.

    Where it isn't known which was its own, each that is nobody else's may have been.
    """
    owners = told.owners or (None,) * len(told.cards)
    mine = seat if seat in owners else None
    own = [card for card, owner in zip(told.cards, owners, strict=True) if owner == mine]
    sights = [_odds_without(house, told.cards, card, told.discard) for card in own]
    return float(sum((sight.at_least(number) for sight in sights), Fraction(0)) / len(sights))


def insight(state: State) -> tuple[Ruling, ...]:
    """Say once who wore what in the last round, of all of whom that is known."""
    told = state.told
    owners = () if told is None else zip(told.owners, told.cards, strict=False)
    worn = sorted((owner, card) for owner, card in owners if owner is not None)
    return (make_ruling("worn", "worn", worn=tuple(chain.from_iterable(worn))),) if worn else ()


APPROVE = Option("approve")

Seen = Callable[[int], float]
"""How likely the total was to reach a number, by the cards that were seen."""


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    judged, waiting = list[Judgement](), list[HeardAnswer]()
    for heard in line:
        before, after = heard.state.stage, heard.after.stage
        if isinstance(before, Bidding) and heard.answer.seat is not None:
            waiting.append(heard)
        if isinstance(before, Revealing) and not isinstance(after, Revealing):
            if heard.after.told.plain:
                judged += _judge_round(heard, waiting)
            waiting = []
    return tuple(judged)


def _judge_round(counted: HeardAnswer, decisions: Iterable[HeardAnswer]) -> Iterator[Judgement]:
    for heard in decisions:
        seat = who_said(heard.answer)
        seen = partial(chance_seen, counted.after.house, counted.after.told, seat)
        if (chosen := _weigh(heard, seat, seen)) is not None:
            best = max((chosen, *_others(heard, seat, seen)), key=attrgetter("worth"))
            judged = weigh_choice(heard, seat, Kind.CHANCE, chosen, best)
            yield replace(judged, remarks=(*judged.remarks, *_tell_own(counted.after.told, seat)))


def _tell_own(told: CountedRound, seat: int) -> Iterator[Remark]:
    worn = zip(told.owners, told.cards, strict=False)
    yield from (make_remark("coach-wore", seat=seat, card=card) for owner, card in worn if owner == seat)


def _weigh(heard: HeardAnswer, seat: int, seen: Seen) -> Weighed | None:
    """Weigh a number, a number that was taken over, or a call; nothing else has a chance of its own."""
    value, bids = heard.answer.value, heard.state.stage.bids
    if isinstance(value, int):
        return _weigh_number("coach-bid", value, seen, seat=seat)
    if value == APPROVE:
        return _weigh_number("coach-approve", bids[-1].number, seen, seat=seat)
    return _weigh_call("coach-call", bids[-1], seen, seat=seat) if value == COYOTE else None


def _others(heard: HeardAnswer, seat: int, seen: Seen) -> Iterator[Weighed]:
    """Weigh what else could have been done in turn: a call of the last number, and the least number."""
    stage = heard.state.stage
    for ask in heard.asks if seat == stage.turn else ():
        if isinstance(ask, Number):
            least = next(number for number in range(ask.least, ask.most + 1) if number not in ask.barred)
            yield _weigh_number("coach-least", least, seen)
        elif isinstance(ask, Choice) and ask.key == "turn" and COYOTE in ask.options:
            yield _weigh_call("coach-rather-call", stage.bids[-1], seen)


def _weigh_number(key: str, number: int, seen: Seen, **said: Datum) -> Weighed:
    chance = seen(number)
    return Weighed(chance, number, make_remark(key, **said, number=number, chance=chance))


def _weigh_call(key: str, bid: Bid, seen: Seen, **said: Datum) -> Weighed:
    chance = 1 - seen(bid.number)
    remark = make_remark(key, **said, bidder=bid.seat, number=bid.number, chance=chance)
    return Weighed(chance, COYOTE, remark)
