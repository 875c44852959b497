"""Second copies for the host: on which stick, and which one to restore; the backup page shows them."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from firmware.table.table import Table
from webui.access.viewers import Viewer, host_sending, viewer_language
from webui.drawing.words import Texts, page_text
from webui.pages.host.backups import HOME, BackupPage
from webui.pages.host.settings import restart_page, turn_away_form
from webui.pages.players.entering import redirect_to
from webui.server.drawn_pages import Pages


def copies_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the forms for second copies."""
    blueprint, page = Blueprint("copies", __name__), CopyForms(table, pages)
    blueprint.post("/host/copy/use")(page.use)
    blueprint.post("/host/copy/restore")(page.restore)
    return blueprint


class CopyForms:
    """Handles what the host does with second copies."""

    def __init__(self, table: Table, pages: Pages) -> None:
        """Remember the table, the pages, and the page that shows the copies."""
        self._table, self._pages, self._copies = table, pages, table.copies
        self._home = BackupPage(table, pages)

    def use(self) -> Response:
        """Keep copies on a stick from now on."""
        return self._do(self._use)

    def restore(self) -> Response:
        """Restart the table with a copy in the place of all that is here."""
        return self._do(self._restore)

    def _do(self, act: Callable[[Viewer], Response]) -> Response:
        viewer = host_sending(self._table, request)
        if viewer is None:
            return turn_away_form(self._table, self._pages, HOME)
        try:
            return act(viewer)
        except OSError as error:
            return self._home.page(viewer, str(error), 409)

    def _use(self, _viewer: Viewer) -> Response:
        self._copies.use(request.form.get("place", ""))
        return redirect_to(HOME)

    def _restore(self, viewer: Viewer) -> Response:
        place, whose, name = (request.form.get(field, "") for field in ("place", "table", "name"))
        notes = self._copies.restore(place, whose, name)
        told = (page_text(viewer_language(self._table, viewer), Texts.backup_checked), *notes)
        return restart_page(self._pages, viewer, HOME, self._table.door.restart, told)
