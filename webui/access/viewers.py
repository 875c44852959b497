"""Viewer of a page: permissions from cookies, and language."""

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from flask import Request, Response
from flask import request as current_request
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Evening, SeatedMatch
from firmware.storage.people.links import computer_token, draw_token, form_token, is_same, table_mark
from referee.match import Match
from referee.sentences import Language, Listener, listener_at
from webui.access.cookies import ENCRYPTED, cookie_in
from webui.access.origins import is_local

if TYPE_CHECKING:
    from firmware.services.table import Table

HINTS = "hints"
MARK_LETTERS, MAX_MARKS = 5, 200  # characters of a hint's mark, and most marks in a cookie
OFF, ON = "off", "on"


class SeenHints(Struct, frozen=True):
    """Marks of the hints already seen, and whether hints are off."""

    seen: frozenset[str] = frozenset()
    is_off: bool = False

    def wants(self, mark: str) -> bool:
        return not self.is_off and mark not in self.seen


def hint_mark(game: str, ask: str) -> str:
    return sha256(f"{game} {ask}".encode()).hexdigest()[:MARK_LETTERS]


def read_hints(cookie: str) -> SeenHints:
    """Parse the cookie; invalid content counts as no hints seen."""
    if cookie == OFF:
        return SeenHints(is_off=True)
    marks = (
        cookie[start : start + MARK_LETTERS]
        for start in range(0, min(len(cookie), MARK_LETTERS * MAX_MARKS), MARK_LETTERS)
    )
    return SeenHints(frozenset(mark for mark in marks if _is_mark(mark)))


def _is_mark(text: str) -> bool:
    return len(text) == MARK_LETTERS and all(letter in "0123456789abcdef" for letter in text)


def with_hint_heard(hints: SeenHints, said: str) -> str:
    if said in {OFF, ON}:
        return OFF if said == OFF else ""
    seen = hints.seen | {said} if _is_mark(said) else hints.seen
    return "".join(sorted(seen))[: MARK_LETTERS * MAX_MARKS]


VISITOR, SEAT, HOST, SCREEN, CAMERA, COMPUTER = "visitor", "seat", "host", "screen", "camera", "computer"
"""Kinds of cookies; all but the first include the table's mark in their names."""
RIGHTS = (SEAT, HOST, SCREEN, CAMERA)
YEAR = 365 * 24 * 3600
"""Lifetime of cookies in seconds; the server ends a device's permissions with the evening."""


class Viewer(Struct, frozen=True):
    """A person viewing a page; forms contain the token."""

    language: str
    seat: int | None = None
    is_host: bool = False
    form: str = ""
    match: SeatedMatch | None = None
    """The match of the viewer's seat; in another match the seat may be another person's."""
    is_screen: bool = False
    is_camera: bool = False
    hints: SeenHints = SeenHints()


def cookie_name(evening: Evening, kind: str) -> str:
    """Return a cookie's name for this table; browsers share cookies between ports of one address."""
    return f"{kind}-{table_mark(evening.secret)}"


def token_in(evening: Evening, cookies: Mapping[str, str], kind: str) -> str:
    """Return a device's token from this table's cookie; empty if there is none."""
    return cookie_in(cookies, cookie_name(evening, kind), partial(_is_token, evening, kind))


def _is_token(evening: Evening, kind: str, token: str) -> bool:
    """Return whether a token is that of a device with this kind of right, or that once had it."""
    devices = {HOST: evening.hosts, SCREEN: evening.screens, CAMERA: evening.cameras}
    if kind == SEAT:
        return evenings.person_device(evening, token) is not None
    return evenings.find_device(devices[kind], token) is not None


def with_right(table: "Table", response: Response, kind: str, token: str) -> Response:
    return with_cookie(response, cookie_name(evening_of(table), kind), token)


def without_seat(table: "Table", response: Response) -> Response:
    return without_cookie(response, cookie_name(evening_of(table), SEAT))


def evening_of(table: "Table") -> Evening:
    """Return the evening, with people seated in the current match."""
    return table.links.evening()


def viewer_of(table: "Table", request: Request) -> Viewer:
    evening = evening_of(table)
    tokens = {kind: token_in(evening, request.cookies, kind) for kind in RIGHTS}
    screen = evenings.find_device(evening.screens, tokens[SCREEN])
    seat = evenings.seat_of(evening, tokens[SEAT])
    is_host = evenings.find_device(evening.hosts, tokens[HOST]) is not None
    is_screen = screen is not None and screen.is_in
    camera = evenings.find_device(evening.cameras, tokens[CAMERA])
    is_camera = camera is not None and camera.is_in
    rights = {SEAT: seat is not None, HOST: is_host, SCREEN: is_screen, CAMERA: is_camera}
    for kind, has_right in rights.items():
        if has_right:
            table.links.hear(tokens[kind])
    return Viewer(
        language=language_of(table, request),
        seat=seat,
        is_host=is_host,
        form=form_token(evening.secret, request.cookies.get(VISITOR, "")),
        match=None if seat is None else evening.match,
        is_screen=is_screen,
        is_camera=is_camera,
        hints=read_hints(request.cookies.get(HINTS, "")),
    )


def is_own_computer(table: "Table", request: Request) -> bool:
    """Return whether a browser of the table's own user on this computer sent the request.

    Other users, and whatever forwards connections to this computer, lack the token.
    """
    evening = evening_of(table)
    is_ours = partial(is_same, computer_token(evening.secret))
    return is_local(request) and is_ours(cookie_in(request.cookies, cookie_name(evening, COMPUTER), is_ours))


def find_known_device(table: "Table", cookies: Mapping[str, str]) -> str | None:
    """Return the token of a device that is a host, a screen, the camera or seated; None for others.

    A device that only asks, or was let in before, counts as a stranger: asking grants no reserved
    places.
    """
    evening = evening_of(table)
    seat = token_in(evening, cookies, SEAT)
    devices = (
        None if evenings.seat_of(evening, seat) is None else evenings.person_device(evening, seat),
        evenings.find_device(evening.hosts, token_in(evening, cookies, HOST)),
        evenings.find_device(evening.screens, token_in(evening, cookies, SCREEN)),
        evenings.find_device(evening.cameras, token_in(evening, cookies, CAMERA)),
    )
    return next((device.token for device in devices if device is not None and device.is_in), None)


def is_seated_in(viewer: Viewer, match: Match) -> bool:
    return viewer.seat is not None and viewer.match == evenings.seated_match(match)


def onlooker(table: "Table", request: Request) -> Viewer:
    """Return a spectator as viewer; the score page is the same for everyone."""
    return Viewer(language_of(table, request))


def language_of(table: "Table", request: Request) -> str:
    """Return the language from the address, the browser's, or the table's own."""
    named = request.args.get("lang", "")
    if named in table.languages:
        return named
    return request.accept_languages.best_match(list(table.languages), table.language) or table.language


def listener_of(table: "Table", viewer: Viewer) -> Listener:
    setup = table.client.moment().setup
    return listener_at(setup, viewer_language(table, viewer))


def viewer_language(table: "Table", viewer: Viewer) -> Language:
    return table.languages[viewer.language]


def with_visitor(table: "Table", viewer: Viewer, visitor: str | None) -> Viewer:
    return viewer if visitor is None else replace(viewer, form=form_token(evening_of(table).secret, visitor))


def may_send(request: Request, viewer: Viewer) -> bool:
    """Return whether a form was rendered for the browser that sends it."""
    return bool(request.cookies.get(VISITOR)) and is_same(viewer.form, request.form.get("form", ""))


def with_cookie(response: Response, cookie: str, token: str) -> Response:
    # cookies from an encrypted page must never be sent unencrypted
    is_encrypted = current_request.is_secure
    name = f"{ENCRYPTED}{cookie}" if is_encrypted else cookie
    response.set_cookie(name, token, max_age=YEAR, httponly=True, samesite="Lax", secure=is_encrypted)
    return response


def without_cookie(response: Response, cookie: str) -> Response:
    for name in (cookie, f"{ENCRYPTED}{cookie}"):
        response.delete_cookie(name, httponly=True, samesite="Lax", secure=name != cookie)
    return response


def new_visitor_for(request: Request) -> str | None:
    return None if request.cookies.get(VISITOR) else draw_token()
