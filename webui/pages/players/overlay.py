"""The overlay: what a stream or a television shows above its picture, open to all; its address sizes it."""

from collections.abc import Mapping

from flask import Blueprint, Response, request
from msgspec import Struct

from firmware.table.table import Table
from webui.access.viewers import onlooker
from webui.server.drawn_pages import Pages

PARTS = ("score", "line", "card", "call")
"""What an overlay has, as `?parts=` names it."""
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


def overlay_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the overlay."""
    blueprint = Blueprint("overlay", __name__)

    @blueprint.get("/overlay")
    def overlay() -> Response:
        viewer = onlooker(table, request)
        values = {
            "part": pages.part("overlay", table.door.moment(), viewer),
            "choice": (choice := read_choice(request.args)),
            "picture": _picture_address(table, choice),
            "stream": f"/events/overlay?lang={viewer.language}",
        }
        return Response(pages.page("overlay", viewer, values))

    return blueprint


def read_choice(asked: Mapping[str, str]) -> OverlayChoice:
    """Read how an overlay is to look; what isn't understood is left as it is by itself."""
    named = {name.strip() for name in asked.get("parts", "").split(",")}
    parts = tuple(part for part in (*PARTS, PICTURE) if part in named) or PARTS
    scale = 100 * _number(asked.get("scale", ""), 1.0)
    return OverlayChoice(parts, min(SCALES, key=lambda size: abs(size - scale)), read_delay(asked))


def read_delay(asked: Mapping[str, str]) -> float:
    """Read for how many seconds moments are held back."""
    return min(max(0.0, _number(asked.get("delay", ""), 0.0)), LONGEST_DELAY)


def _picture_address(table: Table, choice: OverlayChoice) -> str:
    """Give the address of the live picture, if it is wanted and there is one for who sees this."""
    is_on = table.live.is_on() and not table.door.lateness()
    return f"/live.mjpg?delay={choice.delay:g}" if is_on and PICTURE in choice.parts else ""


def _number(text: str, otherwise: float) -> float:
    """Read a number; what is none, or has no end, is the other."""
    try:
        number = float(text)
    except ValueError:
        return otherwise
    return number if abs(number) < float("inf") else otherwise
