"""The Flask app: registers the blueprints of all pages, security headers and the error page."""

from collections.abc import Callable
from functools import partial

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden, HTTPException

from firmware.parts.table import Table
from referee.contract.words import phrase
from webui.access.guess_limits import CLAIMS, GuessLimit, Incidents
from webui.access.late_table import LateTable, seen_late, sees_late, show_late
from webui.access.origins import is_from_our_site, is_our_name
from webui.access.viewers import find_known_device, onlooker, with_cookies_taken_over
from webui.drawing.words import Texts
from webui.pages.film.film import film_blueprint
from webui.pages.film.history import history_blueprint
from webui.pages.film.sharing import sharing_blueprint
from webui.pages.film.what_if import what_if_blueprint
from webui.pages.host.backups import backup_blueprint
from webui.pages.host.checking import check_blueprint
from webui.pages.host.equipment import equipment_blueprint
from webui.pages.host.guiding import finding_blueprint, teaching_blueprint
from webui.pages.host.host import host_blueprint
from webui.pages.host.lines import lines_blueprint
from webui.pages.host.new_match import new_match_blueprint
from webui.pages.host.people import people_blueprint
from webui.pages.host.privacy import privacy_blueprint
from webui.pages.host.settings import settings_blueprint
from webui.pages.players.auditing import audit_blueprint
from webui.pages.players.claiming import claim_blueprint
from webui.pages.players.entering import Entrance
from webui.pages.players.evidence import Contests, evidence_blueprint
from webui.pages.players.looks import looks_blueprint
from webui.pages.players.overlay import live_blueprint, overlay_blueprint
from webui.pages.players.photograph import PhotographKeeper, RecentPhotographs, photograph_blueprint
from webui.pages.players.playing_on import playing_on_blueprint
from webui.pages.players.reaching import lead_to_encrypted, lead_to_table, reaching_blueprint
from webui.pages.players.rules import rules_blueprint
from webui.pages.players.screen import score_blueprint, screen_blueprint
from webui.pages.players.seat import seat_blueprint
from webui.pages.twin.twin import twin_blueprint
from webui.pages.twin.welcome import welcome_blueprint
from webui.server.drawn_pages import Pages
from webui.server.events import events_blueprint, public_blueprint
from webui.server.film_making import FilmMaker
from webui.server.film_sources import FilmSources
from webui.server.serving import GATE, Gate

LONGEST = 16 * 1024
"""Largest request body in bytes; no form needs more."""
FIELDS = 100
SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " font-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FAULTS = {
    403: phrase("Another site sent this form. Open the table's own page, and do it there."),
    404: Texts.not_found,
    405: Texts.not_found,
    413: phrase("That is too much at once."),
    421: phrase("This isn't the table's address. Open the one that the table shows."),
    500: phrase("Something went wrong here. The table keeps running."),
}
"""Texts of the error page, by HTTP status."""


class UnknownName(HTTPException):
    """A request that calls us by a name that another site may own."""

    code = 421
    description = "not our name"


def create_app(
    table: Table,
    limit: Callable[..., GuessLimit] = GuessLimit,
    late: LateTable | None = None,
    films: FilmMaker | None = None,
) -> Flask:
    """Create the app; with a late table, spectators see that one while the host lets them wait."""
    maker = films or FilmMaker(table.evidence.folder)
    app = _create_pages(table, limit, maker)
    if late is not None:
        show_late(app, _create_pages(seen_late(table, late), limit, maker), partial(sees_late, table))
    return app


def _create_pages(table: Table, limit: Callable[..., GuessLimit], maker: FilmMaker) -> Flask:
    app = Flask("webui")
    app.config.update(MAX_CONTENT_LENGTH=LONGEST, MAX_FORM_MEMORY_SIZE=LONGEST, MAX_FORM_PARTS=FIELDS)
    incidents = Incidents()
    app.extensions[GATE] = Gate(partial(find_known_device, table), incidents)
    entrance = Entrance(limit(), limit(), limit(), limit(most=CLAIMS), incidents)
    pages, contests = Pages(table), Contests()
    recent = RecentPhotographs()
    keeper = PhotographKeeper(table, recent)
    films = FilmSources(table, pages)
    for blueprint in (
        score_blueprint(table, pages),
        screen_blueprint(table, pages),
        overlay_blueprint(table, pages),
        seat_blueprint(table, pages, entrance, keeper),
        playing_on_blueprint(table, pages),
        host_blueprint(table, pages, entrance, contests, keeper),
        people_blueprint(table, pages),
        reaching_blueprint(table, pages),
        evidence_blueprint(table, pages, contests),
        live_blueprint(table, pages),
        photograph_blueprint(table, pages, recent),
        new_match_blueprint(table, pages),
        check_blueprint(table, pages),
        audit_blueprint(table, pages),
        rules_blueprint(table, pages),
        history_blueprint(table, pages),
        film_blueprint(table, pages, films),
        sharing_blueprint(table, pages, films, maker),
        what_if_blueprint(table, pages, films),
        equipment_blueprint(table, pages),
        settings_blueprint(table, pages),
        backup_blueprint(table, pages),
        privacy_blueprint(table, pages),
        events_blueprint(table, pages),
        public_blueprint(table),
        twin_blueprint(table, pages),
        welcome_blueprint(table, pages),
        claim_blueprint(table, pages, entrance),
        finding_blueprint(table, pages),
        teaching_blueprint(table, pages),
        lines_blueprint(table, pages),
        looks_blueprint(pages.book, pages.files),
    ):
        app.register_blueprint(blueprint)
    _guard(app, table, pages, incidents)
    return app


def _guard(app: Flask, table: Table, pages: Pages, incidents: Incidents) -> None:
    """Turn away what other sites send, put our headers on every page, and answer a fault with a page."""

    @app.before_request
    def turn_away_other_sites() -> Response | None:
        leads_away = _lead_away(table, pages)
        if leads_away is not None:
            return leads_away
        if request.method not in SAFE and not is_from_our_site(request):
            incidents.note("other-site", request.remote_addr or "")
            raise Forbidden
        return None

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return with_cookies_taken_over(table, request, response) if request.method in SAFE else response

    @app.errorhandler(HTTPException)
    def fault_page(error: HTTPException) -> tuple[str, int]:
        code = error.code or 500
        why = FAULTS.get(code, Texts.not_understood)
        return pages.page("fault", onlooker(table, request), {"why": why}), code


def _lead_away(table: Table, pages: Pages) -> Response | None:
    """Lead to the table who looks for a page of its Wi-Fi, and to encrypted pages; refuse other names."""
    if is_our_name(request.host):
        return lead_to_encrypted(table, pages)
    leads_here = lead_to_table(table, request)
    if leads_here is None:
        raise UnknownName
    return leads_here
