"""The rule book of this table, for all to read; what one may do now; and by which rules was ruled."""

from flask import Blueprint, Response, request

from referee.house_rules import EDITION
from referee.telling_rules import find_rules, tell_book, tell_changes
from webui.access.viewers import listener_of, viewer_of
from webui.doors.companion import Services
from webui.drawing.rule_help import explain_rulings, help_for_seat
from webui.server.drawn_pages import Pages

LONGEST = 80
"""Letters that are looked for at most."""


def rules_blueprint(services: Services, pages: Pages) -> Blueprint:
    """Create the pages of the rules."""
    blueprint, page = Blueprint("rules", __name__), RulesPage(services, pages)
    blueprint.get("/rules")(page.show)
    blueprint.get("/rules/why")(page.explain)
    blueprint.get("/seat/rules")(page.help)
    return blueprint


class RulesPage:
    """Handles the pages of the rules."""

    def __init__(self, services: Services, pages: Pages) -> None:
        """Remember the services and the pages."""
        self._services, self._pages = services, pages

    def show(self) -> str:
        """Show the rules that are played here, or those that have some words."""
        viewer = viewer_of(self._services, request)
        listener, setup = listener_of(self._services, viewer), self._services.door.moment().setup
        wanted = request.args.get("find", "")[:LONGEST]
        values = {
            "title": listener.language.gettext(setup.game.words.title.one),
            "edition": setup.game.words.editions.get(getattr(setup.house, EDITION, ""), ""),
            "changes": tuple(tell_changes(listener, setup.game, setup.house)),
            "chapters": find_rules(tell_book(listener, setup.game, setup.house), wanted),
            "wanted": wanted,
            "has_book": bool(setup.game.book),
        }
        return self._pages.page("rules", viewer, values)

    def explain(self) -> str:
        """Say by which rules the newest rulings were made."""
        viewer, match = viewer_of(self._services, request), self._services.door.moment()
        explained = explain_rulings(match, listener_of(self._services, viewer))
        return self._pages.page("rules_why", viewer, {"moments": explained})

    def help(self) -> str | Response:
        """Say what the viewer's seat may do now; who has no seat reads the rules."""
        viewer, match = viewer_of(self._services, request), self._services.door.moment()
        if viewer.seat is None:
            return self.show()
        asked = help_for_seat(match, viewer.seat, listener_of(self._services, viewer))
        return self._pages.page("seat_rules", viewer, {"asked": asked})
