"""Who looks at a page, what their cookies allow, and in which language."""

from collections.abc import Mapping
from hashlib import sha256

from flask import Request, Response
from flask import request as current_request
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Evening, SeatedMatch
from firmware.storage.people.links import draw_token, form_token, is_same, table_mark
from referee.match import Match
from referee.sentences import Language, Listener, listener_at
from webui.access.cookies import ENCRYPTED
from webui.needs import HasLanguages, HasLinks, ViewerNeeds

HINTS = "hints"
LETTERS, MOST = 5, 200  # letters of a mark, and the most marks that a cookie holds
OFF, ON = "off", "on"


class SeenHints(Struct, frozen=True):
    """The marks of the hints that were seen, or that none is wanted."""

    seen: frozenset[str] = frozenset()
    is_off: bool = False

    def wants(self, mark: str) -> bool:
        return not self.is_off and mark not in self.seen


def hint_mark(game: str, ask: str) -> str:
    return sha256(f"{game} {ask}".encode()).hexdigest()[:LETTERS]


def read_hints(cookie: str) -> SeenHints:
    """Read the cookie; what isn't understood counts as nothing seen."""
    if cookie == OFF:
        return SeenHints(is_off=True)
    marks = (cookie[start : start + LETTERS] for start in range(0, min(len(cookie), LETTERS * MOST), LETTERS))
    return SeenHints(frozenset(mark for mark in marks if _is_mark(mark)))


def _is_mark(text: str) -> bool:
    return len(text) == LETTERS and all(letter in "0123456789abcdef" for letter in text)


def with_hint_heard(hints: SeenHints, said: str) -> str:
    if said in {OFF, ON}:
        return OFF if said == OFF else ""
    seen = hints.seen | {said} if _is_mark(said) else hints.seen
    return "".join(sorted(seen))[: LETTERS * MOST]


VISITOR, SEAT, HOST, SCREEN = "visitor", "seat", "host", "screen"
"""Kinds of cookies; all but the first are named after the table, too."""
RIGHTS = (SEAT, HOST, SCREEN)
YEAR = 365 * 24 * 3600
"""How long a browser keeps them: a device is known by its cookie, and its right ends with the evening."""


class Viewer(Struct, frozen=True):
    """A person looking at a page; forms carry the token."""

    language: str
    seat: int | None = None
    is_host: bool = False
    form: str = ""
    match: SeatedMatch | None = None
    """The match in which the seat is the viewer's: in another one it may be anybody's."""
    is_screen: bool = False
    hints: SeenHints = SeenHints()


def cookie_name(evening: Evening, kind: str) -> str:
    """Name a cookie after the table: browsers don't tell tables at one address apart, whatever their ports."""
    return f"{kind}-{table_mark(evening.secret)}"


def token_in(evening: Evening, cookies: Mapping[str, str], kind: str) -> str:
    """Read the token of a device from the cookie of this table; empty if there is none."""
    return cookies.get(cookie_name(evening, kind), "")


def with_right(table: HasLinks, response: Response, kind: str, token: str) -> Response:
    return with_cookie(response, cookie_name(evening_of(table), kind), token)


def without_seat(table: HasLinks, response: Response) -> Response:
    return without_cookie(response, cookie_name(evening_of(table), SEAT))


def evening_of(table: HasLinks) -> Evening:
    """Give the evening, with people seated in the match that stands."""
    return table.links.evening()


def viewer_of(table: ViewerNeeds, request: Request) -> Viewer:
    evening = evening_of(table)
    tokens = {kind: token_in(evening, request.cookies, kind) for kind in RIGHTS}
    screen = evenings.find_device(evening.screens, tokens[SCREEN])
    seat = evenings.seat_of(evening, tokens[SEAT])
    is_host = evenings.find_device(evening.hosts, tokens[HOST]) is not None
    is_screen = screen is not None and screen.is_in
    rights = {SEAT: seat is not None, HOST: is_host, SCREEN: is_screen}
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
        hints=read_hints(request.cookies.get(HINTS, "")),
    )


def find_known_device(table: HasLinks, cookies: Mapping[str, str]) -> str | None:
    """Give the token of a device that has a right now: to a seat, as a host or as a screen.

    A device that only asks, or had a right once, is a stranger's: asking gets none of what is reserved.
    """
    evening = evening_of(table)
    seat = token_in(evening, cookies, SEAT)
    devices = (
        None if evenings.seat_of(evening, seat) is None else evenings.person_device(evening, seat),
        evenings.find_device(evening.hosts, token_in(evening, cookies, HOST)),
        evenings.find_device(evening.screens, token_in(evening, cookies, SCREEN)),
    )
    return next((device.token for device in devices if device is not None and device.is_in), None)


def is_seated_in(viewer: Viewer, match: Match) -> bool:
    return viewer.seat is not None and viewer.match == evenings.seated_match(match)


def onlooker(table: HasLanguages, request: Request) -> Viewer:
    """Treat the viewer as a spectator: the score page is the same for all."""
    return Viewer(language_of(table, request))


def language_of(table: HasLanguages, request: Request) -> str:
    """Choose the language that the address names or the browser asks for, or the table's own."""
    named = request.args.get("lang", "")
    if named in table.languages:
        return named
    return request.accept_languages.best_match(list(table.languages), table.language) or table.language


def listener_of(table: ViewerNeeds, viewer: Viewer) -> Listener:
    setup = table.client.moment().setup
    return listener_at(setup, viewer_language(table, viewer))


def viewer_language(table: HasLanguages, viewer: Viewer) -> Language:
    return table.languages[viewer.language]


def with_visitor(table: HasLinks, viewer: Viewer, visitor: str | None) -> Viewer:
    return viewer if visitor is None else replace(viewer, form=form_token(evening_of(table).secret, visitor))


def may_send(request: Request, viewer: Viewer) -> bool:
    """Return whether a form was drawn for the browser that sends it."""
    return bool(request.cookies.get(VISITOR)) and is_same(viewer.form, request.form.get("form", ""))


def with_cookie(response: Response, cookie: str, token: str) -> Response:
    # what was given by an encrypted page is never sent in the clear
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
