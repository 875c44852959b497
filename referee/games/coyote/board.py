"""What Coyote shows of itself: the bid that stands, who doubts it, and what lies open."""

from collections.abc import Iterator

from referee.contract import (
    Board,
    CardRow,
    Count,
    Counts,
    Edition,
    Fact,
    Headline,
    Seat,
    Situation,
    Track,
    Weight,
    make_fact,
    make_headline,
    make_situation,
)
from referee.games.coyote.counted_row import counted_row
from referee.games.coyote.state import Bid, Closed, Duel
from referee.games.coyote.view import Guess, Leave, Turned, View

TRAIL = 4
"""How many bids are shown, the last one included."""
SCALE = 20
"""How far the line of the count goes at least."""

EXCUSED = {"marks": "the standings show them", "Closed.rule": "the ruling that begins the next round cites it"}


def situation(view: View) -> Situation | None:
    """Say which number stands, and who has done what to it."""
    match view.now:
        case Duel() as duel:
            return _call(duel)
        case Closed(opener=opener):
            return make_situation("closed", opener=opener)
        case Turned(seat=seat) | Leave(seat=seat) as now:
            return make_situation("turns" if isinstance(now, Turned) else "leaving", seat=seat)
        case Guess(seat=seat, face=face):
            return make_situation("guessing", seat=seat, face=face)
        case "bidding":
            return _bidding(view)
        case None:
            return None


def _call(duel: Duel) -> Situation:
    key = "called-double" if duel.stake > 1 else "called"
    return make_situation(key, contester=duel.contester, bidder=duel.bidder, number=duel.number)


def _bidding(view: View) -> Situation:
    if view.refuser is not None:
        return make_situation("refused", seat=view.refuser, number=view.refused)
    if not view.bids:
        if view.round == 1:
            return make_situation("first-bid")
        return make_situation("no-bid", round=view.round)
    last = view.bids[-1]
    key = "bid-double" if last.double else "bid-approved" if last.approved else "bid"
    return make_situation(key, seat=last.seat, number=last.number)


def board(view: View) -> Board:
    """Show the bid or the count first, then the round and the open cards."""
    counted = view.counted
    return Board(
        facts=tuple(_facts(view)),
        cards=tuple(_cards(view)),
        turn=view.turn,
        number=_number(view),
        headline=_headline(view),
        trail=_trail(view.bids),
        track=None if counted is None else scale(counted.total, counted.number, counted.bidder),
        next=view.next,
        limits={"marks": view.limit},
    )


def _headline(view: View) -> Headline | None:
    """Show the bid that stands, the call, or what the last round came to."""
    match view.now:
        case Duel():
            return make_headline("called")
        case "bidding" if view.bids:
            last = view.bids[-1]
            return make_headline("bid", seat=last.seat, number=last.number)
        case "bidding" if view.counted is not None:
            return make_headline("counted", total=view.counted.total)
        case "bidding":
            return make_headline("round", round=view.round)
        case _:
            return None


def scale(total: int, number: int, bidder: int) -> Track:
    """Put the total beside the bid that it had to reach."""
    marks = (
        (total, make_fact("total", number=Count(total))),
        (number, make_fact("said", number=Count(number), bidder=Seat(bidder))),
    )
    return Track("scale", min(total, number, 0), max(total, number, SCALE), marks=marks)


def _number(view: View) -> int | None:
    """Give the number to beat, or the total that was counted since."""
    if view.counted is not None:
        return view.counted.total
    return view.bids[-1].number if view.bids else None


def _facts(view: View) -> Iterator[Fact]:
    yield from _decisive(view)
    if view.counted is not None and view.now == "bidding":
        yield make_fact("counting", number=Count(view.round - 1))
    elif view.round:
        yield make_fact("round", number=Count(view.round))
    if len(view.bids) > 1:
        yield make_fact("trail", Weight.SIDE, numbers=Counts(_trail(view.bids)))
    yield make_fact("limit", Weight.SIDE, limit=Count(view.limit))
    yield make_fact("edition", Weight.SIDE, name=Edition(view.edition))
    if not view.clockwise:
        yield make_fact("direction", Weight.SIDE)
    for seat in view.retired:
        yield make_fact("retired", seat=seat)
    for seat in view.extras:
        yield make_fact("extra", seat=seat)


def _decisive(view: View) -> Iterator[Fact]:
    """Show what decides now: the call, the bid, or what the last round came to."""
    if isinstance(view.now, Duel):
        duel = view.now
        yield make_fact("call", Weight.KEY, number=Count(duel.number), bidder=Seat(duel.bidder))
    elif view.bids:
        last = view.bids[-1]
        yield make_fact("bid", Weight.KEY, number=Count(last.number), bidder=Seat(last.seat))
    elif view.counted is not None:
        total, number = Count(view.counted.total), Count(view.counted.number)
        yield make_fact("counted", Weight.KEY, total=total, number=number)


def _trail(bids: tuple[Bid, ...]) -> tuple[int, ...]:
    return tuple(bid.number for bid in bids[-TRAIL:])


def _cards(view: View) -> Iterator[CardRow]:
    if view.to_show:
        yield CardRow("reveal", (), Weight.KEY, places=view.to_show)
    if view.counted is not None:
        yield counted_row(view.counted.steps)
    if view.opened:
        yield CardRow("opened", view.opened, Weight.KEY)
    if view.discard:
        yield CardRow("discard", view.discard, Weight.SIDE)
