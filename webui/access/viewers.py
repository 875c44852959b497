"""Who looks at a page, what their cookies allow, and in which language."""

from flask import Request, Response
from msgspec import Struct
from msgspec.structs import replace

from referee.telling import Language, Listener
from webui.access.links import Links, form_token, is_same, new_visitor, seat_with_token
from webui.doors.companion import Services

VISITOR, SEAT, HOST = "visitor", "seat", "host"
"""Names of the cookies."""
YEAR = 365 * 24 * 3600


class Viewer(Struct, frozen=True):
    """A person looking at a page; forms carry the token."""

    language: str
    seat: int | None = None
    is_host: bool = False
    form: str = ""


def links_of(services: Services) -> Links:
    """Give the links of the current players."""
    return services.links.for_seats(len(services.door.moment().setup.names))


def viewer_of(services: Services, request: Request) -> Viewer:
    """Identify the viewer of a request by cookies."""
    links = links_of(services)
    seat = seat_with_token(links, request.cookies.get(SEAT, ""))
    seats = len(services.door.moment().setup.names)
    return Viewer(
        language=language_of(services, request),
        seat=seat if seat is not None and seat < seats else None,
        is_host=is_same(links.host, request.cookies.get(HOST, "")),
        form=form_token(links, request.cookies.get(VISITOR, "")),
    )


def onlooker(services: Services, request: Request) -> Viewer:
    """Treat the viewer as a spectator: the score page is the same for all."""
    return Viewer(language_of(services, request))


def language_of(services: Services, request: Request) -> str:
    """Choose the language that the browser asks for, or the table's own."""
    return request.accept_languages.best_match(list(services.languages), services.language) or services.language


def listener_of(services: Services, viewer: Viewer) -> Listener:
    """Give the listener for sentences about the current moment."""
    setup = services.door.moment().setup
    return Listener(setup.game.words, setup.names, viewer_language(services, viewer))


def viewer_language(services: Services, viewer: Viewer) -> Language:
    """Give the language of a viewer."""
    return services.languages[viewer.language]


def with_visitor(services: Services, viewer: Viewer, visitor: str | None) -> Viewer:
    """Give a browser that was just named the token for its forms."""
    return viewer if visitor is None else replace(viewer, form=form_token(links_of(services), visitor))


def may_send(request: Request, viewer: Viewer) -> bool:
    """Tell whether a form was drawn for the browser that sends it."""
    return bool(request.cookies.get(VISITOR)) and is_same(viewer.form, request.form.get("form", ""))


def host_sending(services: Services, request: Request) -> Viewer | None:
    """Give the viewer, if it is the host sending a form from the host's own browser."""
    viewer = viewer_of(services, request)
    return viewer if viewer.is_host and may_send(request, viewer) else None


def with_cookie(response: Response, cookie: str, token: str) -> Response:
    """Set a cookie that scripts and other sites can't use."""
    response.set_cookie(cookie, token, max_age=YEAR, httponly=True, samesite="Lax")
    return response


def new_visitor_for(request: Request) -> str | None:
    """Draw a name for a browser without one; None if it has one."""
    return None if request.cookies.get(VISITOR) else new_visitor()
