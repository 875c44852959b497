"""The score page and the page to join, open to all."""

from gzip import compress

from flask import Blueprint, Response, request

from webui.access.viewers import onlooker
from webui.doors.companion import Services
from webui.pages.entering import draw_for_browser
from webui.server.drawn_pages import Pages


def score_blueprint(services: Services, pages: Pages) -> Blueprint:
    """Create the pages for spectators."""
    blueprint = Blueprint("looking", __name__)

    @blueprint.get("/")
    def score() -> Response:
        viewer = onlooker(services, request)
        part = pages.part("score", services.door.moment(), viewer)
        return _packed(pages.page("score", viewer, {"part": part, "live": "score", **pages.join_values()}))

    @blueprint.get("/join")
    def join() -> Response:
        return draw_for_browser(
            services, request, lambda viewer: pages.page("join", viewer, pages.join_values())
        )

    return blueprint


def _packed(page: str) -> Response:
    """Send a page small; the score repeats nothing that was sent, so that its length gives nothing away."""
    if not request.accept_encodings.quality("gzip"):
        return Response(page, headers={"Vary": "Accept-Encoding"})
    headers = {"Vary": "Accept-Encoding", "Content-Encoding": "gzip"}
    return Response(compress(page.encode(), 6, mtime=0), headers=headers, mimetype="text/html")
