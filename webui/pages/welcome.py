"""The welcome: a game is chosen by its picture, then who plays; at the table's own machine without a PIN."""

from flask import Blueprint, Response, request

from referee.games.catalogue import GAMES
from referee.match import is_going_on
from webui.access.evening import held_seats
from webui.access.joining import enter_as_host
from webui.access.viewers import (
    VISITOR,
    Viewer,
    evening_of,
    may_send,
    new_visitor_for,
    viewer_language,
    viewer_of,
    with_cookie,
    with_visitor,
)
from webui.doors.companion import Services
from webui.drawing.shelf import games_on_shelf
from webui.drawing.words import Texts
from webui.pages.entering import Rejection, redirect_to, rejection_for
from webui.pages.twin import is_here
from webui.server.drawn_pages import Pages

WELCOME = "/welcome"


def welcome_blueprint(services: Services, pages: Pages) -> Blueprint:
    """Create the page that welcomes people."""
    blueprint, page = Blueprint("welcoming", __name__), WelcomePage(services, pages)
    blueprint.get(WELCOME)(page.show)
    blueprint.post(WELCOME)(page.choose)
    return blueprint


class WelcomePage:
    """Handles the page on which a game is chosen."""

    def __init__(self, services: Services, pages: Pages) -> None:
        """Remember the services and the pages."""
        self._services, self._pages = services, pages

    def show(self) -> Response:
        """Show the games to those who may begin one; others are asked for the PIN first."""
        return self._page(None) if self._may_begin(viewer_of(self._services, request)) else redirect_to("/host")

    def choose(self) -> Response:
        """Go on to the names with the game that was chosen."""
        viewer, game = viewer_of(self._services, request), request.form.get("game", "")
        if not self._may_begin(viewer):
            return redirect_to("/host")
        if not may_send(request, viewer):
            return self._page(rejection_for(self._services, viewer, Texts.stale_form, 403))
        if game not in GAMES:
            return self._page(rejection_for(self._services, viewer, Texts.not_understood, 400))
        me = f"&me={_likely_seat(self._services, viewer)}" if may_sit_down(self._services) else ""
        names = redirect_to(f"/host/new?game={game}{me}")
        return names if viewer.is_host else enter_as_host(self._services, request, names)

    def _may_begin(self, viewer: Viewer) -> bool:
        """Tell whether this is the host, or a person at the machine that simulates the table."""
        return viewer.is_host or may_sit_down(self._services)

    def _page(self, rejection: Rejection | None) -> Response:
        visitor, match = new_visitor_for(request), self._services.door.moment()
        viewer = with_visitor(self._services, viewer_of(self._services, request), visitor)
        language = viewer_language(self._services, viewer)
        values = {
            "rejection": rejection,
            # many games are shown, and none of them colours the page
            "look": self._pages.book.look("", ""),
            "games": games_on_shelf(self._pages.book, language, match.setup.game.name),
            "open_game": language.gettext(match.setup.game.words.title.one) if is_going_on(match) else "",
            "names": ", ".join(match.setup.names),
        }
        drawn = self._pages.page("welcome", viewer, values)
        response = Response(drawn, 200 if rejection is None else rejection.code)
        return response if visitor is None else with_cookie(response, VISITOR, visitor)


def _likely_seat(services: Services, viewer: Viewer) -> int:
    """Suggest the seat that this person holds; who holds none gets the first free one."""
    if viewer.seat is not None:
        return viewer.seat
    held = held_seats(evening_of(services))
    return next((seat for seat in range(len(services.door.moment().setup.names)) if seat not in held), 0)


def may_sit_down(services: Services) -> bool:
    """Tell whether the request comes from the machine that simulates the table: no code is needed there."""
    return services.twin is not None and is_here(request)
