"""Where nothing can be saved: the host starts the table again once that is cured."""

from flask import Blueprint, Response, request

from firmware.table.table import Table
from webui.access.viewers import host_sending
from webui.pages.host.settings import restart_page, turn_away_form
from webui.pages.players.entering import redirect_to
from webui.server.drawn_pages import Pages

HOME = "/host"


def saving_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the form that starts the table again where nothing is saved."""
    blueprint = Blueprint("saving", __name__)
    blueprint.post("/host/start-again")(lambda: _start_again(table, pages))
    return blueprint


def _start_again(table: Table, pages: Pages) -> Response:
    viewer = host_sending(table, request)
    if viewer is None:
        return turn_away_form(table, pages, HOME)
    if table.place.unsaved is None:
        return redirect_to(HOME)
    return restart_page(pages, viewer, HOME, table.door.restart)
