"""Entering: what a phone says goes through the door, and what became of it comes back in words."""

from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooSlow
from typing import Any

from flask import Request, Response
from msgspec import Struct

from referee.contract import Reason, Refusal, refused
from referee.match import Entry, Match
from referee.telling import tell_refusal
from webui.access.attempt_limits import Tries
from webui.access.viewers import Viewer, listener_of, may_send, spoken
from webui.doors.companion import Handed
from webui.drawing.words import said
from webui.server.drawn_pages import match_id

LONGEST = 9
"""Digits of a moment's number."""
PATIENCE = 5.0
"""Seconds that the disk may take before a phone is told to look for itself."""


class Unheard(Struct, frozen=True):
    """Why something doesn't count, and how the web says so."""

    why: str
    code: int


def enter(handed: Handed, viewer: Viewer, entry: Entry) -> Unheard | None:
    """Enter something, and wait for what becomes of it; None if it counts."""
    result = came_of(handed, viewer, handed.door.submit(entry))
    return result if isinstance(result, Unheard) else None


def came_of(handed: Handed, viewer: Viewer, future: "Future[Any]") -> Match | Unheard:
    """Wait for what becomes of something: a moment, or why there is none."""
    try:
        result = future.result(PATIENCE)
    except TooSlow:
        return turned_away(handed, viewer, "slow", 409)
    except CancelledError:
        return turned_away(handed, viewer, "ended", 409)
    if isinstance(result, Match):
        return result
    listener = listener_of(handed, viewer)
    told = tell_refusal(listener, result) if isinstance(result, Refusal) else handed.told(result, listener)
    return Unheard(told, 409)


def moment_said(handed: Handed, request: Request) -> int | None:
    """Read which moment a form was drawn for; None if it was one of another match, or of none."""
    digits = request.form.get("moment", "")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST
    is_ours = request.form.get("match") == match_id(handed.door.moment())
    return int(digits) if is_number and is_ours else None


def turned_away(handed: Handed, viewer: Viewer, key: str, code: int) -> Unheard:
    """Say in the web's own words why something doesn't count."""
    return Unheard(said(spoken(handed, viewer), key), code)


def barred(handed: Handed, viewer: Viewer, tries: Tries, request: Request) -> Unheard | None:
    """Tell why somebody may not try a code or a PIN now; None if it may be tried."""
    if not may_send(request, viewer):
        return turned_away(handed, viewer, "form", 403)
    if not tries.may_try(request.remote_addr or ""):
        return turned_away(handed, viewer, "too often", 429)
    return None


def stale(handed: Handed, viewer: Viewer) -> Unheard:
    """Refuse what was meant for an earlier moment."""
    refusal = refused(Reason.STALE, now=handed.door.moment().number)
    return Unheard(tell_refusal(listener_of(handed, viewer), refusal), 409)


def to(address: str) -> Response:
    """Send a browser to a page, once something was done."""
    return Response(status=303, headers={"Location": address})
