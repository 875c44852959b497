"""Where nothing can be saved: the host starts the table again once that is cured."""

from flask import Blueprint, Response, request

from webui.access.viewers import host_sending
from webui.doors.companion import SavingDoor, Services
from webui.pages.settings import restart_page, turn_away_form
from webui.server.drawn_pages import Pages

HOME = "/host"


def saving_blueprint(services: Services, pages: Pages) -> Blueprint:
    """Create the form that starts the table again, if nothing is saved."""
    blueprint, saving = Blueprint("saving", __name__), services.saving
    if saving is not None:
        blueprint.post("/host/start-again")(lambda: _start_again(services, pages, saving))
    return blueprint


def _start_again(services: Services, pages: Pages, saving: SavingDoor) -> Response:
    viewer = host_sending(services, request)
    if viewer is None:
        return turn_away_form(services, pages, HOME)
    return restart_page(pages, viewer, HOME, saving.restart)
