"""Standings for everybody, to print, and as files."""

from flask import Blueprint, Response, abort, request

from club.views import TournamentView
from club.web.drawn_pages import pages
from club.web.exports import results_table, standings_table, tournament_data
from webui.pages.film.history import CSV, JSON
from webui.pages.page import file_to_keep
from webui.server.broadcast import pack_page

blueprint = Blueprint("standings", __name__)


@blueprint.get("/standings")
def show() -> Response:
    return pack_page(pages.page("standings", tournament=pages.current, here="standings"), request)


@blueprint.get("/print/standings")
def to_print() -> Response:
    return pages.page("standings_print", tournament=pages.current)


@blueprint.get("/standings.csv")
def as_table() -> Response:
    return file_to_keep(standings_table(_current()).encode(), CSV, "standings.csv")


@blueprint.get("/results.csv")
def results_as_table() -> Response:
    return file_to_keep(results_table(_current()).encode(), CSV, "results.csv")


@blueprint.get("/tournament.json")
def as_data() -> Response:
    return file_to_keep(tournament_data(_current()), JSON, "tournament.json")


def _current() -> TournamentView:
    current = pages.current
    if current is None:
        abort(404)
    return current
