"""Entering: what a phone says goes through the door, and what became of it comes back in words."""

from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooSlow
from typing import Any

from flask import Request, Response
from msgspec import Struct

from referee.contract import Reason, Refusal, make_refusal
from referee.match import Entry, Match
from referee.telling import tell_refusal
from webui.access.attempt_limits import AttemptLimit
from webui.access.viewers import Viewer, listener_of, may_send, viewer_language
from webui.doors.companion import Services
from webui.drawing.words import page_text
from webui.server.drawn_pages import match_id

LONGEST = 9
"""Digits of a moment's number."""
PATIENCE = 5.0
"""Seconds that the disk may take before a phone is told to look for itself."""


class Rejection(Struct, frozen=True):
    """Why something doesn't count, and how the web says so."""

    why: str
    code: int


def enter(handed: Services, viewer: Viewer, entry: Entry) -> Rejection | None:
    """Enter something, and wait for what becomes of it; None if it counts."""
    result = await_result(handed, viewer, handed.door.submit(entry))
    return result if isinstance(result, Rejection) else None


def await_result(handed: Services, viewer: Viewer, future: "Future[Any]") -> Match | Rejection:
    """Wait for what becomes of something: a moment, or why there is none."""
    try:
        result = future.result(PATIENCE)
    except TooSlow:
        return rejection_for(handed, viewer, "slow", 409)
    except CancelledError:
        return rejection_for(handed, viewer, "ended", 409)
    if isinstance(result, Match):
        return result
    listener = listener_of(handed, viewer)
    told = tell_refusal(listener, result) if isinstance(result, Refusal) else handed.told(result, listener)
    return Rejection(told, 409)


def form_moment(handed: Services, request: Request) -> int | None:
    """Read which moment a form was drawn for; None if it was one of another match, or of none."""
    digits = request.form.get("moment", "")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST
    is_ours = request.form.get("match") == match_id(handed.door.moment())
    return int(digits) if is_number and is_ours else None


def rejection_for(handed: Services, viewer: Viewer, key: str, code: int) -> Rejection:
    """Say in the web's own words why something doesn't count."""
    return Rejection(page_text(viewer_language(handed, viewer), key), code)


def attempt_rejection(
    handed: Services, viewer: Viewer, tries: AttemptLimit, request: Request
) -> Rejection | None:
    """Tell why somebody may not try a code or a PIN now; None if it may be tried."""
    if not may_send(request, viewer):
        return rejection_for(handed, viewer, "form", 403)
    if not tries.may_try(request.remote_addr or ""):
        return rejection_for(handed, viewer, "too often", 429)
    return None


def stale_rejection(handed: Services, viewer: Viewer) -> Rejection:
    """Refuse what was meant for an earlier moment."""
    refusal = make_refusal(Reason.STALE, now=handed.door.moment().number)
    return Rejection(tell_refusal(listener_of(handed, viewer), refusal), 409)


def redirect_to(address: str) -> Response:
    """Send a browser to a page, once something was done."""
    return Response(status=303, headers={"Location": address})
