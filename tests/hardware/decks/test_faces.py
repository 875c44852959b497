"""Faces are legible: complete, distinguishable in any light, and never symmetric."""

from xml.etree import ElementTree as ET

import cv2
import numpy as np
import pytest

from hardware.decks.card import lettering
from hardware.decks.catalogue import PRINTED
from hardware.decks.drawing import Drawing
from hardware.decks.print.raster import Picture, picture
from hardware.decks.print.small_svg import small_svg
from referee.games.catalogue import DECKS
from tests.hardware.decks.conftest import DIFFERENT, PIXELS_PER_MM, Pictures
from tests.tiers import slow, tiered
from vision.teaching.likeness import LIMIT, closest_pairs, distance

# faces


def test_every_face_of_every_deck_list_is_printed() -> None:
    assert set(PRINTED) == set(DECKS)
    for name, printed in PRINTED.items():
        assert printed.counts == DECKS[name].counts
        assert set(printed.faces) == set(printed.counts) | set(printed.extras)
        drawings = list(printed.faces.values())
        assert all(drawing.items for drawing in drawings)
        assert all(small_svg(drawing).count("<svg") == 1 for drawing in drawings[:: tiered(9, 1)])


@slow("each face of a deck is held beside each other one")
@pytest.mark.parametrize("name", DIFFERENT)
def test_faces_differ_in_any_light_and_rotation(name: str, pictures: Pictures) -> None:
    back = picture(PRINTED[name].back, PIXELS_PER_MM)
    pairs = closest_pairs({**pictures[name], "back": back})
    too_close = [pair for pair in pairs if pair.distance < LIMIT and pair.first != "back"]
    assert not too_close
    assert distance(back, np.ascontiguousarray(back[::-1, ::-1])) < LIMIT / 5


@pytest.mark.parametrize("name", DIFFERENT)
def test_cards_have_a_white_border_and_an_index_in_two_corners(name: str, pictures: Pictures) -> None:
    for face, shown in pictures[name].items():
        inset = round(2.4 * PIXELS_PER_MM)
        straight = shown[:, round(4 * PIXELS_PER_MM) : -round(4 * PIXELS_PER_MM)]
        assert (straight[:inset] == 255).all(), face
        assert (straight[-inset:] == 255).all(), face
        rim = slice(round(2.7 * PIXELS_PER_MM), round(3.4 * PIXELS_PER_MM))
        assert straight[rim].min(axis=(0, 2)).max() < 150, face
        if face not in PRINTED[name].extras:
            filled, opened = _corners(shown)
            # a tab behind the upper index and paper behind the lower one show the orientation
            assert np.median(filled) < 200, face
            assert (opened > 240).mean() > 0.4, face


@pytest.mark.parametrize("name", DIFFERENT)
def test_index_alone_distinguishes_faces(name: str, pictures: Pictures) -> None:
    faces = [face for face in pictures[name] if face not in PRINTED[name].extras]
    for side in (0, 1):
        seen = np.stack([_corners(pictures[name][face])[side] for face in faces]).astype(int)
        apart = np.abs(seen[:, None] - seen[None]).mean(axis=(2, 3)) + 255 * np.eye(len(faces))
        closest = np.unravel_index(apart.argmin(), apart.shape)
        assert apart.min() > 4, (faces[closest[0]], faces[closest[1]])


def _corners(shown: Picture) -> tuple[Picture, Picture]:
    """Cut out the upper left corner, and the lower right one rotated, without border and line."""
    near, far = round(3.6 * PIXELS_PER_MM), round(12.4 * PIXELS_PER_MM)
    grey = shown.min(axis=2)
    return grey[near:far, near:far], grey[::-1, ::-1][near:far, near:far]


def test_cards_share_one_size_and_svg_is_valid() -> None:
    for name in DIFFERENT:
        printed = PRINTED[name]
        every = [*printed.faces.values(), printed.back]
        assert {(drawing.width, drawing.height) for drawing in every} == {(63, 88)}
        assert (printed.width, printed.height) == (63, 88)
        for drawing in every[-2:]:
            root = ET.fromstring(small_svg(drawing, unit="mm"))  # noqa: S314 - our own text
            assert (root.get("width"), root.get("height")) == ("63mm", "88mm")
    assert picture(Drawing(10, 20, ()), 2.5).shape == (50, 25, 3)


def test_minus_sign_is_clear_of_the_number() -> None:
    minus, *digits = lettering("−10", 20, 20, 5)
    assert max(x for ((x, _y),) in minus.steps) < min(point[0] for run in digits for point in run.steps[0])


# similarity


def test_unmarked_6_and_9_are_rejected() -> None:
    six = np.full((176, 126, 3), 255, np.uint8)
    cv2.putText(six, "6", (30, 120), cv2.FONT_HERSHEY_SIMPLEX, 3, (0, 0, 0), 8)
    nine = np.ascontiguousarray(six[::-1, ::-1])
    closest = closest_pairs({"6": six, "9": nine})[0]
    assert (closest.first, closest.second, closest.turned) == ("6", "9", True)
    assert closest.distance < 0.01
