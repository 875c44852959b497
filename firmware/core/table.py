"""The table as the companion knows it, and what each event makes of it: pure; time comes in as a number.

An answer is accepted in this order: right moment and legal (`heard`), written to the disk (`kept`), then the
match moves on and is told. Whatever comes while an answer is being written waits for its turn.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware.core import cards as lying
from firmware.core import turns
from firmware.core.cards import Cards, shown
from firmware.core.notices import Notice
from firmware.core.turns import Reading
from referee.contract import (
    DISCARD,
    Answer,
    Ask,
    Choice,
    Deadline,
    Done,
    Reason,
    Refusal,
    Show,
    Span,
    refused,
)
from referee.legal import refusal
from referee.match import Entry, Match, enter
from vision.process.messages import Happened, Keep, Look, Rest, Seen, Wake

EARLIER = 8
"""Moments that are remembered for presses that are heard late."""
WAITING = 64
"""Answers that may wait for the disk; more are told that they don't count."""
SLOW = 2.0
"""Seconds after which people are told that the disk is slow."""
PATIENCE = 2.5
"""Seconds for which cards may be in the way before it is said: hands are still busy."""
GRACE = 0.15
"""Seconds after a deadline in which a press that was made before it may still come."""
PAUSE, LONGEST = 2.0, 60.0
"""Seconds that eyes and clock leave a disk alone that kept nothing: each time twice as long, up to a minute."""


class Entered(Struct, frozen=True):
    """Something entered: who waits for what becomes of it, and which reading of the eyes it rests on."""

    entry: Entry
    ticket: int | None = None
    reading: int | None = None


class Sitting(Struct, frozen=True):
    """Another match to sit down at; with its number, if the journal has it already."""

    match: Match
    id: int | None = None
    ticket: int | None = None


Heard = Entered | Sitting


class Writing(Struct, frozen=True):
    """What is on its way to the disk, the match that it leads to, and since when."""

    entered: Heard
    after: Match
    since: float
    is_told: bool = False


class Timer(Struct, frozen=True):
    """An ask with a deadline: which, and since when it stands. A window stands through many moments."""

    key: str
    stands: tuple[str, int]
    since: float


class InTheWay(Struct, frozen=True):
    """What is in the way of cards being read, since when, and whether it was said."""

    notice: Notice
    since: float
    is_told: bool = False


class Balked(Struct, frozen=True):
    """A disk that didn't keep the last answers: how many in a row, and until when only people try it again."""

    times: int
    until: float | None


class Table(Struct, frozen=True):
    """All that the companion knows."""

    match: Match
    id: int | None
    """The number of the match in the journal; it gets one with its first answer."""
    since: float
    """When this moment began."""
    wall: str = ""
    """The time on the wall, for people who read the record."""
    earlier: tuple[tuple[float, Match], ...] = ()
    """The moments before it, the newest first, and when they began."""
    writing: Writing | None = None
    waiting: tuple[Heard, ...] = ()
    timers: tuple[Timer, ...] = ()
    cards: Cards | None = None
    """What lies on the table; None until the eyes have read it."""
    confirming: tuple[str, ...] = ()
    """The cards that the eyes were asked to look at again before they count."""
    way: InTheWay | None = None
    turn: Reading = Reading()
    """What is known of the turn that goes on, in games whose turns are read as a whole."""
    paused: float | None = None
    """Since when nothing counts and no clock runs, because the host said so."""
    auditing: Span | None = None
    """What is being compared with the record: no card that lies there is an answer meanwhile."""
    balked: Balked | None = None
    """What the disk did to the last answers, if it didn't keep them."""


# what is to be done


class Write(Struct, frozen=True):
    """Put the last entry of a match on the disk; without a number, begin the match there."""

    id: int | None
    after: Match


class Tell(Struct, frozen=True):
    """Tell a new moment."""

    match: Match


class Reply(Struct, frozen=True):
    """Tell whoever entered something what became of it: the next moment, a refusal, or that it isn't kept."""

    entered: Heard
    result: Match | Refusal | Notice


class Say(Struct, frozen=True):
    """Say a notice."""

    notice: Notice


class Order(Struct, frozen=True):
    """Tell the eyes something."""

    order: Look | Keep | Rest | Wake


class LookAt(Struct, frozen=True):
    """Have the eyes look at another match: its cards, its seats."""

    match: Match


class Light(Struct, frozen=True):
    """Let a seat's lamp blink, or the table's own, so that people see which it is."""

    seat: int | None


Deed = Write | Tell | Reply | Say | Order | LookAt | Light
Step = tuple[Table, tuple[Deed, ...]]


def at_start(match: Match, number: int | None, now: float) -> Step:
    """Sit down at a match, new or resumed."""
    match = turns.with_asks(match, Reading())
    table = Table(match, number, now, timers=_timers(match, (), now))
    return table, (Tell(match),)


def stood_at(table: Table, at: float) -> Match:
    """Give the match that stood at a time."""
    if at >= table.since or not table.earlier:
        return table.match
    return next((match for since, match in table.earlier if at >= since), table.earlier[-1][1])


# entries


def heard(table: Table, entered: Heard, now: float) -> Step:
    """Hear an entry: refuse it, or have it written; behind another one it waits."""
    if table.writing is not None:
        if len(table.waiting) >= WAITING:
            return table, (Reply(entered, Notice("slow disk")),)
        return replace(table, waiting=(*table.waiting, entered)), ()
    if isinstance(entered, Sitting):
        return _sitting(table, entered, now)
    if isinstance(entered.entry, Answer):
        if table.paused is not None:
            return table, (Reply(entered, Notice("paused")),)
        if turns.is_beside(table.match, entered.entry):
            return _heard_beside(table, entered, entered.entry, now)
    return _entered(table, entered, now)


def _entered(table: Table, entered: Entered, now: float) -> Step:
    """Enter what the game hears, and have it written."""
    after = enter(table.match, replace(entered.entry, at=table.wall))
    if isinstance(after, Refusal):
        return table, (Reply(entered, after),)
    return replace(table, writing=Writing(entered, after, now)), (Write(table.id, after),)


def kept(table: Table, number: int, now: float) -> Step:
    """Move on: what was being written is on the disk."""
    writing = table.writing
    if writing is None:
        return table, ()
    entered = writing.entered
    table = replace(table, balked=None)
    if isinstance(entered, Sitting):
        return _sat_down(table, replace(entered, id=number), now)
    moved = replace(_moved_on(table, writing.after, now), id=number, writing=None)
    after = moved.match
    deeds: tuple[Deed, ...] = (Tell(after), Reply(entered, after))
    if entered.reading is not None:
        deeds = (*deeds, Order(Keep(entered.reading, str(number), after.number, _what(entered.entry))))
    return _and((moved, deeds), _next_entry(moved, now), now)


def not_kept(table: Table, why: str, now: float) -> Step:
    """Stay where we are: what was being written isn't kept. Eyes and clock leave the disk alone for a while."""
    writing = table.writing
    if writing is None:
        return table, ()
    notice = Notice("not kept", {"why": why})
    # the clock, which may have answered, waits anew
    timers = tuple(replace(timer, since=now) for timer in table.timers)
    stayed = replace(table, writing=None, timers=timers, balked=_balked_again(table.balked, now))
    stayed, again = _without_ways(stayed)
    told: Step = stayed, (Reply(writing.entered, notice), Say(notice), *again)
    return _and(told, _next_entry(stayed, now), now)


def _balked_again(before: Balked | None, now: float) -> Balked:
    times = 1 if before is None else before.times + 1
    return Balked(times, now + min(LONGEST, PAUSE * 2.0 ** min(times - 1, 10)))


def begun_again(table: Table, match: Match, now: float) -> Step:
    """Sit down at another match; what waits was meant for the old one."""
    moved = replace(_moved_on(table, match, now), id=None, waiting=(), earlier=(), auditing=None)
    return moved, (Tell(moved.match),)


def _sitting(table: Table, sitting: Sitting, now: float) -> Step:
    """Sit down at another match once the journal has it: after a crash it is the one that goes on."""
    if sitting.id is not None:
        return _sat_down(table, sitting, now)
    return replace(table, writing=Writing(sitting, sitting.match, now)), (Write(None, sitting.match),)


def _sat_down(table: Table, sitting: Sitting, now: float) -> Step:
    """Leave one match for another; what waits was meant for the old one."""
    stale = refused(Reason.STALE, moment=table.match.number, now=sitting.match.number)
    replies = tuple(Reply(entered, stale) for entered in table.waiting)
    moved, told = begun_again(replace(table, writing=None), sitting.match, now)
    seated = replace(moved, id=sitting.id, paused=None)
    back = () if table.paused is None else (Order(Wake()),)
    look = () if _is_rematch(table.match, sitting.match) else (LookAt(moved.match),)
    return seated, (*told, *back, *look, Reply(sitting, moved.match), *replies)


def _is_rematch(before: Match, after: Match) -> bool:
    """Tell whether the same people play the same again: the eyes know their cards and seats."""
    again = replace(before.setup, after=before.outcome, begun=after.setup.begun)
    return before.outcome is not None and after.setup == again


def _and(told: Step, more: Step, now: float) -> Step:
    """Do one thing after another; at the end, see what the cards say to the moment that stands."""
    table, read = _gone_on(more[0], now) if more[0].turn.ways else answered_by_cards(more[0], now)
    return table, (*told[1], *more[1], *read)


def _next_entry(table: Table, now: float) -> Step:
    """Hear what has waited, until something is to be written again."""
    deeds: tuple[Deed, ...] = ()
    while table.writing is None and table.waiting:
        first, *rest = table.waiting
        table, more = heard(replace(table, waiting=tuple(rest)), first, now)
        deeds += more
    return table, deeds


def _moved_on(table: Table, after: Match, now: float) -> Table:
    """Begin a new moment."""
    on_table = table.cards
    ask = _answered(table.match, after)
    if on_table is not None and ask is not None:
        on_table = lying.told(on_table, *ask)
    on_table, turn = turns.moved_on(after, on_table, table.turn)
    after = turns.with_asks(after, turn)
    return replace(
        table,
        match=after,
        turn=turn,
        since=now,
        earlier=((table.since, table.match), *table.earlier)[:EARLIER],
        timers=_timers(after, table.timers, now),
        cards=on_table,
        confirming=(),
        way=None,
    )


def _answered(before: Match, after: Match) -> tuple[Show, tuple[str, ...]] | None:
    """Give the ask for cards that was answered, and with which."""
    entry = after.entry
    ask = shown(before)
    if not isinstance(entry, Answer) or ask is None or entry.ask != ask.key:
        return None
    return ask, entry.value if isinstance(entry.value, tuple) else ()


def _what(entry: Entry) -> str:
    return entry.ask if isinstance(entry, Answer) else ""


# whole turns


def _heard_beside(table: Table, entered: Entered, answer: Answer, now: float) -> Step:
    """Hear what the table has asked beside the game: which of several ways a turn was, or that it is over."""
    match = table.match
    if answer.moment != match.number:
        return table, (Reply(entered, refused(Reason.STALE, moment=answer.moment, now=match.number)),)
    if answer.ask == turns.WHICH:
        meant = turns.meant(match, answer, table.turn)
        if isinstance(meant, Refusal):
            return table, (Reply(entered, meant),)
        return _entered(table, replace(entered, entry=meant, reading=table.turn.rests_on), now)
    strange = refusal(match.beside, answer)
    if strange is not None:
        return table, (Reply(entered, strange),)
    if table.cards is None:
        return table, (Reply(entered, Notice("no eyes")), Say(Notice("no eyes")))
    looking = replace(table, turn=replace(table.turn, said=match.number))
    return looking, (Reply(entered, match), Order(Look(_turn_asked(table))))


def _turn_asked(table: Table) -> str:
    return f"turn {table.match.number}"


def _turn_read(table: Table, cards: Cards, number: int, now: float) -> Step:
    """Find out what the turn was, now that the eyes have looked again."""
    found = turns.read(table.match, cards, table.turn, number)
    if isinstance(found, Notice):
        return replace(table, turn=replace(table.turn, said=None)), (Say(found),)
    return _gone_on(replace(table, turn=found, cards=lying.all_told(cards)), now)


def _gone_on(table: Table, now: float) -> Step:
    """Enter what comes next in a turn that was read; where that isn't clear, whoever is in turn says it."""
    if table.writing is not None or table.paused is not None:
        return table, ()
    answer = turns.next_answer(table.match, table.turn)
    if answer is not None:
        table, deeds = heard(table, Entered(answer, reading=table.turn.rests_on), now)
        if table.writing is not None:
            return table, deeds
        table, again = _without_ways(table)
        return table, (*deeds, *again)
    doubts = turns.doubts(table.turn)
    asked = turns.anew(table.match, table.turn)
    if asked.beside == table.match.beside:
        return table, (Say(Notice("turn parts", answers=doubts)),) if doubts else ()
    return replace(table, match=asked), (Tell(asked),)


def _without_ways(table: Table) -> Step:
    """Let people say the rest of a turn that was read."""
    if not table.turn.ways:
        return table, ()
    turn = replace(table.turn, ways=())
    asked = turns.anew(table.match, turn)
    return replace(table, turn=turn, match=asked), (Tell(asked),)


# deadlines


def _timers(match: Match, before: tuple[Timer, ...], now: float) -> tuple[Timer, ...]:
    """Note since when each ask with a deadline stands."""
    since = {timer.stands: timer.since for timer in before}
    stands = {ask.key: _stands(ask, match.number) for ask in match.asks if ask.deadline is not None}
    return tuple(Timer(key, name, since.get(name, now)) for key, name in stands.items())


def ends(table: Table) -> Mapping[str, float]:
    """Tell when the clock answers each ask that has a deadline; a late press still counts a little longer."""
    if table.paused is not None:
        return {}
    return {timer.key: timer.since + _deadline(table, timer).seconds for timer in table.timers}


def _stands(ask: Ask, number: int) -> tuple[str, int]:
    """Name an ask as long as it is the same: a window through all of its moments, any other in its own."""
    window = ask.window if isinstance(ask, Choice | Done) else None
    return (f"window {ask.key}", window) if window is not None else (ask.key, number)


def _deadline(table: Table, timer: Timer) -> Deadline:
    ask = next(ask for ask in table.match.asks if ask.key == timer.key)
    assert ask.deadline is not None  # noqa: S101 - only such asks have a timer
    return ask.deadline


def _ends(table: Table, timer: Timer) -> float:
    ends = timer.since + _deadline(table, timer).seconds + GRACE
    return max(ends, _left_alone(table) or ends)


def _left_alone(table: Table) -> float | None:
    """Tell until when eyes and clock leave the disk alone."""
    return None if table.balked is None else table.balked.until


# time


def due(table: Table) -> float | None:
    """Tell when to look at the clock again."""
    is_running = table.writing is None and table.paused is None
    dues = [_ends(table, timer) for timer in table.timers] if is_running else []
    if table.writing is not None and not table.writing.is_told:
        dues.append(table.writing.since + SLOW)
    if table.way is not None and not table.way.is_told:
        dues.append(table.way.since + PATIENCE)
    alone = _left_alone(table)
    if is_running and alone is not None and table.cards is not None:
        dues.append(alone)
    return min(dues, default=None)


def passed(table: Table, now: float) -> Step:
    """Do what time brings: the clock answers, a slow disk is told, and what is in the way of the cards."""
    table, deeds = _said_in_time(table, now)
    table, more = _disk_tried_again(table, now)
    deeds = (*deeds, *more)
    for timer in table.timers if table.paused is None else ():
        if table.writing is None and now >= _ends(table, timer):
            table, more = _clock_answers(table, timer, now)
            deeds = (*deeds, *more)
    return table, deeds


def _disk_tried_again(table: Table, now: float) -> Step:
    """Let the cards answer again once the disk was left alone for long enough."""
    alone = _left_alone(table)
    if table.balked is None or alone is None or table.paused is not None or now < alone:
        return table, ()
    return answered_by_cards(replace(table, balked=replace(table.balked, until=None)), now)


def _said_in_time(table: Table, now: float) -> Step:
    deeds: list[Deed] = []
    writing, way = table.writing, table.way
    if writing is not None and not writing.is_told and now >= writing.since + SLOW:
        table = replace(table, writing=replace(writing, is_told=True))
        deeds.append(Say(Notice("slow disk")))
    if way is not None and not way.is_told and now >= way.since + PATIENCE:
        table = replace(table, way=replace(way, is_told=True))
        deeds.append(Say(way.notice))
    return table, tuple(deeds)


def _clock_answers(table: Table, timer: Timer, now: float) -> Step:
    """Let the clock answer for one seat that has not; the next moment brings the next seat."""
    ask = next(ask for ask in table.match.asks if ask.key == timer.key)
    seat = ask.seats[0] if ask.seats else None
    answer = Answer(table.match.number, ask.key, _deadline(table, timer).value, seat, "clock")
    table, deeds = heard(table, Entered(answer), now)
    if table.writing is None:
        table = replace(table, timers=tuple(each for each in table.timers if each is not timer))
    return table, deeds


# what the eyes tell


def saw(table: Table, news: Seen | Happened, now: float) -> Step:
    """Take in what lies on the table, and let it answer; only what was looked at once more counts."""
    match news:
        case Seen():
            table = _taken_in(table, lying.seen(table.cards or (), news))
            before = table.confirming if news.asked == _asked(table) else ()
            table = replace(table, confirming=())
            if table.turn.said is not None and news.asked == _turn_asked(table):
                return _turn_read(table, table.cards or (), news.reading, now)
            return answered_by_cards(table, now, before, news.reading)
        case Happened():
            return answered_by_cards(_taken_in(table, lying.happened(table.cards or (), news)), now)


def _taken_in(table: Table, cards: Cards) -> Table:
    """Know what lies on the table now; what lay there at first was answered for, as far as that can be told."""
    is_whole = table.match.setup.game.turns is not None
    if table.cards is None:
        cards = lying.told_before(cards, table.match)
        if is_whole:
            cards = tuple(
                replace(each, is_told=each.is_told or each.card.zone == DISCARD.name) for each in cards
            )
        return replace(table, cards=cards)
    if not is_whole:
        return replace(table, cards=cards)
    cards, turn = turns.arrived(table.cards, cards, table.turn)
    return replace(table, cards=cards, turn=turn)


def answered_by_cards(
    table: Table, now: float, before: tuple[str, ...] = (), reading: int | None = None
) -> Step:
    """See what the cards say to what is asked: nothing, a notice, or an answer if it was the same before."""
    ask = shown(table.match)
    is_busy = table.writing is not None or table.paused is not None or table.auditing is not None
    if ask is None or table.cards is None or is_busy:
        return replace(table, way=None), ()
    if _left_alone(table) is not None:
        return replace(table, way=None, confirming=()), ()
    said = lying.said(table.match, ask, table.cards)
    if not isinstance(said, Answer):
        return replace(table, way=_in_the_way(table, said, now)), ()
    table = replace(table, way=None)
    if before and before == _shown(said):
        return heard(table, Entered(said, reading=reading), now)
    if table.confirming:
        return table, ()
    return replace(table, confirming=_shown(said)), (Order(Look(_asked(table))),)


def _shown(answer: Answer) -> tuple[str, ...]:
    """List the cards of an answer, whichever was read first."""
    return tuple(sorted(answer.value)) if isinstance(answer.value, tuple) else ()


def _asked(table: Table) -> str:
    return f"moment {table.match.number}"


def _in_the_way(table: Table, notice: Notice | None, now: float) -> InTheWay | None:
    if notice is None or (table.way is not None and table.way.notice == notice):
        return table.way if notice is not None else None
    return InTheWay(notice, now)
