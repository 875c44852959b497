"""Cards are read off rendered tables: right, or honestly unsure, and never taken for others."""

from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import Layout, lay_crossing, lay_separate, lay_touching
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.levels import LEVELS, random_scene
from hardware.twin.rendering.renderer import BACK, Faces, Frame, render
from hardware.twin.rendering.scene import Scene, SceneCard, SceneTable, Surface
from vision.reading.reader import read
from vision.reading.surroundings import Surroundings
from vision.reading.templates import Templates, shape_of, templates
from vision.sightings import Outline, Reading, Sighting
from vision.teaching.tried_decks import prepare_deck

DECK = "coup"
SURFACES: tuple[Surface, ...] = ("felt", "wood", "light", "mat", "paper")


@cache
def pictures(deck: str) -> Faces:
    return cache(faces_of(deck))


@cache
def deck_templates(deck: str = DECK) -> Templates:
    face = pictures(deck)
    return prepare_deck({name: [np.asarray(face(name))] for name in (*PRINTED[deck].faces, BACK)})


@cache
def table(surface: Surface = "felt") -> SceneTable:
    return SceneTable(surface)


def frame(cards: tuple[SceneCard, ...], surface: Surface = "felt") -> Frame:
    return render(Scene(table=table(surface), cards=cards, seed=5), pictures(DECK))


def nearest_sighting(reading: Reading, outline: Outline) -> Sighting | None:
    middle = np.array(outline).mean(axis=0)
    width = np.hypot(*(np.array(outline[0]) - outline[1]))
    away = {float(np.hypot(*(np.array(card.outline).mean(axis=0) - middle))): card for card in reading.cards}
    return away[min(away)] if away and min(away) < width / 3 else None


def verdicts(shown: Frame, reading: Reading) -> list[str]:
    out = []
    for truth in shown.truth:
        card = nearest_sighting(reading, truth.outline)
        if card is None or not card.sure:
            out.append("unsure")
        else:
            out.append("right" if (card.face, card.facing) == (truth.face, truth.facing) else "wrong")
    return out


FOUR = (
    SceneCard("duke", -150, -60, 20),
    SceneCard("assassin", 0, 80, 110),
    SceneCard("contessa", 140, -40, 200),
    SceneCard(None, 250, 110, 290),
)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("known", [True, False])
def test_separate_cards_are_read_on_any_table_with_and_without_its_plane(surface: Surface, known: bool) -> None:
    shown = frame(FOUR, surface)
    reading = read(shown.picture, deck_templates(), None, Surroundings(shown.plane) if known else None)
    found = verdicts(shown, reading)
    assert "wrong" not in found
    assert found.count("right") >= (4 if known else 3)
    assert len(reading.cards) <= 4


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("layout", [lay_separate, lay_touching, lay_crossing])
def test_every_level_of_light_is_read_without_a_wrong_name(level: str, layout: Layout) -> None:
    names = tuple(PRINTED[DECK].faces)[:5]
    shown = render(random_scene(LEVELS[level], layout, names, 4), pictures(DECK))
    found = verdicts(shown, read(shown.picture, deck_templates(), None, Surroundings(shown.plane)))
    assert "wrong" not in found
    assert found.count("right") >= (4 if level != "L2" else 2)


@pytest.mark.parametrize("angle", [0, 45, 90, 133, 180, 271])
def test_a_card_is_read_at_any_angle_and_its_way_round_told(angle: float) -> None:
    shown = frame((SceneCard("captain", 30, -20, angle),))
    (card,) = read(shown.picture, deck_templates(), None, Surroundings(shown.plane)).cards
    assert (card.face, card.sure, card.facing) == ("captain", True, "up")
    assert card.turned is not None
    assert abs((card.turned - shown.truth[0].turned + 180) % 360 - 180) < 2
    assert np.abs(np.array(card.outline) - shown.truth[0].outline).max() < 4


def test_the_same_picture_gives_the_same_reading() -> None:
    shown = frame(FOUR)
    assert read(shown.picture, deck_templates(), None, Surroundings(shown.plane)) == read(
        shown.picture, deck_templates(), None, Surroundings(shown.plane)
    )


def test_a_back_is_down_and_says_no_way_round() -> None:
    shown = frame((SceneCard(None, 0, 0, 30),))
    (card,) = read(shown.picture, deck_templates(), None, Surroundings(shown.plane)).cards
    assert (card.face, card.sure, card.facing, card.turned) == (None, True, "down", None)


@pytest.mark.parametrize("among", [{"duke": 1}, {"assassin": 3, "captain": 1}, {}])
def test_among_never_changes_what_is_clearly_seen(among: dict[str, int]) -> None:
    shown = frame(FOUR)
    plain = read(shown.picture, deck_templates(), None, Surroundings(shown.plane))
    told = read(shown.picture, deck_templates(), among, Surroundings(shown.plane))
    assert [card.face for card in told.cards] == [card.face for card in plain.cards]
    assert all(card.possible == (card.face is None or card.face in among) for card in told.cards)


def test_a_card_too_many_is_reported_as_seen_and_impossible() -> None:
    shown = frame((SceneCard("duke", -100, 0), SceneCard("duke", 100, 0, 15)))
    cards = read(shown.picture, deck_templates(), {"duke": 1}, Surroundings(shown.plane)).cards
    assert [card.face for card in cards] == ["duke", "duke"]
    assert sorted(card.possible for card in cards) == [False, True]


def test_a_card_of_another_deck_gets_no_name() -> None:
    shown = frame(FOUR)
    reading = read(shown.picture, deck_templates("coyote-gigamic"), None, Surroundings(shown.plane))
    assert [card for card in reading.cards if card.sure] == []
    outlines = [np.array(some.outline, np.float32) for some in reading.unexplained]
    middles = [np.array(truth.outline).mean(axis=0).tolist() for truth in shown.truth]
    flagged = [any(cv2.pointPolygonTest(each, at, False) >= 0 for each in outlines) for at in middles]
    unsure = [nearest_sighting(reading, truth.outline) is not None for truth in shown.truth]
    assert all(np.array(flagged) | np.array(unsure))


@pytest.mark.parametrize("surface", SURFACES)
def test_nothing_is_read_off_an_empty_table(surface: Surface) -> None:
    shown = frame((), surface)
    assert read(shown.picture, deck_templates(), None, Surroundings(shown.plane)).cards == ()
    assert read(shown.picture, deck_templates()).cards == ()


def odd_pictures() -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [
        np.zeros((0, 0, 3), np.uint8),
        np.zeros((1, 1, 3), np.uint8),
        np.zeros((30, 2000, 3), np.uint8),
        np.full((479, 641, 3), 255, np.uint8),
        rng.integers(0, 256, (301, 397, 3), dtype=np.uint8),
        rng.integers(0, 256, (300, 400), dtype=np.uint8),
        rng.random((99, 77, 4)).astype(np.float32),
        np.full((60, 60, 1), np.nan),
        np.zeros((50, 50, 2), np.uint8),
        np.zeros(7, np.uint8),
    ]


@pytest.mark.parametrize("number", range(len(odd_pictures())))
@pytest.mark.parametrize("plane", [None, np.eye(3), np.full((3, 3), np.nan)])
def test_no_picture_makes_it_fail(number: int, plane: np.ndarray | None) -> None:
    picture = odd_pictures()[number]
    assert read(picture, deck_templates(), None, None if plane is None else Surroundings(plane)).cards == ()


def test_a_grey_picture_is_read_as_far_as_it_goes() -> None:
    shown = frame(FOUR)
    grey = cv2.cvtColor(np.asarray(shown.picture), cv2.COLOR_BGR2GRAY)
    found = verdicts(shown, read(grey, deck_templates(), None, Surroundings(shown.plane)))
    assert "wrong" not in found


@pytest.mark.parametrize("long", [70, 150, 590])
def test_cards_of_any_size_are_read_without_a_plane(long: int) -> None:
    card = cv2.resize(pictures(DECK)("duke"), (round(long * 63 / 88), long), interpolation=cv2.INTER_AREA)
    picture = np.full((long * 2, long * 2, 3), (60, 90, 40), np.uint8)
    picture[long // 2 : long // 2 + long, long // 3 : long // 3 + card.shape[1]] = card
    (seen,) = read(picture, deck_templates()).cards
    assert seen.face == "duke" or not seen.sure


def picture_from(lean: float) -> tuple[Pixels, np.ndarray]:
    face = cv2.resize(pictures(DECK)("captain"), (252, 352), interpolation=cv2.INTER_AREA)
    c, s = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    corners = np.array([(-126, -176), (126, -176), (126, 176), (-126, 176)], float)
    depth = 1 + corners[:, 1] * s / 1400
    there = np.column_stack((corners[:, 0], corners[:, 1] * c)) / depth[:, None] + (400, 300)
    moved = cv2.getPerspectiveTransform(
        np.array([(0, 0), (252, 0), (252, 352), (0, 352)], np.float32), there.astype(np.float32)
    )
    table_top = np.full((600, 800, 3), (50, 80, 40), np.uint8)
    return cv2.warpPerspective(face, moved, (800, 600), dst=table_top, borderMode=cv2.BORDER_TRANSPARENT), there


@pytest.mark.parametrize("lean", [0, 20, 40])
def test_a_card_is_read_from_the_side_without_a_plane(lean: float) -> None:
    picture, outline = picture_from(lean)
    (card,) = read(picture, deck_templates()).cards
    assert card.face == "captain"
    assert np.abs(np.array(card.outline) - outline).max() < 6


def test_cards_may_have_any_shape() -> None:
    assert shape_of((70, 70), 1260) == (35, 35)
    assert shape_of((60, 120), 1250) == (50, 25)
    rng = np.random.default_rng(2)
    art = {name: [cv2.resize(rng.integers(0, 256, (9, 9, 3), dtype=np.uint8), (300, 300))] for name in "abc"}
    deck = templates(art, (70, 70))
    picture = np.full((600, 700, 3), 20, np.uint8)
    picture[100:300, 200:400] = cv2.resize(art["b"][0], (200, 200))
    assert [card.face for card in read(picture, deck).cards] == ["b"]


def test_a_deck_needs_a_picture() -> None:
    with pytest.raises(ValueError, match="at least one"):
        templates({})


def test_faces_that_look_the_same_turned_are_known() -> None:
    assert deck_templates().symmetric == {BACK}


def test_one_card_of_a_scene_moved_changes_only_its_sighting() -> None:
    first = frame(FOUR[:2])
    second = frame((FOUR[0], replace(FOUR[1], x=60.0)))
    before, after = (
        read(shown.picture, deck_templates(), None, Surroundings(shown.plane)) for shown in (first, second)
    )
    assert {card.face for card in before.cards} == {card.face for card in after.cards} == {"duke", "assassin"}
