"""The overlay: what a stream or a television shows above its picture, open to all; its address sizes it."""

from flask import Blueprint, Response, request
from msgspec import Struct

from webui.access.viewers import onlooker
from webui.doors.companion import Services
from webui.server.drawn_pages import Pages

PARTS = ("score", "line", "card", "call")
"""What an overlay has, as `?parts=` names it."""
SCALES = (50, 60, 75, 90, 100, 110, 125, 150, 175, 200)
"""Sizes in hundredths; of any other number, the nearest of these."""
LONGEST_DELAY = 600.0
"""Seconds for which an overlay may hold moments back, so that it goes with the stream's picture."""


class OverlayChoice(Struct, frozen=True):
    """How an overlay is to look."""

    parts: tuple[str, ...]
    scale: int
    delay: float


def overlay_blueprint(services: Services, pages: Pages) -> Blueprint:
    """Create the overlay."""
    blueprint = Blueprint("overlay", __name__)

    @blueprint.get("/overlay")
    def overlay() -> Response:
        viewer = onlooker(services, request)
        values = {
            "part": pages.part("overlay", services.door.moment(), viewer),
            "choice": read_choice(request.args),
            "stream": f"/events/overlay?lang={viewer.language}",
        }
        return Response(pages.page("overlay", viewer, values))

    return blueprint


def read_choice(asked: dict[str, str]) -> OverlayChoice:
    """Read how an overlay is to look; what isn't understood is left as it is by itself."""
    named = {name.strip() for name in asked.get("parts", "").split(",")}
    parts = tuple(part for part in PARTS if part in named) or PARTS
    scale = 100 * _number(asked.get("scale", ""), 1.0)
    delay = min(max(0.0, _number(asked.get("delay", ""), 0.0)), LONGEST_DELAY)
    return OverlayChoice(parts, min(SCALES, key=lambda size: abs(size - scale)), delay)


def _number(text: str, otherwise: float) -> float:
    """Read a number; what is none, or has no end, is the other."""
    try:
        number = float(text)
    except ValueError:
        return otherwise
    return number if abs(number) < float("inf") else otherwise
