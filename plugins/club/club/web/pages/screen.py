"""The club's screen: all tables at a glance, each drawn anew when it says something."""

from datetime import datetime

from flask import Blueprint, Response, abort, request

from club.views import ClubTable, TournamentView
from club.web.access import ClubViewer, club_viewer
from club.web.drawn_pages import ClubPages
from club.web.tiles import tile_of
from webui.server.packing import pack_page

FEW, SOME = 8, 15
"""Tables that a screen shows with their pictures, in four and in five columns; more are shown small."""


def screen_blueprint(pages: ClubPages) -> Blueprint:
    """Create the screen."""
    blueprint, page = Blueprint("screen", __name__), ScreenPage(pages)
    blueprint.get("/")(page.show)
    blueprint.get("/part")(page.part)
    return blueprint


class ScreenPage:
    """Handles the screen."""

    def __init__(self, pages: ClubPages) -> None:
        self._pages = pages

    def show(self) -> Response:
        """Show all tables."""
        return pack_page(self._pages.page("screen", {"part": self._draw(self._viewer())}), request)

    def part(self) -> Response:
        """Draw what changes of the screen, for browsers that were away."""
        return pack_page(Response(self._draw(self._viewer())), request)

    def _viewer(self) -> ClubViewer:
        return club_viewer(self._pages.services, request)

    def _draw(self, viewer: ClubViewer) -> str:
        tables = self._pages.services.tables.tables()
        tiles = [draw_tile(self._pages, viewer, table) for table in tables]
        values = {"tiles": tiles, "size": _size(len(tiles)), "head": draw_head(self._pages, viewer)}
        return self._pages.draw("club/screen_part", viewer, values)


def _size(count: int) -> str:
    return "few" if count <= FEW else "some" if count <= SOME else "many"


def draw_tile(pages: ClubPages, viewer: ClubViewer, table: ClubTable) -> str:
    """Draw the tile of a table."""
    tile = tile_of(table, pages.language(viewer), time_text)
    return pages.draw(
        "club/tile", viewer, {"tile": tile, "look": pages.look(tile.game, tile.deck), "call": table.call}
    )


def draw_head(pages: ClubPages, viewer: ClubViewer) -> str:
    """Draw the head of the screen: the tournament, its round, and the minutes that are left."""
    address = f"{pages.services.address}me".partition("://")[2]
    return pages.draw(
        "club/screen_head", viewer, {"tournament": pages.services.tournaments.current(), "address": address}
    )


def table_or_404(pages: ClubPages, name: str) -> ClubTable:
    """Find a table."""
    table = pages.services.tables.table(name)
    if table is None:
        abort(404)
    return table


def time_text(moment: datetime) -> str:
    """Write a time of day, by this machine's own clock."""
    return f"{moment.astimezone():%H:%M}"


def running_round(tournament: TournamentView | None) -> int:
    """Give the number of the round that was sent last; 0 before the first."""
    return len(tournament.rounds) if tournament is not None else 0
