"""A table of Coup d'État, for its picture."""

from hardware.twin.pictures import EVENING, ShowTable, pile
from hardware.twin.rendering.scene import SceneCard, SceneTable


def lay_table() -> ShowTable:
    """A trick of four as people lay them, and tricks taken before."""
    cards = (
        *pile(8, -320, 130, 20),
        *pile(4, 318, -120, -75),
        SceneCard("Kh", 12, 62, 3, 0.3),
        SceneCard("10h", -58, 4, 97, 0.6),
        SceneCard("Ah", 6, -56, 176, 0.9),
        SceneCard("9s", 66, 2, -84, 1.2),
    )
    return ShowTable("piquet", cards, SceneTable("felt", (70.0, 60.0, 34.0), grain=3), EVENING)
