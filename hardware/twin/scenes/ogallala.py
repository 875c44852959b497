"""A table of Ogallala, for its picture."""

from hardware.twin.pictures import GLOSSY, ShowTable, pile, row
from hardware.twin.rendering.scene import SceneCard, SceneTable


def lay_table() -> ShowTable:
    """Two canoes under way, and the card just drawn."""
    cards = (
        *row("red-bow red-warrior-3 bear-left bear-right bear-hunter red-stern", -200, -110),
        *row("empty-bow black-archer keg guardian", -200, 20),
        *pile(8, 300, 30, 3),
        *pile(8, 375, 34, -2),
        SceneCard("black-chief", 90, 178, 4),
    )
    return ShowTable("ogallala", cards, SceneTable("wood", grain=0), GLOSSY)
