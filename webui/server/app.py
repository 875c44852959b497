"""Flask app: all pages and their addresses, security headers, and the error page."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden, HTTPException

from firmware.table.notices import disabled_notice, failed_notice, sentence_for
from referee.contract.words import Phrase, phrase
from referee.games.catalogue import DISABLED, GameError
from webui.access.guess_limits import CLAIMS, GuessLimit, Incidents
from webui.access.origins import is_from_our_site, is_our_name
from webui.access.viewers import find_known_device, listener_of, onlooker
from webui.pages.film.film import FilmPages
from webui.pages.film.history import HistoryPages, MissingPage
from webui.pages.film.sharing import SharingPages
from webui.pages.host.backups import BackupPage
from webui.pages.host.checking import CheckingPage
from webui.pages.host.correcting import CorrectionPage
from webui.pages.host.decks import DecksPage
from webui.pages.host.equipment import BoardPage, ClubLinkPage, PowerPage, SoundPage, UsbButtonsPage
from webui.pages.host.guiding import FindingPage
from webui.pages.host.host import HostPage
from webui.pages.host.new_match import NewMatchPage
from webui.pages.host.people import PeopleActions
from webui.pages.host.privacy import PrivacyPage
from webui.pages.host.settings import SettingsPage
from webui.pages.page import Page
from webui.pages.players import photograph
from webui.pages.players.auditing import AuditingPage
from webui.pages.players.camera import CameraPage
from webui.pages.players.camera_view import CameraViewPage
from webui.pages.players.claiming import ClaimPage
from webui.pages.players.entering import Entrance
from webui.pages.players.looks import looks_blueprint
from webui.pages.players.naming import NamingPage
from webui.pages.players.overlay import OverlayPage
from webui.pages.players.playing_on import PlayingOnPage
from webui.pages.players.reaching import ReachingPage, lead_to_encrypted, lead_to_table
from webui.pages.players.rules import RulesPage
from webui.pages.players.screen import ScorePage, ScreenPage
from webui.pages.players.seat import SeatPage
from webui.pages.twin.real_cards import RealCardsPage
from webui.pages.twin.twin import TwinPage
from webui.pages.twin.welcome import WelcomePage
from webui.server.drawn_pages import Pages
from webui.server.events import events_blueprint
from webui.server.film_making import FilmMaker
from webui.server.film_sources import FilmSources
from webui.server.serving import GATE, Gate
from webui.views.words import Texts

if TYPE_CHECKING:
    from firmware.services.table import Table

MAX_BODY_BYTES = 16 * 1024  # largest request body in bytes; no form needs more
FIELDS = 100
SAFE = ("GET", "HEAD", "OPTIONS")
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
    403: phrase("This form came from another site. Use the table's own page instead."),
    404: Texts.not_found,
    405: Texts.not_found,
    413: phrase("That is too much data at once."),
    421: phrase("This isn't the table's address. Open the one that the table shows."),
    500: phrase("Something went wrong here. The table keeps running."),
}

PageMaker = Callable[["Table", Pages], Page]
"""Constructor of a page that needs only a table and its templates."""

OF_ALL: tuple[PageMaker, ...] = (
    ScorePage,
    ScreenPage,
    OverlayPage,
    HistoryPages,
    RulesPage,
    WelcomePage,
    RealCardsPage,
    ReachingPage,
    CameraPage,
)
OF_PLAYERS: tuple[PageMaker, ...] = (PlayingOnPage, AuditingPage, NamingPage, CameraViewPage)
OF_HOST: tuple[PageMaker, ...] = (
    PeopleActions,
    NewMatchPage,
    MissingPage,
    CheckingPage,
    BackupPage,
    PrivacyPage,
)
OF_PARTS: tuple[PageMaker, ...] = (
    SettingsPage,
    FindingPage,
    DecksPage,
    SoundPage,
    UsbButtonsPage,
    ClubLinkPage,
)

NAMELESS = phrase("This request has no Host header: send one with the table's address.")


class NamelessRequest(HTTPException):
    """Request without a Host header. Browsers never send one; the server's own name would replace it."""

    code = 400
    description = "no host"


class UnknownName(HTTPException):
    """Request for a host name that another site may own."""

    code = 421
    description = "not our name"


def create_app(
    table: "Table", limit: Callable[..., GuessLimit] = GuessLimit, films: FilmMaker | None = None
) -> Flask:
    app = Flask("webui")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES, MAX_FORM_MEMORY_SIZE=MAX_BODY_BYTES, MAX_FORM_PARTS=FIELDS
    )
    incidents, pages = Incidents(), Pages(table)
    app.extensions[GATE] = Gate(partial(find_known_device, table), incidents)
    entrance = Entrance(limit(), limit(), limit(), limit(most=CLAIMS), incidents)
    for page in _pages_of(table, pages, entrance, films or FilmMaker(table.evidence.folder)):
        page.add_routes(app)
    app.register_blueprint(events_blueprint(table, pages))
    app.register_blueprint(looks_blueprint(pages.book, pages.files))
    _guard(app, table, pages, incidents)
    return app


def _pages_of(table: "Table", pages: Pages, entrance: Entrance, maker: FilmMaker) -> Iterator[Page]:
    contests, recent, films = photograph.Contests(), photograph.RecentPhotographs(), FilmSources(table, pages)
    keeper = photograph.PhotographKeeper(table, recent)
    for kind in (*OF_ALL, *OF_PLAYERS, *OF_HOST, *OF_PARTS):
        yield kind(table, pages)
    yield SeatPage(table, pages, entrance, keeper)
    yield (host := HostPage(table, pages, entrance, contests))
    yield CorrectionPage(table, pages, host.draw, keeper)
    yield photograph.EvidencePage(table, pages, contests)
    yield photograph.PhotographPage(table, pages, recent)
    yield FilmPages(table, pages, films)
    yield SharingPages(table, pages, films, maker)
    if table.presence.is_there:
        yield ClaimPage(table, pages, entrance)
    if table.twin.is_there:
        yield TwinPage(table, pages)
    if table.board.is_there:
        yield BoardPage(table, pages)
    if table.power.is_there:
        yield PowerPage(table, pages)


def _guard(app: Flask, table: "Table", pages: Pages, incidents: Incidents) -> None:
    @app.before_request
    def turn_away_other_sites() -> Response | None:
        refuse_nameless()
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
        return response

    @app.errorhandler(GameError)
    def game_fault(error: GameError) -> Response:
        """Report the failed game in plain text; rendering a page would need the current game."""
        notice = disabled_notice if error.failure.game in DISABLED else failed_notice
        text = sentence_for(notice(error.failure), listener_of(table, onlooker(table, request)))
        # the browser reloads by itself; another match will be on by then
        again = {"Refresh": "2"} if request.method in SAFE else {}
        return Response(f"{text}\n", 500, again, content_type="text/plain; charset=utf-8")

    @app.errorhandler(HTTPException)
    def fault_page(error: HTTPException) -> Response:
        try:
            page = pages.page("fault", onlooker(table, request), {"why": fault_text(error)})
        except GameError as failed:
            return game_fault(failed)
        return Response(page, error.code or 500)


def fault_text(error: HTTPException) -> Phrase:
    if isinstance(error, NamelessRequest):
        return NAMELESS
    return FAULTS.get(error.code or 500, Texts.not_understood)


def refuse_nameless() -> None:
    if "Host" not in request.headers:
        raise NamelessRequest


def _lead_away(table: "Table", pages: Pages) -> Response | None:
    """Redirect captive-portal checks and unencrypted requests; refuse unknown host names."""
    if is_our_name(request.host):
        return lead_to_encrypted(table, pages)
    leads_here = lead_to_table(table, request)
    if leads_here is None:
        raise UnknownName
    return leads_here
