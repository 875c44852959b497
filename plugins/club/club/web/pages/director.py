"""The director's phone: the PIN, the club's state, calls from tables, and invitations."""

from datetime import UTC, datetime
from time import monotonic

from flask import Blueprint, Response, abort, request
from msgspec import Struct
from msgspec.structs import replace

from club.members import CODE_MINUTES, LONGEST_TITLE
from club.tournament.entering import drop_table
from club.views import ClubCall, ClubTable, TournamentView
from club.web.access import DIRECTOR, ClubViewer, may_send, with_director
from club.web.drawn_pages import pages
from club.web.forms import text_in
from club.web.pages.acting import ask_first, by_director, for_director
from club.web.pages.screen import time_text, told_by
from club.web.words import DOUBTS
from firmware.storage.people.links import is_same
from referee.contract.words import phrase
from webui.access.origins import network_of
from webui.access.viewers import without_cookie
from webui.pages.players.entering import redirect_to
from webui.server.drawn_pages import picture_of
from webui.views.words import Texts

CALLS, TABLES = "/director/calls", "/director/tables"
blueprint = Blueprint("director", __name__)


class ClubNow(Struct, frozen=True):
    """The club's state, cached for when the database is unavailable."""

    at: float
    tables: tuple[ClubTable, ...]
    tournament: TournamentView | None


@blueprint.get("/director")
def show() -> Response:
    if not pages.viewer.is_director:
        return _pin_page()
    pages.shown = ClubNow(monotonic(), pages.services.tables.tables(), pages.current)
    return pages.page("now", **_values(pages.shown, pages.viewer))


def silent_page() -> Response:
    """Show the director the last known state while the database is unavailable."""
    services, shown = pages.services, pages.shown
    language = request.accept_languages.best_match(list(services.languages), services.language)
    viewer = ClubViewer(language=language or services.language, is_director=True)
    before = shown if isinstance(shown, ClubNow) else ClubNow(monotonic(), (), None)
    return Response(pages.draw("club/now", viewer, **_values(before, viewer)), 503)


def _values(shown: ClubNow, viewer: ClubViewer) -> dict[str, object]:
    calling = [replace(each.call, title=each.title) for each in shown.tables if each.call is not None]
    call = min(calling, key=lambda call: call.asked, default=None)
    tournament = shown.tournament
    last = tournament.rounds[-1] if tournament is not None and tournament.rounds else None
    is_played = last is not None and tournament is not None and not tournament.is_over
    passed = 0.0 if last is None or last.is_stopped else monotonic() - shown.at
    left = max(0.0, last.seconds_left - passed) if last is not None and last.seconds_left is not None else 0.0
    return {
        "tournament": tournament,
        "last": last if is_played else None,
        "left": left,
        "here": "club",
        "call": call,
        "waits": 0 if call is None else _waits(call),
        "tiles": [(each, *told_by(pages, viewer, each)) for each in shown.tables],
        "health": pages.services.health(),
        "heard": sum(each.is_there for each in shown.tables),
    }


def _waits(call: ClubCall) -> int:
    return max(0, int((datetime.now(UTC) - call.asked).total_seconds()))


@blueprint.get(CALLS)
@for_director
def calls() -> Response:
    waits = [(call, _waits(call)) for call in pages.services.tables.calls()]
    return pages.page("calls", calls=waits, tournament=pages.current, here="calls")


@blueprint.get("/director/more")
@for_director
def more() -> Response:
    doubtful = pages.services.tables.doubtful_lines()
    return pages.page("more", here="", tournament=pages.current, doubtful=doubtful)


@blueprint.post("/director/enter")
def enter() -> Response:
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
    return without_cookie(redirect_to("/"), DIRECTOR)


@blueprint.post("/director/call")
@by_director
def answer_call() -> Response:
    form = request.form
    table, call, state = (form.get(name, "") for name in ("table", "call", "state"))
    if state not in {"coming", "done"}:
        abort(400)
    if not pages.services.tables.answer_call(table, call, state, text_in(form, "answer")):
        abort(404)
    return redirect_to(CALLS)


@blueprint.get("/director/picture/<table>/<call>")
@for_director
def picture(table: str, call: str) -> Response:
    seen = pages.services.tables.picture(table, call)
    # a JPEG, which no browser mistakes for a page
    if seen is None or not seen.startswith(b"\xff\xd8"):
        abort(404)
    return Response(seen, content_type="image/jpeg")


# the tables


@blueprint.get(TABLES)
@for_director
def show_tables() -> Response:
    known = pages.services.tables
    doubtful = [(each, DOUBTS.get(each.why, each.why)) for each in known.doubtful_lines()]
    return pages.page(
        "tables", tables=known.tables(), doubtful=doubtful, minutes=CODE_MINUTES, time_of=time_text, here=""
    )


@blueprint.post(f"{TABLES}/invite")
@by_director
def invite() -> Response:
    """Show the link by which a table joins, for a new table or one that has lost its key."""
    known, door = request.form.get("table", ""), pages.services.inviting
    invitation = door.invite_again(known) if known else door.invite(text_in(request.form, "title"))
    if invitation is None:
        why = phrase(
            "The table wasn't invited. Its name needs 1 to {most} letters, and no other table may have it."
        )
        return pages.refuse(pages.say(why, most=LONGEST_TITLE), TABLES)
    picture = picture_of(invitation.link)
    return pages.page("invited", invitation=invitation, picture=picture, minutes=CODE_MINUTES, here="")


@blueprint.post(f"{TABLES}/remove")
@by_director
def remove() -> Response:
    """Remove an offline table from the club and from the following rounds."""
    table, current = pages.services.tables.table(request.form.get("table", "")), pages.current
    if table is None or table.is_there:
        abort(404)
    question = phrase("Remove “{table}” from the club? Its matches stay.")
    if (
        asked := ask_first(pages.say(question, table=table.title), pages.say(phrase("Yes, remove it")))
    ) is not None:
        return asked
    pages.services.inviting.remove(table.name)
    if current is not None and not current.is_over:
        pages.services.tournaments.change(current.id, lambda kept: drop_table(kept.tournament, table.name))
    return redirect_to(TABLES)


@blueprint.post(f"{TABLES}/seen")
@by_director
def see_doubtful() -> Response:
    pages.services.tables.see_doubtful_lines()
    return redirect_to(TABLES)


def _pin_page(why: str = "", code: int = 200) -> Response:
    pin = request.args.get("pin", "")
    known = pin if pin.isascii() and pin.isdecimal() and len(pin) <= 12 else ""
    return pages.page("enter", code, why=why, pin=known)
