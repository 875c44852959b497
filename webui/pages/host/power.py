"""The page on which the host shuts the computer down, or starts it anew."""

from typing import TypeGuard

from flask import Blueprint, Response, request

from firmware.parts.power import Kind, Power
from firmware.table.table import Table
from webui.access.viewers import Viewer, host_sending, viewer_language, viewer_of
from webui.drawing.words import Texts, page_text
from webui.pages.host.settings import turn_away_form
from webui.pages.players.entering import redirect_to_host
from webui.server.drawn_pages import Pages

HOME = "/host/power"


def power_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the page, if this computer is the table's own."""
    blueprint = Blueprint("power", __name__)
    if table.power.is_there:
        page = PowerPage(table, pages, table.power)
        blueprint.get(HOME)(page.show)
        blueprint.post(HOME)(page.switch)
    return blueprint


class PowerPage:
    """Handles the page of the power."""

    def __init__(self, table: Table, pages: Pages, power: Power) -> None:
        """Remember the table, the pages and the power."""
        self._table, self._pages, self._power = table, pages, power

    def show(self) -> Response:
        """Show what may be done."""
        viewer = viewer_of(self._table, request)
        return self._page(viewer) if viewer.is_host else redirect_to_host()

    def switch(self) -> Response:
        """Switch, and say what is to be waited for."""
        viewer = host_sending(self._table, request)
        if viewer is None:
            return turn_away_form(self._table, self._pages, HOME)
        kind = request.form.get("what", "")
        if not _is_kind(kind):
            not_understood = page_text(viewer_language(self._table, viewer), Texts.not_understood)
            return self._page(viewer, not_understood, 400)
        why = self._power.switch(kind)
        if why:
            return self._page(viewer, why, 409)
        return Response(self._pages.page("going", viewer, {"kind": kind}))

    def _page(self, viewer: Viewer, wrong: str = "", code: int = 200) -> Response:
        values = {
            "note": wrong,
            "hindrance": self._power.hindrance("off"),
            "is_saving": self._table.door.state().is_saving,
            "has_dial": self._power.has_dial,
        }
        return Response(self._pages.page("power", viewer, values), code)


def _is_kind(kind: str) -> TypeGuard[Kind]:
    return kind in {"off", "again"}
