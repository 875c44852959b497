"""What all pages are made with: the table, who asks, and the answers that more than one page gives."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import Generic, Literal, TypeVar

from flask import Flask, Response, request
from msgspec import Struct

from firmware.language.speaking import Sentence
from referee.contract.words import Phrase
from referee.sentences import Language, Listener
from webui.access import viewers
from webui.access.viewers import Viewer
from webui.needs import ViewerNeeds
from webui.pages.players.entering import Rejection, redirect_to, rejection_for
from webui.server.drawn_pages import Pages
from webui.views.words import Texts, page_text

NAMED_ANEW = "private, max-age=3600"
"""For what has another name once it has changed: a browser keeps it for an hour."""
RECORD = "application/jsonl; charset=utf-8"
COMES_BACK = 15  # seconds after which a page checks whether the table has restarted
Answer = Callable[..., Response]
Drawing = tuple[str, Mapping[str, object]]  # a template, and the values that it is drawn from
Whose = Literal["all", "host", "seat", "player", "browser"]
F = TypeVar("F", bound=Callable[..., object])
Needs = TypeVar("Needs", bound=ViewerNeeds)
"""The Protocol by which a page names what it needs of a table."""

IS_FOR: Mapping[Whose, Callable[[Viewer], bool]] = {
    "host": lambda viewer: viewer.is_host,
    "seat": lambda viewer: viewer.seat is not None,
    "player": lambda viewer: viewer.is_host or viewer.seat is not None,
    "browser": lambda _viewer: True,
}
"""Who may reach what isn't for all; any browser may send the forms that were drawn for it."""


class Route(Struct, frozen=True):
    """By which address and method a function of a page is reached, and by whom alone."""

    rule: str
    method: str
    whose: Whose


def get(rule: str, whose: Whose = "all") -> Callable[[F], F]:
    """Let a function show what is at an address, to all or to the host alone."""
    return partial(_with_route, Route(rule, "GET", whose))


def post(rule: str, whose: Whose = "all") -> Callable[[F], F]:
    """Let a function take the forms that are sent to an address, from all or from some alone."""
    return partial(_with_route, Route(rule, "POST", whose))


def _with_route(route: Route, act: F) -> F:
    act.__dict__["routes"] = (*act.__dict__.get("routes", ()), route)
    return act


def withdrawable(jpeg: bytes) -> Response:
    """Send a picture; browsers ask again each time, because it may be withdrawn."""
    response = Response(jpeg, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def file_to_keep(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


class Page(Generic[Needs]):
    """A page, or some that belong together; it gets what it needs of a table, and no more."""

    home = "/host"  # where a form that was turned away is found afresh

    def __init__(self, table: Needs, pages: Pages) -> None:
        self._table, self._pages = table, pages

    def add_routes(self, app: Flask) -> None:
        for name in dir(type(self)):
            for route in getattr(getattr(type(self), name), "routes", ()):
                self._add_route(app, route, getattr(self, name))

    def _add_route(self, app: Flask, route: Route, act: Answer) -> None:
        endpoint = f"{route.method} {route.rule}"
        app.add_url_rule(route.rule, endpoint, self._reached(route, act), methods=[route.method])

    def _reached(self, route: Route, act: Answer) -> Answer:
        """Keep away from a function who may not reach it: others are asked for the PIN, or turned away."""
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
        """Send what is the host's alone to see, if it is there."""

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
        """Draw a template; what was rejected gives the status."""
        rejection = values.get("rejection")
        drawn = self._pages.page(name, viewer, {"follows": request.method != "POST", **values})
        return Response(drawn, rejection.code if isinstance(rejection, Rejection) else code)

    def _draw_forms(
        self, drawing_for: Callable[[Viewer], Drawing], rejection: Rejection | None = None
    ) -> Response:
        """Draw a page with forms for a browser, which is named if it has no name yet."""
        visitor = viewers.new_visitor_for(request)
        viewer = viewers.with_visitor(self._table, self._viewer(), visitor)
        name, values = drawing_for(viewer)
        response = self._draw(name, viewer, {"rejection": rejection, **values})
        return response if visitor is None else viewers.with_cookie(response, viewers.VISITOR, visitor)

    def _refuse(self, viewer: Viewer, why: Phrase, code: int, **values: object) -> Response:
        return self._draw("unreadable", viewer, {"why": self._say(viewer, why, **values)}, code)

    def _turn_away(self) -> Response:
        """Reject a form that isn't from the browser of who may send it."""
        viewer = self._viewer()
        rejection = self._rejection(viewer, Texts.stale_form, 403)
        if viewer.is_host:
            return self._tell_host(viewer, rejection)
        return self._draw("pin", viewer, {"rejection": rejection})

    def _tell_host(self, viewer: Viewer, rejection: Rejection) -> Response:
        """Tell the host why a form doesn't count, with a link to a fresh one."""
        return self._draw("unsent", viewer, {"rejection": rejection, "home": self.home})

    def _restart(self, viewer: Viewer, notes: Sequence[str | Sentence] = ()) -> Response:
        """Restart the table after sending a page that says so and reloads itself."""
        response = self._draw("starts", viewer, {"home": self.home, "notes": notes})
        response.headers["Refresh"] = f"{COMES_BACK}; url={self.home}"
        response.call_on_close(self._table.client.restart)
        return response
