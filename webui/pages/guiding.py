"""What the guided pages share: who may ask, and what becomes of it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, request

from webui.access.viewers import Viewer, host_sending, listener_of, viewer_of
from webui.doors.companion import Handed
from webui.pages.entering import Unheard, to, turned_away
from webui.server.drawn_pages import Pages

Draw = Callable[[Viewer], Mapping[str, Any]]
"""What a page shows to a viewer."""
Wish = Callable[[], Any]
"""What the host wants: gives what is wrong with it, or None."""
LENGTH = re.compile(r"\d{1,5}([.,]\d{1,3})?")


class GuidedPage:
    """A page that guides the host: it is shown, and steps are taken on it."""

    def __init__(self, handed: Handed, pages: Pages, name: str, draw: Draw) -> None:
        """Take what it is drawn with."""
        self._handed, self._pages, self._name, self._draw = handed, pages, name, draw

    def show(self) -> Response:
        """Show it, or the way in."""
        viewer = viewer_of(self._handed, request)
        return self._drawn(viewer) if viewer.is_host else to("/host")

    def take(self, wish: Wish | None) -> Response:
        """Take a step, if the host's own browser wants it; a wish that makes no sense is None."""
        viewer = host_sending(self._handed, request)
        if viewer is None:
            return self._strange()
        if wish is None:
            return self._drawn(viewer, turned_away(self._handed, viewer, "refused", 400))
        wrong = wish()
        if wrong is None:
            return to(f"/host/{self._name}")
        return self._drawn(viewer, Unheard(self._handed.told(wrong, listener_of(self._handed, viewer)), 409))

    def _strange(self) -> Response:
        viewer = viewer_of(self._handed, request)
        unheard = turned_away(self._handed, viewer, "form", 403)
        if viewer.is_host:
            return self._drawn(viewer, unheard)
        return Response(self._pages.page("pin", viewer, {"unheard": unheard}), unheard.code)

    def _drawn(self, viewer: Viewer, unheard: Unheard | None = None) -> Response:
        values = {"unheard": unheard, **self._draw(viewer)}
        return Response(self._pages.page(self._name, viewer, values), 200 if unheard is None else unheard.code)


def length(field: str) -> float | None:
    """Read a length or a place that was typed, such as 844 or 844,5."""
    typed = request.form.get(field, "").strip()
    return float(typed.replace(",", ".")) if typed.isascii() and LENGTH.fullmatch(typed) else None


def said_wrong(handed: Handed, viewer: Viewer, wrong: tuple[Any, ...]) -> list[str]:
    """Word what is wrong."""
    listener = listener_of(handed, viewer)
    return [handed.told(each, listener) for each in wrong]
