"""Submitting what a phone sends, and putting the outcome into words."""

from concurrent.futures import CancelledError, Future
from functools import partial
from typing import TypeVar

from flask import Request, Response
from msgspec import Struct

from firmware.table.client import Result
from firmware.table.hosting import deny_likely
from firmware.table.notices import sentence_for
from referee.contract import Reason, Refusal, make_refusal
from referee.contract.words import Phrase
from referee.match import Entry, Match
from referee.sentences import refusal_text
from webui.access import viewers
from webui.access.guess_limits import GuessLimit, Incidents
from webui.access.origins import network_of
from webui.needs import HasClient, HasLanguages, ViewerNeeds
from webui.server.drawn_pages import match_id
from webui.views.words import Texts, page_text

T = TypeVar("T")
LONGEST = 9  # most digits of a moment's number
STORE_TIMEOUT = 5.0  # seconds to wait for the disk before the phone is told to check for itself


class Rejection(Struct, frozen=True):
    """Why something doesn't count, and the HTTP status."""

    why: str
    code: int


class Entrance(Struct, frozen=True):
    """What guesses at codes of seats and at the PIN are counted by, and what the host is told of them.

    They are counted by network, whatever cookies come: anybody can be given any number of those.
    """

    codes: GuessLimit
    looks: GuessLimit
    """Codes that are looked at: a page of another site may make a phone do that, and shuts no seat by it."""
    pins: GuessLimit
    claims: GuessLimit
    incidents: Incidents


def enter(table: ViewerNeeds, viewer: viewers.Viewer, entry: Entry) -> Rejection | None:
    """Submit an entry and wait for the outcome; None if it counts."""
    # another match may begin meanwhile, and the seat be another person's in it
    begun = None if viewer.match is None else viewer.match.begun
    result = await_result(table, viewer, table.client.submit(entry, begun))
    return result if isinstance(result, Rejection) else None


def result_or_why(pending: "Future[T]", patience: float = STORE_TIMEOUT) -> T | Phrase:
    """Wait for what the loop or the journal does; say why it isn't known whether it was done."""
    try:
        return pending.result(patience)
    except TimeoutError:
        return Texts.slow_answer
    except CancelledError:
        return Texts.shutting_down


def await_result(table: ViewerNeeds, viewer: viewers.Viewer, pending: "Future[Result]") -> Match | Rejection:
    """Wait for a reply: the next moment, or why there is none."""
    result = result_or_why(pending)
    if isinstance(result, Phrase):
        return rejection_for(table, viewer, result, 409)
    if isinstance(result, Match):
        return result
    listener = viewers.listener_of(table, viewer)
    told = refusal_text(listener, result) if isinstance(result, Refusal) else sentence_for(result, listener)
    return Rejection(told, 409)


def say_no(table: ViewerNeeds, viewer: viewers.Viewer, request: Request) -> Rejection | None:
    """Deny what a card is taken for; None if that is done, or it isn't taken for that any more."""
    moment, face = form_moment(table, request), request.form.get("face", "")
    if moment != table.client.moment().number:
        return stale_rejection(table, viewer)
    # what it leads to is told to everybody
    await_result(table, viewer, table.client.host(partial(deny_likely, face, moment)))
    return None


def form_moment(table: HasClient, request: Request) -> int | None:
    """Read the moment that a form was drawn for; None if it is missing or of another match."""
    is_ours = request.form.get("match") == match_id(table.client.moment())
    return read_number(request.form.get("moment", ""), LONGEST) if is_ours else None


def read_number(text: str, digits: int) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def rejection_for(table: HasLanguages, viewer: viewers.Viewer, text: Phrase, code: int) -> Rejection:
    return Rejection(page_text(viewers.viewer_language(table, viewer), text), code)


def attempt_rejection(
    table: ViewerNeeds, viewer: viewers.Viewer, guesses: GuessLimit, request: Request
) -> Rejection | None:
    """Say why a code or PIN may not be tried now; None if it may, and then it is counted as a wrong one."""
    if not viewers.may_send(request, viewer):
        return rejection_for(table, viewer, Texts.stale_form, 403)
    if guesses.may_try(network_of(request.remote_addr or "")):
        return None
    return rejection_for(table, viewer, Texts.too_often, 429)


def note_guess(guesses: GuessLimit, incidents: Incidents, request: Request, *, is_right: bool) -> None:
    """Count a guess that was right no more; tell the host of a wrong one."""
    if is_right:
        guesses.take_right(network_of(request.remote_addr or ""))
    else:
        incidents.note("guess", request.remote_addr or "")


def stale_rejection(table: ViewerNeeds, viewer: viewers.Viewer) -> Rejection:
    refusal = make_refusal(Reason.STALE, now=table.client.moment().number)
    return Rejection(refusal_text(viewers.listener_of(table, viewer), refusal), 409)


def redirect_to(address: str) -> Response:
    return Response(status=303, headers={"Location": address})
