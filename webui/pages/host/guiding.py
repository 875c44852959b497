"""What the pages that guide the host share."""

import re
from collections.abc import Callable, Mapping

from flask import Response, request

from firmware.table.door import LastingTrouble
from firmware.table.notices import sentence_for
from firmware.table.table import Table
from webui.access.viewers import Viewer, host_sending, listener_of, viewer_of
from webui.drawing.words import Texts
from webui.pages.players.entering import Rejection, redirect_to, redirect_to_host, rejection_for
from webui.server.drawn_pages import Pages

Draw = Callable[[Viewer], Mapping[str, object]]
"""Gives what a page shows a viewer."""
HostAction = Callable[[], LastingTrouble | None]
"""An action of the host; gives what is wrong, or None."""
LENGTH = re.compile(r"\d{1,5}([.,]\d{1,3})?")


class GuidedPage:
    """A page that guides the host step by step."""

    def __init__(self, table: Table, pages: Pages, name: str, draw: Draw) -> None:
        """Remember the table, the pages and what to draw."""
        self._table, self._pages, self._name, self._draw = table, pages, name, draw

    def show(self) -> Response:
        """Show the page to the host."""
        viewer = viewer_of(self._table, request)
        return self._draw_page(viewer) if viewer.is_host else redirect_to_host()

    def take(self, action: HostAction | None) -> Response:
        """Carry a step out for the host; a step of None makes no sense and is rejected."""
        viewer = host_sending(self._table, request)
        if viewer is None:
            return self._turn_away()
        if action is None:
            return self._draw_page(viewer, rejection_for(self._table, viewer, Texts.not_understood, 400))
        wrong = action()
        if wrong is None:
            return redirect_to(f"/host/{self._name}")
        return self._draw_page(viewer, Rejection(sentence_for(wrong, listener_of(self._table, viewer)), 409))

    def _turn_away(self) -> Response:
        viewer = viewer_of(self._table, request)
        rejection = rejection_for(self._table, viewer, Texts.stale_form, 403)
        if viewer.is_host:
            return self._draw_page(viewer, rejection)
        return Response(self._pages.page("pin", viewer, {"rejection": rejection}), rejection.code)

    def _draw_page(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        values = {"rejection": rejection, **self._draw(viewer)}
        return Response(
            self._pages.page(self._name, viewer, values), 200 if rejection is None else rejection.code
        )


def read_length(field: str) -> float | None:
    """Read a length or coordinate from the form, such as 844 or 844,5."""
    typed = request.form.get(field, "").strip()
    return float(typed.replace(",", ".")) if typed.isascii() and LENGTH.fullmatch(typed) else None
