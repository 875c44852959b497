"""How likely each number and each call of a round was, by the cards that its player saw: exact.

Rounds are judged in which each player wore one card to the end; what powers did to others can't be known.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter

from msgspec import Struct

from referee.contract import (
    Ask,
    HeardAnswer,
    Judgement,
    Kind,
    Laboratory,
    Line,
    Number,
    Option,
    Weighed,
    make_remark,
    weigh_choice,
)
from referee.games.coyote.house import House
from referee.games.coyote.odds import Odds, odds
from referee.games.coyote.rules import COYOTE
from referee.games.coyote.state import Bidding, CountedRound, Revealing

APPROVE = Option("approve")


class SeenCards(Struct, frozen=True):
    """What a seat may have seen: the odds of the total for each card that it may have worn."""

    ways: tuple[Odds, ...]

    def at_least(self, number: int) -> float:
        """Tell how likely the total was to reach a number."""
        chances = [odds.at_least(number) for odds in self.ways]
        return float(sum(chances, Fraction(0)) / len(chances))


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge the numbers and calls of each round that was counted."""
    judged, waiting = list[Judgement](), list[HeardAnswer]()
    for heard in line:
        if isinstance(heard.state.stage, Bidding) and heard.answer.seat is not None:
            waiting.append(heard)
        if _is_counted(heard):
            judged += _judge_round(heard.after.house, heard.after.told, waiting)
            waiting = []
    return tuple(judged)


def _is_counted(heard: HeardAnswer) -> bool:
    """Tell whether a round is over with an answer, its cards seen."""
    return isinstance(heard.state.stage, Revealing) and not isinstance(heard.after.stage, Revealing)


def _judge_round(house: House, told: CountedRound, decisions: Sequence[HeardAnswer]) -> Iterator[Judgement]:
    if not told.plain:
        return
    for heard in decisions:
        judgement = _judge(heard, _seen_by(house, told, _seat(heard)))
        if judgement is not None:
            yield judgement


def _seat(heard: HeardAnswer) -> int:
    return -1 if heard.answer.seat is None else heard.answer.seat


def _seen_by(house: House, told: CountedRound, seat: int) -> SeenCards:
    """Leave out the card that a seat wore; where it isn't known whose is whose, each may have been it."""
    own = [card for card, owner in zip(told.cards, told.owners, strict=False) if owner == seat]
    return SeenCards(tuple(_odds_without(house, told.cards, card, told.discard) for card in own or told.cards))


@lru_cache(maxsize=64)
def _odds_without(house: House, cards: tuple[str, ...], own: str, discard: tuple[str, ...]) -> Odds:
    place = cards.index(own)
    return odds(house, 1, cards[:place] + cards[place + 1 :], discard)


def _judge(heard: HeardAnswer, seen: SeenCards) -> Judgement | None:
    """Judge a number, a number that was taken over, or a call; nothing else has a chance of its own."""
    if heard.answer.value == COYOTE:
        return _judge_call(heard, seen)
    if isinstance(heard.answer.value, int):
        return _judge_number(heard, seen, heard.answer.value, "coach-bid")
    if heard.answer.value == APPROVE:
        return _judge_number(heard, seen, heard.state.stage.bids[-1].number, "coach-approve")
    return None


def _judge_number(heard: HeardAnswer, seen: SeenCards, number: int, key: str) -> Judgement:
    """Set a number against a call, and against the least that could be said."""
    worth, seat = seen.at_least(number), _seat(heard)
    said = make_remark(key, seat=seat, number=number, chance=worth)
    return _judge_beside(heard, Weighed(worth, heard.answer.value, said), _others(heard, seen))


def _judge_call(heard: HeardAnswer, seen: SeenCards) -> Judgement:
    """Set a call against the least number; one out of turn stands alone."""
    state = heard.state
    bid, seat = state.stage.bids[-1], _seat(heard)
    worth = 1 - seen.at_least(bid.number)
    said = make_remark("coach-call", seat=seat, bidder=bid.seat, number=bid.number, chance=worth)
    others = _others(heard, seen) if seat == state.stage.turn else ()
    return _judge_beside(heard, Weighed(worth, heard.answer.value, said), others)


def _judge_beside(heard: HeardAnswer, chosen: Weighed, others: Iterable[Weighed]) -> Judgement:
    best = max((chosen, *others), key=attrgetter("worth"))
    return weigh_choice(heard, _seat(heard), Kind.CHANCE, chosen, best)


def _others(heard: HeardAnswer, seen: SeenCards) -> Iterator[Weighed]:
    """Give what else could have been done in turn: a call of the last number, and the least number."""
    for ask in heard.asks:
        if isinstance(ask, Number):
            least = next(number for number in range(ask.least, ask.most + 1) if number not in ask.barred)
            chance = seen.at_least(least)
            yield Weighed(chance, least, make_remark("coach-least", number=least, chance=chance))
        elif _offers_call(ask):
            bid = heard.state.stage.bids[-1]
            chance = 1 - seen.at_least(bid.number)
            said = make_remark("coach-rather-call", bidder=bid.seat, number=bid.number, chance=chance)
            yield Weighed(chance, COYOTE, said)


def _offers_call(ask: Ask) -> bool:
    return ask.key == "turn" and COYOTE in getattr(ask, "options", ())
