"""Handle button and dial events: answers, flashes, stuck buttons and long presses."""

from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any

from firmware import board_events
from firmware.language import wall_clock as wall
from firmware.table import effects, state
from firmware.table.loop_parts import Parts
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice, button_name, button_notice, sentence_for
from firmware.table.step_runner import StepRunner
from referee.contract import Answer
from referee.match import Match

REMATCH_DELAY = 5.0
"""Seconds after the end of a match in which a press doesn't start another one: it was meant for the old one."""


class BoardHandler:
    """Turns edges and board events into steps and outputs."""

    def __init__(self, parts: Parts, runner: StepRunner) -> None:
        self._parts, self._runner = parts, runner
        self._hold_handlers = dict[type[board_events.BoardEvent], Callable[[Any], object]]()
        self.takes_edge: Callable[[board_events.Edge, Match], bool] = lambda _edge, _match: False
        """Gets each edge first; True hides the edge from the game. It must not wait."""

    def when_held(
        self, held: type[board_events.OffHeld | board_events.DirectorHeld], do: Callable[[Any], object]
    ) -> None:
        """Call a function, in a thread of its own, after each long press of this kind."""
        self._hold_handlers[held] = do

    def handle(self, events: Sequence[board_events.BoardEvent], now: float) -> None:
        for event in events:
            runner = self._runner
            if type(event) in self._hold_handlers:
                Thread(target=self._hold_handlers[type(event)], args=(event,), name="held", daemon=True).start()
            elif isinstance(event, board_events.ButtonStuck):
                stuck = button_notice(NoticeKey.BUTTON_STUCK, event.key)
                runner.say(stuck)
                runner.troubles.begin(("stuck", event.key), stuck)
            elif isinstance(event, board_events.ButtonFreed):
                runner.say(button_notice(NoticeKey.BUTTON_FREED, event.key))
                runner.troubles.end(("stuck", event.key))
            elif runner.table.paused is None:
                self._handle_press(event, now)
            elif isinstance(event, board_events.PressUnderstood | board_events.VoidPress):
                # during a pause, players can test buttons and lamps
                self._parts.voices.tell_heard(event.key.seat)
                runner.say(button_notice(NoticeKey.BUTTON_PRESSED, event.key))

    def _handle_press(self, event: board_events.BoardEvent, now: float) -> None:
        voices, runner = self._parts.voices, self._runner
        match event:
            case board_events.PressUnderstood(key):
                voices.tell_heard(key.seat)
            case board_events.DialMoved(dial):
                voices.tell_dialled(runner.listener(), dial)
            case board_events.DialRested(dial):
                voices.tell_rested(runner.listener(), dial)
                words = self._parts.dial_words(runner.listener(), dial)
                runner.client.tell(Notice(NoticeKey.DIAL_CHOICE, words))
            case board_events.BoardAnswers(answers):
                for answer in self._order_answers(answers):
                    runner.run(state.hear_request(runner.table, effects.EntryRequest(answer), now))
            case board_events.VoidPress(key, _at, "phone-only"):
                notice = button_notice(NoticeKey.CHOOSE_ON_PHONE, key)
                voices.tell_phone_needed(key.seat, sentence_for(notice, runner.listener()))
                runner.say(notice)
            case board_events.VoidPress(key, _at, why):
                self._parts.log.note("press", button=str(button_name(key)), why=why)
                voices.tell_nothing(key.seat)
                if why == "over" and now > runner.table.since + REMATCH_DELAY:
                    runner.run(state.begin_again(wall.exact_timestamp(), runner.table, None, now))
            case board_events.Chord(key):
                voices.tell_nothing(key.seat)

    def _order_answers(self, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """Order presses whose timestamps are too close to compare, by the game's own rule."""
        if len(answers) < 2:
            return answers
        self._parts.log.note("tie", seats=[answer.seat for answer in answers])
        match = self._runner.table.match
        return match.setup.game.rules.in_order(match.state, answers)
