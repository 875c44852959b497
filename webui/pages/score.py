"""The score page and the way in: open to the room."""

from flask import Blueprint, request

from webui.access.viewers import onlooker
from webui.doors.companion import Handed
from webui.server.drawn_pages import Pages


def looking(handed: Handed, pages: Pages) -> Blueprint:
    """Make the pages of the look link."""
    blueprint = Blueprint("looking", __name__)

    @blueprint.get("/")
    def score() -> str:
        viewer = onlooker(handed, request)
        part = pages.part("score", handed.door.moment(), viewer)
        return pages.page("score", viewer, {"part": part, "live": "score", **pages.joining()})

    @blueprint.get("/join")
    def join() -> str:
        return pages.page("join", onlooker(handed, request), pages.joining())

    return blueprint
