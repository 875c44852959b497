"""Submit a phone's entries and word the outcome."""

from concurrent.futures import CancelledError, Future
from functools import partial
from typing import TYPE_CHECKING, TypeVar

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
from webui.server.drawn_pages import match_id
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

T = TypeVar("T")
MAX_MOMENT_DIGITS = 9  # most digits of a moment's number
STORE_TIMEOUT = 5.0  # seconds to wait for the disk before the phone is asked to check for itself


class Rejection(Struct, frozen=True):
    """Reason why an entry was rejected, and the HTTP status."""

    why: str
    code: int


class Entrance(Struct, frozen=True):
    """Rate limits for guesses at seat codes and the PIN, and the host's list of failed guesses.

    Guesses are counted per network. Cookies don't matter, because a client can send any number of them.
    """

    codes: GuessLimit
    looks: GuessLimit
    """Limit for checking codes by link. Separate, because another site can make a phone open such links."""
    pins: GuessLimit
    claims: GuessLimit
    incidents: Incidents


def enter(table: "Table", viewer: viewers.Viewer, entry: Entry) -> Rejection | None:
    """Submit an entry and wait for the outcome. Returns None if it was accepted."""
    # a new match may start in the meantime, with another person on this seat
    begun = None if viewer.match is None else viewer.match.begun
    result = await_result(table, viewer, table.client.submit(entry, begun))
    return result if isinstance(result, Rejection) else None


def result_or_why(pending: "Future[T]", patience: float = STORE_TIMEOUT) -> T | Phrase:
    """Wait for the loop or the journal. Returns the reason if the result is still unknown."""
    try:
        return pending.result(patience)
    except TimeoutError:
        return Texts.slow_answer
    except CancelledError:
        return Texts.shutting_down


def await_result(table: "Table", viewer: viewers.Viewer, pending: "Future[Result]") -> Match | Rejection:
    """Wait for a reply. Returns the next moment, or a rejection."""
    result = result_or_why(pending)
    if isinstance(result, Phrase):
        return rejection_for(table, viewer, result, 409)
    if isinstance(result, Match):
        return result
    listener = viewers.listener_of(table, viewer)
    told = refusal_text(listener, result) if isinstance(result, Refusal) else sentence_for(result, listener)
    return Rejection(told, 409)


def say_no(table: "Table", viewer: viewers.Viewer, request: Request) -> Rejection | None:
    """Deny the likely reading of a card. Returns a rejection if the form is stale."""
    moment, face = form_moment(table, request), request.form.get("face", "")
    if moment != table.client.moment().number:
        return stale_rejection(table, viewer)
    # everybody sees the result on their own page
    await_result(table, viewer, table.client.host(partial(deny_likely, face, moment)))
    return None


def form_moment(table: "Table", request: Request) -> int | None:
    """Return the moment a form was rendered for; None if it is missing or from another match."""
    is_ours = request.form.get("match") == match_id(table.client.moment())
    return read_number(request.form.get("moment", ""), MAX_MOMENT_DIGITS) if is_ours else None


def read_number(text: str, digits: int) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def rejection_for(table: "Table", viewer: viewers.Viewer, text: Phrase, code: int) -> Rejection:
    return Rejection(page_text(viewers.viewer_language(table, viewer), text), code)


def attempt_rejection(
    table: "Table", viewer: viewers.Viewer, guesses: GuessLimit, request: Request
) -> Rejection | None:
    """Reserve an attempt at a code or PIN; it counts as wrong until `note_guess`. Returns any rejection."""
    if not viewers.may_send(request, viewer):
        return rejection_for(table, viewer, Texts.stale_form, 403)
    if guesses.may_try(network_of(request.remote_addr or "")):
        return None
    return rejection_for(table, viewer, Texts.too_often, 429)


def note_guess(guesses: GuessLimit, incidents: Incidents, request: Request, *, is_right: bool) -> None:
    """Stop counting a correct guess, or report a wrong one to the host."""
    if is_right:
        guesses.take_right(network_of(request.remote_addr or ""))
    else:
        incidents.note("guess", request.remote_addr or "")


def stale_rejection(table: "Table", viewer: viewers.Viewer) -> Rejection:
    refusal = make_refusal(Reason.STALE, now=table.client.moment().number)
    return Rejection(refusal_text(viewers.listener_of(table, viewer), refusal), 409)


def redirect_to(address: str) -> Response:
    return Response(status=303, headers={"Location": address})
