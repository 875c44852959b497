"""A table of Plenty Coups, for its picture."""

from hardware.twin.pictures import AFTERNOON, ShowTable, pile, row
from hardware.twin.rendering.scene import SceneCard, SceneTable


def lay_table() -> ShowTable:
    """The display of four, raids before two camps, the discards."""
    cards = (
        *row("red-3 horse weapon-2 blue-4", -104, -20, 69),
        *pile(7, -330, -20, -2),
        SceneCard("staff", 300, -18, 5),
        SceneCard("green-4", -230, 200, -12),
        SceneCard("green-2", -184, 206, 8, 0.6),
        SceneCard("black-1", 210, -208, 170),
        SceneCard("weapon-3", 260, -204, 186, 0.6),
    )
    return ShowTable("plenty-coups", cards, SceneTable("light", grain=1), AFTERNOON)
