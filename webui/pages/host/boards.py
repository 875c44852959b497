"""The pages on which the host says which board is wired, presses its buttons, and sees its lamps one by one."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from firmware.parts.table_board import TableBoard
from firmware.table.table import Table
from webui.access.viewers import Viewer, host_sending, viewer_of
from webui.pages.host.settings import carry_out, restart_page, turn_away_form
from webui.pages.players.entering import redirect_to, redirect_to_host
from webui.server.drawn_pages import Pages

HOME = "/host/board"
LAMPS = f"{HOME}/lamps"
LONGEST = 60
"""Most characters of a board's name."""
ANSWERS = {"seen": True, "without": False}
"""What the host may say of a lamp for good; one that isn't seen is looked after first."""


def board_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the page, if this table has pins."""
    blueprint = Blueprint("boards", __name__)
    if table.board.is_there:
        page = BoardPage(table, pages, table.board)
        blueprint.get(HOME)(page.show)
        blueprint.post(HOME)(page.choose)
        blueprint.post(f"{HOME}/confirm")(page.confirm)
        blueprint.post(f"{HOME}/without")(page.go_without)
        blueprint.get(LAMPS)(page.show)
        blueprint.post(LAMPS)(page.try_lamps)
    return blueprint


class BoardPage:
    """Handles the page of the board."""

    def __init__(self, table: Table, pages: Pages, board: TableBoard) -> None:
        """Remember the table, the pages and the board."""
        self._table, self._pages, self._board = table, pages, board

    def show(self) -> Response:
        """Show which board is wired, and what was pressed."""
        viewer = viewer_of(self._table, request)
        return self._page(viewer) if viewer.is_host else redirect_to_host()

    def choose(self) -> Response:
        """Name the board that is wired."""
        name = request.form.get("profile", "")[:LONGEST]
        return self._carry_out(lambda: self._board.choose(name))

    def confirm(self) -> Response:
        """Let it be driven."""
        return self._carry_out(self._board.confirm)

    def go_without(self) -> Response:
        """Let it be driven, and give up the buttons that weren't heard."""
        return self._carry_out(lambda: self._board.confirm(without=True))

    def try_lamps(self) -> Response:
        """Light one lamp, or hear whether it was seen and light the next one."""
        viewer, lamps = host_sending(self._table, request), self._board.lamps
        if viewer is None:
            return turn_away_form(self._table, self._pages, HOME)
        place = _place()
        if lamps is None or place >= lamps.count():
            return redirect_to(HOME)
        said = request.form.get("said", "")
        if said in ANSWERS:
            why = lamps.note(place, is_seen=ANSWERS[said])
            if why is not None:
                return self._page(viewer, why, 409)
            place += 1
        asked = lamps.show(place)
        if asked is None:
            return redirect_to(HOME)
        drawn = self._pages.page("lamps", viewer, {"asked": asked, "is_unseen": said == "unseen"})
        return Response(drawn)

    def _carry_out(self, action: Callable[[], str | None]) -> Response:
        return carry_out(self._table, self._pages, HOME, action, self._page, self._lead_on)

    def _lead_on(self, viewer: Viewer) -> Response:
        if not self._board.must_restart():
            return redirect_to(HOME)
        return restart_page(self._pages, viewer, HOME, self._board.restart)

    def _page(self, viewer: Viewer, wrong: str = "", code: int = 200) -> Response:
        values = {"board": self._board.status(), "lamps": self._board.lamps, "note": wrong}
        return Response(self._pages.page("wired", viewer, values), code)


def _place() -> int:
    """Read which lamp is meant; the first one where it can't be read."""
    text = request.form.get("lamp", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0
