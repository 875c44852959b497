"""Drawing the club's templates, and what all of its pages share."""

from collections.abc import Mapping
from functools import partial

from flask import Response, request
from msgspec.structs import replace

from club.tournament.values import NotPossible
from club.web.access import ClubViewer, club_viewer
from club.web.services import ClubServices
from club.web.words import AWAY, PROBLEMS
from firmware.storage.people.links import form_token
from referee.games.catalogue import GAMES
from referee.telling import Language
from webui.access.viewers import VISITOR, new_visitor_for, with_cookie
from webui.drawing.looks import Look
from webui.drawing.words import page_text
from webui.server.templates import Drawer, say_in

SHARED = ("history", "past", "statistics")
"""Templates that a table's own pages draw, too."""


class ClubPages:
    """Draws pages and parts of them."""

    def __init__(self, services: ClubServices) -> None:
        """Set up the templates; each is loaded when first needed."""
        self.services, drawer = services, Drawer(services.looks, "club.web")
        self.book, self.files = drawer.book, drawer.files
        self._templates = drawer.templates
        own = {"base": "club/base.html", "games_sheet": self.book.sheet_address(), "away_words": AWAY}
        self._templates.globals |= own

    def look(self, game: str, deck: str = "") -> Look:
        """Give the look of a game."""
        return self.book.look(game, deck)

    def language(self, viewer: ClubViewer) -> Language:
        """Give the language of a viewer."""
        return self.services.languages[viewer.language]

    def say(self, viewer: ClubViewer, text: object, **values: object) -> str:
        """Give a text in the language of a viewer."""
        return page_text(self.language(viewer), text, **values)  # type: ignore[arg-type]

    def draw(self, name: str, viewer: ClubViewer, values: Mapping[str, object]) -> str:
        """Draw a template."""
        language = self.language(viewer)
        everywhere = {
            "say": say_in(language),
            "lang": viewer.language,
            "viewer": viewer,
            "title_of": partial(game_title, language),
            "look_of": self.look,
            "rejection": None,
        }
        return self._templates.get_template(f"{name}.html").render({**everywhere, **values})

    def page(self, name: str, values: Mapping[str, object], code: int = 200) -> Response:
        """Draw a page for the browser that asks, and name a browser that has no name yet."""
        visitor = new_visitor_for(request)
        viewer = club_viewer(self.services, request)
        if visitor is not None:
            viewer = replace(viewer, form=form_token(self.services.keys().secret, visitor))
        response = Response(self.draw(name if name in SHARED else f"club/{name}", viewer, values), code)
        return response if visitor is None else with_cookie(response, VISITOR, visitor)

    def problem(self, viewer: ClubViewer, why: NotPossible) -> str:
        """Say why something wasn't done."""
        return self.say(viewer, PROBLEMS[why.problem.value], about=why.about)


def game_title(language: Language, game: str) -> str:
    """Name a game; one that isn't known here by what its table calls it."""
    known = GAMES.get(game)
    return game if known is None else language.gettext(known.words.title)
