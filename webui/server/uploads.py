"""Large uploads, written in pieces; don't use the file before the form's token has been checked."""

from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import IO

from flask import Request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.formparser import FormDataParser
from werkzeug.wsgi import LimitedStream

from referee.contract.words import Phrase, phrase
from webui.views.words import Texts

CHUNK = 64 * 1024
PARTS = 3
MOST_DRAINED, DRAIN_TIMEOUT = 8_000_000, 10.0
"""Bytes of a rejected body that are still read, and seconds for reading them."""


class UploadError(Exception):
    """Reason why a file was rejected."""

    def __init__(self, text: Phrase) -> None:
        self.text = text
        super().__init__(text.one)


def take(request: Request, into: IO[bytes], may_send: Callable[[str], bool]) -> None:
    """Write the file of a form. If this raises, the file is incomplete or not from the host."""
    if request.mimetype != "multipart/form-data" or not request.mimetype_params.get("boundary"):
        raise UploadError(Texts.stale_form)
    parser = FormDataParser(lambda *_part, **_named: into, 4 * CHUNK, silent=False, max_form_parts=PARTS)
    head = request.mimetype, request.content_length, request.mimetype_params
    try:
        _stream, form, files = parser.parse(request.stream, *head)
    except ValueError as error:
        raise UploadError(Texts.backup_cut) from error
    if not may_send(form.get("form", "")):
        raise UploadError(Texts.stale_form)
    # a second file would have overwritten the first one
    if [(name, bool(file.filename)) for name, file in files.items(multi=True)] != [("backup", True)]:
        raise UploadError(Texts.no_backup)


MAX_PICTURE_BYTES, MAX_FIELD_BYTES = 20 * 1024 * 1024, 256 * 1024
"""Most bytes of an uploaded picture, and most bytes of a form's fields held in memory."""


def uploaded_picture(
    request: Request, field: str, may_send: Callable[[], bool]
) -> IO[bytes] | tuple[Phrase, int]:
    """Return the picture of a form, or the reason and HTTP status if there is none."""
    request.max_content_length, request.max_form_memory_size = MAX_PICTURE_BYTES, MAX_FIELD_BYTES
    try:
        file = request.files.get(field)
    except RequestEntityTooLarge:
        return phrase("That picture is larger than 20 MB. Take a smaller one."), 413
    if not may_send():
        return Texts.stale_form, 403
    if file is None or not file.filename:
        return phrase("No picture arrived. Take one first."), 400
    return file.stream


def drain_upload(request: Request) -> None:
    """Discard the rest of a body for a while, because browsers show the answer only after sending it."""
    until, left = monotonic() + DRAIN_TIMEOUT, MOST_DRAINED
    with suppress(OSError, HTTPException):
        stream = _rest(request)
        while left > 0 and monotonic() < until and (piece := stream.read(CHUNK)):
            left -= len(piece)


def _rest(request: Request) -> IO[bytes] | LimitedStream:
    """Return the rest of the body, even if it is too large to accept."""
    try:
        return request.stream
    except RequestEntityTooLarge:
        return LimitedStream(request.environ["wsgi.input"], min(request.content_length or 0, MOST_DRAINED))
