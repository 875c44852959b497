"""The loop: one thread, one queue. It carries events to the table, and does what comes of them."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from traceback import format_exc
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from firmware import board_events
from firmware.language import wall_clock as wall
from firmware.table import client, effects, state, watcher
from firmware.table.cards import seen_cards
from firmware.table.hosting import give_up_looking, is_playing, pause_table, resume_table, take_in_sighting
from firmware.table.logbook import Logbook
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import (
    UNSAVED,
    LastingTroubles,
    Notice,
    button_name,
    button_notice,
    disabled_notice,
    failed_notice,
    problem_name,
    sentence_for,
)
from firmware.table.systemd import AGAIN, ALIVE, STOPPING, notify, ready
from firmware.table.writer import (
    EntryKept,
    EntryNotKept,
    FromWriter,
    JournalChange,
    Pause,
    PauseKept,
    SaveAgain,
    SavingReport,
    Writer,
)
from hardware.board.board import Trouble
from referee.contract import Answer, Refusal
from referee.games.catalogue import DISABLED, GameError, GameFailure
from referee.match import Match, has_other_names
from referee.record import entry_line
from referee.sentences import Listener
from vision.process import messages
from vision.troubles import Problem

if TYPE_CHECKING:
    # the loop names what it is handed, and loads none of it
    from firmware.board.inputs.button_input import ButtonInput
    from firmware.board.inputs.buttons import Buttons
    from firmware.board.outputs.voices import Voices


class Failure(Struct, frozen=True):
    """Something has failed in another thread that the table shouldn't be without."""

    error: Exception


Item = board_events.Edge | FromWriter | client.TableRequest | watcher.FromEyes | Failure


class Parts(Struct, frozen=True, eq=False):
    """What the loop is given: senses, voices, the writer, the log, and who listens."""

    queue: "SimpleQueue[Item]"
    button_input: "ButtonInput"
    buttons: "Buttons"
    voices: "Voices"
    writer: Writer
    eyes: watcher.Watcher
    log: Logbook
    listener: Callable[[Match], Listener]
    sights: Callable[[Match], Sequence[messages.EyesOrder]] = lambda _match: ()
    """What the eyes have to be told when people sit down at another match; it may take its time."""
    clock: Callable[[], float] = monotonic
    is_wanted: Callable[[], bool] = lambda: True
    """Whether the process that started us is still alive."""
    at_ready: Callable[[], None] = lambda: None
    """What is done once the table is ready, and its eyes have told something."""
    set_aside: Notice | None = None
    """What people have to know of the start, for as long as the table runs."""
    unsaved: Notice | None = None  # why nothing is kept, if so: then the match is only in memory
    was_paused: bool = False  # whether the match paused when the table ended
    needs_eyes: bool = True  # whether eyes that don't open are a reason to start again
    slowness: float = 1.0  # how many times as much time they are given as on a Pi
    dial_words: Callable[[Match, Listener, board_events.DialMoved], Mapping[str, str]] = lambda *_: {
        "shown": "",
        "said": "",
    }
    """What the dial came to rest on, as its display shows it and in full."""
    other_match: Callable[[Match], Match] = lambda match: match
    """The match at which people sit down when the game of theirs is disabled."""


def show_on_lamps(voices: "Voices", deed: effects.BoardEffect, listener: Listener) -> None:
    """Do what lamps do beside telling moments, and tell that by which a phone proves that it is here."""
    match deed:
        case effects.BlinkLamp(seat):
            voices.try_lamp(seat)
        case effects.ShowLamp(lamp):
            voices.show_lamp(lamp)
        case effects.ShowSign(sign):
            voices.tell_sign(sign, _sign_sentence(sign, listener))


def _sign_sentence(sign: board_events.TableSign | None, listener: Listener) -> str:
    """Word what is said of a code; it is for those in the room alone: no log and no page is told."""
    if sign is None or not sign.code:
        return ""
    half = len(sign.code) // 2
    first, second = " ".join(sign.code[:half]), " ".join(sign.code[half:])
    return sentence_for(Notice(NoticeKey.TABLE_CODE, {"first": first, "second": second}), listener)


# the loop

AT_ONCE = 200  # events that are taken in before anything else is looked at
SECOND = 1.0
OVER = 5.0  # seconds after the end of a match in which a press isn't meant for another one
CLOSING = 5.0  # seconds that the last answer may take to get to the disk at the end
BROKEN = frozenset({"voice hangs", "voice failed", "no spi", "spi refused"})
"""Trouble of the board that doesn't go away; a speech that isn't installed is none."""


class Companion:
    """The loop's state: the table, what is wrong, and who waits for an answer."""

    def __init__(self, parts: Parts, match: Match, number: int | None) -> None:
        self._parts = parts
        self._now = parts.clock()
        parts.button_input.hold(parts.buttons.held, self._now)
        self.client = client.TableClient(parts.queue.put, match)
        self.table, self._first = state.at_start(match, number, self._now)
        self._eyesight = watcher.Eyesight(since=self._now)
        self._wrong = LastingTroubles(self._tell_troubles)
        self._is_saving = parts.unsaved is None
        self._tickets: dict[int, Future[client.Result]] = {}
        self._shown: list[client.EyesRequest] = []
        self._next_second = self._heard = self._now
        self._code: int | None = None
        self._failures, self._is_blind, self._is_over = 0, False, False
        self._left_out = frozenset[str]()  # games that people know to be disabled
        self._holds = dict[type[board_events.BoardEvent], Callable[[Any], object]]()
        self._takes_edge: Callable[[board_events.Edge, Match], bool] = lambda _edge, _match: False
        self.longest = 0.0
        """The longest time that the loop was busy with what it had taken from the queue, in seconds."""

    def put(self, item: Item) -> None:
        self._parts.queue.put(item)

    def when_held(
        self, held: type[board_events.OffHeld | board_events.DirectorHeld], do: Callable[[Any], object]
    ) -> None:
        """Have something done in a thread when the dial or a button is held so long that it means this."""
        self._holds[held] = do

    def when_pressed(self, take: Callable[[board_events.Edge, Match], bool]) -> None:
        """Ask first about each edge whether it is meant for something else than the game; it must not wait."""
        self._takes_edge = take

    def means(self) -> frozenset[str]:
        """List what can tell something at the table now, from any thread."""
        return self._parts.voices.means()

    def run(self) -> int:
        """Go on until a stop is requested; the code says whether to start again."""
        try:
            self._safely(self._begin)
            notify(ready(self._parts.slowness))
            while self._code is None:
                item = self._next_item()
                start = self._parts.clock()
                self._turn(item, start)
                self.longest = max(self.longest, self._parts.clock() - start)
        except Exception:
            self._parts.log.note("crash", trace=format_exc())
            raise
        finally:
            self._end()
        return self._code

    def _begin(self) -> None:
        self._do((replace(self.table, wall=wall.timestamp()), self._first))
        if self._parts.was_paused:
            self._do(pause_table(self.table, 0, self._now))
        for notice in (self._parts.unsaved, self._parts.set_aside):
            if notice is not None:
                self._parts.log.note("notice", key=notice.key, values=notice.values)
                self._wrong.begin(notice.key, notice)

    def _next_item(self) -> Item | None:
        wait = self._due() - self._parts.clock()
        try:
            return self._parts.queue.get(timeout=wait) if wait > 0 else self._parts.queue.get_nowait()
        except Empty:
            return None

    def _due(self) -> float:
        button_input = self._parts.button_input
        clock, unsettled = state.next_due(self.table), button_input.oldest_pending()
        if clock is not None and unsettled is not None and unsettled < clock:
            clock = None
        return min(at for at in (self._next_second, button_input.due(), clock) if at is not None)

    def _turn(self, item: Item | None, now: float) -> None:
        self._now = now
        batch = self._batch(item)
        self._heard = self._heard_until(batch, now)
        for each in batch:
            self._safely(partial(self._dispatch, each))
        self._now = self._parts.clock()
        self._safely(lambda: self._handle_presses(self._parts.button_input.look(self._heard, self.table.match)))
        if self._now >= self._next_second:
            self._next_second = self._now + SECOND
            self._safely(self._check)
        self._safely(self._pass_time)
        self._safely(self._leave_disabled)

    def _pass_time(self) -> None:
        unsettled = self._parts.button_input.oldest_pending()
        self._do(state.pass_time(self.table, self._heard if unsettled is None else min(self._heard, unsettled)))

    # a game whose own code fails

    def _safely(self, do: Callable[[], None]) -> GameFailure | None:
        """Do something; return how a game failed meanwhile, if it did. Then the table stays as it was."""
        try:
            do()
        except GameError as error:
            failure = error.failure
            told = {"where": failure.where, "why": failure.why, "place": failure.place}
            self._parts.log.note("game failed", game=failure.game, **told)
            if failure.game not in DISABLED:
                self._say(failed_notice(failure))
            return failure
        return None

    def _leave_disabled(self) -> None:
        """Report games that are disabled by now; sit down at another match if this one's is."""
        for name in DISABLED.keys() - self._left_out:
            self._left_out |= {name}
            disabled = disabled_notice(DISABLED[name])
            self._say(disabled)
            self._wrong.begin((disabled.key, name), disabled)
        failure = DISABLED.get(self.table.match.setup.game.name)
        # what is being written would else be taken for a line of the other match
        if failure is not None and self.table.writing is None:
            self._sit_elsewhere(failure)

    def _sit_elsewhere(self, failure: GameFailure) -> None:
        """Begin another match, as after a start."""
        self._give_up(failure)
        match = self._parts.other_match(self.table.match)
        self.table, told = state.at_start(match, None, self._now)
        self._do((replace(self.table, wall=wall.timestamp()), (*told, effects.LookAt(self.table.match))))

    def _heard_until(self, batch: Sequence[Item], now: float) -> float:
        """Return up to when every edge was heard: those that come meanwhile are older than we then are."""
        if len(batch) < AT_ONCE:
            return now
        return max((each.at for each in batch if isinstance(each, board_events.Edge)), default=self._heard)

    def _batch(self, first: Item | None) -> list[Item]:
        """Take all that has come, so that presses are in order; a flood may wait for its next turn."""
        batch = [] if first is None else [first]
        with suppress(Empty):
            while len(batch) < AT_ONCE:
                batch.append(self._parts.queue.get_nowait())
        return batch

    def _dispatch(self, item: Item) -> None:
        match item:
            case board_events.Edge() if self._takes_edge(item, self.table.match):
                # pressed by people who prove that they are here
                pass
            case board_events.Edge():
                self._handle_presses(self._parts.button_input.feed(item, state.match_at(self.table, item.at)))
            case EntryKept(number):
                self._wrong.note_disk(None)
                self._go_on(lambda: state.handle_kept(self.table, number, self._now))
            case EntryNotKept(why):
                self._wrong.note_disk(why)
                self._go_on(lambda: state.handle_not_kept(self.table, why, self._now))
            case SavingReport():
                self._note_saving(item)
            case watcher.EyesStarted() | watcher.EyesNews() | watcher.EyesGone():
                self._see(item)
            case Failure(error):
                raise error
            case _:
                self._run_request(item)

    def _note_saving(self, report: SavingReport) -> None:
        unsaved, was_saving = report.unsaved, self._is_saving
        self._is_saving = unsaved is None
        self._do((self.table, ()))
        if unsaved is None:
            self._wrong.end(UNSAVED)
        else:
            self._wrong.begin(UNSAVED, Notice(NoticeKey(unsaved.key), unsaved.values))
        # only how much room is needed has changed where it wasn't saving before
        for news in (report.saved, unsaved if was_saving else None):
            if news is not None:
                self._say(news)
        if report.asked is not None and report.asked.set_running_or_notify_cancel():
            report.asked.set_result(unsaved is None)

    def _go_on(self, step: Callable[[], state.TableStep]) -> None:
        """Go on after something was written, or wasn't. It is tried twice: the disk says it only once."""
        if self._safely(lambda: self._do(step())) is not None:
            failure = self._safely(lambda: self._do(step()))
            if failure is not None:
                self._give_up(failure)

    def _give_up(self, failure: GameFailure) -> None:
        """Answer all that was entered and isn't judged yet by why it won't be."""
        self.table = replace(self.table, writing=None, waiting=())
        for ticket in tuple(self._tickets):
            self._resolve(ticket, disabled_notice(failure))

    def _run_request(self, request: client.TableRequest | PauseKept) -> None:
        match request:
            case Pause():
                self._parts.writer.give(replace(request, match=self.table.match))
            case PauseKept():
                self._hold_pause(request)
            case SaveAgain():
                self._parts.writer.give(request)
            case client.HostRequest():
                self._host(request)
            case client.EyesRequest(order):
                self._shown = [*(each for each in self._shown if not each.future.done()), request]
                self._parts.eyes.tell(order)
            case effects.NoteTrouble(name, wrong):
                self._note_report(name, wrong)
            case client.Stop(code):
                self._code = code
                if code == AGAIN and self.table.id is None:
                    # the same match goes on after a new start, even one without an answer so far
                    self._parts.writer.give(effects.Write(None, self.table.match))
            case JournalChange():
                self._change_journal(request)

    def _hold_pause(self, kept: PauseKept) -> None:
        """Pause, or end it, whether or not the next start will know of it."""
        pause = kept.pause
        if pause.future is not None:
            if kept.why is not None:
                self._say(Notice(NoticeKey.NOT_WRITTEN, {"why": kept.why}))
            self._host(client.HostRequest(pause_table if pause.is_paused else resume_table, pause.future))

    def _note_report(self, name: object, wrong: Notice | Trouble | None) -> None:
        if wrong is None:
            self._wrong.end(name)
        elif wrong not in self._wrong.all():
            self._say(wrong)
            self._wrong.begin(name, wrong)

    def _change_journal(self, change: JournalChange) -> None:
        if not change.name or not is_playing(self.table, change.name):
            self._parts.writer.give(change)
        elif change.future.set_running_or_notify_cancel():
            change.future.set_result(Notice(NoticeKey.PLAYER_IN_MATCH, {"name": change.name}))

    def _see(self, item: watcher.FromEyes) -> None:
        match item:
            case watcher.EyesStarted(starts):
                self._eyesight = watcher.with_starts(self._eyesight, starts, self._now)
                self._wrong.forget_seen()
                if self._wrong.explain_eyes():
                    # people know why there are no pictures, and eyes that hang in a camera tell it once
                    self._eyesight = watcher.with_news(self._eyesight)
            case watcher.EyesNews(news):
                if not self._eyesight.has_told:
                    self._parts.at_ready()
                self._eyesight = watcher.with_news(self._eyesight)
                for shown in [each for each in self._shown if isinstance(news, each.kind)]:
                    self._shown.remove(shown)
                    if shown.future.set_running_or_notify_cancel():
                        shown.future.set_result(news)
                self._handle_news(news)
            case watcher.EyesGone(trace):
                self._eyesight = replace(self._eyesight, is_gone=True)
                self._parts.log.note("eyes gone", trace=trace)

    def _handle_presses(self, events: list[board_events.BoardEvent]) -> None:
        for event in events:
            if type(event) in self._holds:
                Thread(target=self._holds[type(event)], args=(event,), name="held", daemon=True).start()
            elif isinstance(event, board_events.ButtonStuck):
                stuck = button_notice(NoticeKey.BUTTON_STUCK, event.key)
                self._say(stuck)
                self._wrong.begin(("stuck", event.key), stuck)
            elif isinstance(event, board_events.ButtonFreed):
                self._say(button_notice(NoticeKey.BUTTON_FREED, event.key))
                self._wrong.end(("stuck", event.key))
            elif self.table.paused is None:
                self._handle_press(event)
            elif isinstance(event, board_events.PressUnderstood | board_events.VoidPress):
                # so people try buttons and lamps
                self._parts.voices.tell_heard(event.key.seat)
                self._say(button_notice(NoticeKey.BUTTON_PRESSED, event.key))

    def _handle_press(self, event: board_events.BoardEvent) -> None:
        voices, log = self._parts.voices, self._parts.log
        match event:
            case board_events.PressUnderstood(key):
                voices.tell_heard(key.seat)
            case board_events.DialMoved():
                voices.tell_dialled(self.table.match, self._listener(), event)
            case board_events.DialRested(dialled):
                voices.tell_rested(self.table.match, self._listener(), dialled)
                words = self._parts.dial_words(self.table.match, self._listener(), dialled)
                self.client.tell(Notice(NoticeKey.DIAL_CHOICE, words))
            case board_events.BoardAnswers(answers):
                for answer in self._order_answers(answers):
                    self._do(state.hear_request(self.table, effects.EntryRequest(answer), self._now))
            case board_events.VoidPress(key, _at, why):
                log.note("press", button=str(button_name(key)), why=why)
                voices.tell_nothing(key.seat)
                if why == "over" and self._now > self.table.since + OVER:
                    self._do(state.begin_again(wall.exact_timestamp(), self.table, None, self._now))
            case board_events.Chord(key):
                voices.tell_nothing(key.seat)

    def _listener(self) -> Listener:
        return self._parts.listener(self.table.match)

    def _order_answers(self, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """Let the game's own rule order presses that no stamp can tell apart."""
        if len(answers) < 2:
            return answers
        self._parts.log.note("tie", seats=[answer.seat for answer in answers])
        match = self.table.match
        return match.setup.game.rules.in_order(match.state, answers)

    def _host(self, hosted: client.HostRequest) -> None:
        """Do what the host wants, and answer: by what it leads to, what it makes us say, or the moment."""
        ticket = id(hosted.future)
        self._tickets[ticket] = hosted.future
        try:
            step = hosted.do(self.table, ticket, self._now)
        except GameError as error:
            self._resolve(ticket, failed_notice(error.failure))
            raise
        said = next((deed for deed in step[1] if isinstance(deed, Notice)), None)
        self._do(step)
        under_way = (step[0].writing.entered, *step[0].waiting) if step[0].writing is not None else ()
        if not any(entered.ticket == ticket for entered in under_way):
            self._resolve(ticket, said or self.table.match)

    def _handle_news(self, news: object) -> None:
        log = self._parts.log
        match news:
            case messages.TableRead() | messages.CardChanged():
                log.note("seen", cards=seen_cards(news), reading=news.reading)
                self._do(take_in_sighting(self.table, news, self._now))
            case messages.TroubleBegan(problem):
                self._say(problem)
                self._wrong.begin(problem_name(problem), problem)
            case messages.TroubleEnded(problem):
                ended = self._wrong.end(problem_name(problem))
                if ended is not None:
                    log.note("well again", key=ended.key)
                    self.table = state.see_again(self.table, self._now)
            case messages.EyesReady(camera, size):
                log.note("eyes", camera=camera, size=size)
            case messages.TableFound(table):
                log.note("table found", residual=table.residual)
            case messages.EvidenceKept(_match, moment, file):
                log.note("evidence", moment=moment, file=file)

    def _tell_troubles(self) -> None:
        self.client.lasting = self._wrong.all()
        is_in_trouble, is_going_down = self._wrong.are_any(), self._wrong.is_going_down()
        match = self.table.match
        self._parts.voices.tell_trouble(match, is_going_down=is_going_down, is_in_trouble=is_in_trouble)

    def _check(self) -> None:
        """Look after what can die or get lost, once a second; only then say that we live."""
        self.table = replace(self.table, wall=wall.timestamp())
        buttons = self._parts.buttons
        lost = buttons.lost_edges(self._now)
        if lost:
            self._parts.log.note("lost edges", count=len(lost))
        for edge in lost:
            # behind those that were heard and wait
            self.put(edge)
        if buttons.failures != self._failures:
            self._failures = buttons.failures
            self._parts.log.note("failures of buttons", count=self._failures)
        for trouble in self._parts.voices.troubles():
            self._say(trouble)
            if trouble.key in BROKEN:
                self._wrong.begin((trouble.key, trouble.values.get("voice")), trouble)
        if not buttons.is_alive():
            self._say(Notice(NoticeKey.BUTTONS_DIED))
            self._code = AGAIN
        elif not self._parts.is_wanted():
            self._code = 0
        else:
            self._do(give_up_looking(self.table, self._now))
            self._look_after_eyes()

    def _look_after_eyes(self) -> None:
        """Say that we live if the eyes do, or nothing could be done about them."""
        is_seeing = watcher.is_fed(self._eyesight, self._now, self._parts.slowness)
        if is_seeing or not self._parts.needs_eyes:
            notify(ALIVE)
        if not is_seeing and not self._is_blind:
            self._is_blind = True
            self._say(Notice(NoticeKey.EYES_RESTART if self._parts.needs_eyes else NoticeKey.EYES_FAILED))

    def _do(self, step: state.TableStep) -> None:
        self.table, deeds = step
        table = self.table
        is_paused, ends = table.paused is not None, tuple(state.deadline_ends(table).items())
        taking = None if table.likely is None else table.likely.answer
        likely = state.likely_answers(table)
        summary = client.TableSummary(
            table.id, is_paused, table.auditing, ends, self._is_saving, likely, taking
        )
        if self.client.summary.is_paused and not is_paused:
            # not only the host's word ends a pause: another match does, too
            self._parts.writer.give(Pause(is_paused=False, match=table.match))
        self.client.summary = summary
        for deed in deeds:
            self._safely(partial(self._do_effect, deed))

    def _do_effect(self, deed: effects.TableEffect) -> None:
        match deed:
            case effects.Write():
                self._parts.writer.give(deed)
            case effects.Tell(match):
                self._tell(match)
            case effects.Reply(entered, result):
                self._reply(entered, result)
            case Notice():
                self._say(deed)
            case effects.NoteTrouble(name, wrong):
                self._note_report(name, wrong)
            case effects.LookAt(match):
                sights = self._parts.sights
                self._parts.eyes.tell(watcher.DeferredOrders(lambda: sights(match)))
            case effects.BlinkLamp() | effects.ShowLamp() | effects.ShowSign():
                show_on_lamps(self._parts.voices, deed, self._listener())
            case order:
                self._parts.eyes.tell(order)

    def _tell(self, match: Match) -> None:
        parts = self._parts
        if not has_other_names(self.client.moment(), match):
            # who has said a name is told by it; what is asked has been said
            is_in_trouble = self._wrong.are_any()
            self._safely(lambda: parts.voices.tell(match, parts.listener(match), is_in_trouble=is_in_trouble))
        self.client.tell(match)
        entry = "" if match.entry is None else entry_line(match.entry)
        parts.log.note("moment", number=match.number, entry=entry, rulings=[each.key for each in match.rulings])
        if match.outcome is not None:
            self._say(Notice(NoticeKey.MATCH_OVER))

    def _reply(self, entered: effects.EntryRequest | effects.Sitting, result: client.Result) -> None:
        """Answer the sense that entered something: a phone by its future, a button by its lamp."""
        if entered.ticket is not None:
            self._resolve(entered.ticket, result)
        if isinstance(entered, effects.Sitting):
            return
        if isinstance(result, Refusal):
            self._parts.log.note("refused", entry=entry_line(entered.entry), reason=result.reason)
        is_accepted = isinstance(result, Match)
        match entered.entry:
            case Answer(sense="button" | "dial", seat=seat) if entered.ticket is None and not is_accepted:
                self._parts.voices.tell_nothing(seat)

    def _resolve(self, ticket: int, result: client.Result) -> None:
        future = self._tickets.pop(ticket, None)
        if future is not None and future.set_running_or_notify_cancel():
            future.set_result(result)

    def _say(self, notice: Notice | Problem | Trouble) -> None:
        # no names: a log forgets none
        values = {key: value for key, value in notice.values.items() if key != "name"}
        self._parts.log.note("notice", key=notice.key, values=values)
        self._parts.voices.say(sentence_for(notice, self._parts.listener(self.table.match)))
        self.client.tell(notice)

    def close(self) -> None:
        """End all that it was given, whether or not it has run."""
        if not self._is_over:
            self._end()

    def _end(self) -> None:
        """Let the last answer get to the disk, put the lamps out, and end the eyes."""
        self._is_over = True
        notify(STOPPING)
        is_written = self._parts.writer.close(CLOSING)
        for future in (*self._tickets.values(), *(shown.future for shown in self._shown)):
            future.cancel()
        self._parts.buttons.close()
        self._parts.voices.close()
        self._parts.eyes.close()
        self._parts.log.note("end", code=self._code, written=is_written, longest=round(self.longest, 3))
        self._parts.log.close()
