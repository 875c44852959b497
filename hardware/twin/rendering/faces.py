"""Pictures of a printed deck's cards, in the form that the renderer takes."""

from functools import cache

from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import BACK, Faces

SHARPNESS = 8.0
"""Pixels per millimetre: more than any camera over a table resolves."""


@cache
def faces_of(deck: str) -> Faces:
    """Give a function from a deck's face names to pictures: always the same, so that each is drawn once."""
    printed = PRINTED[deck]

    @cache
    def face(name: str) -> Pixels:
        return picture(printed.back if name == BACK else printed.faces[name], SHARPNESS)

    return face
