"""The table as the companion knows it, and what each event makes of it: pure; time comes in as a number.

An answer is accepted in this order: right moment and legal (`hear`), written to the disk (`kept`), then the
match moves on and is told. Whatever comes while an answer is being written waits for its turn.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware.language.speaking import Sentence
from firmware.table import cards as lying
from firmware.table import effects, turns
from firmware.table.cards import LACKING, LIKELY_NOTICES, SAME, Cards, show_ask
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract import DISCARD, Answer, Ask, Choice, Deadline, Done, Reason, Refusal, Span, make_refusal
from referee.match import Match, has_other_names, hear, rematch
from vision.process.messages import CardChanged, KeepEvidence, ReadTable, TableRead, Wake

EARLIER = 8  # moments that are remembered for presses that are heard late
WAITING = 64  # answers that may wait for the disk; more are told that they don't count
SLOW = 2.0  # seconds after which people are told that the disk is slow
CARDS_NOTICE_DELAY, SLOW_NOTICE_DELAY = 2.5, 12.0
"""Seconds for which cards may be in the way, or lack, before it is said: hands are still busy."""
GRACE = 0.15  # seconds after a deadline in which a press that was made before it may still come
OBJECTION = 2.0
"""Seconds for which a likely card is shown before it counts: so long anybody may say no."""
PAUSE, LONGEST = 2.0, 60.0
"""Seconds that eyes and clock leave a disk alone that kept nothing: each time twice as long, up to a minute."""


class PendingWrite(Struct, frozen=True):
    """What is on its way to the disk, the match that it leads to, and since when."""

    entered: effects.MatchRequest
    after: Match
    since: float
    is_told: bool = False


class Timer(Struct, frozen=True):
    """An ask with a deadline: which, and since when it stands. A window stands through many moments."""

    ask: Ask
    deadline: Deadline
    stands: tuple[str, int]
    since: float


class Obstacle(Struct, frozen=True):
    """What is in the way of cards being read, since when, and whether it was said."""

    notice: Notice
    since: float
    is_told: bool = False

    @property
    def due(self) -> float:
        return self.since + (SLOW_NOTICE_DELAY if self.notice.key in {LACKING, SAME} else CARDS_NOTICE_DELAY)


class LikelyAnswer(Struct, frozen=True):
    """An answer with a card that is only likely: since when it is shown, and which reading it rests on."""

    answer: Answer
    since: float
    reading: int | None = None


class DiskFailures(Struct, frozen=True):
    """How many of the last answers a disk didn't keep, in a row, and until when only people try it again."""

    times: int = 0
    until: float | None = None


class TableState(Struct, frozen=True):
    """All that the companion knows."""

    match: Match
    id: int | None  # the number of the match in the journal; it gets one with its first answer
    since: float  # when this moment began
    wall: str = ""  # the time on the wall, for people who read the record
    earlier: tuple[tuple[float, Match], ...] = ()
    """The moments before it, the newest first, and when they began."""
    writing: PendingWrite | None = None
    waiting: tuple[effects.MatchRequest, ...] = ()
    timers: tuple[Timer, ...] = ()
    cards: Cards | None = None  # what lies on the table; None until the eyes have read it
    confirming: tuple[str, ...] = ()
    """The cards that the eyes were asked to look at again before they count."""
    way: Obstacle | None = None
    likely: LikelyAnswer | None = None  # what is taken soon, unless a player says no
    turn: turns.TurnProgress = turns.TurnProgress()
    """What is known of the turn that goes on, in games whose turns are read as a whole."""
    paused: float | None = None
    """Since when nothing counts and no clock runs, because the host said so."""
    auditing: Span | None = None
    """What is being compared with the record: no card that lies there is an answer meanwhile."""
    trusted: float | None = None
    """Since when the host waits for the eyes to look anew, to take what lies there for true."""
    balked: DiskFailures = DiskFailures()


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
    """Hear an entry: refuse it, or have it written; behind another one it waits."""
    if table.writing is not None:
        if len(table.waiting) >= WAITING:
            return table, (effects.Reply(entered, Notice(NoticeKey.SLOW_DISK)),)
        return replace(table, waiting=(*table.waiting, entered)), ()
    if isinstance(entered, effects.Sitting):
        is_resumed = entered.id is not None and not has_other_names(table.match, entered.match)
        # once the journal has it, it is the match that goes on after a crash
        writing = PendingWrite(entered, entered.match, now)
        return replace(table, writing=writing), (effects.Write(entered.id, entered.match, is_resumed),)
    return _hear_entry(table, entered, now)


def _hear_entry(table: TableState, entered: effects.EntryRequest, now: float) -> TableStep:
    """Let the referee judge an entry, unless it was meant for another match or the table pauses."""
    if entered.begun not in {None, table.match.setup.begun}:
        # its seat may be another person's in this match
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
    """Sit down at another match, with the same people and house rules, once this one is over and kept."""
    is_over = table.match.outcome is not None and table.writing is None
    match = rematch(table.match, begun) if is_over else None
    if not isinstance(match, Match):
        return table, ()
    return hear_request(table, effects.Sitting(match, None, ticket), now)


def handle_kept(table: TableState, number: int, now: float) -> TableStep:
    """Move on: what was being written is on the disk."""
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
    if entered.reading is not None:
        ask = entered.entry.ask if isinstance(entered.entry, Answer) else ""
        deeds = (*deeds, KeepEvidence(entered.reading, str(number), after.number, ask))
    return _combine_steps((moved, deeds), _hear_waiting(moved, now), now)


def handle_not_kept(table: TableState, why: Sentence | str, now: float) -> TableStep:
    """Stay where we are: what was being written isn't kept. Eyes and clock leave the disk alone for a while."""
    writing = table.writing
    if writing is None:
        return table, ()
    notice = Notice(NoticeKey.ANSWER_NOT_STORED, {"why": why})
    # the clock, which may have answered, waits anew
    timers = tuple(replace(timer, since=now) for timer in table.timers)
    times = table.balked.times + 1
    balked = DiskFailures(times, now + min(LONGEST, PAUSE * 2.0 ** min(times - 1, 10)))
    stayed, again = _drop_ways(replace(table, writing=None, timers=timers, balked=balked))
    told: TableStep = stayed, (effects.Reply(writing.entered, notice), notice, *again)
    return _combine_steps(told, _hear_waiting(stayed, now), now)


def _sit_down(table: TableState, sitting: effects.Sitting, now: float) -> TableStep:
    """Leave one match for another; what waits was meant for the old one."""
    before, match = table.match, sitting.match
    stale = make_refusal(Reason.STALE, moment=before.number, now=match.number)
    replies = tuple(effects.Reply(entered, stale) for entered in table.waiting)
    is_named = has_other_names(before, match)
    is_same = is_named or match.setup == before.setup
    again = replace(before.setup, after=before.decided, begun=match.setup.begun)
    is_rematch = before.outcome is not None and match.setup == again
    seated = replace(
        _begin_moment(table, match, now),
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
    """Do one thing after another; at the end, see what the cards say to the moment that stands."""
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
    on_table, turn, entry = table.cards, table.turn, after.entry
    ask = None if on_table is None else show_ask(table.match)
    if on_table is not None and ask is not None and isinstance(entry, Answer) and entry.ask == ask.key:
        on_table = lying.mark_told(on_table, ask, entry.value if isinstance(entry.value, tuple) else ())
    if after.setup.game.table.turns is not None:
        on_table, turn = turns.follow_answer(after, on_table, turn)
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
        likely=None,
    )


# whole turns


def _hear_beside(table: TableState, entered: effects.EntryRequest, answer: Answer, now: float) -> TableStep:
    """Do what was answered beside the game: which of several ways a turn was, or that it is over."""
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
    return _continue_turn(replace(table, turn=found, cards=lying.mark_all_told(cards)), now)


def _continue_turn(table: TableState, now: float) -> TableStep:
    """Enter what comes next in a turn that was read; where that isn't clear, the player in turn says it."""
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
    """Let people say the rest of a turn that was read."""
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
    """Return when the clock answers each ask with a deadline; a late press still counts a little longer."""
    if table.paused is not None:
        return {}
    return {timer.ask.key: timer.since + timer.deadline.seconds for timer in table.timers}


def _ask_identity(ask: Ask, number: int) -> tuple[str, int]:
    """Name an ask as long as it is the same: a window through all of its moments, any other in its own."""
    window = ask.window if isinstance(ask, Choice | Done) else None
    return (f"window {ask.key}", window) if window is not None else (ask.key, number)


def _timer_end(table: TableState, timer: Timer) -> float:
    ends = timer.since + timer.deadline.seconds + GRACE
    return max(ends, table.balked.until or ends)


# time


def next_due(table: TableState) -> float | None:
    is_running = table.writing is None and table.paused is None
    dues = [_timer_end(table, timer) for timer in table.timers] if is_running else []
    if table.writing is not None and not table.writing.is_told:
        dues.append(table.writing.since + SLOW)
    if table.way is not None and not table.way.is_told:
        dues.append(table.way.due)
    if table.likely is not None and is_running:
        dues.append(table.likely.since + OBJECTION)
    if is_running and table.balked.until is not None and table.cards is not None:
        dues.append(table.balked.until)
    return min(dues, default=None)


def pass_time(table: TableState, now: float) -> TableStep:
    """Do what time brings: the clock answers, a slow disk is told, and what is in the way of the cards."""
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
    """Let the cards answer again once the disk was left alone for long enough."""
    if table.balked.until is None or table.paused is not None or now < table.balked.until:
        return table, ()
    return let_cards_answer(replace(table, balked=replace(table.balked, until=None)), now)


def _take_likely(table: TableState, now: float) -> TableStep:
    """Let a likely card count, as no player has said no for long enough."""
    likely = table.likely
    if likely is None or table.writing is not None or now < likely.since + OBJECTION:
        return table, ()
    entered = effects.EntryRequest(likely.answer, reading=likely.reading)
    return hear_request(replace(table, likely=None), entered, now)


def _say_overdue(table: TableState, now: float) -> TableStep:
    deeds: list[effects.TableEffect] = []
    writing, way = table.writing, table.way
    if writing is not None and not writing.is_told and now >= writing.since + SLOW:
        table = replace(table, writing=replace(writing, is_told=True))
        deeds.append(Notice(NoticeKey.SLOW_DISK))
    if way is not None and not way.is_told and now >= way.due:
        table = replace(table, way=replace(way, is_told=True))
        deeds.append(way.notice)
    return table, tuple(deeds)


def _answer_by_clock(table: TableState, timer: Timer, now: float) -> TableStep:
    """Let the clock answer for one seat that has not; the next moment brings the next seat."""
    seat = timer.ask.seats[0] if timer.ask.seats else None
    answer = Answer(table.match.number, timer.ask.key, timer.deadline.value, seat, "clock")
    table, deeds = hear_request(table, effects.EntryRequest(answer), now)
    if table.writing is None:
        table = replace(table, timers=tuple(each for each in table.timers if each is not timer))
    return table, deeds


# what the eyes tell


def handle_sighting(table: TableState, news: TableRead | CardChanged, now: float) -> TableStep:
    """Take in what lies on the table, and let it answer; only what was looked at once more counts."""
    match news:
        case TableRead():
            table = with_cards(table, lying.cards_after_reading(table.cards or (), news))
            before = table.confirming if news.asked == _moment_token(table) else ()
            table = replace(table, confirming=())
            if table.turn.said is not None and news.asked == _turn_token(table):
                return _read_turn(table, table.cards or (), news.reading, now)
            return let_cards_answer(table, now, before, news.reading)
        case CardChanged():
            return let_cards_answer(with_cards(table, lying.cards_after_event(table.cards or (), news)), now)


def with_cards(table: TableState, cards: Cards) -> TableState:
    """Know what lies on the table now; what lay there at first was answered for, as far as that can be told."""
    is_whole = table.match.setup.game.table.turns is not None
    if table.cards is None:
        cards = lying.mark_told_before(cards, table.match)
        discards = tuple(each for each in cards if is_whole and each.card.zone == DISCARD.name)
        return replace(table, cards=lying.mark(cards, discards))
    if not is_whole:
        return replace(table, cards=lying.mark_said(cards, table.match))
    cards, turn = turns.follow_arrivals(table.cards, cards, table.turn)
    return replace(table, cards=cards, turn=turn)


def let_cards_answer(
    table: TableState, now: float, before: tuple[str, ...] = (), reading: int | None = None
) -> TableStep:
    """See what the cards say to what is asked: nothing, a notice, or an answer if it was the same before."""
    is_busy = table.writing is not None or table.paused is not None or table.auditing is not None
    if is_busy or table.cards is None or (ask := show_ask(table.match)) is None:
        return replace(table, way=None, likely=None), ()
    if table.balked.until is not None:
        return replace(table, way=None, confirming=(), likely=None), ()
    said = lying.answer_from_cards(table.match, ask, table.cards)
    if not isinstance(said, Answer):
        return replace(table, way=_current_obstacle(table, said, now), likely=None), ()
    is_shown = table.likely is not None and table.likely.answer == said
    table = replace(table, way=None, likely=table.likely if is_shown else None)
    if before and before == _answer_faces(said) and not is_shown:
        return _use_answer(table, said, reading, now)
    if table.confirming or is_shown:
        return table, ()
    return replace(table, confirming=_answer_faces(said)), (ReadTable(_moment_token(table)),)


def see_again(table: TableState, now: float) -> TableState:
    """Say anew what is in the way: what people did about it while the eyes saw nothing, they haven't seen."""
    return table if table.way is None else replace(table, way=Obstacle(table.way.notice, now))


def _use_answer(table: TableState, answer: Answer, reading: int | None, now: float) -> TableStep:
    """Hear what the cards say; one that is only likely is shown first."""
    if not answer.likely:
        return hear_request(table, effects.EntryRequest(answer, reading=reading), now)
    shown = replace(table, likely=LikelyAnswer(answer, now, reading))
    return shown, (Notice(NoticeKey.LIKELY, {"card": answer.likely}),)


def likely_answers(table: TableState) -> tuple[Answer, ...]:
    """Give the answers that people were told a card that isn't certain could make."""
    way = table.way
    return way.notice.answers if way is not None and way.is_told and way.notice.key in LIKELY_NOTICES else ()


def _answer_faces(answer: Answer) -> tuple[str, ...]:
    return tuple(sorted(answer.value)) if isinstance(answer.value, tuple) else ()


def _moment_token(table: TableState) -> str:
    return f"moment {table.match.number}"


def _current_obstacle(table: TableState, notice: Notice | None, now: float) -> Obstacle | None:
    if notice is None or (table.way is not None and table.way.notice == notice):
        return table.way if notice is not None else None
    return Obstacle(notice, now)
