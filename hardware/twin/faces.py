"""The cards' pictures as the renderer wants them: one function by name for each printed deck."""

from functools import cache

from hardware.decks.decks import PRINTED
from hardware.decks.raster import picture
from hardware.twin.lens import Pixels
from hardware.twin.render import BACK, Faces

SHARPNESS = 8.0
"""Pixels a millimetre: some more than any camera over a table sees."""


def faces_of(deck: str) -> Faces:
    """Give the pictures of a deck by the names of its faces; each is drawn once."""
    printed = PRINTED[deck]

    @cache
    def face(name: str) -> Pixels:
        return picture(printed.back if name == BACK else printed.faces[name], SHARPNESS)

    return face
