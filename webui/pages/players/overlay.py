"""Overlay for a stream or television, open to everyone; its address sets the size."""

from collections.abc import Mapping

from flask import Response, request
from msgspec import Struct

from webui.access.viewers import onlooker
from webui.pages.page import Page, get

PARTS = ("score", "line", "card", "call")  # overlay parts, as named in `?parts=`
SCALES = (50, 60, 75, 90, 100, 110, 125, 150, 175, 200)
"""Supported sizes in percent; other values are rounded to the nearest."""


class OverlayChoice(Struct, frozen=True):
    """Parts and size of an overlay."""

    parts: tuple[str, ...]
    scale: int


class OverlayPage(Page):
    """Page of the overlay."""

    @get("/overlay")
    def overlay(self) -> Response:
        viewer, choice = onlooker(self._table, request), read_choice(request.args)
        values = {
            "part": self._pages.part("overlay", self._table.client.moment(), viewer),
            "choice": choice,
            "stream": f"/events/overlay?lang={viewer.language}",
        }
        return self._draw("overlay", viewer, values)


def read_choice(asked: Mapping[str, str]) -> OverlayChoice:
    """Return an overlay's parts and size; invalid values fall back to the defaults."""
    named = {name.strip() for name in asked.get("parts", "").split(",")}
    parts = tuple(part for part in PARTS if part in named) or PARTS
    scale = 100 * _number(asked.get("scale", ""), 1.0)
    return OverlayChoice(parts, min(SCALES, key=lambda size: abs(size - scale)))


def _number(text: str, otherwise: float) -> float:
    """Parse a finite number, or return the default."""
    try:
        number = float(text)
    except ValueError:
        return otherwise
    return number if abs(number) < float("inf") else otherwise
