"""The score page and the page to join, open to all."""

from flask import Blueprint, request

from webui.access.viewers import onlooker
from webui.doors.companion import Services
from webui.server.drawn_pages import Pages


def score_blueprint(services: Services, pages: Pages) -> Blueprint:
    """Create the pages for spectators."""
    blueprint = Blueprint("looking", __name__)

    @blueprint.get("/")
    def score() -> str:
        viewer = onlooker(services, request)
        part = pages.part("score", services.door.moment(), viewer)
        return pages.page("score", viewer, {"part": part, "live": "score", **pages.join_values()})

    @blueprint.get("/join")
    def join() -> str:
        return pages.page("join", onlooker(services, request), pages.join_values())

    return blueprint
