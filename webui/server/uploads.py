"""Files that browsers send.

Nothing is read from a browser that may not send one. Size, rate and form are limited, and the sender's right is
checked again after reading, because a slow upload may outlast it.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from tempfile import SpooledTemporaryFile
from threading import Lock
from time import monotonic
from typing import IO

from flask import Request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from firmware.services.attempt_limits import AttemptLimit
from firmware.storage.people.links import is_same
from referee.contract.words import Phrase, phrase
from webui.access.viewers import VISITOR, Viewer
from webui.views.words import Texts

CHUNK = 64 * 1024
PARTS = 3
MAX_PICTURE_BYTES = 20 * 1024 * 1024
FORM_BYTES = 4096  # bytes allowed for the rest of a form
TEMPORARY = partial(SpooledTemporaryFile, 512 * 1024)  # holds so many bytes in memory, more on the disk
MOST_DRAINED, DRAIN_TIMEOUT = 8_000_000, 10.0
"""Bytes of a rejected body that are still read, and seconds for reading them."""
NO_PICTURE = phrase("No picture arrived. Take one first.")
LARGE_PICTURE = phrase("That picture is larger than 20 MB. Take a smaller one.")
DISK_FULL = phrase("The disk is full: free some space, then try again.")


class UploadError(Exception):
    """Reason why a file was refused, and the HTTP status."""

    def __init__(self, text: Phrase, code: int = 400) -> None:
        self.text, self.code = text, code
        super().__init__(text.one)


class Uploads:
    """Receives the files of a form, one at a time from each browser."""

    def __init__(
        self,
        field: str,
        limit: AttemptLimit,
        most: int = MAX_PICTURE_BYTES,
        missing: Phrase = NO_PICTURE,
        too_large: Phrase = LARGE_PICTURE,
    ) -> None:
        """Accept `most` bytes in a field, a picture's by default; `limit` counts the files of each seat."""
        self._field, self._limit, self._most = field, limit, most
        self._missing, self._too_large = missing, too_large
        self._lock, self._senders = Lock(), set[str]()

    @contextmanager
    def receive(
        self,
        request: Request,
        viewer: Viewer,
        has_right: Callable[[], bool],
        room: Callable[[], AbstractContextManager[IO[bytes]]] = TEMPORARY,
    ) -> Iterator[IO[bytes]]:
        """Yield a form's file, written into `room`; raises UploadError."""
        if not request.cookies.get(VISITOR) or not has_right():
            raise UploadError(Texts.stale_form, 403)
        try:
            with self._turn(viewer):
                if (request.content_length or 0) > self._most + FORM_BYTES:
                    raise UploadError(self._too_large, 413)
                with room() as file:
                    self._read(request, viewer, file)
                    if not has_right():
                        raise UploadError(Texts.stale_form, 403)
                    yield file
        except OSError as error:
            raise UploadError(DISK_FULL, 507) from error
        finally:
            drain_upload(request)

    @contextmanager
    def _turn(self, viewer: Viewer) -> Iterator[None]:
        with self._lock:
            if viewer.form in self._senders:
                raise UploadError(Texts.busy, 429)
            self._senders.add(viewer.form)
        try:
            if not self._limit.may_try(str(viewer.seat)):
                raise UploadError(Texts.busy, 429)
            yield
        finally:
            self._senders.discard(viewer.form)

    def _read(self, request: Request, viewer: Viewer, into: IO[bytes]) -> None:
        """Write the file of a form; it isn't the sender's before the form's token has been checked."""
        if request.mimetype != "multipart/form-data" or not request.mimetype_params.get("boundary"):
            raise UploadError(Texts.stale_form, 403)
        request.max_content_length = self._most + FORM_BYTES
        parser = FormDataParser(lambda *_part, **_named: into, 4 * CHUNK, silent=False, max_form_parts=PARTS)
        head = request.mimetype, request.content_length, request.mimetype_params
        try:
            _stream, form, files = parser.parse(request.stream, *head)
        except (ValueError, HTTPException) as error:
            raise UploadError(Texts.file_cut) from error
        if not is_same(viewer.form, form.get("form", "")):
            raise UploadError(Texts.stale_form, 403)
        # a second file would have overwritten the first one
        if [(name, bool(file.filename)) for name, file in files.items(multi=True)] != [(self._field, True)]:
            raise UploadError(self._missing)


def receive_body(request: Request, kind: str, most: int, *, has_right: bool) -> bytes:
    """Read a body that a script sends; raises UploadError. Using it needs another check of the right."""
    if not has_right:
        raise UploadError(Texts.stale_form, 403)
    # other sites can't send this type without asking first
    if request.mimetype != kind:
        raise UploadError(Texts.not_understood, 415)
    request.max_content_length = most
    try:
        return request.get_data(cache=False)
    except RequestEntityTooLarge as error:
        raise UploadError(LARGE_PICTURE, 413) from error


def drain_upload(request: Request) -> None:
    """Discard the rest of a body for a while, because browsers show the answer only after sending it."""
    until, left = monotonic() + DRAIN_TIMEOUT, MOST_DRAINED
    request.max_content_length = request.content_length
    with suppress(OSError, HTTPException):
        while left > 0 and monotonic() < until and (piece := request.stream.read(CHUNK)):
            left -= len(piece)
