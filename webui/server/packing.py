"""Public pages and event streams as gzip; a piece of a stream is packed once, for all phones that get the same.

Each piece is packed by itself and ends at a whole byte, so that pieces can follow each other in any stream.
"""

import zlib
from functools import lru_cache
from gzip import compress

from flask import Request, Response

from firmware.table.door import News
from webui.server.broadcast import PhoneStream
from webui.server.serving import SHARED

HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""How a gzip stream begins; it never ends, as events don't."""
LEVEL = 6
RAW = -15
"""Deflate alone, without a head of its own."""


def takes_packed(asked: Request) -> bool:
    """Return whether a browser unpacks what it gets."""
    return bool(asked.accept_encodings.quality("gzip"))


def pack_page(response: Response, asked: Request) -> Response:
    """Make a page small; only one that repeats nothing that was sent, so that its length gives nothing away."""
    response.headers.add("Vary", "Accept-Encoding")
    if takes_packed(asked):
        response.set_data(compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def pack_piece(piece: bytes) -> bytes:
    """Pack a piece that can be unpacked without the ones before it."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)


_pack_shared = lru_cache(SHARED)(pack_piece)


class PackedStream:
    """The events of a phone whose browser unpacks them."""

    def __init__(self, stream: PhoneStream) -> None:
        self._stream = stream
        self.is_over = False

    def hear(self, news: News | None) -> list[bytes]:
        """Encode a piece of news, and pack it."""
        pieces = [_pack_shared(piece) for piece in self._stream.hear(news)]
        self.is_over = self._stream.is_over
        return pieces
