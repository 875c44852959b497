"""The score page and the page to join, open to all."""

from flask import Blueprint, Response, request

from webui.access.viewers import onlooker
from webui.doors.companion import Services
from webui.pages.entering import draw_for_browser
from webui.server.drawn_pages import Pages
from webui.server.packing import pack_page


def score_blueprint(services: Services, pages: Pages) -> Blueprint:
    """Create the pages for spectators."""
    blueprint = Blueprint("looking", __name__)

    @blueprint.get("/")
    def score() -> Response:
        viewer = onlooker(services, request)
        part = pages.part("score", services.door.moment(), viewer)
        page = pages.page("score", viewer, {"part": part, "live": "score", **pages.join_values()})
        return pack_page(Response(page), request)

    @blueprint.get("/join")
    def join() -> Response:
        return draw_for_browser(
            services, request, lambda viewer: pages.page("join", viewer, pages.join_values())
        )

    return blueprint
