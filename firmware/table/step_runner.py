"""Run the table's steps: replace its state, then carry out the effects."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from msgspec.structs import replace

from firmware.board_events import TableSign
from firmware.language import wall_clock as wall
from firmware.table import client, effects, state, watcher
from firmware.table.loop_parts import Parts
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import (
    LastingTrouble,
    LastingTroubles,
    Notice,
    disabled_notice,
    failed_notice,
    sentence_for,
)
from firmware.table.writer import Pause
from referee.contract import Answer, Refusal
from referee.games.catalogue import DISABLED, GameError, GameFailure
from referee.match import Match, has_other_names
from referee.record import entry_line
from referee.sentences import Listener
from vision.process.messages import DeckGrew


class StepRunner:
    """The table's state, the requests that wait for a result, and lasting troubles; for the loop's thread."""

    def __init__(self, parts: Parts, match: Match, number: int | None, now: float) -> None:
        self._parts = parts
        self.client = client.TableClient(parts.queue.put, match)
        self.table, self.first_effects = state.at_start(match, number, now)
        self.troubles = LastingTroubles(self._show_troubles)
        self.is_saving = parts.unsaved is None
        self._futures: dict[int, Future[client.Result]] = {}
        self._reported_games = frozenset[str]()  # disabled games that were reported

    # steps

    def run(self, step: state.TableStep) -> None:
        """Replace the state, publish its summary and carry out the step's effects."""
        self.table, ordered = step
        self.publish_summary()
        for effect in ordered:
            with self.safely():
                self._carry_out(effect)

    def run_request(self, request: client.HostRequest, now: float) -> None:
        """Run a host's action. Its future gets the notice it causes, else the moment or the entry's result."""
        ticket = id(request.future)
        self._futures[ticket] = request.future
        try:
            step = request.do(self.table, ticket, now)
        except GameError as error:
            self._resolve(ticket, failed_notice(error.failure))
            raise
        notice = next((effect for effect in step[1] if isinstance(effect, Notice)), None)
        self.run(step)
        pending = (step[0].writing.entered, *step[0].waiting) if step[0].writing is not None else ()
        if not any(entered.ticket == ticket for entered in pending):
            self._resolve(ticket, notice or self.table.match)

    def run_after_write(self, step: Callable[[], state.TableStep]) -> None:
        """Run the step that follows a write. A failing game gets a second try: the writer reports once."""
        with self.safely():
            self.run(step())
            return
        try:
            self.run(step())
        except GameError as error:
            self._drop_entries(error.failure)
            raise

    def cancel_requests(self) -> None:
        for future in self._futures.values():
            future.cancel()

    def listener(self) -> Listener:
        return self._parts.listener(self.table.match)

    def publish_summary(self) -> None:
        table = self.table
        summary = client.TableSummary(
            id=table.id,
            is_paused=table.paused is not None,
            auditing=table.auditing,
            ends=tuple(state.deadline_ends(table).items()),
            is_saving=self.is_saving,
            likely=state.likely_answers(table),
            taking=None if table.likely is None else table.likely.answer,
            questions=state.open_questions(table),
            cards=table.cards or (),
            unknown=table.unknown or (),
        )
        before, now = ([each.unknown for each in at.questions] for at in (self.client.summary, summary))
        is_asked_anew = before != now or self.client.summary.cards != summary.cards
        if self.client.summary.is_paused and not summary.is_paused:
            # another match ends a pause, too, not only the host
            self._parts.writer.give(Pause(is_paused=False, match=table.match))
        self.client.summary = summary
        if is_asked_anew:
            self.client.redraw()

    def note_deck(self, news: DeckGrew) -> None:
        """Publish what has been learnt; names that were taken back are announced."""
        self.client.deck = news
        if news.taken_back:
            self.say(Notice(NoticeKey.NAMES_TAKEN_BACK, {"cards": " ".join(news.taken_back)}))
        self.client.redraw()

    # effects

    def _carry_out(self, effect: effects.TableEffect) -> None:
        match effect:
            case effects.Write():
                self._parts.writer.give(effect)
            case effects.Tell(match):
                self._show_moment(match)
            case effects.Reply(entered, result):
                self._reply(entered, result)
            case Notice():
                self.say(effect)
            case effects.NoteTrouble(name, wrong):
                self.note_trouble(name, wrong)
            case effects.LookAt(match):
                sights, self.client.deck = self._parts.sights, None
                self._parts.eyes.tell(watcher.DeferredOrders(lambda: sights(match)))
            case effects.BlinkLamp(seat):
                self._parts.voices.try_lamp(seat)
            case effects.ShowLamp(lamp):
                self._parts.voices.show_lamp(lamp)
            case effects.ShowSign(sign):
                self._parts.voices.tell_sign(sign, _sign_sentence(sign, self.listener()))
            case order:
                self._parts.eyes.tell(order)

    def _show_moment(self, match: Match) -> None:
        parts = self._parts
        if not has_other_names(self.client.moment(), match):
            # if only names have changed, there is nothing to announce
            is_in_trouble = self.troubles.are_any()
            with self.safely():
                parts.voices.tell(match, parts.listener(match), is_in_trouble=is_in_trouble)
        self.client.tell(match)
        entry = "" if match.entry is None else entry_line(match.entry)
        parts.log.note("moment", number=match.number, entry=entry, rulings=[each.key for each in match.rulings])
        if match.outcome is not None:
            self.say(Notice(NoticeKey.MATCH_OVER))

    def _reply(self, entered: effects.MatchRequest, result: client.Result) -> None:
        """Report an entry's result to its input: to a phone by its future, to a button by its lamp."""
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
        future = self._futures.pop(ticket, None)
        if future is not None and future.set_running_or_notify_cancel():
            future.set_result(result)

    # notices and troubles

    def say(self, notice: LastingTrouble) -> None:
        """Log a notice, speak it and publish it to pages."""
        # the log must hold no names: it can't forget them
        values = {key: value for key, value in notice.values.items() if key != "name"}
        self._parts.log.note("notice", key=notice.key, values=values)
        self._parts.voices.say(sentence_for(notice, self.listener()))
        self.client.tell(notice)

    def note_trouble(self, name: object, trouble: LastingTrouble | None) -> None:
        """Add a lasting trouble, and announce it if it is new; None ends it."""
        if trouble is None:
            self.troubles.end(name)
        elif trouble not in self.troubles.all():
            self.say(trouble)
            self.troubles.begin(name, trouble)

    def _show_troubles(self) -> None:
        self.client.lasting = self.troubles.all()
        is_in_trouble, is_going_down = self.troubles.are_any(), self.troubles.is_going_down()
        match = self.table.match
        self._parts.voices.tell_trouble(match, is_going_down=is_going_down, is_in_trouble=is_in_trouble)
        self.client.redraw()

    # games whose own code fails

    @contextmanager
    def safely(self) -> Iterator[None]:
        """Log and report a failure of a game's code instead of raising it."""
        try:
            yield
        except GameError as error:
            failure = error.failure
            self._parts.log.note("game failed", game=failure.game, **failure.details)
            if failure.game not in DISABLED:
                self.say(failed_notice(failure))

    def leave_disabled_game(self, now: float) -> None:
        """Report games disabled since the last call; start another match if this match's game is disabled."""
        for name in DISABLED.keys() - self._reported_games:
            self._reported_games |= {name}
            disabled = disabled_notice(DISABLED[name])
            self.say(disabled)
            self.troubles.begin((disabled.key, name), disabled)
        failure = DISABLED.get(self.table.match.setup.game.name)
        # a write in progress would otherwise count for the other match
        if failure is not None and self.table.writing is None:
            self._drop_entries(failure)
            match = self._parts.other_match(self.table.match)
            self.table, ordered = state.at_start(match, None, now)
            self.run((replace(self.table, wall=wall.timestamp()), (*ordered, effects.LookAt(self.table.match))))

    def _drop_entries(self, failure: GameFailure) -> None:
        """Drop all unfinished entries; their futures get the reason."""
        self.table = replace(self.table, writing=None, waiting=())
        for ticket in tuple(self._futures):
            self._resolve(ticket, disabled_notice(failure))


def _sign_sentence(sign: TableSign | None, listener: Listener) -> str:
    """Return the spoken form of a sign's code. It proves presence: never log it or show it on a page."""
    if sign is None or not sign.code:
        return ""
    half = len(sign.code) // 2
    first, second = " ".join(sign.code[:half]), " ".join(sign.code[half:])
    return sentence_for(Notice(NoticeKey.TABLE_CODE, {"first": first, "second": second}), listener)
