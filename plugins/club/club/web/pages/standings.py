"""Standings for everybody, to print, and as files."""

from flask import Blueprint, Response, abort, request

from club.views import TournamentView
from club.web.drawn_pages import ClubPages
from club.web.exports import results_table, standings_table, tournament_data
from webui.pages.film.history import CSV, JSON
from webui.server.packing import pack_page

DOWNLOAD = 'attachment; filename="{}"'


def standings_blueprint(pages: ClubPages) -> Blueprint:
    """Create the pages."""
    blueprint, page = Blueprint("standings", __name__), StandingsPages(pages)
    blueprint.get("/standings")(page.show)
    blueprint.get("/print/standings")(page.to_print)
    blueprint.get("/standings.csv")(page.as_table)
    blueprint.get("/results.csv")(page.results_as_table)
    blueprint.get("/tournament.json")(page.as_data)
    return blueprint


class StandingsPages:
    """Handles standings."""

    def __init__(self, pages: ClubPages) -> None:
        self._pages = pages

    def show(self) -> Response:
        """Show who stands where."""
        current = self._pages.services.tournaments.current()
        return pack_page(self._pages.page("standings", {"tournament": current, "here": "standings"}), request)

    def to_print(self) -> Response:
        """Show all standings on paper."""
        current = self._pages.services.tournaments.current()
        return self._pages.page("standings_print", {"tournament": current})

    def as_table(self) -> Response:
        """Give the standings as CSV."""
        return _file(standings_table(self._current()).encode(), CSV, "standings.csv")

    def results_as_table(self) -> Response:
        """Give all results as CSV."""
        return _file(results_table(self._current()).encode(), CSV, "results.csv")

    def as_data(self) -> Response:
        """Give everything as JSON."""
        return _file(tournament_data(self._current()), JSON, "tournament.json")

    def _current(self) -> TournamentView:
        current = self._pages.services.tournaments.current()
        if current is None:
            abort(404)
        return current


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(content, content_type=kind, headers={"Content-Disposition": DOWNLOAD.format(name)})
