"""Cards of which one side shows beside something that has no name."""

from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.lens import Pixels
from tests.long.plays import bare_table, draw, with_noise
from tests.vision.reading.test_rough_alignment import FACES, WIDE, few_cards, one_card
from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.cut_cards import Line, _line_of_cut, explain_cut_cards
from vision.reading.deciding import Likeness
from vision.reading.explaining import Seeing, explain_places, is_certain, pool_of, without_doubles
from vision.reading.identifying import compare_card, cover_of
from vision.reading.reader import read
from vision.reading.surroundings import surroundings_at
from vision.reading.templates import BACK, Picture, Templates, templates
from vision.reading.views import Pose, pyramid
from vision.table.calibration import calibrate
from vision.table.plane import map_points


def look(levels: tuple[Picture, ...], deck: Templates) -> Seeing:
    return Seeing(levels[0].shape[:2], levels, deck, among=None, plane=True)


def names(found: tuple[Likeness, ...], deck: Templates) -> list[str]:
    return [deck.names[deck.faces[card.row]] for card in found]


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("hidden", [0.4, 0.55])
def test_a_card_under_something_unknown_is_named_by_what_shows_of_it(name: str, hidden: float) -> None:
    deck = few_cards()
    levels, pose = one_card(name, hidden)
    seeing = look(levels, deck)
    beside = pose + np.array([(0, 0, 3), (0, 0, -2), (0, 0, 0)])
    assert explain_places(seeing, pool_of(seeing, [beside]), ()) == ()
    (card,) = explain_cut_cards(seeing, pool_of(seeing, [beside]), ())
    assert names((card,), deck) == [name]
    assert card.visible == pytest.approx(1 - hidden, abs=0.08)


def in_streaks(levels: tuple[Picture, ...]) -> tuple[Picture, ...]:
    """Mirror a lamp in the folds of a sleeve."""
    _y, x = np.mgrid[: levels[0].shape[0], : levels[0].shape[1]]
    light = 40 * (1 + np.sin(x / 4)) * (x > 150) * (x < 150 + WIDE)
    return pyramid(np.asarray(np.clip(levels[0] * 0.9 + light[..., None], 0, 255), np.uint8))


def line_beside(levels: tuple[Picture, ...], pose: Pose, name: str, far: float = 0.0) -> Line | None:
    """Find where a card ends of which all shows above a height in its own square."""
    deck, unknown = few_cards(), cover_of(pose @ np.array([(1.4, 0, 0), (0, 0.6, far + 0.3), (0, 0, 1)]))
    row = int(np.flatnonzero((deck.faces == deck.names.index(name)) & ~deck.turned)[0])
    card = compare_card(levels, pose, row, deck, [unknown], plane=True)
    return None if card is None else _line_of_cut(look(levels, deck), card, [unknown], [])


@pytest.mark.parametrize("name", FACES)
def test_a_card_that_fits_loosely_in_streaks_of_light_is_not_cut_by_them(name: str) -> None:
    levels, pose = one_card(name, 0.4)
    line = line_beside(in_streaks(levels), pose, name, far=0.1)
    assert line is not None
    assert (line.x, line.y, line.far) == pytest.approx((0, 1, 0.1), abs=0.06)


@pytest.mark.parametrize("slant", [-15, -5, 5, 15])
@pytest.mark.parametrize("name", FACES)
def test_a_card_is_cut_along_a_slanting_edge(name: str, slant: float) -> None:
    levels, pose = one_card(name)
    picture, down = levels[0].copy(), np.tan(np.radians(slant))
    thing = map_points(pose, np.array([(-0.6, 0.1 - 0.6 * down), (0.6, 0.1 + 0.6 * down), (0.6, 1), (-0.6, 1)]))
    cv2.fillConvexPoly(picture, thing.round().astype(np.int32), (30, 30, 160))
    line = line_beside(pyramid(picture), pose, name)
    assert line is not None
    assert np.degrees(np.arctan2(-line.x, line.y)) == pytest.approx(slant, abs=3)


def card_with_another_half(name: str, other: str) -> Pixels:
    """Print a stranger: half of one face, half of another."""
    face = playing_cards().face(name).copy()
    half = len(face) // 2
    face[half:] = cv2.flip(playing_cards().face(other), 1)[half:]
    return face


@pytest.mark.parametrize(("name", "other"), [("7c", "Qc"), ("Qc", "Jd"), ("4h", "Jd")])
def test_a_whole_card_that_shares_a_half_with_a_face_is_a_stranger(name: str, other: str) -> None:
    deck = few_cards()
    levels, pose = one_card(name)
    picture = levels[0].copy()
    face = card_with_another_half(name, other)
    picture[100:280, 150 : 150 + WIDE] = cv2.resize(face, (WIDE, 180), interpolation=cv2.INTER_AREA)
    seeing = look(pyramid(picture), deck)
    found = explain_cut_cards(seeing, pool_of(seeing, [pose]), ())
    assert [card for card in found if is_certain(card, deck)] == []


def doubtful_beside(card: Likeness, x: float) -> Likeness:
    """Doubt a card that lies a little beside another."""
    pose: Pose = card.pose + np.array([(0, 0, x), (0, 0, 0), (0, 0, 0)])
    return replace(card, pose=pose, margin=0.1)


def test_a_card_named_by_a_part_of_it_is_told_once() -> None:
    deck = few_cards()
    levels, pose = one_card("Jd", 0.4)
    seeing = look(levels, deck)
    (card,) = explain_cut_cards(seeing, pool_of(seeing, [pose]), ())
    assert without_doubles(seeing, [doubtful_beside(card, 1), card]) == (card,)


@pytest.mark.parametrize(("x", "kept"), [(20, 1), (200, 2)])
def test_a_card_without_a_name_is_dropped_where_one_with_a_name_shows(x: float, kept: int) -> None:
    deck = few_cards()
    levels, pose = one_card("Jd")
    seeing = look(levels, deck)
    (card,) = explain_places(seeing, pool_of(seeing, [pose]), ())
    assert len(without_doubles(seeing, [doubtful_beside(card, x), card])) == kept


def test_a_bare_mat_beside_dark_wood_is_no_card_with_a_dark_head() -> None:
    """The mat's edge, line and few words make a card of text, if all that doesn't fit counts as covered."""
    faces, names = faces_of("coup"), PRINTED["coup"].faces
    deck = templates({name: [np.asarray(faces(name))] for name in (*names, BACK)})
    bare = draw("coup", bare_table("L2", 519))
    table = calibrate(bare)
    assert table is not None
    for noise in range(4):
        seen = read(with_noise(bare, Random(noise)), deck, dict.fromkeys(names, 1), surroundings_at(table))
        assert [card.face for card in seen.cards] == []
