"""The cards' pictures as the renderer wants them: one function by name for each printed deck."""

from functools import cache

from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import BACK, Faces

SHARPNESS = 8.0
"""Pixels a millimetre: some more than any camera over a table sees."""


def faces_of(deck: str) -> Faces:
    """Give the pictures of a deck by the names of its faces; each is drawn once."""
    printed = PRINTED[deck]

    @cache
    def face(name: str) -> Pixels:
        return picture(printed.back if name == BACK else printed.faces[name], SHARPNESS)

    return face
