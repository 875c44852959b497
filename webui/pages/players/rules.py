"""Rule book of this table, what a player may do now, and the rules behind the rulings."""

from typing import TYPE_CHECKING

from flask import Response, request

from firmware.services.attempt_limits import AttemptLimit
from firmware.table.hosting import explain_aloud
from referee.house_rules import edition_name
from referee.moment_view import view_of
from referee.rule_sentences import book_view, change_texts, find_rules, is_own_book
from webui.access.viewers import Viewer
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, redirect_to
from webui.server.drawn_pages import Pages
from webui.views.rule_help import explain_rulings, help_for_seat
from webui.views.words import Texts

if TYPE_CHECKING:
    from firmware.services.table import Table

PER_SEAT, IN_TOTAL = 4, 12  # most rules read aloud per minute, per seat and in total
MAX_SEARCH_LETTERS = 80  # most characters of a search


class RulesPage(Page):
    """Pages of the rules."""

    def __init__(self, table: "Table", pages: Pages) -> None:
        super().__init__(table, pages)
        self._attempts = AttemptLimit(each=PER_SEAT, most=IN_TOTAL)

    @get("/rules")
    def show(self) -> str:
        viewer = self._viewer()
        listener, setup = self._listener(viewer), self._table.client.moment().setup
        wanted, book = (
            request.args.get("find", "")[:MAX_SEARCH_LETTERS],
            book_view(listener, setup.game, setup.house),
        )
        values = {
            "title": listener.language.gettext(setup.game.words.title),
            "edition": edition_name(setup.game, setup.house),
            "changes": tuple(change_texts(listener, setup.game, setup.house)),
            "chapters": find_rules(book, wanted),
            "wanted": wanted,
            "has_book": bool(book),
            "is_own": is_own_book(book),
        }
        return self._pages.page("rules", viewer, values)

    @post("/rules/why/aloud", "player")
    def say_aloud(self, viewer: Viewer) -> Response:
        if not self._attempts.may_try(str(viewer.seat)):
            return self.explain(self._rejection(viewer, Texts.busy, 429))
        self._table.client.host(explain_aloud)
        return redirect_to("/rules/why")

    def _turn_away(self) -> Response:
        return self.explain(self._rejection(self._viewer(), Texts.stale_form, 403))

    @get("/rules/why")
    def explain(self, rejection: Rejection | None = None) -> Response:
        viewer, match = self._viewer(), self._table.client.moment()
        explained = explain_rulings(match, self._language(viewer))
        return self._draw("rules_why", viewer, {"moments": explained, "rejection": rejection})

    @get("/seat/rules")
    def help(self) -> str | Response:
        viewer, match = self._viewer(), self._table.client.moment()
        if viewer.seat is None:
            return self.show()
        asked = help_for_seat(view_of(match, self._language(viewer), viewer.seat), viewer.seat)
        return self._pages.page("seat_rules", viewer, {"asked": asked})
