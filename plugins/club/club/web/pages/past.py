"""Public pages: standings and the matches of all tables, like a table's own pages, and exports."""

from flask import Blueprint, Response, abort, request

from club.views import TournamentView
from club.web.drawn_pages import pages
from club.web.exports import results_table, standings_table, tournament_data
from club.web.forms import whole
from referee.contract.words import phrase
from referee.match import name_key
from referee.record import ParsedRecord
from webui.pages.film.history import CSV, JSON, PAGE, match_file, record_file, statistics_shown
from webui.pages.page import file_to_keep
from webui.server.broadcast import pack_page
from webui.views.charts import HEIGHT, WIDTH, number_text
from webui.views.exports import data_of, table_of
from webui.views.match_story import reading_damage, row_of, story_of

blueprint = Blueprint("past", __name__)


@blueprint.get("/history")
def matches() -> Response:
    page, history, language = whole(request.args.get("page", "1")), pages.services.history, pages.language
    count = history.count()
    entries = history.entries((page - 1) * PAGE, page * PAGE) if page else ()
    if not entries and page != 1:
        abort(404)
    rows = [row_of(entry, language) for entry in entries]
    last = max(1, -(-count // PAGE))
    return pages.page("history", may_open=False, rows=rows, count=count, number=page, pages=last)


@blueprint.get("/history/<int:number>")
def match(number: int) -> Response:
    reading, language = _reading(number), pages.language
    return pages.page(
        "past",
        number=number,
        may_go_on=False,
        whole=story_of(reading, language),
        damage=reading_damage(reading, language),
        size=(WIDTH, HEIGHT),
        written=number_text,
        firsts={},
        shares=(),
        has_decisions=False,
        place=pages.say(phrase("At {table}"), table=pages.services.history.table_of(number)),
    )


@blueprint.get("/history/<int:number>.json")
def match_as_data(number: int) -> Response:
    played = _reading(number).match
    if played is None:
        abort(404)
    return match_file(number, played, pages.language)


@blueprint.get("/history/<int:number>.jsonl")
def match_as_record(number: int) -> Response:
    """Export a finished match's record; an unfinished one would reveal hidden information."""
    played = _reading(number).match
    if played is None or played.outcome is None:
        abort(404)
    return record_file(number, pages.services.history.lines(number))


@blueprint.get("/statistics")
def statistics() -> Response:
    entries = pages.services.history.entries()
    names = {name_key(name): name for each in entries if each.summary for name in each.summary.names}
    players = sorted(names.values(), key=name_key)
    return pages.page("statistics", **statistics_shown(entries, players, pages.language))


@blueprint.get("/history.csv")
def as_table() -> Response:
    return file_to_keep(table_of(pages.services.history.entries()).encode(), CSV, "club.csv")


@blueprint.get("/history.json")
def as_data() -> Response:
    return file_to_keep(data_of(pages.services.history.entries()), JSON, "club.json")


def _reading(number: int) -> ParsedRecord:
    reading = pages.services.history.reading(number) if number < 2**63 else None
    if reading is None:
        abort(404)
    return reading


# standings, printable and as files


@blueprint.get("/standings")
def standings() -> Response:
    return pack_page(pages.page("standings", tournament=pages.current, here="standings"), request)


@blueprint.get("/print/standings")
def standings_to_print() -> Response:
    return pages.page("standings_print", tournament=pages.current)


@blueprint.get("/standings.csv")
def standings_as_table() -> Response:
    return file_to_keep(standings_table(_current()).encode(), CSV, "standings.csv")


@blueprint.get("/results.csv")
def results_as_table() -> Response:
    return file_to_keep(results_table(_current()).encode(), CSV, "results.csv")


@blueprint.get("/tournament.json")
def tournament_as_data() -> Response:
    return file_to_keep(tournament_data(_current()), JSON, "tournament.json")


def _current() -> TournamentView:
    current = pages.current
    if current is None:
        abort(404)
    return current
