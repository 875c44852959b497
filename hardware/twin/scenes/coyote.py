"""A table of Coyote, for its picture."""

from hardware.twin.pictures import EVENING, ShowTable, pile
from hardware.twin.rendering.scene import Hand, SceneCard, SceneTable


def lay_table() -> ShowTable:
    """A reveal: five cards in the middle, the pile, and a hand that has just laid the last one."""
    cards = (
        *pile(9, -330, -150, 4),
        SceneCard("15", -150, 12, -11),
        SceneCard("?", -62, -22, 6),
        SceneCard("-5", 34, 18, -4),
        SceneCard("20", 118, -14, 13),
        SceneCard("max0", 214, 26, -7),
        SceneCard("4", 330, -160, 3),
    )
    return ShowTable(
        "coyote-gigamic", cards, SceneTable("felt", grain=1), EVENING, (Hand(252, 150, -12, spread=0.5),)
    )
