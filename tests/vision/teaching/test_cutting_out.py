"""What is cut out of photographs: the one card of each, without the ground round it."""

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.levels import LEVELS
from hardware.twin.rendering.renderer import faces_of
from hardware.twin.rendering.scene import Surface
from tests.tiers import tiered
from tests.vision.foreign.sheets import kept_deck
from tests.vision.photographs import off_by, photograph
from vision.table.plane import UNIT_SQUARE, Reals, homography, map_points
from vision.teaching import taught_decks
from vision.teaching.likeness import find_askew
from vision.teaching.lone_card import Picture, _measure_outline, find_card_outlines, rectify_card
from vision.teaching.taught_decks import Shot, teach_from

# the one card


@pytest.mark.parametrize(
    ("face", "seed", "level", "surface"),
    tiered(
        [("Qs", 2, "L1", "wood"), ("Kd", 4, "L1", "mat")],
        [("7h", 1, "L0", "mat"), ("Qs", 2, "L1", "wood"), ("coup", 3, "L0", "felt"), ("Kd", 4, "L1", "mat")],
    ),
)
def test_a_card_is_found_to_a_millimetre(face: str, seed: int, level: str, surface: Surface) -> None:
    frame = photograph(face, seed, surface, LEVELS[level])
    best = find_card_outlines(frame.picture)[0]
    assert off_by(best.corners, frame.truth[0].outline) < 1.2


@pytest.mark.parametrize(("shape", "size"), [(63 / 88, (252, 352)), (1.0, (352, 352)), (2.0, (352, 176))])
def test_a_card_of_a_large_photograph_is_rectified_whatever_shape_it_has(
    shape: float, size: tuple[int, int]
) -> None:
    """Each corner of the card has a colour of its own, and so it has afterwards."""
    picture = np.zeros((2900, 1800, 3), np.uint8)
    left, top, across, down = 301, 203, 1260, 1760
    colours = np.array([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 0)]], np.uint8)
    card = cv2.resize(colours, (across, down), interpolation=cv2.INTER_NEAREST)
    picture[top : top + down, left : left + across] = card
    edge = np.array([(0, 0), (across, 0), (across, down), (0, down)]) + np.array((left, top)) - 0.5
    flat = rectify_card(picture, edge, shape)
    assert flat.shape == (size[1], size[0], 3)
    assert np.abs(flat.astype(int) - cv2.resize(colours, size, interpolation=cv2.INTER_NEAREST)).mean() < 2.5


PLAIN = np.array([(89.5, 59.5), (189.5, 59.5), (189.5, 199.5), (89.5, 199.5)])


@pytest.mark.parametrize("reach", [0.01, 0.02, 0.03])
@pytest.mark.parametrize(("off", "within"), [(0.0, 0.001), (1.2, 0.3), (-1.2, 0.3)])
def test_an_outline_is_moved_onto_the_edges_and_stays_there(reach: float, off: float, within: float) -> None:
    picture = np.full((240, 320, 3), 60, np.uint8)
    picture[60:200, 90:190] = 220
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    measured = _measure_outline(soft, PLAIN + off, (reach,))
    assert measured is not None
    assert measured.corners == pytest.approx(PLAIN, abs=within)
    assert measured.edge == 1


# what lies round every card alike

BLACK, GREY = (24, 22, 22), (128, 130, 126)


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
    faces = taught(tmp_path, {f"card{i}": on_ground(card_with_print(i), 42, colour) for i in range(3)})
    for i in range(3):
        (shown,) = faces[f"card{i}"]
        face = cv2.resize(card_with_print(i), shown.shape[1::-1], interpolation=cv2.INTER_AREA)
        assert shown.shape[1] / shown.shape[0] == pytest.approx(220 / 340, abs=0.01)
        assert np.abs(shown[4:-4, 4:-4].astype(int) - face[4:-4, 4:-4]).mean() < 6


@pytest.mark.parametrize("deck", tiered(("coup",), ("piquet", "coup")))
def test_a_printed_border_stays_part_of_the_faces(tmp_path: Path, deck: str) -> None:
    names = tuple(PRINTED[deck].faces)[:3]
    scans = {name: cv2.resize(faces_of(deck)(name), (252, 352), interpolation=cv2.INTER_AREA) for name in names}
    for name, (shown,) in taught(tmp_path, scans).items():
        assert np.abs(shown.astype(int) - scans[name]).mean() < 3


# cards cut out askew

ALIKE = ("key", "anchor", "shield", "sun", "feather", "crown")
CLIPPED = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 0.96), (0.0, 0.97)])
"""The corners of a card of which a printed line was taken for the lower side, in shares of it."""


def castle(sign: str, inside: Reals = UNIT_SQUARE) -> Picture:
    """Cut out a card that differs from others in a sign alone, by corners in shares of it."""
    size = np.array((252, 352))
    face = cv2.resize(kept_deck("corner").face(f"castle-{sign}"), (252, 352), interpolation=cv2.INTER_AREA)
    into = homography(UNIT_SQUARE * size - 0.5, inside * size - 0.5)
    flat = cv2.warpPerspective(face, into, (252, 352), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(flat, np.uint8)


def test_a_picture_that_was_cut_out_askew_is_found_by_others_that_look_alike() -> None:
    shown = {sign: castle(sign) for sign in ALIKE}
    assert find_askew(shown) == {}
    moved = find_askew({**shown, "sun": castle("sun", CLIPPED)})
    assert list(moved) == ["sun"]
    # the card's lower corners lie below the picture
    back = map_points(homography(UNIT_SQUARE, CLIPPED), moved["sun"])
    assert np.abs(back - UNIT_SQUARE).max() < 0.005


def test_a_picture_is_not_moved_onto_faces_that_look_different_or_onto_too_few() -> None:
    decks = (kept_deck(name) for name in ("bridge", "coloured", "corner", "thin", "wordy"))
    faces = [cv2.resize(deck.face(next(iter(deck.faces))), (252, 352)) for deck in decks]
    assert find_askew({str(i): np.asarray(face, np.uint8) for i, face in enumerate(faces)}) == {}
    assert find_askew({"sun": castle("sun", CLIPPED), "key": castle("key"), "crown": castle("crown")}) == {}


@pytest.mark.parametrize("off", [0.05, 0.12])
def test_a_card_that_was_cut_out_askew_is_cut_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off: float
) -> None:
    for number, sign in enumerate(ALIKE):
        picture = np.full((640, 480, 3), (40, 80, 20), np.uint8)
        picture[100 + 9 * number : 452 + 9 * number, 90 + 11 * number : 342 + 11 * number] = castle(sign)
        cv2.imwrite(str(tmp_path / f"{sign}.png"), picture)
    usual, askew = taught_decks._cut_out, {"sun.png"}

    def cut_out(file: Path, corners: Reals, shape: float) -> Shot:
        first = {file.name} & askew
        askew.difference_update(first)
        return usual(
            file, corners - ((0, 0), (0, 0), (0, off * 352), (0, off * 352)) if first else corners, shape
        )

    monkeypatch.setattr(taught_decks, "_cut_out", cut_out)
    shots = teach_from(tmp_path).shots
    assert not askew
    for shot in shots:
        number = ALIKE.index(shot.face)
        assert shot.corners is not None
        inside = (shot.corners + 0.5 - (90 + 11 * number, 100 + 9 * number)) / (252, 352)
        assert np.abs(inside - UNIT_SQUARE).max() < 0.01, shot.face
