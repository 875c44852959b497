"""The host page: undo, correct, play again, seat codes."""

from flask import Blueprint, Response, request

from referee.cells import value_counted
from referee.contract import Ask, Show
from referee.contract.words import Phrase
from referee.legal import ask_named
from referee.match import Correct, Entry, Match, Step, TakeBack, standing_answers
from referee.telling import Listener, tell_labelled, tell_value
from webui.access.joining import empty_seat, enter_as_host
from webui.access.links import is_same
from webui.access.viewers import (
    VISITOR,
    Viewer,
    evening_of,
    host_sending,
    listener_of,
    new_visitor_for,
    viewer_language,
    viewer_of,
    with_cookie,
    with_visitor,
)
from webui.doors.companion import ReadCard, Services
from webui.drawing.alternatives import alternative_buttons, with_preset
from webui.drawing.controls import Control, Misread, control_of, may_take_back, value_of
from webui.drawing.grids import grids_of
from webui.drawing.words import Texts
from webui.pages.contests import Contests, contest_text
from webui.pages.entering import (
    Entrance,
    Rejection,
    attempt_rejection,
    enter,
    form_moment,
    incident_sentences,
    note_guess,
    redirect_to,
    rejection_for,
    stale_rejection,
)
from webui.pages.own_wifi import waiting_wifi
from webui.pages.people import people_values
from webui.server.drawn_pages import Pages, match_id


def host_blueprint(services: Services, pages: Pages, entrance: Entrance, contests: Contests) -> Blueprint:
    """Create the pages for the host."""
    blueprint, host = Blueprint("hosting", __name__), HostPage(services, pages, entrance, contests)
    blueprint.get("/host")(host.show)
    blueprint.post("/host/enter")(host.come_in)
    blueprint.post("/host/back")(host.take_back)
    blueprint.get("/host/correct/<int:heard_at>")(host.look_at)
    blueprint.post("/host/correct/<int:heard_at>")(host.put_right)
    blueprint.post("/host/again")(host.again)
    blueprint.post("/host/code/<int:seat>")(host.new_code)
    return blueprint


class HostPage:
    """Handles the host's pages."""

    def __init__(self, services: Services, pages: Pages, entrance: Entrance, contests: Contests) -> None:
        """Remember what the pages need."""
        self._services, self._pages, self._entrance, self._contests = services, pages, entrance, contests

    def show(self) -> Response:
        """Show the host page, or the page that asks for the PIN."""
        return self._page()

    def come_in(self) -> Response:
        """Check the PIN and let the phone in."""
        viewer = viewer_of(self._services, request)
        rejection = attempt_rejection(self._services, viewer, self._entrance, request)
        if rejection is not None:
            return self._page(rejection)
        pin = evening_of(self._services).pin
        if not is_same(pin, "".join(request.form.get("pin", "").split())):
            note_guess(self._services, self._entrance, request, is_right=False)
            return self._reject(viewer, Texts.wrong_pin, 403)
        note_guess(self._services, self._entrance, request, is_right=True)
        return enter_as_host(self._services, request, redirect_to("/host"))

    def take_back(self) -> Response:
        """Take the last answer back, of any seat."""
        viewer = self._host()
        if viewer is None:
            return self._turn_away()
        moment = form_moment(self._services, request)
        if moment is None:
            return self._page(stale_rejection(self._services, viewer))
        return self._enter_or_explain(viewer, TakeBack(moment, _last_seat(self._services.door.moment())))

    def look_at(self, heard_at: int) -> Response:
        """Show an answer with its ask, to be corrected."""
        viewer, step = viewer_of(self._services, request), self._step(heard_at)
        if not viewer.is_host or step is None:
            return self._page()
        return Response(self._correction_page(viewer, step))

    def put_right(self, heard_at: int) -> Response:
        """Correct an answer."""
        viewer = self._host()
        if viewer is None:
            return self._turn_away()
        moment, step = form_moment(self._services, request), self._step(heard_at)
        if moment is None or step is None:
            return self._page(stale_rejection(self._services, viewer))
        entry = _correction(moment, step)
        return (
            self._reject(viewer, Texts.not_understood, 400)
            if isinstance(entry, Misread)
            else self._enter_or_explain(viewer, entry)
        )

    def again(self) -> Response:
        """Begin another match after this one."""
        viewer = self._host()
        if viewer is None:
            return self._turn_away()
        if form_moment(self._services, request) is None:
            return self._page(stale_rejection(self._services, viewer))
        self._services.door.ask_rematch()
        return redirect_to("/host")

    def new_code(self, seat: int) -> Response:
        """Give a seat a new code; the phone with the old one loses the seat."""
        viewer = self._host()
        if viewer is None:
            return self._turn_away()
        if seat >= len(self._services.door.moment().setup.names):
            return self._reject(viewer, Texts.not_understood, 400)
        empty_seat(self._services, seat)
        return redirect_to("/host")

    def _host(self) -> Viewer | None:
        """Give the viewer, if a form comes from the host's own browser."""
        return host_sending(self._services, request)

    def _step(self, heard_at: int) -> Step | None:
        return next(
            (step for step in standing_answers(self._services.door.moment()) if step.heard_at == heard_at), None
        )

    def _enter_or_explain(self, viewer: Viewer, entry: Entry) -> Response:
        """Submit an entry; if it doesn't count, say why on a fresh page."""
        rejection = enter(self._services, viewer, entry)
        return redirect_to("/host") if rejection is None else self._page(rejection)

    def _turn_away(self) -> Response:
        return self._reject(viewer_of(self._services, request), Texts.stale_form, 403)

    def _reject(self, viewer: Viewer, text: Phrase, code: int) -> Response:
        return self._page(rejection_for(self._services, viewer, text, code))

    def _page(self, rejection: Rejection | None = None) -> Response:
        visitor = new_visitor_for(request)
        viewer = with_visitor(self._services, viewer_of(self._services, request), visitor)
        values = {"rejection": rejection, **(self._host_values(viewer) if viewer.is_host else {})}
        drawn = self._pages.page("host" if viewer.is_host else "pin", viewer, values)
        response = Response(drawn, 200 if rejection is None else rejection.code)
        return response if visitor is None else with_cookie(response, VISITOR, visitor)

    def _host_values(self, viewer: Viewer) -> dict[str, object]:
        match, listener = self._services.door.moment(), listener_of(self._services, viewer)
        saving = self._services.saving
        return {
            **people_values(self._services, request),
            "wifi": waiting_wifi(self._services, request),
            "match": match_id(match),
            "moment": match.number,
            "may_take_back": may_take_back(match, _last_seat(match)),
            "is_over": match.outcome is not None,
            "is_paused": self._services.door.state().is_paused,
            "has_grids": bool(grids_of(match, None)),
            "has_guides": self._services.guides is not None,
            "answers": [
                (step.heard_at, _answer_text(match, listener, step))
                for step in reversed(standing_answers(match))
            ],
            "contests": [contest_text(contest, listener) for contest in self._contests.contests_in(match)],
            "wrong": self._pages.trouble_sentences(viewer),
            "incidents": incident_sentences(self._entrance.incidents, viewer_language(self._services, viewer)),
            "cures": () if saving is None else saving.cures(viewer_language(self._services, viewer)),
        }

    def _correction_page(self, viewer: Viewer, step: Step) -> str:
        match, listener = self._services.door.moment(), listener_of(self._services, viewer)
        ask, cards = ask_named(step.before.asks, step.answer.ask), self._cards_of(step)
        values = {
            "match": match_id(match),
            "moment": match.number,
            "heard_at": step.heard_at,
            "answer": _answer_text(match, listener, step),
            "control": None if ask is None else _control(match, ask, listener, step),
            "alternatives": alternative_buttons(step, cards or (), listener),
            "is_pictured": cards is not None,
            "may_photograph": self._services.photographs is not None and isinstance(ask, Show),
        }
        return self._pages.page("correct", viewer, values)

    def _cards_of(self, step: Step) -> tuple[ReadCard, ...] | None:
        """Give the cards as they were read, if the reading is kept."""
        kept = self._services.evidence
        return None if kept is None or step.answer.sense != "camera" else kept.cards(step.heard_at)


def _last_seat(match: Match) -> int | None:
    """Give the seat of the last answer."""
    step = match.position.step
    return None if step is None else step.answer.seat


def _answer_text(match: Match, listener: Listener, step: Step) -> str:
    """Put an answer into words, with the player's name."""
    answer = step.answer
    told = tell_value(listener, value_counted(match.setup.game, step.before.state, answer))
    return told if answer.seat is None else tell_labelled(listener.language, listener.names[answer.seat], told)


def _control(match: Match, ask: Ask, listener: Listener, step: Step) -> Control:
    """Draw what was asked then, with cells as they were counted then."""
    game = match.setup.game
    grids = game.grids(game.view(step.before.state, None))
    return with_preset(control_of(ask, listener, grids, step.answer.seat), step.answer.value)


def _correction(moment: int, step: Step) -> Correct | Misread:
    """Read the correction from the form, or that the answer and all after it are undone."""
    if "strike" in request.form:
        return Correct(moment, step.heard_at)
    ask = ask_named(step.before.asks, step.answer.ask)
    value = Misread() if ask is None else value_of(ask, request.form)
    if isinstance(value, Misread):
        return value
    # the owners still hold if the cards come in the same order, even with one replaced
    is_in_order = value == step.answer.value or "cards" in request.form
    owners = step.answer.owners if isinstance(ask, Show) and is_in_order else ()
    return Correct(moment, step.heard_at, value, owners)
