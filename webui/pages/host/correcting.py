"""Correct an answer: likely alternatives first, with their consequences."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from flask import Response, request
from msgspec.structs import replace

from referee.answers_view import Chooser, answers_view
from referee.cells import value_counted
from referee.contract import Answer, Ask, Choice, Done, Grid, Number, Refusal, Show
from referee.contract.words import phrase
from referee.legal import ask_named
from referee.match import Correct, Match, Step, hear, standing_answers
from referee.moment_view import ask_text
from referee.seatings import seatings_of
from referee.sentences import (
    Listener,
    face_name,
    labelled_text,
    listener_when,
    refusal_text,
    ruling_text,
    value_text,
)
from referee.summaries import split_rulings
from webui.access.viewers import Viewer
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, form_moment, redirect_to, stale_rejection
from webui.pages.players.entering import enter as submit
from webui.pages.players.photograph import PhotographKeeper, correction_key
from webui.server.drawn_pages import Pages, match_id
from webui.views import alternatives
from webui.views.controls import Control, control_of, value_of
from webui.views.options import Button
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.photographs import ReadCard
    from firmware.services.table import Table

NEAR = 4  # buttons on each side of the understood number
DrawHost = Callable[[Rejection | None], Response]


class CorrectionPage(Page):
    """Page on which the host corrects an answer."""

    def __init__(self, table: "Table", pages: Pages, draw_host: DrawHost, keeper: PhotographKeeper) -> None:
        super().__init__(table, pages)
        self._draw_host, self._keeper = draw_host, keeper

    @get("/host/correct/<int:heard_at>")
    def show(self, heard_at: int) -> Response:
        viewer, step = self._viewer(), self._step(heard_at)
        return self._draw_host(None) if not viewer.is_host or step is None else self._page(viewer, step)

    @post("/host/correct/<int:heard_at>", "host")
    def correct(self, viewer: Viewer, heard_at: int) -> Response:
        moment, step = form_moment(self._table, request), self._step(heard_at)
        if moment is None or step is None:
            return self._draw_host(stale_rejection(self._table, viewer))
        other = ask_named(self._other_asks(step), request.form.get("ask", ""))
        if other is not None:
            rejection = self._answer_otherwise(viewer, moment, step, other)
            return redirect_to("/host") if rejection is None else self._page(viewer, step, rejection)
        try:
            entry = _correction(moment, step)
        except ValueError:
            return self._draw_host(self._rejection(viewer, Texts.not_understood, 400))
        match, ask = self._table.client.moment(), ask_named(step.before.asks, step.answer.ask)
        rejection = self._keeper.enter(viewer, entry, ask, correction_key(match, heard_at))
        if rejection is not None and moment < self._table.client.moment().number:
            why = phrase("A player answered in the meantime. Check the correction and send it again.")
            rejection = self._rejection(viewer, why, 409)
        return redirect_to("/host") if rejection is None else self._page(viewer, step, rejection)

    def _other_asks(self, step: Step) -> tuple[Choice, ...]:
        """Return the other asks the player could have answered, such as a call instead of a number.

        Only the newest answer has them. Replacing an earlier one would discard all later answers.
        """
        seat, newest = step.answer.seat, standing_answers(self._table.client.moment())[-1]
        if seat is None or newest.heard_at != step.heard_at:
            return ()
        choices = (ask for ask in step.before.asks if isinstance(ask, Choice) and ask.key != step.answer.ask)
        return tuple(ask for ask in choices if not ask.seats or seat in ask.seats)

    def _answer_otherwise(self, viewer: Viewer, moment: int, step: Step, ask: Ask) -> Rejection | None:
        """Replace the newest answer by one to another ask, if the new answer is valid."""
        try:
            value = value_of(ask, request.form)
        except ValueError:
            return self._rejection(viewer, Texts.not_understood, 400)
        strike = Correct(moment, step.heard_at)
        undone = hear(self._table.client.moment(), strike)
        if isinstance(undone, Refusal):
            return Rejection(refusal_text(self._listener(viewer), undone), 409)
        answer = Answer(undone.number, ask.key, value, step.answer.seat if ask.seats else None, "phone")
        refused = hear(undone, answer)
        if isinstance(refused, Refusal):
            return Rejection(refusal_text(self._listener(viewer), refused), 409)
        return submit(self._table, viewer, strike) or submit(self._table, viewer, answer)

    def _turn_away(self) -> Response:
        return self._draw_host(self._rejection(self._viewer(), Texts.stale_form, 403))

    def _step(self, heard_at: int) -> Step | None:
        steps = standing_answers(self._table.client.moment())
        return next((step for step in steps if step.heard_at == heard_at), None)

    def _page(self, viewer: Viewer, step: Step, rejection: Rejection | None = None) -> Response:
        match = self._table.client.moment()
        listener = listener_when(match.setup, seatings_of(match), step.heard_at, self._language(viewer))
        ask, evidence = ask_named(step.before.asks, step.answer.ask), self._table.evidence
        ground = alternatives.camera_answer_at(match, step.heard_at, evidence.photographed_answers())
        kept = None if ground is None else evidence.now().get(ground.picture)
        cards = None if kept is None else kept.cards()
        is_only_way = isinstance(ask, Done) or (isinstance(ask, Choice) and len(ask.options) < 2)
        drawn = None if is_only_way else ask
        values = {
            "rejection": rejection,
            "match": match_id(match),
            "moment": match.number,
            "heard_at": step.heard_at,
            "answer": answer_text(match, listener, step),
            "after": sum(1 for other in standing_answers(match) if other.heard_at > step.heard_at),
            "control": None if drawn is None else _preset_control(match, drawn, listener, step),
            "asked": "" if ask is None else ask_text(listener, match.setup.game, step.before, ask.key),
            "others": [_control(match, other, listener, step, ()) for other in self._other_asks(step)],
            "misreadings": _misreadings(match, step, cards or (), listener),
            "is_pictured": cards is not None,
            "may_photograph": isinstance(ask, Show),
        }
        return self._draw("correct", viewer, values)


def _misreadings(
    match: Match, step: Step, cards: "tuple[ReadCard, ...]", listener: Listener
) -> list[dict[str, object]]:
    """Return alternatives for each card in the answer, likeliest misread first."""
    offered = alternatives.alternatives(match.setup.game, step, cards)
    return [
        {
            "face": wrong,
            "text": face_name(listener, wrong),
            "owner": _owner_of(step, wrong, listener),
            "guesses": [
                {
                    "value": alternatives.encode_cards(each.cards),
                    "face": each.right,
                    "text": face_name(listener, each.right),
                    "follows": _tell_what_follows(match, step, each.cards, listener),
                }
                for each in guesses
            ],
        }
        for wrong, guesses in alternatives.by_misread_card(offered).items()
    ]


def _owner_of(step: Step, face: str, listener: Listener) -> str:
    """Return the name of the card's owner; empty if it is unknown or other cards have the same face."""
    answer = step.answer
    if not isinstance(answer.value, tuple) or len(answer.owners) != len(answer.value):
        return ""
    owners = [owner for card, owner in zip(answer.value, answer.owners, strict=True) if card == face]
    return listener.names[owners[0]] if len(owners) == 1 and owners[0] is not None else ""


def _tell_what_follows(match: Match, step: Step, cards: tuple[str, ...], listener: Listener) -> str:
    """Describe the rulings that would change, and how many later answers would become invalid."""
    after = hear(match, Correct(match.number, step.heard_at, cards, step.answer.owners))
    if isinstance(after, Refusal):
        return refusal_text(listener, after)
    standing = standing_answers(after)
    rulings = next(each.rulings for each in standing if each.heard_at == step.heard_at)
    # the host cares who lost this round; the opener of the next round follows from that
    ended, _opened = split_rulings(match.setup.game, rulings)
    told = [ruling_text(listener, ruling) for ruling in ended or rulings if ruling not in step.rulings][-2:]
    undone = len(standing_answers(match)) - len(standing)
    if undone:
        told.append(page_text(listener.language, phrase("Answers undone: {count}."), count=undone))
    return " ".join(told) or page_text(listener.language, phrase("Nothing else changes."))


def _control(match: Match, ask: Ask, listener: Listener, step: Step, grids: tuple[Grid, ...]) -> Control:
    seat, game = step.answer.seat, match.setup.game
    told = answers_view(Chooser(listener, game, step.before.state, seat, grids, is_now=False), ask)
    return control_of(told, grids, seat)


def _preset_control(match: Match, ask: Ask, listener: Listener, step: Step) -> Control:
    """Return the control of the original ask, preset to the answer, with cells as they were counted then."""
    game = match.setup.game
    grids = game.table.grids(game.shown.view(step.before.state, None))
    control = alternatives.with_preset(_control(match, ask, listener, step, grids), step.answer.value)
    if isinstance(ask, Number) and isinstance(step.answer.value, int):
        said = step.answer.value
        around = range(max(ask.least, said - NEAR), min(ask.most, said + NEAR) + 1)
        near = [str(number) for number in around if number not in (said, *ask.barred)]
        return replace(control, buttons=tuple(Button(number, number) for number in near))
    return control


def _correction(moment: int, step: Step) -> Correct:
    if "strike" in request.form:
        return Correct(moment, step.heard_at)
    ask = ask_named(step.before.asks, step.answer.ask)
    if ask is None:
        raise ValueError("no such ask")
    value = value_of(ask, request.form)
    # the owners still apply if the cards come in the same order, even with one replaced
    is_in_order = value == step.answer.value or "cards" in request.form
    owners = step.answer.owners if isinstance(ask, Show) and is_in_order else ()
    return Correct(moment, step.heard_at, value, owners)


def answer_lines(match: Match, listener: Listener) -> list[dict[str, object]]:
    """Return the answers that still count, newest first."""
    seatings, language = seatings_of(match), listener.language
    return [
        {
            "heard_at": step.heard_at,
            "text": answer_text(match, listener_when(match.setup, seatings, step.heard_at, language), step),
        }
        for step in standing_answers(match)[::-1]
    ]


def answer_text(match: Match, listener: Listener, step: Step) -> str:
    answer = step.answer
    told = value_text(listener, value_counted(match.setup.game, step.before.state, answer))
    if answer.sense == "clock":
        told = page_text(listener.language, phrase("{answer} (time ran out)"), answer=told)
    if answer.likely:
        told = page_text(listener.language, phrase("{answer} (accepted as likely)"), answer=told)
    return told if answer.seat is None else labelled_text(listener.language, listener.names[answer.seat], told)
