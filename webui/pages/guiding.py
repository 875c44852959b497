"""What the guided pages share: who may ask, and what becomes of it."""

import re
from collections.abc import Callable, Mapping, Sequence

from flask import Response, request

from webui.access.viewers import Viewer, host_sending, listener_of, viewer_of
from webui.doors.companion import Services
from webui.doors.messages import TableMessage
from webui.drawing.words import Texts
from webui.pages.entering import Rejection, redirect_to, rejection_for
from webui.server.drawn_pages import Pages

Draw = Callable[[Viewer], Mapping[str, object]]
"""What a page shows to a viewer."""
HostAction = Callable[[], TableMessage | None]
"""What the host wants: gives what is wrong with it, or None."""
LENGTH = re.compile(r"\d{1,5}([.,]\d{1,3})?")


class GuidedPage:
    """A page that guides the host: it is shown, and steps are taken on it."""

    def __init__(self, services: Services, pages: Pages, name: str, draw: Draw) -> None:
        """Take what it is drawn with."""
        self._services, self._pages, self._name, self._draw = services, pages, name, draw

    def show(self) -> Response:
        """Show it, or the way in."""
        viewer = viewer_of(self._services, request)
        return self._draw_page(viewer) if viewer.is_host else redirect_to("/host")

    def take(self, action: HostAction | None) -> Response:
        """Take a step, if the host's own browser wants it; a action that makes no sense is None."""
        viewer = host_sending(self._services, request)
        if viewer is None:
            return self._turn_away()
        if action is None:
            return self._draw_page(viewer, rejection_for(self._services, viewer, Texts.not_understood, 400))
        wrong = action()
        if wrong is None:
            return redirect_to(f"/host/{self._name}")
        return self._draw_page(
            viewer, Rejection(self._services.tell(wrong, listener_of(self._services, viewer)), 409)
        )

    def _turn_away(self) -> Response:
        viewer = viewer_of(self._services, request)
        rejection = rejection_for(self._services, viewer, Texts.stale_form, 403)
        if viewer.is_host:
            return self._draw_page(viewer, rejection)
        return Response(self._pages.page("pin", viewer, {"rejection": rejection}), rejection.code)

    def _draw_page(self, viewer: Viewer, rejection: Rejection | None = None) -> Response:
        values = {"rejection": rejection, **self._draw(viewer)}
        return Response(
            self._pages.page(self._name, viewer, values), 200 if rejection is None else rejection.code
        )


def read_length(field: str) -> float | None:
    """Read a length or a place that was typed, such as 844 or 844,5."""
    typed = request.form.get(field, "").strip()
    return float(typed.replace(",", ".")) if typed.isascii() and LENGTH.fullmatch(typed) else None


def trouble_sentences(services: Services, viewer: Viewer, wrong: Sequence[TableMessage]) -> list[str]:
    """Word what is wrong."""
    listener = listener_of(services, viewer)
    return [services.tell(each, listener) for each in wrong]
