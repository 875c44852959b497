"""The live picture: the open middle of the table as it is now, on a page and as a picture that renews itself.

Who sees the table late is given none: half an hour of pictures would be a recording, which wasn't switched on.
"""

from base64 import b64decode
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from time import monotonic

from flask import Blueprint, Request, Response, request

from firmware.parts.live_pictures import LivePictures, TakenPicture
from firmware.table.table import Table
from webui.access.viewers import find_known_device, onlooker, viewer_language, viewer_of
from webui.drawing.words import Texts, page_text
from webui.pages.players.overlay import read_delay
from webui.server.connection_limits import ConnectionLimit, Places
from webui.server.drawn_pages import Pages
from webui.server.spectators import sees_late

WATCHERS, EACH = 8, 4
"""Strangers that may watch at once, in total and per network."""
KNOWN, EACH_KNOWN = 8, 2
"""Devices that the table knows, in total and each."""
LATEST = 60.0
"""Seconds for which pictures are held back at most, so that they go with a stream's own."""
BEAT, LOOK = 4.0, 0.5
"""Seconds until a picture is sent again, so that a browser that is gone is noticed; between two looks."""
MARK = "picture"
NOTHING = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
"""A picture in which nothing is to be seen, where nothing may be."""


def live_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the pages of the live picture."""
    blueprint, live = Blueprint("live_picture", __name__), table.live
    places = Places(ConnectionLimit(WATCHERS, EACH), ConnectionLimit(KNOWN, EACH_KNOWN))

    @blueprint.get("/live")
    def page() -> Response:
        viewer = viewer_of(table, request)
        values = {"is_on": live.is_on(), "is_late": bool(table.door.lateness())}
        return Response(pages.page("live_picture", viewer, values))

    @blueprint.get("/live.jpg")
    def picture() -> Response:
        newest = live.newest() if may_see(table, Request(request.environ)) else None
        return Response(status=404) if newest is None else Response(newest.jpeg, mimetype="image/jpeg")

    @blueprint.get("/live.mjpg")
    def pictures() -> Response:
        # the stream outlives Flask's request
        asked = Request(request.environ)
        if not may_see(table, asked):
            return Response(status=404)
        place = places.take_stream(find_known_device(table, asked.cookies), asked.environ)
        if place is None:
            full = page_text(viewer_language(table, onlooker(table, asked)), Texts.too_many_watching)
            return Response(full, 429, {"Retry-After": "10"})
        ends = ExitStack()
        ends.callback(place.leave)
        sent = pieces_of(live, min(read_delay(asked.args), LATEST), lambda: may_see(table, asked))
        response = Response(sent, mimetype=f"multipart/x-mixed-replace; boundary={MARK}")
        response.call_on_close(ends.close)
        return response

    return blueprint


def may_see(table: Table, asked: Request) -> bool:
    """Tell whether who asks may see the table as it is now."""
    return table.live.is_on() and not table.door.lateness() and not sees_late(table, asked)


def pieces_of(
    live: LivePictures, delay: float, may_go_on: Callable[[], bool], clock: Callable[[], float] = monotonic
) -> Iterator[bytes]:
    """Give the pieces of a picture that renews itself, until who watches may see it no more."""
    yield f"--{MARK}\r\n".encode()
    held = deque[tuple[float, bytes]]()
    number, sent, since = -1, b"", float("-inf")
    while may_go_on():
        taken = live.after(number, LOOK)
        number = number if taken is None else taken.number
        held.extend(_news(live, taken, held, sent, clock()))
        due = sent
        while held and held[0][0] <= clock() - delay:
            due = held.popleft()[1]
        if due != sent or clock() - since >= BEAT:
            sent, since = due, clock()
            yield _piece(sent or NOTHING, "image/jpeg" if sent else "image/png")
    yield _piece(NOTHING, "image/png")


def _news(
    live: LivePictures, taken: TakenPicture | None, held: deque[tuple[float, bytes]], sent: bytes, now: float
) -> Iterator[tuple[float, bytes]]:
    """Give the picture that has come, or an empty one once nothing may be shown any more."""
    last = held[-1][1] if held else sent
    if taken is not None:
        yield now, taken.jpeg
    elif last and live.newest() is None:
        yield now, b""


def _piece(picture: bytes, kind: str) -> bytes:
    """Encode a picture; the mark behind it lets browsers show it at once."""
    head = f"Content-Type: {kind}\r\nContent-Length: {len(picture)}\r\n\r\n".encode()
    return head + picture + f"\r\n--{MARK}\r\n".encode()
