"""What the host does to the table beside answers: pause it, say which of table and record is right; pure."""

from collections.abc import Callable

from msgspec.structs import replace

from firmware.core import cards as lying
from firmware.core.cards import Cards, at_place, shown
from firmware.core.notices import Notice
from firmware.core.table import Entered, Light, Order, Say, Sitting, Step, Table, answered_by_cards, heard
from referee.contract import CENTRE, Show, Span
from referee.match import Correct
from referee.match import Step as Answered
from referee.summaries import same
from vision.process.messages import Rest, Wake


def paused(table: Table, _ticket: int, now: float) -> Step:
    """Let nothing count, and no clock run, until it goes on."""
    if table.paused is not None:
        return table, ()
    return replace(table, paused=now, confirming=(), way=None), (Say(Notice("paused")), Order(Rest()))


def went_on(table: Table, _ticket: int, now: float) -> Step:
    """Go on; clocks have as much left as they had."""
    if table.paused is None:
        return table, ()
    rest = now - table.paused
    timers = tuple(replace(timer, since=timer.since + rest) for timer in table.timers)
    table, deeds = answered_by_cards(replace(table, paused=None, timers=timers), now)
    return table, (Say(Notice("goes on")), Order(Wake()), *deeds)


def table_is_right(table: Table, ticket: int, now: float) -> Step:
    """Take what lies on the table for true: as the answer that is asked for, else in place of the last one."""
    ask = shown(table.match)
    cards = table.cards or ()
    if ask is not None and at_place(cards, ask):
        return answered_by_cards(replace(table, cards=lying.untold(cards, ask), confirming=()), now)
    last = lying.last_shown(table.match)
    if last is None:
        return table, (Say(Notice("nothing shown")),)
    return _put_right(table, last, cards, ticket, now)


def _put_right(table: Table, last: tuple[Answered, Show], cards: Cards, ticket: int, now: float) -> Step:
    """Correct the last answer by cards, if all that lies there now is read for sure."""
    answered, ask = last
    there = [each.card.card for each in at_place(cards, ask)]
    faces = tuple(card.face for card in there if card.face is not None and card.sure)
    if len(faces) != len(there) or len(faces) != ask.count:
        return table, (Say(Notice("not all read", {"shown": len(faces), "wanted": ask.count})),)
    if sorted(faces) == sorted(lying.faces_named(answered)):
        return table, (Say(Notice("table agrees")),)
    return heard(table, Entered(Correct(table.match.number, answered.heard_at, faces), ticket), now)


def record_is_right(table: Table, _ticket: int, now: float) -> Step:
    """Take nothing that lies there now for an answer; say how the last cards that counted should lie."""
    table = replace(table, cards=lying.all_told(table.cards or ()), confirming=(), way=None)
    last = lying.last_shown(table.match)
    table, deeds = answered_by_cards(table, now)
    if last is None:
        return table, (Say(Notice("cards put aside")), *deeds)
    return table, (Say(Notice("put so", {"cards": " ".join(lying.faces_named(last[0]))})), *deeds)


def audit_begun(span: Span) -> Callable[[Table, int, float], Step]:
    """Compare part of somebody's grid with the record: from now on no card in the middle is an answer."""

    def begun(table: Table, _ticket: int, _now: float) -> Step:
        column, row = span.cell
        values = {"seat": span.seat, "row": row + 1, "first": column + 1, "last": column + span.length}
        return replace(table, auditing=span, confirming=(), way=None), (Say(Notice("audit", values)),)

    return begun


def audit_compared(table: Table, _ticket: int, _now: float) -> Step:
    """Tell whether the cards in the middle are those of the record; cards that can't be read are told first."""
    span, game = table.auditing, table.match.setup.game
    if span is None:
        return table, (Say(Notice("no audit")),)
    there = [each.card.card for each in table.cards or () if each.card.zone in (None, CENTRE.name)]
    faces = tuple(card.face for card in there if card.face is not None and card.sure)
    if len(faces) != len(there):
        return table, (Say(Notice("not all read", {"shown": len(faces), "wanted": len(there)})),)
    return table, (Say(Notice("audited", rulings=game.audited(table.match.state, span, faces))),)


def audit_ended(table: Table, _ticket: int, now: float) -> Step:
    """Ask for cards again; what lies there still doesn't count."""
    if table.auditing is None:
        return table, ()
    table = replace(table, auditing=None, cards=lying.all_told(table.cards or ()))
    table, deeds = answered_by_cards(table, now)
    return table, (Say(Notice("audit over")), *deeds)


def lamp_tried(table: Table, seat: int | None) -> Step:
    """Let a lamp blink."""
    return table, (Light(seat),)


def contested(name: str, heard_at: int) -> Callable[[Table, int, float], Step]:
    """Tell the whole table that somebody contests the cards of an answer."""

    def told(table: Table, _ticket: int, _now: float) -> Step:
        return table, (Say(Notice("contested", {"name": name, "answer": heard_at})),)

    return told


def plays(table: Table, name: str) -> bool:
    """Tell whether somebody plays the match that is open, or one that people are about to sit down at."""
    writing = () if table.writing is None else (table.writing.after,)
    waiting = (each.match for each in table.waiting if isinstance(each, Sitting))
    return any(
        match.outcome is None and same(name) in map(same, match.setup.names)
        for match in (table.match, *writing, *waiting)
    )
