"""The club's Flask app: all pages, with the same headers and checks as a table's own."""

from collections.abc import Mapping
from contextlib import suppress

from flask import Flask, Response, request
from psycopg import Error
from werkzeug.exceptions import Forbidden, HTTPException

from club.web.access import DIRECTOR
from club.web.drawn_pages import PAGES, ClubPages
from club.web.pages import director, entrants, past, register, rounds, screen
from club.web.services import ClubServices
from club.web.words import AWAY
from webui.access.guess_limits import GuessLimit, Incidents
from webui.access.origins import comes_from_here, is_from_our_site, is_our_name
from webui.pages.players.entering import redirect_to
from webui.pages.players.looks import looks_blueprint
from webui.server.app import FIELDS, HEADERS, MAX_BODY_BYTES, SAFE, UnknownName, fault_text, refuse_nameless
from webui.server.serving import GATE, Gate
from webui.views.words import page_text


def create_club_app(services: ClubServices, guesses: GuessLimit) -> Flask:
    # cookies accepted by a page, for reserved connections; connection handling can't wait for the database
    directors = set[str]()

    def find_director(cookies: Mapping[str, str]) -> str | None:
        return cookie if (cookie := cookies.get(DIRECTOR)) in directors else None

    app = Flask("webui")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES, MAX_FORM_MEMORY_SIZE=MAX_BODY_BYTES, MAX_FORM_PARTS=4 * FIELDS
    )
    app.extensions[GATE] = Gate(find_director, Incidents())
    pages = app.extensions[PAGES] = ClubPages(services, guesses)
    for each in (screen, director, rounds, entrants, register, past):
        app.register_blueprint(each.blueprint)
    app.register_blueprint(looks_blueprint(pages.book, pages.files))
    _guard(app, pages)
    if services.address.startswith("https:"):
        app.before_request(_lead_to_encrypted)
    _say_away(app, services, directors)

    @app.before_request
    def note_director() -> None:
        cookie = request.cookies.get(DIRECTOR)
        if cookie is not None:
            with suppress(Error):
                (directors.add if pages.viewer.is_director else directors.discard)(cookie)

    return app


def _guard(app: Flask, pages: ClubPages) -> None:
    @app.before_request
    def turn_away_other_sites() -> None:
        refuse_nameless()
        if not is_our_name(request.host):
            raise UnknownName
        if request.method not in SAFE and not is_from_our_site(request):
            raise Forbidden

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(HTTPException)
    def fault_page(error: HTTPException) -> Response:
        return pages.page("fault", error.code or 500, why=fault_text(error))


def _lead_to_encrypted() -> Response | None:
    """Redirect unencrypted requests and reject their forms; requests from this machine are allowed."""
    if request.is_secure or comes_from_here(request):
        return None
    if request.method not in SAFE:
        raise Forbidden
    return redirect_to(f"https://{request.host}{request.path}")


def _say_away(app: Flask, services: ClubServices, directors: set[str]) -> None:
    """Show that the database is unavailable; the director sees the last known state."""

    @app.errorhandler(Error)
    def away_page(_trouble: Exception | None = None) -> Response:
        if request.endpoint == "director.show" and request.cookies.get(DIRECTOR) in directors:
            answer = director.silent_page()
        else:
            # a rendered page would need the database, too
            text = page_text(services.languages[services.language], AWAY)
            answer = Response(text, 503, content_type="text/plain; charset=utf-8")
        # the browser retries by itself
        answer.headers.update({"Retry-After": "2"} | ({"Refresh": "2"} if request.method in SAFE else {}))
        return answer

    @app.before_request
    def tell_away() -> Response | None:
        return away_page() if services.is_away() and request.blueprint != "looks" else None
