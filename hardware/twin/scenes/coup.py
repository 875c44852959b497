"""A table of Coup, for its picture."""

from hardware.twin.pictures import AFTERNOON, ShowTable, pile
from hardware.twin.rendering.scene import SceneCard, SceneTable


def lay_table() -> ShowTable:
    """Four courts of two on the printed mat, some turned up; the proof lies in its place."""
    cards = (
        SceneCard(None, 104, 212, 2),
        SceneCard("duke", 178, 213, -1),
        SceneCard(None, -322, -70, 92),
        SceneCard(None, -322, 4, 88),
        SceneCard("assassin", -188, -212, 181),
        SceneCard("contessa", -114, -211, 178),
        SceneCard(None, 322, 70, -91),
        SceneCard(None, 322, -4, -88),
        SceneCard("captain", -200, 0, 5),
        *pile(5, 10, -6, -3),
    )
    return ShowTable("coup", cards, SceneTable("paper", grain=2), AFTERNOON)
