"""The overlay: what a stream or a television shows above its picture, open to all; its address sizes it."""

from base64 import b64decode
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from time import monotonic

from flask import Request, Response, request
from msgspec import Struct

from firmware.parts.live_pictures import LivePictures
from firmware.parts.table import Table
from webui.access.late_table import sees_late
from webui.access.viewers import find_known_device, onlooker
from webui.pages.page import Page, get
from webui.server.connection_limits import ConnectionLimit, Places
from webui.server.drawn_pages import Pages
from webui.server.events import too_many_watching

PARTS = ("score", "line", "card", "call")  # what an overlay has, as `?parts=` names it
PICTURE = "picture"
"""The part that is there only where it is named: the live picture, if there is one."""
SCALES = (50, 60, 75, 90, 100, 110, 125, 150, 175, 200)
"""Sizes in hundredths; of any other number, the nearest of these."""
LONGEST_DELAY = 600.0
"""Seconds for which an overlay may hold moments back, so that it goes with the stream's picture."""


class OverlayChoice(Struct, frozen=True):
    """How an overlay is to look."""

    parts: tuple[str, ...]
    scale: int
    delay: float


class OverlayPage(Page):
    """Handles the overlay."""

    @get("/overlay")
    def overlay(self) -> Response:
        viewer, choice = onlooker(self._table, request), read_choice(request.args)
        is_shown = PICTURE in choice.parts and self._table.live.is_on() and not self._table.door.lateness()
        values = {
            "part": self._pages.part("overlay", self._table.door.moment(), viewer),
            "choice": choice,
            "picture": f"/live.mjpg?delay={choice.delay:g}" if is_shown else "",
            "stream": f"/events/overlay?lang={viewer.language}",
        }
        return self._draw("overlay", viewer, values)


def read_choice(asked: Mapping[str, str]) -> OverlayChoice:
    """Read how an overlay is to look; what isn't understood is left as it is by itself."""
    named = {name.strip() for name in asked.get("parts", "").split(",")}
    parts = tuple(part for part in (*PARTS, PICTURE) if part in named) or PARTS
    scale = 100 * _number(asked.get("scale", ""), 1.0)
    return OverlayChoice(parts, min(SCALES, key=lambda size: abs(size - scale)), read_delay(asked))


def read_delay(asked: Mapping[str, str]) -> float:
    return min(max(0.0, _number(asked.get("delay", ""), 0.0)), LONGEST_DELAY)


def _number(text: str, otherwise: float) -> float:
    """Read a number; what is none, or has no end, is the other."""
    try:
        number = float(text)
    except ValueError:
        return otherwise
    return number if abs(number) < float("inf") else otherwise


WATCHERS, EACH_WATCHING = 8, 4  # strangers that may watch at once, in total and per network
KNOWN, EACH_KNOWN = 8, 2  # devices that the table knows, in total and each
LATEST = 60.0
"""Seconds for which pictures are held back at most, so that they go with a stream's own."""
BEAT, LOOK = 4.0, 0.5
"""Seconds until a picture is sent again, so that a browser that is gone is noticed; between two looks."""
MARK = "picture"
NOTHING = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
"""A picture in which nothing is to be seen, where nothing may be."""


class LivePage(Page):
    """Handles the pages of the live picture."""

    def __init__(self, table: Table, pages: Pages) -> None:
        super().__init__(table, pages)
        self._places = Places(ConnectionLimit(WATCHERS, EACH_WATCHING), ConnectionLimit(KNOWN, EACH_KNOWN))

    @get("/live")
    def page(self) -> Response:
        values = {"is_on": self._table.live.is_on(), "is_late": bool(self._table.door.lateness())}
        return self._draw("live_picture", self._viewer(), values)

    @get("/live.jpg")
    def picture(self) -> Response:
        newest = self._table.live.newest() if may_see(self._table, Request(request.environ)) else None
        return Response(status=404) if newest is None else Response(newest.jpeg, mimetype="image/jpeg")

    @get("/live.mjpg")
    def pictures(self) -> Response:
        # the stream outlives Flask's request
        table, asked = self._table, Request(request.environ)
        if not may_see(table, asked):
            return Response(status=404)
        place = self._places.take_stream(find_known_device(table, asked.cookies), asked.environ)
        if place is None:
            return too_many_watching(table, onlooker(table, asked))
        sent = pieces_of(table.live, min(read_delay(asked.args), LATEST), lambda: may_see(table, asked))
        response = Response(sent, mimetype=f"multipart/x-mixed-replace; boundary={MARK}")
        response.call_on_close(place.leave)
        return response


def may_see(table: Table, asked: Request) -> bool:
    return table.live.is_on() and not table.door.lateness() and not sees_late(table, asked)


def pieces_of(
    live: LivePictures, delay: float, may_go_on: Callable[[], bool], clock: Callable[[], float] = monotonic
) -> Iterator[bytes]:
    yield f"--{MARK}\r\n".encode()
    held = deque[tuple[float, bytes]]()
    number, sent, since = -1, b"", float("-inf")
    while may_go_on():
        taken, due = live.after(number, LOOK), sent
        if taken is not None:
            number = taken.number
            held.append((clock(), taken.jpeg))
        elif (held[-1][1] if held else sent) and live.newest() is None:
            # nothing may be shown any more
            held.append((clock(), b""))
        while held and held[0][0] <= clock() - delay:
            due = held.popleft()[1]
        if due != sent or clock() - since >= BEAT:
            sent, since = due, clock()
            yield _piece(sent or NOTHING, "image/jpeg" if sent else "image/png")
    yield _piece(NOTHING, "image/png")


def _piece(picture: bytes, kind: str) -> bytes:
    """Encode a picture; the mark behind it lets browsers show it at once."""
    head = f"Content-Type: {kind}\r\nContent-Length: {len(picture)}\r\n\r\n".encode()
    return head + picture + f"\r\n--{MARK}\r\n".encode()
