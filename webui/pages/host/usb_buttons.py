"""The page on which the host presses the buttons of USB boxes seat by seat, so that the table knows them."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from firmware.parts.usb_learning import UsbLearning
from firmware.table.table import Table
from webui.access.viewers import Viewer, listener_of, viewer_of
from webui.pages.host.settings import carry_out, restart_page
from webui.pages.players.entering import redirect_to_host
from webui.server.drawn_pages import Pages

HOME = "/host/usb-buttons"


def usb_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the page."""
    blueprint = Blueprint("usb_buttons", __name__)
    page = UsbButtonsPage(table, pages, table.usb)
    blueprint.get(HOME)(page.show)
    blueprint.post(f"{HOME}/learn")(page.learn)
    blueprint.post(f"{HOME}/stop")(page.stop)
    blueprint.post(f"{HOME}/keep")(page.keep)
    blueprint.post(f"{HOME}/forget")(page.forget)
    return blueprint


class UsbButtonsPage:
    """Handles the page of the buttons by USB."""

    def __init__(self, table: Table, pages: Pages, usb: UsbLearning) -> None:
        """Remember the table, the pages and the buttons."""
        self._table, self._pages, self._usb = table, pages, usb

    def show(self) -> Response:
        """Show whose buttons are known."""
        viewer = viewer_of(self._table, request)
        return self._page(viewer) if viewer.is_host else redirect_to_host()

    def learn(self) -> Response:
        """Begin to learn."""
        kind = request.form.get("kind")
        return self._carry_out(lambda: self._usb.learn("second" if kind == "second" else "call"))

    def stop(self) -> Response:
        """Learn nothing."""
        return self._carry_out(self._usb.stop)

    def keep(self) -> Response:
        """Keep what was learned."""
        return self._carry_out(self._usb.keep, self._restart)

    def forget(self) -> Response:
        """Have no buttons by USB."""
        return self._carry_out(self._usb.forget, self._restart)

    def _carry_out(
        self, action: Callable[[], str | None], done: Callable[[Viewer], Response] | None = None
    ) -> Response:
        return carry_out(self._table, self._pages, HOME, action, self._page, done)

    def _restart(self, viewer: Viewer) -> Response:
        return restart_page(self._pages, viewer, HOME, self._usb.restart)

    def _page(self, viewer: Viewer, wrong: str = "", code: int = 200) -> Response:
        names = dict(enumerate(listener_of(self._table, viewer).names))
        values = {"usb": self._usb.status(), "names": names, "note": wrong}
        return Response(self._pages.page("usb_buttons", viewer, values), code)
