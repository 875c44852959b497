"""Download or restore a backup, on the host's page."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING

from flask import Response, request

from firmware.language.speaking import Sentence, problem_sentence, problem_text, reason_of
from firmware.services.attempt_limits import AttemptLimit
from referee.contract.words import phrase
from referee.sentences import Language
from vision.troubles import Problem, TroubleError
from webui.access.viewers import Viewer
from webui.pages.page import Page, get, post
from webui.server.drawn_pages import Pages
from webui.server.serving import GONE
from webui.server.uploads import UploadError, Uploads
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

LARGEST = 200_000_000  # largest upload of a backup, in bytes
CAMERA_PAGE = "/host/settings/camera"
MEGABYTE = 1_000_000


class BackupPage(Page):
    """Page for backups."""

    home = "/host/backup"

    def __init__(self, table: "Table", pages: Pages) -> None:
        super().__init__(table, pages)
        missing = phrase("No file arrived. Choose a backup first.")
        too_large = phrase("That file is larger than 200 MB. The manual explains how to restore it.")
        self._uploads = Uploads("backup", AttemptLimit(), LARGEST, missing, too_large)

    @get(f"{home}/file", "host")
    def download(self, viewer: Viewer) -> Response:
        pieces = self._table.backups.backup()
        try:
            # read the first piece now, so that errors appear before the response starts
            first = next(pieces, b"")
        except (OSError, TroubleError) as error:
            return self.page(viewer, reason_of(error), 409)
        response = Response(chain([first], pieces), mimetype="application/zip")
        # close the backup if the phone disconnects
        response.call_on_close(pieces.close)
        name = f"coyote-table-{datetime.now().astimezone():%Y-%m-%d-%H%M}.zip"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    @post(home)
    def restore(self) -> Response:
        # a file in a folder with enough free space
        viewer, room = self._viewer(), partial(self._table.backups.room, request.content_length or 0)
        try:
            with self._uploads.receive(request, viewer, lambda: self._viewer().is_host, room) as file:
                notes = self._table.backups.stage(file, request.environ.get(GONE, lambda: False))
        except UploadError as error:
            if error.code == 403:
                return self._turn_away()
            return self.page(viewer, self._say(viewer, error.text), error.code)
        except (OSError, TroubleError) as error:
            return self.page(viewer, reason_of(error), 400)
        return self._restore_now(viewer, notes)

    @post("/host/copy/restore", "host")
    def restore_copy(self, viewer: Viewer) -> Response:
        whose, name = (request.form.get(field, "") for field in ("table", "name"))
        try:
            notes = self._table.copies.restore(whose, name)
        except (OSError, TroubleError) as error:
            return self.page(viewer, reason_of(error), 409)
        return self._restore_now(viewer, notes)

    def _restore_now(self, viewer: Viewer, notes: Sequence[Sentence]) -> Response:
        home = CAMERA_PAGE if problem_sentence(Problem("camera left out")) in notes else self.home
        return self._restart(viewer, (self._say(viewer, Texts.backup_checked), *notes), home)

    @get(home, "host")
    def page(self, viewer: Viewer, wrong: str | Sentence = "", code: int = 200) -> Response:
        language, folder = self._language(viewer), self._table.copies.folder()
        values = {
            "wrong": wrong,
            "holding": self._table.backups.holding(),
            "largest": LARGEST,
            "size": partial(size_text, language),
            "folder": folder,
            "trouble": problem_text(folder.trouble, language) if folder and folder.trouble else "",
        }
        return self._draw("backup", viewer, values, code)


def size_text(language: Language, size: int) -> str:
    if size < MEGABYTE:
        return page_text(language, phrase("{number} kB"), number=ceil(size / 1000))
    return page_text(language, phrase("{number} MB"), number=ceil(size / MEGABYTE))
