"""Where nothing can be saved: the host starts the table again once that is cured."""

from flask import Blueprint, Response, request

from firmware.table.table import Table
from webui.access.viewers import host_sending
from webui.pages.entering import redirect_to
from webui.pages.settings import restart_page, turn_away_form
from webui.server.drawn_pages import Pages

HOME = "/host"


def saving_blueprint(services: Table, pages: Pages) -> Blueprint:
    """Create the form that starts the table again where nothing is saved."""
    blueprint = Blueprint("saving", __name__)
    blueprint.post("/host/start-again")(lambda: _start_again(services, pages))
    return blueprint


def _start_again(services: Table, pages: Pages) -> Response:
    viewer = host_sending(services, request)
    if viewer is None:
        return turn_away_form(services, pages, HOME)
    if services.place.unsaved is None:
        return redirect_to(HOME)
    return restart_page(pages, viewer, HOME, services.door.restart)
