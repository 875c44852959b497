"""The director's phone: the PIN, and calls from the tables with what can be seen of them."""

from datetime import UTC, datetime
from functools import partial

from flask import Blueprint, Response, abort, request

from club.web.access import DIRECTOR, club_viewer, may_send, with_director
from club.web.drawn_pages import ClubPages
from club.web.forms import text_in
from club.web.pages.acting import by_director, for_director
from firmware.storage.people.links import is_same
from webui.access.guess_limits import GuessLimit
from webui.access.origins import network_of
from webui.drawing.words import Texts
from webui.pages.players.entering import redirect_to

STATES = ("coming", "done")
JPEG = b"\xff\xd8"


def director_blueprint(pages: ClubPages, guesses: GuessLimit) -> Blueprint:
    """Create the pages."""
    blueprint, page = Blueprint("director", __name__), DirectorPages(pages, guesses)
    blueprint.get("/director")(page.show)
    blueprint.get("/director/more")(for_director(pages, page.more))
    blueprint.post("/director/enter")(page.enter)
    blueprint.post("/director/leave")(by_director(pages, page.leave))
    blueprint.post("/director/call")(by_director(pages, page.answer_call))
    blueprint.get("/director/picture/<table>/<call>")(for_director(pages, page.picture))
    return blueprint


class DirectorPages:
    """Handles the director's pages."""

    def __init__(self, pages: ClubPages, guesses: GuessLimit) -> None:
        """Remember the pages; few guesses at the PIN are free."""
        self._pages, self._services, self._guesses = pages, pages.services, guesses

    def show(self) -> Response:
        """Show the calls, or ask for the PIN."""
        if not club_viewer(self._services, request).is_director:
            return self._pin_page()
        calls, now = self._services.tables.calls(), datetime.now(UTC)
        waits = [max(0, int((now - call.asked).total_seconds())) for call in calls]
        values = {
            "calls": list(zip(calls, waits, strict=True)),
            "tournament": self._services.tournaments.current(),
            "here": "calls",
        }
        return self._pages.page("calls", values)

    def more(self) -> Response:
        """Show what is seldom needed."""
        values = {
            "here": "",
            "tournament": self._services.tournaments.current(),
            "doubtful": self._services.tables.doubtful_lines(),
        }
        return self._pages.page("more", values)

    def enter(self) -> Response:
        """Let in who knows the PIN."""
        viewer = club_viewer(self._services, request)
        say = partial(self._pages.say, viewer)
        if not may_send(request, viewer):
            return self._pin_page(say(Texts.stale_form), 403)
        network, pin = network_of(request.remote_addr or ""), self._services.keys().pin
        if not self._guesses.may_try(network, pin):
            return self._pin_page(say(Texts.too_often), 429)
        if not is_same(pin, request.form.get("pin", "").strip()):
            return self._pin_page(say(Texts.wrong_pin), 403)
        self._guesses.take_right(network)
        return with_director(self._services, redirect_to("/director"))

    def leave(self) -> Response:
        """Let this browser be the director's no more."""
        response = redirect_to("/")
        response.delete_cookie(DIRECTOR)
        return response

    def answer_call(self) -> Response:
        """Say that the director comes, or what the ruling is."""
        state = request.form.get("state", "")
        answer = text_in(request.form, "answer")
        if state not in STATES:
            abort(400)
        found = self._services.tables.answer_call(
            request.form.get("table", ""), request.form.get("call", ""), state, answer
        )
        if not found:
            abort(404)
        return redirect_to("/director")

    def picture(self, table: str, call: str) -> Response:
        """Give what the camera saw of a call."""
        picture = self._services.tables.picture(table, call)
        if picture is None or not picture.startswith(JPEG):
            abort(404)
        return Response(picture, content_type="image/jpeg")

    def _pin_page(self, why: str = "", code: int = 200) -> Response:
        pin = request.args.get("pin", "")
        known = pin if pin.isascii() and pin.isdecimal() and len(pin) <= 12 else ""
        return self._pages.page("enter", {"why": why, "pin": known}, code)
