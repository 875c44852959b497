"""Cards that the picture shows softly: far, steep, or out of focus."""

import cv2
import numpy as np
import pytest

from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.explaining import is_certain
from vision.reading.focus import soften_rows
from vision.reading.identifying import compare_card
from vision.reading.templates import Templates, templates
from vision.reading.views import Pose, pyramid

FACES = ("7c", "7s", "Jd", "Js", "Qc", "Kd")


def few_cards() -> Templates:
    return templates({name: [playing_cards().face(name)] for name in FACES})


def pose_of_size(wide: float, high: float) -> Pose:
    return np.array([(wide, 0, 100), (0, high, 100), (0, 0, 1.0)])


def softened(row: np.ndarray, shape: tuple[int, int], across: float, down: float) -> np.ndarray:
    lab = np.ascontiguousarray(row.reshape(3, *shape).transpose(1, 2, 0))
    soft = cv2.GaussianBlur(lab, (0, 0), sigmaX=across, sigmaY=down)
    return np.ascontiguousarray(soft.transpose(2, 0, 1).reshape(3, -1))


def test_a_picture_as_sharp_as_its_row_changes_nothing() -> None:
    grid = few_cards().fine
    lab = grid.lab[0].reshape(3, -1)
    assert soften_rows(grid, lab, 0, pose_of_size(60, 90), grid.inside) is grid


@pytest.mark.parametrize(("wide", "high"), [(1.0, 1.0), (0.7, 1.1), (1.2, 0.8)])
def test_rows_become_as_soft_as_the_picture_along_and_across(wide: float, high: float) -> None:
    grid = few_cards().fine
    pose = pose_of_size(wide * grid.shape[1], high * grid.shape[0])
    lab = softened(grid.lab[4], grid.shape, 1.0 / wide, 1.0 / high)
    soft = soften_rows(grid, lab, 4, pose, grid.inside)
    before, after = (np.square(each.lab[4].reshape(3, -1) - lab).sum() for each in (grid, soft))
    assert after < 0.1 * before


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(("wide", "high"), [(48, 92), (66, 78)])
def test_a_soft_card_of_few_pixels_is_told_from_those_it_resembles(name: str, wide: int, high: int) -> None:
    face = cv2.resize(playing_cards().face(name), (wide, high), interpolation=cv2.INTER_AREA)
    picture = np.full((300, 300, 3), (60, 80, 50), np.uint8)
    picture[100 : 100 + high, 100 : 100 + wide] = face
    levels = pyramid(cv2.GaussianBlur(picture, (0, 0), 0.9))
    deck = few_cards()
    pose = np.array([(wide, 0, 99.5 + wide / 2), (0, high, 99.5 + high / 2), (0, 0, 1.0)])
    card = compare_card(levels, pose, int(np.flatnonzero(deck.faces == FACES.index(name))[0]), deck)
    assert card is not None
    assert deck.names[deck.faces[card.row]] == name
    assert is_certain(card, deck)
