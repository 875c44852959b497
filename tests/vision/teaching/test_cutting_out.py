"""What is cut out of photographs: the one card of each, without the ground round it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import faces_of
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable, Surface
from tests.given import present
from tests.hardware.twin.levels import LEVELS
from tests.hardware.twin.truth import frame_of
from tests.tiers import slow, tiered
from tests.vision.foreign.sheets import kept_deck
from tests.vision.photographs import off_by, photograph
from tests.vision.teaching.cards import ARTS, BRIDGE, BROAD, GROUNDS, SLIM, Size, laid, pips
from vision.table.plane import UNIT_SQUARE, Reals, homography, map_points
from vision.teaching import folder_lessons
from vision.teaching.folder_lessons import FolderLesson, teach_from
from vision.teaching.kept_cuts import GroundKind
from vision.teaching.likeness import find_askew
from vision.teaching.lone_card import (
    CardOutline,
    Picture,
    find_card_outlines,
    measure_outline,
    rectify_card,
    with_a_side_righted,
)

# the one card


@pytest.mark.parametrize(
    ("face", "seed", "level", "surface"),
    tiered(
        [("Qs", 2, "L1", "wood"), ("Kd", 4, "L1", "mat")],
        [("7h", 1, "L0", "mat"), ("Qs", 2, "L1", "wood"), ("coup", 3, "L0", "felt"), ("Kd", 4, "L1", "mat")],
    ),
)
def test_finds_card_within_a_millimetre(face: str, seed: int, level: str, surface: Surface) -> None:
    frame = photograph(face, seed, surface, LEVELS[level])
    best = find_card_outlines(frame.picture)[0]
    assert off_by(best.corners, frame.truth[0].outline) < 1.2


def test_finds_card_in_large_picture() -> None:
    card = np.array([(600.0, 500), (1860, 500), (1860, 2260), (600, 2260)])
    picture = np.full((2800, 3200, 3), 60, np.uint8)
    cv2.fillPoly(picture, [card.astype(np.int32)], (240, 240, 240))
    best = find_card_outlines(picture)[0]
    assert np.abs(best.corners - card).max() < 3
    assert best.picture == picture.shape


@pytest.mark.parametrize("side", range(4))
def test_corrects_side_displaced_by_light_spot(side: int) -> None:
    """The other three tell where it must be."""
    card = np.array([(100.0, 80), (226, 80), (226, 256), (100, 256)])
    picture = np.full((360, 340, 3), 90, np.uint8)
    cv2.fillPoly(picture, [card.astype(np.int32)], (240, 240, 240))
    askew = card.copy()
    askew[side] += (card[side] - card[side - 1]) * 0.2
    outline = CardOutline(askew, picture.shape, score=0.5, edge=0.7)
    assert np.abs(with_a_side_righted(picture, outline, 63 / 88).corners - card).max() < 1
    right = CardOutline(card, picture.shape, score=0.99, edge=1.0)
    assert with_a_side_righted(picture, right, 63 / 88) is right


@pytest.mark.parametrize(("shape", "size"), [(63 / 88, (252, 352)), (1.0, (352, 352)), (2.0, (352, 176))])
def test_rectifies_card_of_any_shape_in_large_photograph(shape: float, size: tuple[int, int]) -> None:
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


@pytest.mark.parametrize("reach", [0.01, 0.03])
@pytest.mark.parametrize(("off", "within"), [(0.0, 0.001), (1.2, 0.3), (-1.2, 0.3)])
def test_outline_moves_onto_edges(reach: float, off: float, within: float) -> None:
    picture = np.full((240, 320, 3), 60, np.uint8)
    picture[60:200, 90:190] = 220
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    measured = present(measure_outline(soft, PLAIN + off, (reach,)))
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


def on_ground(face: Picture, border: int, colour: tuple[int, int, int]) -> Picture:
    """Lay a card on an even ground with a little grain."""
    high, wide = face.shape[0] + 2 * border, face.shape[1] + 2 * border
    grain = np.random.default_rng(1).normal(0, 2, (high, wide, 3))
    ground = np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)
    ground[border:-border, border:-border] = face
    return ground


def taught(folder: Path, pictures: Mapping[str, Picture]) -> Mapping[str, tuple[Picture, ...]]:
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    return teach_from(folder).taught.faces


@pytest.mark.parametrize("colour", [BLACK, GREY])
def test_teaches_cards_without_their_ground(tmp_path: Path, colour: tuple[int, int, int]) -> None:
    """The border makes these slim cards look like playing cards."""
    faces = taught(tmp_path, {f"card{i}": on_ground(card_with_print(i), 42, colour) for i in range(3)})
    for i in range(3):
        (shown,) = faces[f"card{i}"]
        face = cv2.resize(card_with_print(i), shown.shape[1::-1], interpolation=cv2.INTER_AREA)
        assert shown.shape[1] / shown.shape[0] == pytest.approx(220 / 340, abs=0.01)
        assert np.abs(shown[4:-4, 4:-4].astype(int) - face[4:-4, 4:-4]).mean() < 6


@pytest.mark.parametrize(("deck", "count"), [("piquet", 1), ("coup", 3), *tiered((), (("piquet", 3),))])
def test_keeps_printed_border(tmp_path: Path, deck: str, count: int) -> None:
    names = tuple(PRINTED[deck].faces)[:count]
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


def test_finds_bad_cut_by_similar_pictures() -> None:
    shown = {sign: castle(sign) for sign in ALIKE}
    assert find_askew(shown) == {}
    moved = find_askew({**shown, "sun": castle("sun", CLIPPED)})
    assert list(moved) == ["sun"]
    # the card's lower corners lie below the picture
    back = map_points(homography(UNIT_SQUARE, CLIPPED), moved["sun"])
    assert np.abs(back - UNIT_SQUARE).max() < 0.005


def test_does_not_align_with_different_or_few_faces() -> None:
    decks = (kept_deck(name) for name in ("bridge", "coloured", "corner", "thin", "wordy"))
    faces = [cv2.resize(deck.face(next(iter(deck.faces))), (252, 352)) for deck in decks]
    assert find_askew({str(i): np.asarray(face, np.uint8) for i, face in enumerate(faces)}) == {}
    assert find_askew({"sun": castle("sun", CLIPPED), "key": castle("key"), "crown": castle("crown")}) == {}


@pytest.mark.parametrize("off", tiered((0.05,), (0.05, 0.12)))
def test_slanted_cut_is_corrected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off: float) -> None:
    for number, sign in enumerate(ALIKE):
        picture = np.full((640, 480, 3), (40, 80, 20), np.uint8)
        picture[100 + 9 * number : 452 + 9 * number, 90 + 11 * number : 342 + 11 * number] = castle(sign)
        cv2.imwrite(str(tmp_path / f"{sign}.png"), picture)
    usual, sun = folder_lessons._find_cards, tmp_path / "sun.png"

    def find_cards(*asked: Any) -> tuple[GroundKind, dict[Path, Any]]:
        kind, found = usual(*asked)
        wrong = found[sun].corners - ((0, 0), (0, 0), (0, off * 352), (0, off * 352))
        return kind, {**found, sun: replace(found[sun], corners=wrong)}

    monkeypatch.setattr(folder_lessons, "_find_cards", find_cards)
    shots = teach_from(tmp_path).shots
    for shot in shots:
        number = ALIKE.index(shot.face)
        inside = (present(shot.corners) + 0.5 - (90 + 11 * number, 100 + 9 * number)) / (252, 352)
        assert np.abs(inside - UNIT_SQUARE).max() < 0.01, shot.face


# cards in shapes that no usual card has


def lesson_of(folder: Path, pictures: dict[str, Picture]) -> FolderLesson:
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    return teach_from(folder)


def off(found: Reals | None, truth: Reals) -> float:
    """Measure the worst corner's error as a share of the card's width."""
    assert found is not None
    return float(np.linalg.norm(found + 0.5 - truth, axis=1).max() / np.linalg.norm(truth[1] - truth[0]))


LAID = [
    ("pips", BROAD, "wood", "wide"),
    ("bleed", BRIDGE, "white", "wide"),
    ("bordered", BROAD, "wood", "uneven"),
    *tiered(
        (),
        (
            ("pips", SLIM, "black", "even"),
            ("pips", BRIDGE, "white", "uneven"),
            ("pips", BRIDGE, "grey", "missing"),
            ("pips", BRIDGE, "grey", "uneven"),
            ("bleed", SLIM, "wood", "even"),
            ("bordered", SLIM, "grey", "even"),
            ("bordered", BRIDGE, "white", "wide"),
        ),
    ),
]


@pytest.mark.parametrize(("art", "size", "ground", "cut"), LAID)
def test_card_ends_at_the_ground(tmp_path: Path, art: str, size: Size, ground: str, cut: str) -> None:
    numbers = range(tiered(7, 10))
    shown = {f"{art}{i}": laid(ARTS[art](default_rng(i), size), ground, cut, 70 + i) for i in numbers}
    lesson = lesson_of(tmp_path, {name: picture for name, (picture, _corners) in shown.items()})
    errors = sorted(off(shot.corners, shown[shot.face][1]) for shot in lesson.shots)
    # of ten, one may be wrong
    assert errors[tiered(-1, -2)] < 0.013, errors
    wide, high = lesson.taught.card
    assert wide / high == pytest.approx(size[0] / size[1], rel=0.02)


@pytest.mark.parametrize("size", tiered((BRIDGE,), (BRIDGE, SLIM, BROAD)))
@pytest.mark.parametrize("art", ARTS)
def test_scans_of_cards_are_used_whole(tmp_path: Path, art: str, size: Size) -> None:
    scans = {f"{art}{i}": ARTS[art](default_rng(i), size) for i in range(4)}
    for shot in lesson_of(tmp_path, scans).shots:
        high, wide = scans[shot.face].shape[:2]
        assert shot.corners == pytest.approx(np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) - 0.5)


# a few that were cut out worse than the others


def cut_crookedly(face: Picture, ground: str, seed: int) -> tuple[Picture, Reals]:
    """Cut a card out by its corners, two of them too far out, and set it upright; tell its corners, too."""
    picture, corners = laid(face, ground, "wide", seed)
    rng = default_rng(seed)
    out = (corners - corners.mean(axis=0)) * rng.uniform(0.04, 0.12, (4, 1)) * (rng.permutation(4) < 2)[:, None]
    cut = rectify_card(picture, corners + out - 0.5, face.shape[1] / face.shape[0])
    return cut, map_points(homography(corners + out, UNIT_SQUARE * cut.shape[1::-1]), corners)


@pytest.mark.parametrize("ground", tiered(["wood"], ["wood", "black", "grey"]))
def test_cut_with_wedge_of_ground_ends_at_the_paper(tmp_path: Path, ground: str) -> None:
    faces = {f"pips{i}": pips(default_rng(i), BRIDGE) for i in range(7)}
    crooked = {name: cut_crookedly(faces[name], ground, 7 + i) for i, name in enumerate(list(faces)[:3])}
    shown = {name: crooked[name][0] if name in crooked else faces[name] for name in faces}
    for shot in lesson_of(tmp_path, shown).shots:
        if shot.face in crooked:
            assert off(shot.corners, crooked[shot.face][1]) < 0.02
        else:
            assert shot.corners == pytest.approx(UNIT_SQUARE * BRIDGE - 0.5)


def on_table(face: Picture, turn: float) -> tuple[Picture, Reals]:
    """Photograph a card from above on grey cloth, turned by so many degrees; tell its corners, too."""
    grain = GROUNDS["grey"](default_rng(round(turn)), (700, 1000))
    matrix = cv2.getRotationMatrix2D((face.shape[1] / 2, face.shape[0] / 2), turn, 1.0)
    matrix[:, 2] += (480 - face.shape[1] / 2 + turn, 350 - face.shape[0] / 2)
    share = cv2.warpAffine(np.ones(face.shape, np.float32), matrix, (1000, 700))
    card = cv2.warpAffine(face, matrix, (1000, 700))
    corners = map_points(np.vstack((matrix, (0, 0, 1))), UNIT_SQUARE * face.shape[1::-1])
    seen = card * share + grain * (1 - share) + default_rng(1).normal(0, 2, card.shape)
    return np.clip(seen, 0, 255).astype(np.uint8), corners


def nine_diamonds() -> Picture:
    """Print signs whose outlines are clearer than a white card's on a light table."""
    face = np.full((352, 252, 3), 240, np.uint8)
    for x, y in [
        (70, 60),
        (180, 60),
        (70, 140),
        (180, 140),
        (125, 176),
        (70, 215),
        (180, 215),
        (70, 290),
        (180, 290),
    ]:
        cv2.fillPoly(face, [np.array([(x, y - 28), (x + 20, y), (x, y + 28), (x - 20, y)])], (90, 90, 240))
    return face


@slow("four photographs of cards on a table")
def test_pip_is_not_the_card(tmp_path: Path) -> None:
    faces = {f"ace{i}": card_with_print(i, 252, 352) for i in range(3)} | {"nine": nine_diamonds()}
    shown = {name: on_table(face, 11.0 + 13 * i) for i, (name, face) in enumerate(faces.items())}
    lesson = lesson_of(tmp_path, {name: picture for name, (picture, _corners) in shown.items()})
    assert {shot.face for shot in lesson.shots if shot.corners is not None} == set(faces)
    for shot in lesson.shots:
        both = present(shot.corners), shown[shot.face][1]
        found, truth = (cv2.contourArea(each.astype(np.float32)) for each in both)
        assert found > 0.8 * truth


def test_finds_first_card_without_known_size(tmp_path: Path) -> None:
    camera = SceneCamera(at=(0.0, 0.0, 300.0), tilt=2.0, resolution=(900, 1200), focal=1710.0)
    frame = frame_of(
        Scene(camera, SceneTable(plates=()), cards=(SceneCard("duke", 0, 0, 4),)), faces_of("coup")
    )
    (shot,) = lesson_of(tmp_path, {"duke": frame.picture}).shots
    assert np.allclose(present(shot.corners), frame.truth[0].outline, atol=6)


@pytest.mark.parametrize(("light", "kept"), [(40, False), (0, True)])
def test_frame_that_no_light_changes_is_not_print(tmp_path: Path, light: int, kept: bool) -> None:
    """Pictures of one size with an even grey frame: it was added if the paper in it varies and it doesn't."""
    for i in range(4):
        face = card_with_print(i, 252, 352).astype(int) - light * i // 3
        framed = cv2.copyMakeBorder(
            np.clip(face, 0, 255).astype(np.uint8), 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=GREY
        )
        cv2.imwrite(str(tmp_path / f"card{i}.png"), framed)
    lesson = teach_from(tmp_path)
    assert present(lesson.cut).kind == ("nothing" if kept else "ground")
