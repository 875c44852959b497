"""Base class and decorators shared by all pages."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import TYPE_CHECKING, Literal, TypeVar

from flask import Flask, Response, request
from msgspec import Struct

from firmware.language.speaking import Sentence
from referee.contract.words import Phrase
from referee.sentences import Language, Listener
from webui.access import viewers
from webui.access.viewers import Viewer
from webui.pages.players.entering import Rejection, redirect_to, rejection_for
from webui.server.drawn_pages import Pages
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

NAMED_ANEW = "private, max-age=3600"
"""Cache header for addresses that change with their content: browsers cache them for an hour."""
RECORD = "application/jsonl; charset=utf-8"
COMES_BACK = 15  # seconds after which a page takes an answering table for a restarted one
Answer = Callable[..., Response]
Drawing = tuple[str, Mapping[str, object]]  # template name and the values to render it with
Whose = Literal["all", "host", "seat", "player", "browser"]
F = TypeVar("F", bound=Callable[..., object])

IS_FOR: Mapping[Whose, Callable[[Viewer], bool]] = {
    "host": lambda viewer: viewer.is_host,
    "seat": lambda viewer: viewer.seat is not None,
    "player": lambda viewer: viewer.is_host or viewer.seat is not None,
    "browser": lambda _viewer: True,
}
"""Permission check per audience; any browser may submit the forms rendered for it."""


class Route(Struct, frozen=True):
    """Address and HTTP method of a page function, and the audience allowed to call it."""

    rule: str
    method: str
    whose: Whose


def get(rule: str, whose: Whose = "all") -> Callable[[F], F]:
    """Register a function for GET requests, open to everyone unless restricted."""
    return partial(_with_route, Route(rule, "GET", whose))


def post(rule: str, whose: Whose = "all") -> Callable[[F], F]:
    """Register a function for form submissions, open to everyone unless restricted."""
    return partial(_with_route, Route(rule, "POST", whose))


def _with_route(route: Route, act: F) -> F:
    act.__dict__["routes"] = (*act.__dict__.get("routes", ()), route)
    return act


def withdrawable(jpeg: bytes) -> Response:
    """Return an image response that browsers revalidate each time, because the image may be withdrawn."""
    response = Response(jpeg, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def file_to_keep(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


class Page:
    """Base class of a page or a group of related pages."""

    home = "/host"  # where the host finds a fresh form after a rejection

    def __init__(self, table: "Table", pages: Pages) -> None:
        self._table, self._pages = table, pages

    def add_routes(self, app: Flask) -> None:
        for name in dir(type(self)):
            for route in getattr(getattr(type(self), name), "routes", ()):
                self._add_route(app, route, getattr(self, name))

    def _add_route(self, app: Flask, route: Route, act: Answer) -> None:
        endpoint = f"{route.method} {route.rule}"
        app.add_url_rule(route.rule, endpoint, self._reached(route, act), methods=[route.method])

    def _reached(self, route: Route, act: Answer) -> Answer:
        """Guard a page function: visitors without permission are asked for the PIN or rejected."""
        if route.whose == "all":
            return act
        is_for, is_form = IS_FOR[route.whose], route.method == "POST"

        @wraps(act)
        def answer(**where: int | str) -> Response:
            viewer = self._viewer()
            if is_for(viewer) and (not is_form or viewers.may_send(request, viewer)):
                return act(viewer, **where)
            return self._turn_away() if is_form else redirect_to("/host")

        return answer

    def to_host(self, give: Callable[..., bytes | None], kind: str = "image/jpeg", cached: str = "") -> Answer:
        """Wrap a function so that only the host receives its bytes; 404 if there are none."""

        def send(**which: int | str) -> Response:
            if not self._viewer().is_host:
                return Response(status=403)
            content = give(**which)
            if content is None:
                return Response(status=404)
            return Response(content, content_type=kind, headers={"Cache-Control": cached} if cached else {})

        return send

    def _viewer(self) -> Viewer:
        return viewers.viewer_of(self._table, request)

    def _language(self, viewer: Viewer) -> Language:
        return viewers.viewer_language(self._table, viewer)

    def _listener(self, viewer: Viewer) -> Listener:
        return viewers.listener_of(self._table, viewer)

    def _say(self, viewer: Viewer, text: Phrase, **values: object) -> str:
        return page_text(self._language(viewer), text, **values)

    def _rejection(self, viewer: Viewer, text: Phrase, code: int) -> Rejection:
        return rejection_for(self._table, viewer, text, code)

    def _draw(self, name: str, viewer: Viewer, values: Mapping[str, object], code: int = 200) -> Response:
        """Render a template; a rejection among the values sets the status."""
        rejection = values.get("rejection")
        drawn = self._pages.page(name, viewer, {"follows": request.method != "POST", **values})
        return Response(drawn, rejection.code if isinstance(rejection, Rejection) else code)

    def _draw_forms(
        self, drawing_for: Callable[[Viewer], Drawing], rejection: Rejection | None = None
    ) -> Response:
        """Render a page with forms, and give the browser a visitor cookie if it has none."""
        visitor = viewers.new_visitor_for(request)
        viewer = viewers.with_visitor(self._table, self._viewer(), visitor)
        name, values = drawing_for(viewer)
        response = self._draw(name, viewer, {"rejection": rejection, **values})
        return response if visitor is None else viewers.with_cookie(response, viewers.VISITOR, visitor)

    def _refuse(self, viewer: Viewer, why: Phrase, code: int, **values: object) -> Response:
        return self._draw("unreadable", viewer, {"why": self._say(viewer, why, **values)}, code)

    def _turn_away(self) -> Response:
        """Reject a form from a browser that may not submit it."""
        viewer = self._viewer()
        rejection = self._rejection(viewer, Texts.stale_form, 403)
        if viewer.is_host:
            return self._tell_host(viewer, rejection)
        return self._draw("pin", viewer, {"rejection": rejection, "sits_here": False})

    def _tell_host(self, viewer: Viewer, rejection: Rejection) -> Response:
        """Show the host why a form was rejected, with a link to a fresh one."""
        return self._draw("unsent", viewer, {"rejection": rejection, "home": self.home})

    def _restart(self, viewer: Viewer, notes: Sequence[str | Sentence] = (), home: str = "") -> Response:
        """Send a page that announces the restart and then leads on, and restart the table."""
        there = home or self.home
        later = {"seconds": COMES_BACK, "without_script": f"{COMES_BACK}; url={there}"}
        response = self._draw("starts", viewer, {"there": there, "notes": notes, **later})
        response.call_on_close(self._table.client.restart)
        return response
