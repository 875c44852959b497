"""Example tables of our games, for pictures."""

from hardware.twin.pictures import AFTERNOON, EVENING, GLOSSY, ShowTable, pile, row
from hardware.twin.rendering.scene import Hand, SceneCard, SceneTable


def lay_coyote() -> ShowTable:
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


def lay_coup() -> ShowTable:
    """Four courts of two on the printed mat, some turned up, with the proof in its area."""
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


def lay_coup_d_etat() -> ShowTable:
    """A trick of four as laid by hand, and earlier tricks."""
    cards = (
        *pile(8, -320, 130, 20),
        *pile(4, 318, -120, -75),
        SceneCard("Kh", 12, 62, 3, 0.3),
        SceneCard("10h", -58, 4, 97, 0.6),
        SceneCard("Ah", 6, -56, 176, 0.9),
        SceneCard("9s", 66, 2, -84, 1.2),
    )
    return ShowTable("piquet", cards, SceneTable("felt", (70.0, 60.0, 34.0), grain=3), EVENING)


def lay_plenty_coups() -> ShowTable:
    """The display of four, raids at two camps, the discards."""
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


def lay_ogallala() -> ShowTable:
    """Two canoes in progress, and the card just drawn."""
    cards = (
        *row("red-bow red-warrior-3 bear-left bear-right bear-hunter red-stern", -200, -110),
        *row("empty-bow black-archer keg guardian", -200, 20),
        *pile(8, 300, 30, 3),
        *pile(8, 375, 34, -2),
        SceneCard("black-chief", 90, 178, 4),
    )
    return ShowTable("ogallala", cards, SceneTable("wood", grain=0), GLOSSY)
