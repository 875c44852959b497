"""Large file uploads: read piece by piece, and only after the form's token has been checked."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from typing import IO

from flask import Request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData
from werkzeug.wsgi import LimitedStream

from referee.contract.words import Phrase
from webui.drawing.words import Texts

CHUNK = 64 * 1024
PARTS = 3
LONGEST_FIELD = 4096
MOST_DRAINED, PATIENCE = 8_000_000, 10.0
"""Bytes of a rejected body that are still read, and for how many seconds."""


class UploadError(Exception):
    """Why a file is not accepted."""

    def __init__(self, text: Phrase) -> None:
        self.text = text
        super().__init__(text.one)


def take(request: Request, into: IO[bytes], may_send: Callable[[str], bool]) -> None:
    """Write the file of a form; nothing is written before the form's token, which comes first, is checked."""
    token, is_known, has_file = bytearray(), False, False
    writing: Callable[[bytes], object] = _drop
    for event in _events(request):
        match event:
            case Field(name="form") if not is_known:
                writing = token.extend
            case File(name="backup", filename=str() as name) if name and not has_file:
                is_known = is_known or may_send(token.decode(errors="replace"))
                if not is_known:
                    raise UploadError(Texts.stale_form)
                has_file, writing = True, into.write
            case Field() | File():
                writing = _drop
            case Data(data=data):
                writing(data)
                if len(token) > LONGEST_FIELD:
                    raise UploadError(Texts.stale_form)
    if not has_file:
        raise UploadError(Texts.no_backup if may_send(token.decode(errors="replace")) else Texts.stale_form)


def _drop(_data: bytes) -> None:
    """Ignore data."""


def _events(request: Request) -> Iterator[object]:
    boundary = request.mimetype_params.get("boundary", "").encode()
    if request.mimetype != "multipart/form-data" or not boundary:
        raise UploadError(Texts.stale_form)
    decoder = MultipartDecoder(boundary, 4 * CHUNK, max_parts=PARTS)
    try:
        while chunk := request.stream.read(CHUNK):
            decoder.receive_data(chunk)
            while not isinstance(event := decoder.next_event(), NeedData | Epilogue):
                yield event
        decoder.receive_data(None)
        if not isinstance(decoder.next_event(), Epilogue):
            raise UploadError(Texts.backup_cut)
    except (ValueError, OSError) as error:
        raise UploadError(Texts.backup_cut) from error


def drain_upload(request: Request) -> None:
    """Read and drop what is still being sent, for a while: only then does a browser show our answer."""
    until, left = monotonic() + PATIENCE, MOST_DRAINED
    with suppress(OSError, HTTPException):
        stream = _rest(request)
        while left > 0 and monotonic() < until and (piece := stream.read(CHUNK)):
            left -= len(piece)


def _rest(request: Request) -> IO[bytes] | LimitedStream:
    """Give the rest of the body, even of one that is too large to accept."""
    try:
        return request.stream
    except RequestEntityTooLarge:
        return LimitedStream(request.environ["wsgi.input"], min(request.content_length or 0, MOST_DRAINED))
