"""The table's state, and the changes that events make to it: pure, with the time as an argument.

An answer is accepted in this order: it is legal at the current moment (`hear`), it is stored (`handle_kept`),
the match advances and the moment is published. Events during a write wait in a queue.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware.language.speaking import Sentence
from firmware.table import cards as tracked
from firmware.table import effects, naming, turns
from firmware.table.card_answers import LIKELY_NOTICES, answer_from_cards
from firmware.table.cards import Absent, Cards, Count
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract import Answer, Ask, Choice, Deadline, Done, Reason, Refusal, Span, make_refusal
from referee.match import Match, has_other_names, hear, rematch
from vision.process.messages import KeepEvidence, ReadTable, TableRead, Wake

STORED_MOMENTS = 8  # stored moments, for presses that arrive late
MAX_WAITING = 64  # entries that may wait for the disk; further ones are rejected
SLOW_DISK_DELAY = 2.0  # seconds before people are told that the disk is slow
CARDS_NOTICE_DELAY, SLOW_NOTICE_DELAY = 2.5, 12.0
"""Seconds before a problem with cards is reported, and before missing cards are: hands may be busy."""
DEADLINE_GRACE = 0.15  # seconds after a deadline for presses that were made in time
OBJECTION_TIME = 2.0
"""Seconds for which a likely card is shown before it counts; anybody may object."""
RETRY_DELAY, MAX_RETRY_DELAY = 2.0, 60.0
"""Seconds without automatic retries after a disk failure, doubled each time, and the maximum."""


class PendingWrite(Struct, frozen=True):
    """An entry being written, the match after it, and the start time."""

    entered: effects.MatchRequest
    after: Match
    since: float
    is_told: bool = False


class Timer(Struct, frozen=True):
    """A deadline of an ask, and its start time; a window keeps its timer across moments."""

    ask: Ask
    deadline: Deadline
    stands: tuple[str, int]
    since: float


class Obstacle(Struct, frozen=True):
    """A problem with reading cards, since when, and whether it was reported."""

    notice: Notice
    since: float
    is_told: bool = False

    @property
    def due(self) -> float:
        is_slow = self.notice.key in {NoticeKey.CARDS_MISSING, NoticeKey.SAME_CARD}
        return self.since + (SLOW_NOTICE_DELAY if is_slow else CARDS_NOTICE_DELAY)


class LikelyAnswer(Struct, frozen=True):
    """An answer with a likely card, the time it was first shown, and its reading."""

    answer: Answer
    since: float
    reading: int | None = None


class DiskFailures(Struct, frozen=True):
    """Consecutive write failures, and the time until which only people's entries are tried."""

    times: int = 0
    until: float | None = None


class TableState(Struct, frozen=True):
    """The table's complete state."""

    match: Match
    id: int | None  # the match's number in the journal, from its first answer on
    since: float  # start of the current moment
    wall: str = ""  # wall-clock time for the record, for display only
    earlier: tuple[tuple[float, Match], ...] = ()
    """Earlier moments with their start times, newest first."""
    writing: PendingWrite | None = None
    waiting: tuple[effects.MatchRequest, ...] = ()
    timers: tuple[Timer, ...] = ()
    cards: Cards | None = None  # cards in view; None before the first reading
    absent: Absent = ()  # counted cards that aren't in view
    confirming: tuple[str, ...] = ()
    """Faces that the eyes must read a second time before they count."""
    way: Obstacle | None = None
    likely: LikelyAnswer | None = None  # an answer that counts soon unless a player objects
    turn: turns.TurnProgress = turns.TurnProgress()
    """The current turn, in games whose turns are read as a whole."""
    paused: float | None = None
    """Start of the host's pause, during which answers don't count and clocks stop."""
    auditing: Span | None = None
    """Part of a grid under audit; cards in the middle are then no answers."""
    trusted: float | None = None
    """Time at which the host asked for a trusted reading."""
    balked: DiskFailures = DiskFailures()
    unknown: tuple[naming.UnknownOnTable, ...] | None = None
    """Cards without a sure name; None unless the deck is learnt."""


TableStep = tuple[TableState, tuple[effects.TableEffect, ...]]


def at_start(match: Match, number: int | None, now: float) -> TableStep:
    match = turns.with_asks(match, turns.TurnProgress())
    return TableState(match, number, now, timers=_timers(match, (), now)), (effects.Tell(match),)


def match_at(table: TableState, at: float) -> Match:
    if at >= table.since or not table.earlier:
        return table.match
    return next((match for since, match in table.earlier if at >= since), table.earlier[-1][1])


# entries


def hear_request(table: TableState, entered: effects.MatchRequest, now: float) -> TableStep:
    """Handle a request: refuse it, start writing it, or queue it behind another write."""
    if table.writing is not None:
        if len(table.waiting) >= MAX_WAITING:
            return table, (effects.Reply(entered, Notice(NoticeKey.SLOW_DISK)),)
        return replace(table, waiting=(*table.waiting, entered)), ()
    if isinstance(entered, effects.Sitting):
        is_resumed = entered.id is not None and not has_other_names(table.match, entered.match)
        # once stored, this match is the one to resume after a crash
        writing = PendingWrite(entered, entered.match, now)
        return replace(table, writing=writing), (effects.Write(entered.id, entered.match, is_resumed),)
    return _hear_entry(table, entered, now)


def _hear_entry(table: TableState, entered: effects.EntryRequest, now: float) -> TableStep:
    """Check an entry with the referee, unless it is for another match or the table is paused."""
    if entered.begun not in {None, table.match.setup.begun}:
        # in this match, the seat may be another person's
        return table, (effects.Reply(entered, make_refusal(Reason.STALE, now=table.match.number)),)
    if isinstance(entered.entry, Answer) and table.paused is not None:
        return table, (effects.Reply(entered, Notice(NoticeKey.PAUSED)),)
    after = hear(table.match, replace(entered.entry, at=table.wall))
    if isinstance(after, Refusal):
        return table, (effects.Reply(entered, after),)
    if isinstance(entered.entry, Answer) and after is table.match:
        return _hear_beside(table, entered, entered.entry, now)
    return replace(table, writing=PendingWrite(entered, after, now)), (effects.Write(table.id, after),)


def begin_again(begun: str, table: TableState, ticket: int | None, now: float) -> TableStep:
    """Start a rematch with the same people and house rules, once this match is over and stored."""
    is_over = table.match.outcome is not None and table.writing is None
    match = rematch(table.match, begun) if is_over else None
    if not isinstance(match, Match):
        return table, ()
    return hear_request(table, effects.Sitting(match, None, ticket), now)


def handle_kept(table: TableState, number: int, now: float) -> TableStep:
    """Advance the match after its entry was stored."""
    writing = table.writing
    if writing is None:
        return table, ()
    entered = writing.entered
    table = replace(table, balked=DiskFailures())
    if isinstance(entered, effects.Sitting):
        return _sit_down(table, replace(entered, id=number), now)
    moved = replace(_begin_moment(table, writing.after, now), id=number, writing=None)
    after = moved.match
    deeds: tuple[effects.TableEffect, ...] = (effects.Tell(after), effects.Reply(entered, after))
    if table.unknown is not None:
        taught = naming.orders_after(table.match, table.cards or (), table.unknown, entered.entry)
        deeds = (*deeds, *taught)
    if entered.reading is not None:
        ask = entered.entry.ask if isinstance(entered.entry, Answer) else ""
        deeds = (*deeds, KeepEvidence(entered.reading, str(number), after.number, ask))
    return _combine_steps((moved, deeds), _hear_waiting(moved, now), now)


def handle_not_kept(table: TableState, why: Sentence | str, now: float) -> TableStep:
    """Discard an entry that couldn't be stored; eyes and clock don't retry for a while."""
    writing = table.writing
    if writing is None:
        return table, ()
    notice = Notice(NoticeKey.ANSWER_NOT_STORED, {"why": why})
    # restart deadlines, because the failed entry may have been the clock's
    timers = tuple(replace(timer, since=now) for timer in table.timers)
    times = table.balked.times + 1
    balked = DiskFailures(times, now + min(MAX_RETRY_DELAY, RETRY_DELAY * 2.0 ** min(times - 1, 10)))
    stayed, again = _drop_ways(replace(table, writing=None, timers=timers, balked=balked))
    told: TableStep = stayed, (effects.Reply(writing.entered, notice), notice, *again)
    return _combine_steps(told, _hear_waiting(stayed, now), now)


def _sit_down(table: TableState, sitting: effects.Sitting, now: float) -> TableStep:
    """Switch matches; waiting entries were for the old one and are refused."""
    before, match = table.match, sitting.match
    stale = make_refusal(Reason.STALE, moment=before.number, now=match.number)
    replies = tuple(effects.Reply(entered, stale) for entered in table.waiting)
    is_named = has_other_names(before, match)
    is_same = is_named or match.setup == before.setup
    again = replace(before.setup, after=before.decided, begun=match.setup.begun)
    is_rematch = before.outcome is not None and match.setup == again
    seated = replace(
        _begin_moment(table, match, now),
        unknown=table.unknown if is_same or is_rematch else None,
        id=sitting.id,
        writing=None,
        waiting=(),
        earlier=(),
        auditing=None,
        paused=table.paused if is_same else None,
    )
    back = () if table.paused is None or is_same else (Wake(),)
    look = () if is_named or is_rematch else (effects.LookAt(seated.match),)
    return seated, (effects.Tell(seated.match), *back, *look, effects.Reply(sitting, seated.match), *replies)


def _combine_steps(told: TableStep, more: TableStep, now: float) -> TableStep:
    """Append a step, then evaluate the cards at the resulting moment."""
    table, read = _continue_turn(more[0], now) if more[0].turn.ways else let_cards_answer(more[0], now)
    return table, (*told[1], *more[1], *read)


def _hear_waiting(table: TableState, now: float) -> TableStep:
    deeds: tuple[effects.TableEffect, ...] = ()
    while table.writing is None and table.waiting:
        first, *rest = table.waiting
        table, more = hear_request(replace(table, waiting=tuple(rest)), first, now)
        deeds += more
    return table, deeds


def _begin_moment(table: TableState, after: Match, now: float) -> TableState:
    on_table, absent, turn = table.cards, table.absent, table.turn
    if on_table is not None:
        on_table, absent = tracked.cards_at_moment(table.match, after, on_table, absent)
    if after.setup.game.table.turns is not None:
        on_table, turn = turns.follow_answer(after, on_table, turn)
        after = turns.with_asks(after, turn)
    return replace(
        table,
        match=after,
        turn=turn,
        since=now,
        earlier=((table.since, table.match), *table.earlier)[:STORED_MOMENTS],
        timers=_timers(after, table.timers, now),
        cards=on_table,
        absent=absent,
        confirming=(),
        way=None,
        likely=None,
    )


# whole turns


def _hear_beside(table: TableState, entered: effects.EntryRequest, answer: Answer, now: float) -> TableStep:
    """Handle an answer to the table's own ask: the explanation of a turn, or its end."""
    if answer.ask == turns.WHICH:
        meant = turns.answer_meant(answer, table.turn)
        return _hear_entry(table, replace(entered, entry=meant, reading=table.turn.rests_on), now)
    if table.cards is None:
        return table, (effects.Reply(entered, Notice(NoticeKey.NO_EYES)), Notice(NoticeKey.NO_EYES))
    looking = replace(table, turn=replace(table.turn, said=table.match.number))
    return looking, (effects.Reply(entered, table.match), ReadTable(_turn_token(table)))


def _turn_token(table: TableState) -> str:
    return f"turn {table.match.number}"


def _read_turn(table: TableState, cards: Cards, number: int, now: float) -> TableStep:
    found = turns.read_turn(table.match, cards, table.turn, number)
    if isinstance(found, Notice):
        return replace(table, turn=replace(table.turn, said=None)), (found,)
    return _continue_turn(replace(table, turn=found, cards=tracked.mark_all_counted(cards)), now)


def _continue_turn(table: TableState, now: float) -> TableStep:
    """Enter the next answer of a turn that was read; if it is ambiguous, ask the player in turn."""
    if table.writing is not None or table.paused is not None:
        return table, ()
    answer = turns.next_answer(table.match, table.turn)
    if answer is not None:
        table, deeds = hear_request(table, effects.EntryRequest(answer, reading=table.turn.rests_on), now)
        if table.writing is not None:
            return table, deeds
        table, again = _drop_ways(table)
        return table, (*deeds, *again)
    doubts = turns.doubts(table.turn)
    asked = turns.ask_anew(table.match, table.turn)
    if asked.beside == table.match.beside:
        return table, (Notice(NoticeKey.TURN_AMBIGUOUS, answers=doubts),) if doubts else ()
    return replace(table, match=asked), (effects.Tell(asked),)


def _drop_ways(table: TableState) -> TableStep:
    """Discard the rest of a turn that was read, so that people enter it."""
    if not table.turn.ways:
        return table, ()
    turn = replace(table.turn, ways=())
    asked = turns.ask_anew(table.match, turn)
    return replace(table, turn=turn, match=asked), (effects.Tell(asked),)


# deadlines


def _timers(match: Match, before: tuple[Timer, ...], now: float) -> tuple[Timer, ...]:
    since = {timer.stands: timer.since for timer in before}
    return tuple(
        Timer(ask, ask.deadline, stands := _ask_identity(ask, match.number), since.get(stands, now))
        for ask in match.asks
        if ask.deadline is not None
    )


def deadline_ends(table: TableState) -> Mapping[str, float]:
    """Return when the clock answers each ask with a deadline; presses count slightly longer."""
    if table.paused is not None:
        return {}
    return {timer.ask.key: timer.since + timer.deadline.seconds for timer in table.timers}


def _ask_identity(ask: Ask, number: int) -> tuple[str, int]:
    """Return an ask's identity: a window's lasts for all its moments, any other's for one."""
    window = ask.window if isinstance(ask, Choice | Done) else None
    return (f"window {ask.key}", window) if window is not None else (ask.key, number)


def _timer_end(table: TableState, timer: Timer) -> float:
    ends = timer.since + timer.deadline.seconds + DEADLINE_GRACE
    return max(ends, table.balked.until or ends)


# time


def next_due(table: TableState) -> float | None:
    is_running = table.writing is None and table.paused is None
    dues = [_timer_end(table, timer) for timer in table.timers] if is_running else []
    if table.writing is not None and not table.writing.is_told:
        dues.append(table.writing.since + SLOW_DISK_DELAY)
    if table.way is not None and not table.way.is_told:
        dues.append(table.way.due)
    if table.likely is not None and is_running:
        dues.append(table.likely.since + OBJECTION_TIME)
    if is_running and table.balked.until is not None and table.cards is not None:
        dues.append(table.balked.until)
    return min(dues, default=None)


def pass_time(table: TableState, now: float) -> TableStep:
    """Handle everything that is due: notices, disk retries, likely cards, deadlines."""
    table, deeds = _say_overdue(table, now)
    for step in (_retry_disk, _take_likely):
        table, more = step(table, now)
        deeds = (*deeds, *more)
    for timer in table.timers if table.paused is None else ():
        if table.writing is None and now >= _timer_end(table, timer):
            table, more = _answer_by_clock(table, timer, now)
            deeds = (*deeds, *more)
    return table, deeds


def _retry_disk(table: TableState, now: float) -> TableStep:
    """Evaluate the cards again after the pause that followed a disk failure."""
    if table.balked.until is None or table.paused is not None or now < table.balked.until:
        return table, ()
    return let_cards_answer(replace(table, balked=replace(table.balked, until=None)), now)


def _take_likely(table: TableState, now: float) -> TableStep:
    """Submit the likely answer once nobody has objected in time."""
    likely = table.likely
    if likely is None or table.writing is not None or now < likely.since + OBJECTION_TIME:
        return table, ()
    entered = effects.EntryRequest(likely.answer, reading=likely.reading)
    return hear_request(replace(table, likely=None), entered, now)


def _say_overdue(table: TableState, now: float) -> TableStep:
    deeds: list[effects.TableEffect] = []
    writing, way = table.writing, table.way
    if writing is not None and not writing.is_told and now >= writing.since + SLOW_DISK_DELAY:
        table = replace(table, writing=replace(writing, is_told=True))
        deeds.append(Notice(NoticeKey.SLOW_DISK))
    if way is not None and not way.is_told and now >= way.due:
        table = replace(table, way=replace(way, is_told=True))
        if way.notice.key == NoticeKey.SAME_CARD:
            table = _let_lift(table)
        deeds.append(way.notice)
    return table, tuple(deeds)


def _let_lift(table: TableState) -> TableState:
    """Let cards count once they are lifted from where some are asked for, even while their reveal stands."""
    ask = tracked.show_ask(table.match)
    if ask is None or table.cards is None:
        return table
    there = tracked.in_zone(table.cards, ask)
    cards = tuple(
        replace(each, count=Count.USED) if each.count is Count.SHOWN and each in there else each
        for each in table.cards
    )
    return replace(table, cards=cards)


def _answer_by_clock(table: TableState, timer: Timer, now: float) -> TableStep:
    """Answer a deadline for one seat; the next moment handles the next seat."""
    seat = timer.ask.seats[0] if timer.ask.seats else None
    answer = Answer(table.match.number, timer.ask.key, timer.deadline.value, seat, "clock")
    table, deeds = hear_request(table, effects.EntryRequest(answer), now)
    if table.writing is None:
        table = replace(table, timers=tuple(each for each in table.timers if each is not timer))
    return table, deeds


# what the eyes see


def handle_view(table: TableState, view: TableRead, now: float) -> TableStep:
    """Apply a view of the eyes, and answer if two readings on request agree.

    A change elsewhere doesn't restart that: on a busy table, no answer would ever count.
    """
    table = with_view(table, view)
    if view.is_change:
        return let_cards_answer(table, now)
    if table.turn.said is not None and view.asked == _turn_token(table):
        return _read_turn(replace(table, confirming=()), table.cards or (), view.reading, now)
    before = table.confirming if view.asked == _moment_token(table) else ()
    return let_cards_answer(replace(table, confirming=()), now, before, view.reading)


def with_view(table: TableState, view: TableRead) -> TableState:
    cards, absent = tracked.track_cards(table.match, table.cards, table.absent, view)
    turn = table.turn
    if table.cards is not None and table.match.setup.game.table.turns is not None:
        cards, turn = turns.follow_arrivals(table.match, table.cards, cards, turn)
    return replace(table, cards=cards, absent=absent, turn=turn)


def let_cards_answer(
    table: TableState, now: float, before: tuple[str, ...] = (), reading: int | None = None
) -> TableStep:
    """Evaluate the cards for the current ask: nothing, a notice, or an answer if it was read twice."""
    if _is_busy(table) or table.cards is None or table.balked.until is not None:
        # after the pause that follows a disk failure, two new readings must agree
        confirming = table.confirming if table.balked.until is None else ()
        return replace(table, way=None, confirming=confirming, likely=None), ()
    said = answer_from_cards(table.match, table.cards, table.absent)
    if not isinstance(said, Answer):
        return replace(table, way=_current_obstacle(table, said, now), likely=None), ()
    is_shown = table.likely is not None and table.likely.answer == said
    table = replace(table, way=None, likely=table.likely if is_shown else None)
    faces = tuple(sorted(said.value)) if isinstance(said.value, tuple) else ()
    if before and before == faces and not is_shown:
        if not said.likely:
            return hear_request(table, effects.EntryRequest(said, reading=reading), now)
        shown = replace(table, likely=LikelyAnswer(said, now, reading))
        return shown, (Notice(NoticeKey.LIKELY, {"card": said.likely}),)
    if table.confirming or is_shown:
        return table, ()
    return replace(table, confirming=faces), (ReadTable(_moment_token(table)),)


def open_questions(table: TableState) -> tuple[naming.NameQuestion, ...]:
    """Return the cards whose names the game waits for; none while no answer counts."""
    if _is_busy(table):
        return ()
    return naming.open_questions(table.match, table.cards or (), table.unknown or ())


def _is_busy(table: TableState) -> bool:
    """Return whether cards don't count now."""
    return table.writing is not None or table.paused is not None or table.auditing is not None


def see_again(table: TableState, now: float) -> TableState:
    """Restart the timer of a card problem, because the eyes may have missed its solution."""
    return table if table.way is None else replace(table, way=Obstacle(table.way.notice, now))


def likely_answers(table: TableState) -> tuple[Answer, ...]:
    """Return the announced answers that an uncertain card could make."""
    way = table.way
    return way.notice.answers if way is not None and way.is_told and way.notice.key in LIKELY_NOTICES else ()


def _moment_token(table: TableState) -> str:
    return f"moment {table.match.number}"


def _current_obstacle(table: TableState, notice: Notice | None, now: float) -> Obstacle | None:
    if notice is None or (table.way is not None and table.way.notice == notice):
        return table.way if notice is not None else None
    return Obstacle(notice, now)
