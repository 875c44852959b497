"""What lies round every taught card alike is ground, and no part of its face; a printed border is."""

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from vision.teaching.ground import EvenRim, are_grounds, even_rim, inner_shape
from vision.teaching.lone_card import Picture
from vision.teaching.taught_decks import teach_from

BLACK, GREY = (24, 22, 22), (128, 130, 126)
SHAPES = (63 / 88, 44 / 68)


def card_with_print(seed: int, wide: int = 220, high: int = 340) -> Picture:
    """Print blots on a white card."""
    rng, face = np.random.default_rng(seed), np.full((high, wide, 3), 240, np.uint8)
    for _blot in range(6):
        x, y = rng.uniform(0.2, 0.8, 2) * (wide, high)
        colour = tuple(float(tone) for tone in rng.uniform(20, 220, 3))
        cv2.circle(face, (int(x), int(y)), int(rng.uniform(10, 40)), colour, cv2.FILLED)
    return face


def on_ground(face: Picture, border: int, colour: tuple[int, int, int], turn: float = 0.0) -> Picture:
    """Lay a card on an even ground with a little grain."""
    high, wide = face.shape[0] + 2 * border, face.shape[1] + 2 * border
    grain = np.random.default_rng(1).normal(0, 2, (high, wide, 3))
    ground = np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)
    matrix = cv2.getRotationMatrix2D(((face.shape[1] - 1) / 2, (face.shape[0] - 1) / 2), turn, 1.0)
    matrix[:, 2] += border
    return np.asarray(
        cv2.warpAffine(face, matrix, (wide, high), ground, borderMode=cv2.BORDER_TRANSPARENT), np.uint8
    )


def taught(folder: Path, pictures: Mapping[str, Picture]) -> Mapping[str, tuple[Picture, ...]]:
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    return teach_from(folder).taught.faces


@pytest.mark.parametrize("colour", [BLACK, GREY])
def test_cards_cut_out_with_the_ground_round_them_are_taught_without_it(
    tmp_path: Path, colour: tuple[int, int, int]
) -> None:
    """The border makes these slim cards look like playing cards."""
    faces = taught(tmp_path, {f"card{i}": on_ground(card_with_print(i), 42, colour) for i in range(5)})
    for i in range(5):
        (shown,) = faces[f"card{i}"]
        face = cv2.resize(card_with_print(i), shown.shape[1::-1], interpolation=cv2.INTER_AREA)
        assert shown.shape[1] / shown.shape[0] == pytest.approx(220 / 340, abs=0.01)
        assert np.abs(shown[4:-4, 4:-4].astype(int) - face[4:-4, 4:-4]).mean() < 6


def test_an_even_rim_follows_a_card_that_lies_a_little_askew() -> None:
    picture = on_ground(card_with_print(3), 40, BLACK, turn=2.0)
    rim = even_rim(picture)
    assert rim is not None
    high, wide = picture.shape[:2]
    c, s = np.cos(np.radians(2)), np.sin(np.radians(2))
    own = np.array([(-110, -170), (110, -170), (110, 170), (-110, 170)]) @ np.array([(c, -s), (s, c)])
    assert np.abs((rim.corners - 0.5) * (wide, high) - own).max() < 2
    assert inner_shape(rim, wide / high) == pytest.approx(220 / 340, abs=0.01)


@pytest.mark.parametrize("deck", ["piquet", "coup"])
def test_a_printed_border_stays_part_of_the_faces(tmp_path: Path, deck: str) -> None:
    names = tuple(PRINTED[deck].faces)[:5]
    scans = {name: cv2.resize(faces_of(deck)(name), (252, 352), interpolation=cv2.INTER_AREA) for name in names}
    for name, (shown,) in taught(tmp_path, scans).items():
        assert np.abs(shown.astype(int) - scans[name]).mean() < 3


def rim(border: float, colour: float = 20.0) -> EvenRim:
    """Leave a border of so much of the inner width round a card of 44 by 68."""
    wide, high = 44 * (1 + 2 * border), 68 + 88 * border
    x, y = 44 * border / wide, 44 * border / high
    return EvenRim(np.full(3, colour), np.array([(x, y), (1 - x, y), (1 - x, 1 - y), (x, 1 - y)]))


def shape(border: float) -> float:
    return 44 * (1 + 2 * border) / (68 + 88 * border)


@pytest.mark.parametrize(
    ("border", "grounds"),
    [(0.02, False), (0.05, True), (0.07, True), (0.12, True), (0.19, True)],
)
def test_a_narrow_border_is_ground_only_where_the_card_alone_has_a_cards_shape(
    border: float, grounds: bool
) -> None:
    assert are_grounds([rim(border)] * 4, [shape(border)] * 4, SHAPES) == grounds


@pytest.mark.parametrize(
    ("usual", "grounds"), [((0.72,), False), ((44 / 68,), True), ((44 / 68, 0.72), True), ((0.9,), True)]
)
def test_a_wide_border_is_print_only_where_the_whole_alone_has_a_cards_shape(
    usual: tuple[float, ...], grounds: bool
) -> None:
    assert shape(0.2) == pytest.approx(0.72, abs=0.005)
    assert are_grounds([rim(0.2)] * 4, [shape(0.2)] * 4, usual) == grounds


def test_rims_of_several_colours_or_of_few_pictures_are_no_ground() -> None:
    different = [rim(0.2, colour) for colour in (20.0, 90.0, 160.0, 230.0)]
    assert not are_grounds(different, [shape(0.2)] * 4, SHAPES)
    assert not are_grounds([rim(0.2), None, None, rim(0.2)], [shape(0.2)] * 4, SHAPES)
    assert not are_grounds([rim(0.2)], [shape(0.2)], SHAPES)
    assert are_grounds([rim(0.2)] * 9 + [None], [shape(0.2)] * 10, SHAPES)
