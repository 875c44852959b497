"""Handle messages from the camera process, and watch that it sends any."""

from collections import Counter
from concurrent.futures import Future
from typing import Any

from msgspec.structs import replace

from firmware.table import client, state, watcher
from firmware.table.cards import show_ask
from firmware.table.hosting import take_in_view
from firmware.table.loop_parts import Parts
from firmware.table.naming import numbered_cards
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice, problem_name
from firmware.table.step_runner import StepRunner
from vision.process import messages
from vision.table.values import PlacedCard


class CameraHandler:
    """Turns messages of the camera process into steps; tracks its health and unanswered requests."""

    def __init__(self, parts: Parts, runner: StepRunner, now: float) -> None:
        self._parts, self._runner = parts, runner
        self._eyesight = watcher.Eyesight(since=now)
        self._requests: list[client.EyesRequest] = []
        self._is_blind = False

    def request(self, request: client.EyesRequest) -> None:
        """Order something; the next message of the requested kind resolves the future."""
        self._requests = [*(each for each in self._requests if not each.future.done()), request]
        self._parts.eyes.tell(request.order)

    def _order_again(self) -> None:
        """Order what the last process left undone."""
        for request in self._requests:
            if not request.future.done():
                self._parts.eyes.tell(request.order)

    def handle(self, item: watcher.FromEyes, now: float) -> None:
        match item:
            case watcher.EyesStarted(starts):
                self._eyesight = watcher.with_starts(self._eyesight, starts, now)
                troubles = self._runner.troubles
                troubles.forget_seen()
                if starts > 1:
                    self._order_again()
                if troubles.explain_eyes():
                    # a process stuck in a broken camera reports that once, then nothing more
                    self._eyesight = watcher.with_news(self._eyesight)
            case watcher.EyesNews(news):
                if not self._eyesight.has_told:
                    self._parts.at_ready()
                self._eyesight = watcher.with_news(self._eyesight)
                for request in [each for each in self._requests if isinstance(news, each.kind)]:
                    self._requests.remove(request)
                    future: Future[Any] = request.future
                    if future.set_running_or_notify_cancel():
                        future.set_result(news)
                self._handle_message(news, now)
            case watcher.EyesGone(trace):
                self._eyesight = replace(self._eyesight, is_gone=True)
                self._parts.log.note("eyes gone", trace=trace)

    def check(self, now: float) -> bool:
        """Return whether the watchdog may be fed; report once that no message comes."""
        is_seeing = watcher.is_fed(self._eyesight, now, self._parts.slowness)
        if not is_seeing and not self._is_blind:
            self._is_blind = True
            key = NoticeKey.EYES_RESTART if self._parts.needs_eyes else NoticeKey.EYES_FAILED
            self._runner.say(Notice(key))
            if self._parts.needs_eyes:
                self._parts.at_blind()
        return is_seeing or not self._parts.needs_eyes

    def cancel_requests(self) -> None:
        for request in self._requests:
            request.future.cancel()

    def _handle_message(self, news: object, now: float) -> None:
        log, runner = self._parts.log, self._runner
        match news:
            case messages.TableRead(cards, reading):
                before = Counter(_name_and_zone(each.card) for each in runner.table.cards or ())
                there = Counter(map(_name_and_zone, cards))
                log.note("seen", new=[*(there - before)], gone=[*(before - there)], reading=reading)
                runner.run(take_in_view(runner.table, news, now))
            case messages.TroubleBegan() | messages.TroubleEnded():
                self._note_trouble(news, now)
            case messages.EyesReady(camera, size):
                log.note("eyes", camera=camera, size=size)
                runner.client.picture_size = size
                runner.client.is_looking = False
            case messages.Looking(is_looking):
                runner.client.is_looking = is_looking
                if show_ask(runner.table.match) is not None:
                    runner.client.redraw()
            case messages.TableFound(table):
                log.note("table found", residual=table.residual)
            case messages.UnknownCards(cards):
                numbered = numbered_cards(runner.table.unknown or (), cards)
                runner.run((replace(runner.table, unknown=numbered), ()))
            case messages.DeckGrew(faces, learnt, taken_back):
                log.note("deck grew", faces=len(faces), learnt=learnt, taken_back=taken_back)
                runner.note_deck(news)
            case messages.EvidenceKept(_match, moment, file):
                log.note("evidence", moment=moment, file=file)

    def _note_trouble(self, news: messages.TroubleBegan | messages.TroubleEnded, now: float) -> None:
        runner, name = self._runner, problem_name(news.problem)
        if isinstance(news, messages.TroubleBegan):
            runner.say(news.problem)
            runner.troubles.begin(name, news.problem)
        elif (ended := runner.troubles.end(name)) is not None:
            self._parts.log.note("well again", key=ended.key)
            runner.table = state.see_again(runner.table, now)


def _name_and_zone(each: PlacedCard) -> str:
    return f"{each.card.face or '?'} {each.zone or '-'}"
