"""The club's screen: all tables at a glance, each drawn anew when it says something."""

from datetime import datetime

from flask import Blueprint, Response, request

from club.views import ClubTable
from club.web.access import ClubViewer
from club.web.drawn_pages import ClubPages, pages
from club.web.tiles import tile_of
from webui.server.packing import pack_page

SIZES = {"three": 3, "few": 8, "twelve": 12, "some": 15}
"""Tables that a screen shows at most: with their people, in two or three rows of four, in rows of five."""
blueprint = Blueprint("screen", __name__)


@blueprint.get("/")
def show() -> Response:
    """Show all tables."""
    return pack_page(pages.page("screen", part=_draw()), request)


@blueprint.get("/part")
def part() -> Response:
    """Draw what changes of the screen, for browsers that were away."""
    return pack_page(Response(_draw()), request)


def _draw() -> str:
    viewer = pages.viewer
    tiles = [draw_tile(pages, viewer, table) for table in pages.services.tables.tables()]
    size = next((name for name, most in SIZES.items() if len(tiles) <= most), "many")
    return pages.draw("club/screen_part", viewer, tiles=tiles, size=size, head=draw_head(pages, viewer))


def draw_tile(pages: ClubPages, viewer: ClubViewer, table: ClubTable) -> str:
    """Draw the tile of a table."""
    tile = tile_of(table, pages.services.languages[viewer.language], time_text)
    look = pages.look("" if table.moment is None else table.moment.game, table.deck)
    return pages.draw("club/tile", viewer, tile=tile, look=look, table=table)


def draw_head(pages: ClubPages, viewer: ClubViewer) -> str:
    """Draw the head of the screen: the tournament, its round, and the minutes that are left."""
    address = f"{pages.services.address}me".partition("://")[2]
    return pages.draw("club/screen_head", viewer, tournament=pages.current, address=address)


def time_text(moment: datetime) -> str:
    """Write a time of day, by this machine's own clock."""
    return f"{moment.astimezone():%H:%M}"
