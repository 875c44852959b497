"""Backups for the host: download one, or restore one."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from math import ceil

from flask import Blueprint, Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from firmware.language.troubles import problem_text
from firmware.storage.people.links import is_same
from firmware.table.table import Table
from referee.contract.words import phrase
from referee.telling import Language
from webui.access.viewers import VISITOR, Viewer, viewer_language, viewer_of
from webui.drawing.words import Texts, page_text
from webui.pages.host.settings import restart_page, turn_away_form
from webui.pages.players.entering import redirect_to_host
from webui.server.drawn_pages import Pages
from webui.server.uploads import UploadError, drain_upload, take

HOME = "/host/backup"
LARGEST = 200_000_000
"""Largest backup in bytes that can be uploaded."""
MEGABYTE = 1_000_000
FORM = 100_000
"""Bytes that the form around it may add."""


def backup_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the backup page."""
    blueprint, page = Blueprint("backups", __name__), BackupPage(table, pages)
    blueprint.get(HOME)(page.show)
    blueprint.get(f"{HOME}/file")(page.download)
    blueprint.post(HOME)(page.restore)
    return blueprint


class BackupPage:
    """Handles the backup page."""

    def __init__(self, table: Table, pages: Pages) -> None:
        """Remember the table and the pages."""
        self._table, self._pages, self._backups = table, pages, table.backups

    def show(self) -> Response:
        """Show what a backup holds and what it doesn't."""
        viewer = viewer_of(self._table, request)
        return self.page(viewer) if viewer.is_host else redirect_to_host()

    def download(self) -> Response:
        """Send a backup, piece by piece."""
        viewer = viewer_of(self._table, request)
        if not viewer.is_host:
            return redirect_to_host()
        pieces = self._backups.backup()
        try:
            # errors show before the first piece
            first = next(pieces, b"")
        except OSError as error:
            return self.page(viewer, str(error), 409)
        response = Response(chain([first], pieces), mimetype="application/zip")
        # a phone that hangs up leaves nothing half done
        response.call_on_close(pieces.close)
        name = f"coyote-table-{datetime.now().astimezone():%Y-%m-%d-%H%M}.zip"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    def restore(self) -> Response:
        """Receive and check a backup; if it is valid, restart the table with it."""
        viewer = viewer_of(self._table, request)
        # check the cookie before the first byte is read
        if not viewer.is_host or not request.cookies.get(VISITOR):
            return turn_away_form(self._table, self._pages, HOME)
        request.max_content_length = LARGEST + FORM
        try:
            notes = self._stage_upload(viewer)
        except (UploadError, HTTPException, OSError) as error:
            drain_upload(request)
            return self._reject(viewer, error)
        notes = (page_text(viewer_language(self._table, viewer), Texts.backup_checked), *notes)
        return restart_page(self._pages, viewer, HOME, self._table.door.restart, notes)

    def _stage_upload(self, viewer: Viewer) -> Sequence[str]:
        """Store the upload where there is room, and have it checked."""
        with self._backups.room(request.content_length or 0) as file:
            take(request, file, lambda token: is_same(viewer.form, token))
            return self._backups.stage(file)

    def _reject(self, viewer: Viewer, error: Exception) -> Response:
        """Say why an upload is not accepted."""
        language = viewer_language(self._table, viewer)
        match error:
            case UploadError(text=Texts.stale_form):
                return turn_away_form(self._table, self._pages, HOME)
            case UploadError(text=text):
                return self.page(viewer, page_text(language, text), 400)
            case RequestEntityTooLarge():
                return self.page(
                    viewer,
                    page_text(
                        language,
                        phrase("That file is larger than {size}. The manual tells how the table reads it."),
                        size=size_text(language, LARGEST),
                    ),
                    413,
                )
            case HTTPException():
                return self.page(viewer, page_text(language, Texts.backup_cut), 400)
        return self.page(viewer, str(error), 400)

    def page(self, viewer: Viewer, wrong: str = "", code: int = 200) -> Response:
        """Draw the page, with what is wrong."""
        language = viewer_language(self._table, viewer)
        values = {
            "wrong": wrong,
            "holding": self._backups.holding(),
            "largest": LARGEST,
            "size": partial(size_text, language),
            "places": self._table.copies.places(),
            "trouble_text": lambda trouble: problem_text(trouble, language),
        }
        return Response(self._pages.page("backup", viewer, values), code)


def size_text(language: Language, size: int) -> str:
    """Format a size in kB or MB."""
    if size < MEGABYTE:
        return page_text(language, phrase("{number} kB"), number=ceil(size / 1000))
    return page_text(language, phrase("{number} MB"), number=ceil(size / MEGABYTE))
