"""The host's control room: health, people, the last answers, pause and take back; the rest one level down."""

from collections.abc import Mapping

from flask import Blueprint, Response, request

from firmware.language.troubles import problem_text
from firmware.parts.clips import answer_of, is_by_hand
from firmware.storage.people.links import is_same
from firmware.storage.state_place import cures
from firmware.table.table import Table
from firmware.table.troubles import concern_of
from referee.contract.words import Phrase
from referee.house_rules import edition_name
from referee.match import Match, Step, TakeBack
from referee.telling import Language
from webui.access.joining import empty_seat, enter_as_host
from webui.access.viewers import (
    Viewer,
    evening_of,
    host_sending,
    listener_of,
    viewer_language,
    viewer_of,
)
from webui.drawing.answer_words import answer_lines
from webui.drawing.camera_rulings import newest_camera_answer
from webui.drawing.controls import may_take_back, taken_soon
from webui.drawing.health import PartHealth, health_of
from webui.drawing.words import Texts
from webui.pages.host.correcting import CorrectionPage
from webui.pages.host.people import PEOPLE, code_values, people_values
from webui.pages.players.claiming import CLAIM_PAGE, waits_for_host
from webui.pages.players.contests import Contests, contest_text
from webui.pages.players.entering import (
    Entrance,
    Rejection,
    attempt_rejection,
    draw_for_browser,
    enter,
    form_moment,
    incident_sentences,
    note_guess,
    redirect_to,
    rejection_for,
    say_no,
    stale_rejection,
)
from webui.pages.players.own_wifi import waiting_wifi
from webui.pages.players.photograph_evidence import PhotographKeeper
from webui.server.drawn_pages import Pages, match_id, wifi_square

NEWEST = 4
"""Answers that are listed without being folded up."""


def host_blueprint(
    table: Table, pages: Pages, entrance: Entrance, contests: Contests, keeper: PhotographKeeper
) -> Blueprint:
    """Create the pages for the host."""
    blueprint, host = Blueprint("hosting", __name__), HostPage(table, pages, entrance, contests)
    correction = CorrectionPage(table, pages, host.draw, keeper)
    blueprint.get("/host")(host.show)
    blueprint.get("/host/more")(host.list_pages)
    blueprint.get(PEOPLE)(host.show_people)
    blueprint.get(f"{PEOPLE}/<int:seat>")(host.show_code)
    blueprint.get("/host/enter")(host.show_pin)
    blueprint.post("/host/enter")(host.come_in)
    blueprint.post("/host/back")(host.take_back)
    blueprint.post("/host/no")(host.say_no)
    blueprint.post("/host/again")(host.again)
    blueprint.post("/host/code/<int:seat>")(host.new_code)
    blueprint.get("/host/correct/<int:heard_at>", endpoint="correction")(correction.show)
    blueprint.post("/host/correct/<int:heard_at>")(correction.correct)
    return blueprint


class HostPage:
    """Handles the host's pages."""

    def __init__(self, table: Table, pages: Pages, entrance: Entrance, contests: Contests) -> None:
        """Remember what the pages need."""
        self._table, self._pages, self._entrance, self._contests = table, pages, entrance, contests

    def show(self) -> Response:
        """Show the control room, or the page that asks for the PIN; a table without host waits for one."""
        if waits_for_host(self._table) and not viewer_of(self._table, request).is_host:
            return redirect_to(CLAIM_PAGE)
        return self.draw(None)

    def show_pin(self) -> Response:
        """Show the page that asks for the PIN, also where the table has no host yet."""
        return self.draw(None)

    def list_pages(self) -> Response:
        """List what the host seldom needs."""
        viewer = viewer_of(self._table, request)
        if not viewer.is_host:
            return redirect_to("/host")
        title = match_title(self._table.door.moment(), viewer_language(self._table, viewer))
        values = {"title": title}
        return Response(self._pages.page("more", viewer, values))

    def show_people(self) -> Response:
        """Show all seats and devices, and the PIN to who asks for it."""
        viewer = viewer_of(self._table, request)
        if not viewer.is_host:
            return redirect_to("/host")
        return Response(self._pages.page("people", viewer, people_values(self._table, request)))

    def show_code(self, seat: int) -> Response:
        """Show the code of one seat and nothing else, to be held out to its player."""
        viewer = viewer_of(self._table, request)
        values = code_values(self._table, request, seat)
        if not viewer.is_host or values is None:
            return redirect_to("/host")
        also = self._table.address.named()
        addresses = {"address": f"{self._table.address.own()}join", "also": also and f"{also}join"}
        return Response(
            self._pages.page("seat_code", viewer, {**addresses, **values, "wifi": wifi_square(self._table)})
        )

    def come_in(self) -> Response:
        """Check the PIN and let the phone in."""
        viewer = viewer_of(self._table, request)
        rejection = attempt_rejection(self._table, viewer, self._entrance.pins, request)
        if rejection is not None:
            return self.draw(rejection)
        pin = evening_of(self._table).pin
        if not is_same(pin, "".join(request.form.get("pin", "").split())):
            note_guess(self._entrance.pins, self._entrance.incidents, request, is_right=False)
            return self._reject(viewer, Texts.wrong_pin, 403)
        note_guess(self._entrance.pins, self._entrance.incidents, request, is_right=True)
        return enter_as_host(self._table, request, redirect_to("/host"))

    def take_back(self) -> Response:
        """Take the last answer back, of any seat."""
        viewer = self._host()
        if viewer is None:
            return self._turn_away()
        moment = form_moment(self._table, request)
        if moment is None:
            return self.draw(stale_rejection(self._table, viewer))
        entry = TakeBack(moment, _last_seat(self._table.door.moment()))
        rejection = enter(self._table, viewer, entry)
        return redirect_to("/host") if rejection is None else self.draw(rejection)

    def say_no(self) -> Response:
        """Deny what a card is taken for."""
        viewer = self._host()
        if viewer is None:
            return self._turn_away()
        rejection = say_no(self._table, viewer, request)
        return redirect_to("/host") if rejection is None else self.draw(rejection)

    def again(self) -> Response:
        """Begin another match after this one."""
        viewer = self._host()
        if viewer is None:
            return self._turn_away()
        if form_moment(self._table, request) is None:
            return self.draw(stale_rejection(self._table, viewer))
        self._table.door.ask_rematch()
        return redirect_to("/host")

    def new_code(self, seat: int) -> Response:
        """Give a seat a new code; the phone with the old one loses the seat."""
        viewer = self._host()
        if viewer is None:
            return self._turn_away()
        if seat >= len(self._table.door.moment().setup.names):
            return self._reject(viewer, Texts.not_understood, 400)
        empty_seat(self._table, seat)
        return redirect_to(f"{PEOPLE}/{seat}")

    def _host(self) -> Viewer | None:
        """Give the viewer, if a form comes from the host's own browser."""
        return host_sending(self._table, request)

    def _turn_away(self) -> Response:
        return self._reject(viewer_of(self._table, request), Texts.stale_form, 403)

    def _reject(self, viewer: Viewer, text: Phrase, code: int) -> Response:
        return self.draw(rejection_for(self._table, viewer, text, code))

    def draw(self, rejection: Rejection | None) -> Response:
        """Draw the control room with what was rejected; for others, the page that asks for the PIN."""

        def draw(viewer: Viewer) -> str:
            values = {
                "rejection": rejection,
                **(self._host_values(viewer) if viewer.is_host else {}),
            }
            return self._pages.page("host" if viewer.is_host else "pin", viewer, values)

        return draw_for_browser(self._table, request, draw, rejection)

    def _host_values(self, viewer: Viewer) -> dict[str, object]:
        match, listener = self._table.door.moment(), listener_of(self._table, viewer)
        answers, language = answer_lines(match, listener), viewer_language(self._table, viewer)
        return {
            **people_values(self._table, request),
            **self._trouble_values(viewer, language),
            "wifi": waiting_wifi(self._table, request),
            "match": match_id(match),
            "moment": match.number,
            "title": match_title(match, language),
            "last": answers[0] if answers else None,
            "may_take_back": may_take_back(match, _last_seat(match)),
            "is_over": match.outcome is not None,
            "is_paused": self._table.door.state().is_paused,
            "taking": taken_soon(self._table.door.state().taking, listener),
            "answers": answers[:NEWEST],
            "earlier": answers[NEWEST:],
            "clips": self._clipped_answers(match),
            "contests": [contest_text(contest, listener) for contest in self._contests.contests_in(match)],
        }

    def _clipped_answers(self, match: Match) -> frozenset[int]:
        """List the answers with a clip; that of the newest one may be on its way."""
        clips = self._table.clips
        kept = (answer_of(name) for name in clips.names() if not is_by_hand(name))
        newest = newest_camera_answer(match) if clips.are_kept() else None
        return frozenset((*kept, *(() if newest is None else (newest,))))

    def _trouble_values(self, viewer: Viewer, language: Language) -> Mapping[str, object]:
        """Give what is wrong, and what helps."""
        steps = cures(self._table.place)
        return {
            "health": self._health(),
            "wrong": self._pages.trouble_sentences(viewer),
            "incidents": incident_sentences(self._entrance.incidents, language),
            "cures": tuple(problem_text(step, language) for step in steps),
        }

    def _health(self) -> tuple[PartHealth, ...]:
        concerns = map(concern_of, self._table.door.troubles())
        return health_of(concerns, is_saving=self._table.door.state().is_saving)


def match_title(match: Match, language: Language) -> str:
    """Name a match by its game, and by the edition if there are several."""
    game, house = match.setup.game, match.setup.house
    title, edition = language.gettext(game.words.title), edition_name(game, house)
    return f"{title}, {edition}" if edition else title


def _last_seat(match: Match) -> int | None:
    """Give the seat of the last answer."""
    position = match.position
    return position.answer.seat if isinstance(position, Step) else None
