"""How likely each number and each call of a round was, by the cards that its player saw: exact.

Rounds are judged in which each player wore one card to the end; what powers did to others can't be known.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter

from referee.contract import (
    Choice,
    Datum,
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
from referee.games.coyote.odds import chance_seen
from referee.games.coyote.rules import COYOTE
from referee.games.coyote.state import Bid, Bidding, Revealing
from referee.kit.answers import who_said

APPROVE = Option("approve")

Seen = Callable[[int], float]
"""How likely the total was to reach a number, by the cards that were seen."""


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge the numbers and calls of each round that was counted, once its cards are seen."""
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
            yield weigh_choice(heard, seat, Kind.CHANCE, chosen, best)


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
