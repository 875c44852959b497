"""The overlay: what a stream or a television shows above its picture, open to all; its address sizes it."""

from collections.abc import Mapping

from flask import Response, request
from msgspec import Struct

from webui.access.viewers import onlooker
from webui.needs import ViewerNeeds
from webui.pages.page import Page, get

PARTS = ("score", "line", "card", "call")  # what an overlay has, as `?parts=` names it
SCALES = (50, 60, 75, 90, 100, 110, 125, 150, 175, 200)
"""Sizes in hundredths; of any other number, the nearest of these."""


class OverlayChoice(Struct, frozen=True):
    """How an overlay is to look."""

    parts: tuple[str, ...]
    scale: int


class OverlayPage(Page[ViewerNeeds]):
    """Handles the overlay."""

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
    """Read how an overlay is to look; what isn't understood is left as it is by itself."""
    named = {name.strip() for name in asked.get("parts", "").split(",")}
    parts = tuple(part for part in PARTS if part in named) or PARTS
    scale = 100 * _number(asked.get("scale", ""), 1.0)
    return OverlayChoice(parts, min(SCALES, key=lambda size: abs(size - scale)))


def _number(text: str, otherwise: float) -> float:
    """Read a number; what is none, or has no end, is the other."""
    try:
        number = float(text)
    except ValueError:
        return otherwise
    return number if abs(number) < float("inf") else otherwise
