"""Pictures of a printed deck's cards and pieces, in the form that the renderer takes."""

from functools import cache

from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.drawing import Drawing
from hardware.decks.print.raster import picture
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import BACK, Faces
from hardware.twin.rendering.scene import PIECES

SHARPNESS = 8.0
"""Pixels per millimetre: more than any camera over a table resolves."""


@cache
def faces_of(deck: str) -> Faces:
    """Give a function from a deck's face names to pictures: always the same, so that each is drawn once."""
    printed = PRINTED[deck]

    @cache
    def face(name: str) -> Pixels:
        return picture(_drawing(printed, name), SHARPNESS)

    return face


def _drawing(printed: PrintedDeck, name: str) -> Drawing:
    """Draw a face, the back, or the side of a piece, such as "pieces/coins 1"."""
    if name.startswith(f"{PIECES}/"):
        kind, _space, side = name.removeprefix(f"{PIECES}/").rpartition(" ")
        return printed.pieces[kind][int(side)]()
    return printed.back if name == BACK else printed.faces[name]
