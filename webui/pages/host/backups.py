"""Download or restore a backup, on the host's page."""

from datetime import datetime
from functools import partial
from itertools import chain
from math import ceil
from typing import Protocol

from flask import Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from firmware.language.speaking import Sentence, problem_text, reason_of
from firmware.storage.people.links import is_same
from referee.contract.words import phrase
from referee.sentences import Language
from vision.troubles import TroubleError
from webui.access.viewers import VISITOR, Viewer
from webui.needs import HasBackups, ViewerNeeds
from webui.pages.page import Page, get, post
from webui.server.serving import GONE
from webui.server.uploads import UploadError, drain_upload, take
from webui.views.words import Texts, page_text

LARGEST = 200_000_000  # largest upload of a backup, in bytes
MEGABYTE = 1_000_000
FORM = 100_000  # bytes allowed for the rest of the form


class BackupNeeds(ViewerNeeds, HasBackups, Protocol):
    """Parts of the table used by the backup page."""


class BackupPage(Page[BackupNeeds]):
    """Page for backups."""

    home = "/host/backup"

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
        viewer = self._viewer()
        # check the cookie before reading the first byte
        if not viewer.is_host or not request.cookies.get(VISITOR):
            return self._turn_away()
        request.max_content_length = LARGEST + FORM
        try:
            # use a folder with enough free space
            with self._table.backups.room(request.content_length or 0) as file:
                take(request, file, lambda token: is_same(viewer.form, token))
                notes = self._table.backups.stage(file, request.environ.get(GONE, lambda: False))
        except (UploadError, HTTPException, OSError, TroubleError) as error:
            drain_upload(request)
            return self._reject(viewer, error)
        return self._restart(viewer, (self._say(viewer, Texts.backup_checked), *notes))

    def _reject(self, viewer: Viewer, error: Exception) -> Response:
        match error:
            case UploadError(text=Texts.stale_form):
                return self._turn_away()
            case UploadError(text=text):
                return self.page(viewer, self._say(viewer, text), 400)
            case RequestEntityTooLarge():
                why = phrase("That file is larger than {size}. The manual explains how to restore it.")
                size = size_text(self._language(viewer), LARGEST)
                return self.page(viewer, self._say(viewer, why, size=size), 413)
            case HTTPException():
                return self.page(viewer, self._say(viewer, Texts.backup_cut), 400)
        return self.page(viewer, reason_of(error), 400)

    @post("/host/copy/restore", "host")
    def restore_copy(self, viewer: Viewer) -> Response:
        whose, name = (request.form.get(field, "") for field in ("table", "name"))
        try:
            notes = self._table.copies.restore(whose, name)
        except OSError as error:
            return self.page(viewer, reason_of(error), 409)
        return self._restart(viewer, (self._say(viewer, Texts.backup_checked), *notes))

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
