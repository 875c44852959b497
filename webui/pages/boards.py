"""The page on which the host says which board is wired, presses its buttons, and lets it be driven."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from webui.access.viewers import Viewer, host_sending, viewer_of
from webui.doors.boards import BoardDoor
from webui.doors.companion import Services
from webui.pages.entering import redirect_to, redirect_to_host
from webui.pages.settings import restart_page, turn_away_form
from webui.server.drawn_pages import Pages

HOME = "/host/board"
LONGEST = 60
"""Most characters of a board's name."""


def board_blueprint(services: Services, pages: Pages) -> Blueprint:
    """Create the page, if this table has pins."""
    blueprint = Blueprint("boards", __name__)
    if services.board is not None:
        page = BoardPage(services, pages, services.board)
        blueprint.get(HOME)(page.show)
        blueprint.post(HOME)(page.choose)
        blueprint.post(f"{HOME}/confirm")(page.confirm)
    return blueprint


class BoardPage:
    """Handles the page of the board."""

    def __init__(self, services: Services, pages: Pages, board: BoardDoor) -> None:
        """Remember the services, the pages and the board."""
        self._services, self._pages, self._board = services, pages, board

    def show(self) -> Response:
        """Show which board is wired, and what was pressed."""
        viewer = viewer_of(self._services, request)
        return self._page(viewer) if viewer.is_host else redirect_to_host()

    def choose(self) -> Response:
        """Name the board that is wired."""
        name = request.form.get("profile", "")[:LONGEST]
        return self._carry_out(lambda: self._board.choose(name))

    def confirm(self) -> Response:
        """Let it be driven."""
        return self._carry_out(self._board.confirm)

    def _carry_out(self, action: Callable[[], str | None]) -> Response:
        viewer = host_sending(self._services, request)
        if viewer is None:
            return turn_away_form(self._services, self._pages, HOME)
        why = action()
        if why is not None:
            return self._page(viewer, why, 409)
        if not self._board.must_restart():
            return redirect_to(HOME)
        drawn = self._pages.page("starts", viewer, {"home": HOME, "notes": ()})
        return restart_page(drawn, HOME, self._board.restart)

    def _page(self, viewer: Viewer, wrong: str = "", code: int = 200) -> Response:
        return Response(self._pages.page("wired", viewer, {"board": self._board.status(), "note": wrong}), code)
