"""White cards that lie on each other: what is left of the one below is searched, however little it shows."""

import cv2
import numpy as np
import pytest

from vision.reading.reader import read
from vision.reading.surroundings import Surroundings
from vision.reading.templates import Picture, Templates, templates
from vision.table.plane import Reals, map_points

SCALE = 4.0
WIDE, HIGH = 252, 352
MARKS = ("disc", "bar", "cross", "ring")


def print_card(name: str) -> Picture:
    """Print one mark near each end of a white card."""
    face = np.full((HIGH, WIDE, 3), 245, np.uint8)
    for y in (52, HIGH - 52):
        x = WIDE // 2 + (30 if y < HIGH / 2 else -30)
        match name:
            case "disc":
                cv2.circle(face, (x, y), 22, (30, 30, 170), cv2.FILLED)
            case "bar":
                cv2.rectangle(face, (x - 26, y - 9), (x + 26, y + 9), (30, 30, 30), cv2.FILLED)
            case "ring":
                cv2.circle(face, (x, y), 20, (150, 60, 20), 7)
            case _:
                cv2.line(face, (x - 20, y - 20), (x + 20, y + 20), (40, 120, 30), 9)
                cv2.line(face, (x - 20, y + 20), (x + 20, y - 20), (40, 120, 30), 9)
    return face


def deck() -> Templates:
    return templates({name: [print_card(name)] for name in MARKS})


def turned_about(middle: tuple[float, float], turn: float) -> Reals:
    """Turn about the origin by degrees, then move."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.array([(c, -s, middle[0]), (s, c, middle[1]), (0, 0, 1)])


def lay(picture: Picture, name: str, where: Reals) -> None:
    """Lay a card; of its edge, a third of one side can't be seen where white lies on white."""
    own = np.array([(1, 0, -WIDE / 2), (0, 1, -HIGH / 2), (0, 0, 1)])
    cv2.warpPerspective(
        print_card(name), where @ own, picture.shape[1::-1], picture, borderMode=cv2.BORDER_TRANSPARENT
    )
    rim = map_points(where @ own, np.array([(0, 120), (0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH), (0, 235.0)]))
    cv2.polylines(picture, [rim.round().astype(np.int32)], False, (190, 190, 190), 3)


@pytest.mark.parametrize("turn", [0.0, 25.0, 200.0])
def test_a_card_half_under_another_is_read_though_the_edge_between_them_is_broken(turn: float) -> None:
    picture = np.full((1000, 1200, 3), 40, np.uint8)
    group = turned_about((600, 500), turn)
    lay(picture, "disc", group @ turned_about((0, -95), 0))
    lay(picture, "cross", group @ turned_about((0, 95), -90))
    seen = read(picture, deck(), table=Surroundings(np.diag((SCALE, SCALE, 1.0))))
    assert sorted(card.face or "?" for card in seen.cards) == ["cross", "disc"]
