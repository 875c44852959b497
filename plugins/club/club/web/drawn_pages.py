"""Rendering of the club's templates, and helpers shared by its pages."""

from functools import partial
from typing import cast

from flask import Response, current_app, g, request
from msgspec.structs import replace
from werkzeug.local import LocalProxy

from club.tournament.values import NotPossible
from club.views import TournamentView
from club.web.access import ClubViewer, club_viewer
from club.web.services import ClubServices
from club.web.words import AWAY, PROBLEMS
from firmware.services.attempt_limits import AttemptLimit
from firmware.storage.people.links import form_token
from referee.contract.words import Phrase, phrase
from referee.games.catalogue import GAMES
from referee.sentences import Language
from webui.access.guess_limits import GuessLimit
from webui.access.viewers import VISITOR, new_visitor_for, with_cookie
from webui.server.connection_limits import ConnectionLimit, Places
from webui.server.templates import Drawer, say_in
from webui.views.looks import Look
from webui.views.words import page_text

SHARED = ("history", "past", "statistics")  # templates shared with a table's own pages
STREAMS, PER_NETWORK = 200, 30  # browsers with event streams, in total and per network
FAMILY = 40  # registrations per minute and network; a club's phones share one
PAGES = "club-pages"  # key of the pages among an app's extensions


class ClubPages:
    """Renders pages and parts of pages for the viewer of a request."""

    def __init__(self, services: ClubServices, guesses: GuessLimit) -> None:
        self.services, self.guesses, drawer = services, guesses, Drawer(services.looks, "club.web")
        self.shown: object = None
        """The director's last page data."""
        self.registering = AttemptLimit(each=FAMILY, most=5 * FAMILY)
        self.streams = Places(ConnectionLimit(STREAMS, PER_NETWORK), ConnectionLimit(STREAMS, PER_NETWORK))
        self.book, self.files = drawer.book, drawer.files
        self._templates = drawer.templates
        self._templates.globals |= {
            "base": "club/base.html",
            "games_sheet": self.book.sheet_address(),
            "away_words": AWAY,
        }

    @property
    def viewer(self) -> ClubViewer:
        if "viewer" not in g:
            g.viewer = club_viewer(self.services, request)
        viewer: ClubViewer = g.viewer
        return viewer

    @property
    def current(self) -> TournamentView | None:
        return self.services.tournaments.current()

    @property
    def language(self) -> Language:
        return self.services.languages[self.viewer.language]

    def look(self, game: str, deck: str = "") -> Look:
        return self.book.look(game, deck)

    def say(self, text: Phrase, **values: object) -> str:
        return page_text(self.language, text, **values)

    @property
    def director(self) -> str:
        """Return the director's name for records of their actions."""
        return self.say(phrase("Director"))

    def problem(self, why: NotPossible) -> str:
        titles = {} if (current := self.current) is None else dict(current.tables)
        about = ", ".join(titles.get(each, each) for each in why.about.split(", "))
        return self.say(PROBLEMS[why.problem.value], about=about)

    def draw(self, name: str, viewer: ClubViewer, /, **values: object) -> str:
        language = self.services.languages[viewer.language]
        everywhere = {
            "say": say_in(language),
            "lang": viewer.language,
            "viewer": viewer,
            "title_of": partial(game_title, language),
            "look_of": self.look,
            "rejection": None,
        }
        return self._templates.get_template(f"{name}.html").render({**everywhere, **values})

    def page(self, name: str, code: int = 200, /, **values: object) -> Response:
        """Render a page for the requesting browser; a new browser gets a cookie."""
        visitor, viewer = new_visitor_for(request), self.viewer
        if visitor is not None:
            viewer = replace(viewer, form=form_token(self.services.keys().secret, visitor))
        response = Response(self.draw(name if name in SHARED else f"club/{name}", viewer, **values), code)
        return response if visitor is None else with_cookie(response, VISITOR, visitor)

    def refuse(self, why: str, back: str, code: int = 409) -> Response:
        return self.page("refused", code, why=why, back=back, here="")


def pages_here() -> ClubPages:
    found: ClubPages = current_app.extensions[PAGES]
    return found


pages = cast("ClubPages", LocalProxy(pages_here))
"""The current app's pages."""


def game_title(language: Language, game: str) -> str:
    """Return a game's title; for an unknown game, the name that its table uses."""
    known = GAMES.get(game)
    return game if known is None else language.gettext(known.words.title)
