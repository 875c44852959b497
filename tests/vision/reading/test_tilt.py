"""The plane under cards: a table that leans by a known angle is found again from outlines alone."""

import cv2
import numpy as np
import pytest

from vision.reading.tilt import FOCAL, plane_under
from vision.reading.views import CORNERS
from vision.table.plane import inverse, map_points

CARD = (63.0, 88.0)
SHAPE = (960, 1280)
PLACES = ((-120.0, -80.0, 0.2), (90.0, -60.0, 1.1), (0.0, 40.0, 2.0), (-90.0, 110.0, 0.7), (150.0, 90.0, 2.8))


def leaning_table(lean: tuple[float, float], distance: float = 600.0) -> np.ndarray:
    """Look at a table that leans so far, from so many millimetres."""
    high, wide = SHAPE
    unit = FOCAL * max(high, wide)
    lens = np.array([(unit, 0, (wide - 1) / 2), (0, unit, (high - 1) / 2), (0, 0, 1)])
    turn = np.asarray(cv2.Rodrigues(np.array([lean[0], lean[1], 0.0]))[0])
    placed = np.column_stack((turn[:, 0], turn[:, 1], (0.0, 0.0, distance)))
    return lens @ placed


def poses_on(table: np.ndarray) -> list[np.ndarray]:
    """Lay cards on the table, and see their outlines."""
    size = np.diag((*CARD, 1.0))
    found = []
    for across, down, turn in PLACES:
        laid = np.array([
            (np.cos(turn), -np.sin(turn), across),
            (np.sin(turn), np.cos(turn), down),
            (0.0, 0.0, 1.0),
        ])  # fmt: skip
        found.append(table @ laid @ size)
    return found


@pytest.mark.parametrize("lean", [(0.0, 0.0), (0.5, 0.0), (-0.3, 0.4), (0.1, -0.6), (-0.85, -0.15), (0.3, 0.9)])
def test_on_the_plane_that_is_found_all_cards_have_their_size(lean: tuple[float, float]) -> None:
    poses = poses_on(leaning_table(lean))
    plane = plane_under(poses, CARD, SHAPE)
    for pose in poses:
        corners = map_points(inverse(plane), map_points(pose, CORNERS))
        sides = [float(np.hypot(*(corners[(k + 1) % 4] - corners[k]))) for k in range(4)]
        assert sides == pytest.approx([CARD[0], CARD[1]] * 2, rel=0.03)
