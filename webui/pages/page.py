"""What all pages are made with: the table, who asks, and the answers that more than one page gives."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

from flask import Response, request

from firmware.language.sentences import Sentence
from firmware.parts.table import Table
from referee.contract.words import Phrase
from referee.telling import Language, Listener
from webui.access.viewers import Viewer, listener_of, may_send, viewer_language, viewer_of
from webui.drawing.words import Texts, page_text
from webui.pages.players.entering import Rejection, draw_for_browser, redirect_to, rejection_for
from webui.server.drawn_pages import Pages

COMES_BACK = 15
"""Seconds after which a page checks whether the table has restarted."""
Answer = Callable[..., Response]


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
