"""What all pages are made with: the table, who asks, and the answers that more than one page gives."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

from flask import Response, request

from firmware.table.table import Table
from referee.contract.words import Phrase
from referee.telling import Language, Listener
from webui.access.viewers import Viewer, host_sending, listener_of, may_send, viewer_language, viewer_of
from webui.drawing.words import Texts, page_text
from webui.pages.players.entering import Rejection, redirect_to, rejection_for
from webui.server.drawn_pages import Pages

COMES_BACK = 15
"""Seconds after which a page checks whether the table has restarted."""
Answer = Callable[..., Response]


class Page:
    """A page, or some that belong together."""

    home = "/host"
    """Where a form that was turned away is found afresh."""

    def __init__(self, table: Table, pages: Pages) -> None:
        self._table, self._pages = table, pages

    # who asks

    def for_host(self, show: Answer) -> Answer:
        """Show a page to the host alone; others are asked for the PIN."""

        @wraps(show)
        def answer(**where: int | str) -> Response:
            viewer = self._viewer()
            return show(viewer, **where) if viewer.is_host else redirect_to("/host")

        return answer

    def from_host(self, act: Answer) -> Answer:
        """Take a form that the host's own browser sends, and turn any other away."""

        @wraps(act)
        def answer(**where: int | str) -> Response:
            viewer = host_sending(self._table, request)
            return self._turn_away() if viewer is None else act(viewer, **where)

        return answer

    def from_seat(self, act: Answer) -> Answer:
        """Take a form that a seat's own browser sends, and turn any other away."""

        @wraps(act)
        def answer(**where: int | str) -> Response:
            viewer = self._viewer()
            is_seated = viewer.seat is not None and may_send(request, viewer)
            return act(viewer, **where) if is_seated else self._turn_away()

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
        self, viewer: Viewer, notes: Sequence[str] = (), restart: Callable[[], None] | None = None
    ) -> Response:
        """Restart the table after sending a page that says so and reloads itself."""
        response = self._draw("starts", viewer, {"home": self.home, "notes": notes})
        response.headers["Refresh"] = f"{COMES_BACK}; url={self.home}"
        response.call_on_close(restart or self._table.door.restart)
        return response
