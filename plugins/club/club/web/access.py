"""Access to the club's pages: the director by PIN, people by signed cookies that all hubs accept."""

import hmac
from time import time

from flask import Request, Response
from msgspec import Struct

from club.credentials import KeyRow
from club.web.services import ClubServices
from firmware.storage.people.links import draw_token, form_token, is_same
from webui.access.viewers import VISITOR, with_cookie

DIRECTOR, PERSON, ENTRANT = "club-director", "club-person", "club-entrant"  # names of the cookies
DAY = 24 * 3600  # seconds for which a director needn't enter the PIN again
MAX_COOKIE_LETTERS = 1000


class ClubViewer(Struct, frozen=True):
    """The viewer of a page; forms contain the token."""

    language: str
    form: str = ""
    is_director: bool = False
    is_host: bool = False
    """Always False; templates shared with a table's own pages read it."""
    people: tuple[int, ...] = ()
    """People who have agreed on this phone to be stored."""
    entrant: tuple[int, int] | None = None
    """The tournament entered with this phone, and the entrant's number."""


def club_viewer(services: ClubServices, request: Request) -> ClubViewer:
    """Return the viewer, identified by signed cookies."""
    keys = services.keys()
    entrant = _numbers(keys.secret, ENTRANT, request)
    return ClubViewer(
        language=request.accept_languages.best_match(list(services.languages), services.language)
        or services.language,
        form=form_token(keys.secret, request.cookies.get(VISITOR, "")),
        is_director=_is_director(_director_secret(keys), request, time()),
        people=_numbers(keys.secret, PERSON, request),
        entrant=(entrant[0], entrant[1]) if len(entrant) == 2 else None,
    )


def _director_secret(keys: KeyRow) -> str:
    """Return the key for directors' cookies; a new PIN invalidates all of them."""
    return f"{keys.secret} {keys.pin}"


def sign(secret: str, kind: str, text: str) -> str:
    """Sign a cookie's content, for one kind of cookie only."""
    return f"{text}.{hmac.new(secret.encode(), f'{kind} {text}'.encode(), 'sha256').hexdigest()}"


def read_signed(secret: str, kind: str, cookie: str) -> str:
    """Return a cookie's content; empty if the signature isn't ours."""
    text, dot, _signature = cookie.rpartition(".")
    is_ours = dot and len(cookie) <= MAX_COOKIE_LETTERS and is_same(sign(secret, kind, text), cookie)
    return text if is_ours else ""


def _numbers(secret: str, kind: str, request: Request) -> tuple[int, ...]:
    values = read_signed(secret, kind, request.cookies.get(kind, "")).split(" ")
    return tuple(map(int, values)) if all(map(str.isdecimal, values)) else ()


def _is_director(secret: str, request: Request, now: float) -> bool:
    until = read_signed(secret, DIRECTOR, request.cookies.get(DIRECTOR, "")).split(" ")[0]
    return until.isdecimal() and now < int(until) <= now + DAY + 60


def with_director(services: ClubServices, response: Response) -> Response:
    text = f"{int(time()) + DAY} {draw_token()}"
    return with_cookie(response, DIRECTOR, sign(_director_secret(services.keys()), DIRECTOR, text))


def with_numbers(services: ClubServices, response: Response, kind: str, *numbers: int) -> Response:
    return with_cookie(response, kind, sign(services.keys().secret, kind, " ".join(map(str, numbers))))


def may_send(request: Request, viewer: ClubViewer) -> bool:
    return bool(request.cookies.get(VISITOR)) and is_same(viewer.form, request.form.get("form", ""))
