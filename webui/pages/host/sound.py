"""The page on which the host tries the loudspeakers by a tune, and chooses the one that was heard."""

from flask import Blueprint, Response, request

from firmware.parts.table_sound import TableSound
from firmware.table.table import Table
from webui.access.viewers import Viewer, host_sending, viewer_of
from webui.pages.host.settings import turn_away_form
from webui.pages.players.entering import redirect_to, redirect_to_host
from webui.server.drawn_pages import Pages

HOME = "/host/loudspeakers"
LONGEST = 60
"""Most characters of a sound card's name."""


def sound_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the page."""
    blueprint = Blueprint("sound", __name__)
    page = SoundPage(table, pages, table.sound)
    blueprint.get(HOME)(page.show)
    blueprint.post(HOME)(page.choose)
    blueprint.post(f"{HOME}/play")(page.play)
    return blueprint


class SoundPage:
    """Handles the page of the loudspeakers."""

    def __init__(self, table: Table, pages: Pages, sound: TableSound) -> None:
        """Remember the table, the pages and the loudspeakers."""
        self._table, self._pages, self._sound = table, pages, sound

    def show(self) -> Response:
        """Show what is plugged in."""
        viewer = viewer_of(self._table, request)
        return self._page(viewer) if viewer.is_host else redirect_to_host()

    def play(self) -> Response:
        """Play a tune, and ask whether it was heard."""
        viewer = host_sending(self._table, request)
        if viewer is None:
            return turn_away_form(self._table, self._pages, HOME)
        card = _card()
        why = self._sound.play(card)
        return self._page(viewer, why, 409) if why else self._page(viewer, played=card)

    def choose(self) -> Response:
        """Use the one that was heard, or leave it to the table."""
        viewer = host_sending(self._table, request)
        if viewer is None:
            return turn_away_form(self._table, self._pages, HOME)
        why = self._sound.choose(_card())
        return self._page(viewer, why, 409) if why else redirect_to(HOME)

    def _page(self, viewer: Viewer, wrong: str = "", code: int = 200, played: str = "") -> Response:
        options = self._sound.options()
        values = {
            "note": wrong,
            "speakers": options,
            "played": next((each for each in options if each.card == played), None),
            "is_chosen": any(each.is_chosen for each in options),
            "is_used": any(each.is_used for each in options),
        }
        return Response(self._pages.page("sound", viewer, values), code)


def _card() -> str:
    return request.form.get("card", "")[:LONGEST]
