"""Cards that the picture shows softly: far, steep, or out of focus."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.certainty import UNTRIED, Spread
from vision.reading.deciding import Likeness
from vision.reading.explaining import is_certain
from vision.reading.focus import is_afar, soften_rows, to_colours, to_light
from vision.reading.identifying import compare_card
from vision.reading.templates import Templates, channels_of, lab_of, picture_of, templates
from vision.reading.views import Pose, pyramid

FACES = ("7c", "7s", "Jd", "Js", "Qc", "Kd")


def few_cards() -> Templates:
    return templates({name: [playing_cards().face(name)] for name in FACES})


def pose_of_size(wide: float, high: float) -> Pose:
    return np.array([(wide, 0, 100), (0, high, 100), (0, 0, 1.0)])


def softened(colours: np.ndarray, shape: tuple[int, int], across: float, down: float) -> np.ndarray:
    light = to_light(picture_of(colours, shape))
    soft = cv2.GaussianBlur(light, (0, 0), sigmaX=across, sigmaY=down)
    return lab_of(channels_of(to_colours(np.asarray(soft, np.float32))))


def test_a_picture_as_sharp_as_its_row_changes_nothing() -> None:
    grid = few_cards().fine
    lab = grid.lab[0].reshape(3, -1)
    assert soften_rows(grid, 0, pose_of_size(60, 90), grid.inside, lambda _colours, _row: lab) is grid


@pytest.mark.parametrize(("wide", "high"), [(1.0, 1.0), (0.7, 1.1), (1.2, 0.8)])
def test_rows_become_as_soft_as_the_picture_along_and_across(wide: float, high: float) -> None:
    grid = few_cards().fine
    pose = pose_of_size(wide * grid.shape[1], high * grid.shape[0])
    lab = softened(grid.bgr[4], grid.shape, 1.0 / wide, 1.0 / high)
    soft = soften_rows(grid, 4, pose, grid.inside, lambda _colours, _row: lab)
    before, after = (np.square(each.lab[4].reshape(3, -1) - lab).sum() for each in (grid, soft))
    assert after < 0.1 * before


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(("wide", "high"), [(48, 92), (66, 78)])
def test_a_soft_card_of_few_pixels_is_told_from_those_it_resembles(name: str, wide: int, high: int) -> None:
    deck = few_cards()
    card = far_card(deck, name, wide, high)
    assert deck.names[deck.faces[card.row]] == name
    assert is_certain(card, deck)


def far_card(deck: Templates, name: str, wide: int, high: int) -> Likeness:
    """Look at a card whose light few pixels have mixed."""
    face = np.asarray(playing_cards().face(name), np.float32) / np.float32(255)
    light = np.full((300, 300, 3), 0.05, np.float32)
    light[100 : 100 + high, 100 : 100 + wide] = cv2.resize(
        to_light(face), (wide, high), interpolation=cv2.INTER_AREA
    )
    soft = to_colours(np.asarray(cv2.GaussianBlur(light, (0, 0), 0.9), np.float32))
    levels = pyramid(np.asarray(np.clip(soft * 255, 0, 255), np.uint8))
    pose = np.array([(wide, 0, 99.5 + wide / 2), (0, high, 99.5 + high / 2), (0, 0, 1.0)])
    card = compare_card(levels, pose, deck.names.index(name) * 2, deck)
    assert card is not None
    return card


@pytest.mark.parametrize("name", ["7c", "7s"])
def test_far_clubs_and_spades_are_as_clear_as_the_light_of_their_print(name: str) -> None:
    assert far_card(few_cards(), name, 62, 84).margin > CLEARLY


CLEARLY = 0.65


@pytest.mark.parametrize(("pixels", "expected"), [(1.0, True), (1.2, True), (1.3, False), (2.0, False)])
def test_a_card_is_far_if_its_shorter_side_has_hardly_a_pixel_a_cell(pixels: float, expected: bool) -> None:
    assert is_afar(np.diag((pixels * 60, 2 * pixels * 80, 1.0)), (80, 60)) is expected
    assert is_afar(np.diag((2 * pixels * 60, pixels * 80, 1.0)), (80, 60)) is expected


def test_what_a_far_card_s_name_is_worth_was_learned_of_far_cards() -> None:
    deck = few_cards()
    near, far = Spread(0.6, 0.3), Spread(1.1, 0.3)
    tried = replace(UNTRIED, faces=near, mistaken=0.4, afar=replace(UNTRIED, faces=far))
    card = far_card(deck, "7c", 62, 84)
    odd = replace(card, patchy=5.0)
    assert is_certain(odd, replace(deck, certainty=tried))
    assert not is_certain(odd, replace(deck, certainty=replace(tried, afar=None)))
    closer = replace(odd, pose=odd.pose @ np.diag((2.0, 2.0, 1.0)))
    assert not is_certain(closer, replace(deck, certainty=tried))
