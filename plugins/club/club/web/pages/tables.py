"""The director's tables: inviting one, and lines of theirs that aren't believed."""

from flask import Blueprint, Response, request

from club.web.access import club_viewer
from club.web.drawn_pages import ClubPages
from club.web.forms import text_in
from club.web.pages.acting import by_director, for_director
from club.web.pages.screen import time_text
from club.web.words import DOUBTS
from referee.contract.words import phrase
from webui.pages.players.entering import redirect_to
from webui.server.drawn_pages import picture_of

TABLES = "/director/tables"
CODE_MINUTES, LONGEST_TITLE = 15, 60
"""How long a code holds, and how long a table's name may be: the hub sees to both."""


def tables_blueprint(pages: ClubPages) -> Blueprint:
    """Create the pages."""
    blueprint, page = Blueprint("tables", __name__), TablesPages(pages)
    blueprint.get(TABLES)(for_director(pages, page.show))
    blueprint.post(f"{TABLES}/invite")(by_director(pages, page.invite))
    blueprint.post(f"{TABLES}/seen")(by_director(pages, page.see_doubtful))
    return blueprint


class TablesPages:
    """Handles the tables."""

    def __init__(self, pages: ClubPages) -> None:
        self._pages, self._services = pages, pages.services

    def show(self) -> Response:
        """Show the tables, and what isn't believed of them."""
        doubtful = self._services.tables.doubtful_lines()
        values = {
            "tables": self._services.tables.tables(),
            "doubtful": [(each, DOUBTS.get(each.why, each.why)) for each in doubtful],
            "minutes": CODE_MINUTES,
            "time_of": time_text,
            "here": "",
        }
        return self._pages.page("tables", values)

    def invite(self) -> Response:
        """Show the link by which a table joins: a new one, or one that is known and has lost its own."""
        known, door = request.form.get("table", ""), self._services.inviting
        invitation = door.invite_again(known) if known else door.invite(text_in(request.form, "title"))
        if invitation is None:
            viewer = club_viewer(self._services, request)
            why = self._pages.say(
                viewer,
                phrase("Nothing was invited. A table's name has 1 to {most} letters."),
                most=LONGEST_TITLE,
            )
            return self._pages.page("refused", {"why": why, "back": TABLES}, 409)
        values = {
            "invitation": invitation,
            "picture": picture_of(invitation.link),
            "minutes": CODE_MINUTES,
            "here": "",
        }
        return self._pages.page("invited", values)

    def see_doubtful(self) -> Response:
        """Note that the director has seen the lines."""
        self._services.tables.see_doubtful_lines()
        return redirect_to(TABLES)
