"""The director's phone: the PIN, and calls from the tables with what can be seen of them."""

from datetime import UTC, datetime

from flask import Blueprint, Response, abort, request

from club.web.access import DIRECTOR, may_send, with_director
from club.web.drawn_pages import pages
from club.web.forms import text_in
from club.web.pages.acting import by_director, for_director
from firmware.storage.people.links import is_same
from webui.access.origins import network_of
from webui.drawing.words import Texts
from webui.pages.players.entering import redirect_to

STATES = ("coming", "done")
JPEG = b"\xff\xd8"
blueprint = Blueprint("director", __name__)


@blueprint.get("/director")
def show() -> Response:
    """Show the calls, or ask for the PIN."""
    if not pages.viewer.is_director:
        return _pin_page()
    calls, now = pages.services.tables.calls(), datetime.now(UTC)
    waits = [(call, max(0, int((now - call.asked).total_seconds()))) for call in calls]
    return pages.page("calls", calls=waits, tournament=pages.current, here="calls")


@blueprint.get("/director/more")
@for_director
def more() -> Response:
    """Show what is seldom needed."""
    doubtful = pages.services.tables.doubtful_lines()
    return pages.page("more", here="", tournament=pages.current, doubtful=doubtful)


@blueprint.post("/director/enter")
def enter() -> Response:
    """Let in who knows the PIN; few guesses are free."""
    if not may_send(request, pages.viewer):
        return _pin_page(pages.say(Texts.stale_form), 403)
    network, pin = network_of(request.remote_addr or ""), pages.services.keys().pin
    if not pages.guesses.may_try(network):
        return _pin_page(pages.say(Texts.too_often), 429)
    if not is_same(pin, request.form.get("pin", "").strip()):
        return _pin_page(pages.say(Texts.wrong_pin), 403)
    pages.guesses.take_right(network)
    return with_director(pages.services, redirect_to("/director"))


@blueprint.post("/director/leave")
@by_director
def leave() -> Response:
    """Let this browser be the director's no more."""
    response = redirect_to("/")
    response.delete_cookie(DIRECTOR)
    return response


@blueprint.post("/director/call")
@by_director
def answer_call() -> Response:
    """Say that the director comes, or what the ruling is."""
    form = request.form
    table, call, state = (form.get(name, "") for name in ("table", "call", "state"))
    if state not in STATES:
        abort(400)
    if not pages.services.tables.answer_call(table, call, state, text_in(form, "answer")):
        abort(404)
    return redirect_to("/director")


@blueprint.get("/director/picture/<table>/<call>")
@for_director
def picture(table: str, call: str) -> Response:
    """Give what the camera saw of a call."""
    seen = pages.services.tables.picture(table, call)
    if seen is None or not seen.startswith(JPEG):
        abort(404)
    return Response(seen, content_type="image/jpeg")


def _pin_page(why: str = "", code: int = 200) -> Response:
    pin = request.args.get("pin", "")
    known = pin if pin.isascii() and pin.isdecimal() and len(pin) <= 12 else ""
    return pages.page("enter", code, why=why, pin=known)
