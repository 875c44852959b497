"""The host's page of the club: join one, see what waits, call the director, leave."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from firmware.parts.own_club import OwnClub
from firmware.table.table import Table
from webui.access.viewers import Viewer, viewer_of
from webui.pages.host.settings import carry_out
from webui.pages.players.entering import redirect_to_host
from webui.server.drawn_pages import Pages

HOME = "/host/club"
LONGEST, LONGEST_WHY = 300, 200
"""Letters of an address or a code, and of why the director is called."""


def club_link_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the page."""
    blueprint = Blueprint("club_link", __name__)
    page = ClubLinkPage(table, pages, table.club)
    blueprint.get(HOME)(page.show)
    blueprint.post(f"{HOME}/join")(page.join)
    blueprint.post(f"{HOME}/leave")(page.leave)
    blueprint.post(f"{HOME}/director")(page.call)
    return blueprint


class ClubLinkPage:
    """Handles the page of the club."""

    def __init__(self, table: Table, pages: Pages, club: OwnClub) -> None:
        """Remember the table, the pages and the club."""
        self._table, self._pages, self._club = table, pages, club

    def show(self) -> Response:
        """Show how the link stands."""
        viewer = viewer_of(self._table, request)
        return self._page(viewer) if viewer.is_host else redirect_to_host()

    def join(self) -> Response:
        """Join a club."""
        return self._carry_out(lambda: self._club.join(_field("hub"), _field("code")))

    def leave(self) -> Response:
        """Leave the club."""
        return self._carry_out(self._club.leave)

    def call(self) -> Response:
        """Call the director."""
        return self._carry_out(lambda: self._club.call_director("", _field("why")[:LONGEST_WHY]))

    def _carry_out(self, action: Callable[[], str | None]) -> Response:
        return carry_out(self._table, self._pages, HOME, action, self._page)

    def _page(self, viewer: Viewer, wrong: str = "", code: int = 200) -> Response:
        values = {
            "club": self._club.status(),
            "note": wrong,
            "hub": _field("hub"),
            "longest": LONGEST_WHY,
        }
        return Response(self._pages.page("club_link", viewer, values), code)


def _field(name: str) -> str:
    return " ".join(request.form.get(name, "").split())[:LONGEST]
