"""A card is aligned with its own face, whichever face its place resembled first."""

from math import dist

import cv2
import numpy as np
import pytest

from vision.reading.looking import compare_card
from vision.reading.outlines import rigid_pose
from vision.reading.templates import Picture, templates
from vision.reading.views import outline_of, pyramid

WIDE, HIGH = 252, 352
INK = (120, 30, 90)
DOWN = np.array((0, 26))
SIGNS = ("disc", "ring", "wave", "striped wave", "wave's outline")


def card(sign: str) -> Picture:
    """Print one sign on a white card."""
    white = np.full((HIGH, WIDE, 3), 250, np.uint8)
    if sign in {"disc", "ring"}:
        cv2.ellipse(white, (126, 176), (70, 34), 0, 0, 360, INK, -1 if sign == "disc" else 5, cv2.LINE_AA)
        return white
    along = np.arange(41)
    edge = np.column_stack((60 + 3.3 * along, 176 - 22 * np.sin(along * 2 * np.pi / 40)))
    wave = np.concatenate((edge - DOWN, (edge + DOWN)[::-1])).astype(np.int32)
    if sign == "wave":
        cv2.fillPoly(white, [wave], INK, cv2.LINE_AA)
        return white
    if sign == "striped wave":
        filled = white.copy()
        cv2.fillPoly(filled, [wave], INK)
        white[:, ::6], white[:, 1::6] = filled[:, ::6], filled[:, 1::6]
    cv2.polylines(white, [wave], True, INK, 5, cv2.LINE_AA)
    return white


DECK = templates({sign: [card(sign)] for sign in SIGNS})


@pytest.mark.parametrize("sign", SIGNS)
def test_a_card_with_one_sign_is_found_from_a_rough_outline_by_any_face(sign: str) -> None:
    there = rigid_pose((250, 250), 0.1, (126, 176))
    into = there @ np.array([(1 / WIDE, 0, -0.5), (0, 1 / HIGH, -0.5), (0, 0, 1)])
    table = np.full((500, 500, 3), 60, np.uint8)
    cv2.warpPerspective(
        card(sign), into, (500, 500), dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    levels = pyramid(np.asarray(cv2.GaussianBlur(table, (0, 0), 1), np.uint8))
    for row in range(0, 2 * len(SIGNS), 2):
        found = compare_card(levels, rigid_pose((250, 250), 0.1, (131, 183)), row, DECK)
        assert found is not None
        assert DECK.names[DECK.faces[found.row]] == sign
        assert found.fit > 0.9
        assert max(map(dist, outline_of(found.pose), outline_of(there))) < 6
