"""The Flask app: registers the blueprints of all pages, security headers and the error page."""

from collections.abc import Callable
from functools import partial

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden, HTTPException

from firmware.table.table import Table
from webui.access.guess_limits import GuessLimit
from webui.access.incidents import Incidents
from webui.access.late_table import LateTable
from webui.access.origins import is_from_our_site, is_our_name
from webui.access.viewers import find_known_device, onlooker, with_cookies_taken_over
from webui.drawing.words import Texts
from webui.pages.auditing import audit_blueprint
from webui.pages.backups import backup_blueprint
from webui.pages.boards import board_blueprint
from webui.pages.certificate import certificate_blueprint, lead_to_encrypted
from webui.pages.checking import check_blueprint
from webui.pages.claiming import claim_blueprint
from webui.pages.clips import clips_blueprint
from webui.pages.club_link import club_link_blueprint
from webui.pages.contests import Contests
from webui.pages.copies import copies_blueprint
from webui.pages.entering import Entrance
from webui.pages.evidence import evidence_blueprint
from webui.pages.film import film_blueprint
from webui.pages.finding import finding_blueprint
from webui.pages.history import history_blueprint
from webui.pages.host import host_blueprint
from webui.pages.live_picture import live_blueprint
from webui.pages.looks import looks_blueprint
from webui.pages.new_match import new_match_blueprint
from webui.pages.overlay import overlay_blueprint
from webui.pages.own_wifi import lead_to_table, wifi_blueprint
from webui.pages.people import people_blueprint
from webui.pages.photograph import photograph_blueprint
from webui.pages.photograph_evidence import PhotographKeeper, RecentPhotographs
from webui.pages.power import power_blueprint
from webui.pages.privacy import privacy_blueprint
from webui.pages.rules import rules_blueprint
from webui.pages.saving import saving_blueprint
from webui.pages.score import score_blueprint
from webui.pages.screen import screen_blueprint
from webui.pages.seat import seat_blueprint
from webui.pages.settings import settings_blueprint
from webui.pages.sharing import sharing_blueprint
from webui.pages.sound import sound_blueprint
from webui.pages.teaching import teaching_blueprint
from webui.pages.twin import twin_blueprint
from webui.pages.usb_buttons import usb_blueprint
from webui.pages.welcome import welcome_blueprint
from webui.pages.what_if import what_if_blueprint
from webui.server.drawn_pages import Pages
from webui.server.events import events_blueprint
from webui.server.film_making import FilmMaker
from webui.server.film_sources import FilmSources
from webui.server.public_json import public_blueprint
from webui.server.serving import GATE, Gate
from webui.server.spectators import late_services, sees_late, show_late

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
    403: Texts.other_site,
    404: Texts.not_found,
    405: Texts.not_found,
    413: Texts.too_big,
    421: Texts.unknown_name,
    500: Texts.internal_error,
}
"""Texts of the error page, by HTTP status."""


class UnknownName(HTTPException):
    """A request that calls us by a name that another site may own."""

    code = 421
    description = "not our name"


def create_app(
    services: Table, limit: Callable[[], GuessLimit] = GuessLimit, late: LateTable | None = None
) -> Flask:
    """Create the app; with a late table, spectators see that one while the host lets them wait."""
    films = FilmMaker(services.evidence.folder)
    app = _create_pages(services, limit, films)
    if late is not None:
        show_late(app, _create_pages(late_services(services, late), limit, films), partial(sees_late, services))
    return app


def _create_pages(services: Table, limit: Callable[[], GuessLimit], maker: FilmMaker) -> Flask:
    """Create all pages."""
    app = Flask("webui")
    app.config.update(MAX_CONTENT_LENGTH=LONGEST, MAX_FORM_MEMORY_SIZE=LONGEST, MAX_FORM_PARTS=FIELDS)
    incidents = Incidents()
    app.extensions[GATE] = Gate(partial(find_known_device, services), incidents)
    entrance = Entrance(limit(), limit(), limit(), limit(), incidents)
    pages, contests = Pages(services), Contests()
    recent = RecentPhotographs()
    keeper = PhotographKeeper(services, recent)
    films = FilmSources(services, pages)
    for blueprint in (
        score_blueprint(services, pages),
        screen_blueprint(services, pages),
        overlay_blueprint(services, pages),
        certificate_blueprint(services, pages),
        seat_blueprint(services, pages, entrance, keeper),
        host_blueprint(services, pages, entrance, contests, keeper),
        people_blueprint(services, pages),
        wifi_blueprint(services, pages),
        evidence_blueprint(services, pages, contests),
        clips_blueprint(services, pages),
        live_blueprint(services, pages),
        photograph_blueprint(services, pages, recent),
        new_match_blueprint(services, pages),
        check_blueprint(services, pages),
        audit_blueprint(services, pages),
        rules_blueprint(services, pages),
        history_blueprint(services, pages),
        film_blueprint(services, pages, films),
        sharing_blueprint(services, pages, films, maker),
        what_if_blueprint(services, pages, films),
        board_blueprint(services, pages),
        usb_blueprint(services, pages),
        club_link_blueprint(services, pages),
        settings_blueprint(services, pages),
        backup_blueprint(services, pages),
        copies_blueprint(services, pages),
        saving_blueprint(services, pages),
        power_blueprint(services, pages),
        privacy_blueprint(services, pages),
        sound_blueprint(services, pages),
        events_blueprint(services, pages),
        public_blueprint(services),
        twin_blueprint(services, pages),
        welcome_blueprint(services, pages),
        claim_blueprint(services, pages, entrance),
        finding_blueprint(services, pages, services.guides.table),
        teaching_blueprint(services, pages, services.guides.teaching),
        looks_blueprint(pages.book, pages.files),
    ):
        app.register_blueprint(blueprint)

    @app.before_request
    def turn_away_other_sites() -> Response | None:
        leads_away = _lead_away(services, pages)
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
        return with_cookies_taken_over(services, request, response) if request.method in SAFE else response

    @app.errorhandler(HTTPException)
    def fault_page(error: HTTPException) -> tuple[str, int]:
        code = error.code or 500
        why = FAULTS.get(code, Texts.not_understood)
        return pages.page("fault", onlooker(services, request), {"why": why}), code

    return app


def _lead_away(services: Table, pages: Pages) -> Response | None:
    """Lead to the table who looks for a page of its Wi-Fi, and to encrypted pages; refuse other names."""
    if is_our_name(request.host):
        return lead_to_encrypted(services, pages)
    leads_here = lead_to_table(services, request)
    if leads_here is None:
        raise UnknownName
    return leads_here
