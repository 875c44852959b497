"""Files, game colours and symbols, and cards for the pages; browsers cache them permanently."""

from functools import lru_cache
from gzip import compress

from flask import Blueprint, Response, abort, request

from referee.games.catalogue import GAMES
from webui.server.templates import StaticFiles
from webui.views.looks import LookBook

FOR_GOOD = "public, max-age=31536000, immutable"
COMPRESSED = 256
SMALL = 200  # bytes below which compression isn't worth it
CSS, SVG = "text/css; charset=utf-8", "image/svg+xml"
PACKED = ("font/woff2", "image/webp", "image/png", "audio/")
"""Content types that are already compressed."""


def looks_blueprint(book: LookBook, files: StaticFiles) -> Blueprint:
    blueprint = Blueprint("looks", __name__)

    @blueprint.get("/file/<version>/<path:name>")
    def file(version: str, name: str) -> Response:
        content = files.content(name)
        if content is None:
            abort(404)
        return _send(content, files.kind(name), version == files.version)

    @blueprint.get("/look/<version>/games.css")
    def sheet(version: str) -> Response:
        return _send(book.sheet().encode(), CSS, f"/look/{version}/games.css" == book.sheet_address())

    @blueprint.get("/look/<version>/<game>.svg")
    def sprite(version: str, game: str) -> Response:
        if game not in GAMES:
            abort(404)
        is_now = f"/look/{version}/{game}.svg" == book.sprite_address(game)
        return _send(book.sprite(game).encode(), SVG, is_now)

    @blueprint.get("/cards/<version>/<deck>/<size>/<face>.svg")
    def card(version: str, deck: str, size: str, face: str) -> Response:
        drawn = book.looks.card(deck, "" if face == "back" else face, is_small=size == "small")
        if drawn is None or size not in {"small", "full"}:
            abort(404)
        return _send(drawn.encode(), SVG, version == book.looks.edition(deck))

    return blueprint


def _send(content: bytes, kind: str, is_now: bool) -> Response:
    """Send content; at its current versioned address, a browser may cache it permanently."""
    keeping = FOR_GOOD if is_now else "no-cache"
    headers = {"Cache-Control": keeping, "Vary": "Accept-Encoding"}
    if len(content) < SMALL or kind.startswith(PACKED) or not request.accept_encodings.quality("gzip"):
        return Response(content, 200, headers, content_type=kind)
    # the content holds no secrets, so its compressed length can't leak any
    return Response(_compressed(content), 200, {**headers, "Content-Encoding": "gzip"}, content_type=kind)


@lru_cache(COMPRESSED)
def _compressed(content: bytes) -> bytes:
    return compress(content, 9, mtime=0)
