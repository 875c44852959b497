"""The score page and the page to join, open to all."""

from flask import Blueprint, Response, request

from firmware.table.table import Table
from webui.access.viewers import onlooker
from webui.pages.players.claiming import CLAIM_PAGE, waits_for_host
from webui.pages.players.entering import draw_for_browser, redirect_to
from webui.server.drawn_pages import Pages
from webui.server.packing import pack_page


def score_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the pages for spectators."""
    blueprint = Blueprint("looking", __name__)

    @blueprint.get("/")
    def score() -> Response:
        if waits_for_host(table) and not table.door.moment().number:
            # nothing is to be seen yet, and the first phone is to become host
            return redirect_to(CLAIM_PAGE)
        viewer = onlooker(table, request)
        part = pages.part("score", table.door.moment(), viewer)
        page = pages.page("score", viewer, {"part": part, "live": "score", **pages.join_values()})
        return pack_page(Response(page), request)

    def values() -> dict[str, object]:
        return {**pages.join_values(), "waits_for_host": waits_for_host(table)}

    @blueprint.get("/join")
    def join() -> Response:
        return draw_for_browser(table, request, lambda viewer: pages.page("join", viewer, values()))

    return blueprint
