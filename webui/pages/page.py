"""What all pages are made with: the table, who asks, and the answers that more than one page gives."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import Literal, TypeVar

from flask import Flask, Response, request
from msgspec import Struct

from firmware.language.sentences import Sentence
from firmware.parts.table import Table
from referee.contract.words import Phrase
from referee.telling import Language, Listener
from webui.access.viewers import Viewer, listener_of, may_send, viewer_language, viewer_of
from webui.drawing.words import Texts, page_text
from webui.pages.players.entering import Rejection, draw_for_browser, redirect_to, rejection_for
from webui.server.drawn_pages import Pages

NAMED_ANEW = "private, max-age=3600"
"""For what has another name once it has changed: a browser keeps it for an hour."""
COMES_BACK = 15
"""Seconds after which a page checks whether the table has restarted."""
Answer = Callable[..., Response]
Whose = Literal["all", "host", "seat", "player", "browser"]
F = TypeVar("F", bound=Callable[..., object])


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


def _is_host(viewer: Viewer) -> bool:
    return viewer.is_host


def _is_sending(viewer: Viewer) -> bool:
    return may_send(request, viewer)


def _is_host_sending(viewer: Viewer) -> bool:
    return viewer.is_host and may_send(request, viewer)


def _is_seat_sending(viewer: Viewer) -> bool:
    return viewer.seat is not None and may_send(request, viewer)


def _is_player_sending(viewer: Viewer) -> bool:
    return _is_host_sending(viewer) or _is_seat_sending(viewer)


def _lead_to_pin() -> Response:
    return redirect_to("/host")


def withdrawable(content: bytes, kind: str = "image/jpeg") -> Response:
    """Send a picture; browsers ask again each time, because it may be withdrawn."""
    response = Response(content, mimetype=kind)
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


class Page:
    """A page, or some that belong together."""

    home = "/host"
    """Where a form that was turned away is found afresh."""

    def __init__(self, table: Table, pages: Pages) -> None:
        self._table, self._pages = table, pages

    def add_routes(self, app: Flask) -> None:
        for name in dir(type(self)):
            for route in getattr(getattr(type(self), name), "routes", ()):
                endpoint = f"{type(self).__name__} {name} {route.method} {route.rule}"
                app.add_url_rule(
                    route.rule, endpoint, self._reached(route, getattr(self, name)), methods=[route.method]
                )

    def _reached(self, route: Route, act: Answer) -> Answer:
        """Keep away from a function who may not reach it."""
        guards = {"seat": self.from_seat, "player": self.from_player, "browser": self.from_browser}
        if route.whose == "host":
            return self.for_host(act) if route.method == "GET" else self.from_host(act)
        return guards[route.whose](act) if route.whose in guards else act

    # who asks

    def for_host(self, show: Answer) -> Answer:
        """Show a page to the host alone; others are asked for the PIN."""
        return self._guarded(show, _is_host, _lead_to_pin)

    def from_host(self, act: Answer) -> Answer:
        """Take a form that the host's own browser sends, and turn any other away."""
        return self._guarded(act, _is_host_sending, self._turn_away)

    def from_seat(self, act: Answer) -> Answer:
        """Take a form that a seat's own browser sends, and turn any other away."""
        return self._guarded(act, _is_seat_sending, self._turn_away)

    def from_player(self, act: Answer) -> Answer:
        """Take a form of a seat or of the host, and turn any other away."""
        return self._guarded(act, _is_player_sending, self._turn_away)

    def from_browser(self, act: Answer) -> Answer:
        """Take a form from the browser for which it was drawn, and turn any other away."""
        return self._guarded(act, _is_sending, self._turn_away)

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

    def _guarded(self, act: Answer, may: Callable[[Viewer], bool], otherwise: Callable[[], Response]) -> Answer:
        @wraps(act)
        def answer(**where: int | str) -> Response:
            viewer = self._viewer()
            return act(viewer, **where) if may(viewer) else otherwise()

        return answer

    def _viewer(self) -> Viewer:
        return viewer_of(self._table, request)

    def _language(self, viewer: Viewer) -> Language:
        return viewer_language(self._table, viewer)

    def _listener(self, viewer: Viewer) -> Listener:
        return listener_of(self._table, viewer)

    # answers

    def _say(self, viewer: Viewer, text: Phrase, **values: object) -> str:
        return page_text(self._language(viewer), text, **values)

    def _rejection(self, viewer: Viewer, text: Phrase, code: int) -> Rejection:
        return rejection_for(self._table, viewer, text, code)

    def _draw(self, name: str, viewer: Viewer, values: Mapping[str, object], code: int = 200) -> Response:
        """Draw a template; what was rejected gives the status."""
        rejection = values.get("rejection")
        drawn = self._pages.page(name, viewer, values)
        return Response(drawn, rejection.code if isinstance(rejection, Rejection) else code)

    def _draw_forms(self, draw: Callable[[Viewer], str], rejection: Rejection | None = None) -> Response:
        """Draw a page with forms for a browser, which is named if it has no name yet."""
        return draw_for_browser(self._table, request, draw, rejection)

    def _refuse(self, viewer: Viewer, why: Phrase, code: int, **values: object) -> Response:
        """Say on a page of its own why something can't be shown."""
        return self._draw("unreadable", viewer, {"why": self._say(viewer, why, **values)}, code)

    def _turn_away(self) -> Response:
        return self._reject_form(self.home)

    def _reject_form(self, home: str) -> Response:
        """Reject a form that isn't from the host's own browser, with a link to a fresh one."""
        viewer = self._viewer()
        rejection = self._rejection(viewer, Texts.stale_form, 403)
        if viewer.is_host:
            return self._draw("unsent", viewer, {"rejection": rejection, "home": home})
        return self._draw("pin", viewer, {"rejection": rejection})

    def _restart(
        self, viewer: Viewer, notes: Sequence[str | Sentence] = (), restart: Callable[[], None] | None = None
    ) -> Response:
        """Restart the table after sending a page that says so and reloads itself."""
        response = self._draw("starts", viewer, {"home": self.home, "notes": notes})
        response.headers["Refresh"] = f"{COMES_BACK}; url={self.home}"
        response.call_on_close(restart or self._table.door.restart)
        return response
