"""Cards are read off rendered tables: right, or honestly unsure, and never taken for others."""

from functools import lru_cache

import cv2
import numpy as np
import pytest

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import BACK, faces_of
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable, Surface
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import LEVELS, random_scene
from tests.hardware.twin.truth import Frame, frame_of
from tests.tidiness import tries
from tests.tiers import release, slow, tiered
from tests.vision.counting import pairs
from tests.vision.laid_cards import lay_onto
from tests.vision.photographs import smaller
from tests.vision.rendered_tables import lay_cards, templates_from_artwork
from vision.reading.reader import read
from vision.reading.templates import Templates, shape_of, templates
from vision.reading.views import Surroundings
from vision.sightings import Reading
from vision.table.plane import as_outline
from vision.teaching.tried_decks import prepare_deck

DECK = "coup"
CAMERA = SceneCamera(resolution=(1000, 750), focal=770.0)
FOUR = (
    SceneCard("duke", -150, -60, 20),
    SceneCard("assassin", 0, 80, 110),
    SceneCard("contessa", 140, -40, 200),
    SceneCard(None, 250, 110, 290),
)
many_decks = release("teaching another deck takes seconds, and reading differs little between decks")


def deck() -> Templates:
    return templates_from_artwork(DECK)


@lru_cache(maxsize=1)
def few_of(name: str, *faces: str | None) -> Templates:
    """Teach some faces of a deck, and a few others."""
    names = {*(face for face in faces if face), *list(PRINTED[name].faces)[:6], BACK}
    # a small deck is complete with them
    if names == {*PRINTED[name].faces, BACK}:
        return templates_from_artwork(name)
    return prepare_deck({face: [np.asarray(faces_of(name)(face))] for face in sorted(names)}, kept=tries())


@lru_cache(maxsize=2)
def frame(*cards: SceneCard, surface: Surface = "felt") -> Frame:
    return frame_of(Scene(CAMERA, SceneTable(surface), cards=cards, seed=5), faces_of(DECK))


def read_frame(shown: Frame, among: dict[str, int] | None = None) -> Reading:
    return read(shown.picture, deck(), among, Surroundings(shown.plane))


def count_right(shown: Frame, reading: Reading) -> int:
    """Count the cards that are told as they are; make sure that none is told as another."""
    named = {i: card for i, card in pairs(shown.truth, reading.cards).items() if card.sure}
    assert all(
        (card.face, card.facing) == (shown.truth[i].face, shown.truth[i].facing) for i, card in named.items()
    )
    assert len(reading.cards) <= len(shown.truth)
    return len(named)


@slow("whole pictures are read, with and without a known plane")
@pytest.mark.parametrize("surface", tiered(("wood",), ("felt", "wood", "light", "mat", "paper")))
def test_reads_separate_cards_on_any_table(surface: Surface) -> None:
    shown = frame(*FOUR, surface=surface)
    assert count_right(shown, read_frame(shown)) == 4
    assert count_right(shown, read(shown.picture, deck())) >= 3
    bare = frame(surface=surface)
    assert read(bare.picture, deck()).cards == ()


@pytest.mark.parametrize(
    ("level", "layout"),
    tiered(
        (("L0", "crossing"),),
        tuple((level, layout) for level in LEVELS for layout in ("separate", "touching", "crossing")),
    ),
)
def test_no_wrong_name_at_any_light_level(level: str, layout: str) -> None:
    names = tuple(PRINTED[DECK].faces)[:5]
    scene = smaller(random_scene(LEVELS[level], LAYOUTS[layout], names, 4), (1352, 1014))
    shown = frame_of(scene, faces_of(DECK))
    assert count_right(shown, read_frame(shown)) >= (4 if level != "L2" else 2)


@slow("reads covered cards of each layout and light")
@slow("a fan in bad light is the hardest picture, and wrong names are seldom elsewhere")
@pytest.mark.parametrize(
    ("name", "layout", "level", "seed", "least"),
    [
        pytest.param("piquet", "fan", "L1", 7045, 4, marks=many_decks),
        # all of them are named, though their places were rough, to the last of the fan
        pytest.param("piquet", "fan", "L2", 1005, 8, marks=many_decks),
        # what lies under a card is sought also where that has no name, and a face that isn't there everywhere
        ("coup", "fan", "L1", 3004, 5),
        # a tint or a shifted strip could tell one face from another
        pytest.param("piquet", "fan", "L2", 7050, 4, marks=many_decks),
        pytest.param("ogallala", "crossing", "L1", 7018, 4, marks=many_decks),
        pytest.param("ogallala", "crossing", "L2", 7018, 4, marks=many_decks),
        pytest.param("ogallala", "fan", "L2", 1008, 6, marks=many_decks),
        pytest.param("plenty-coups", "fan", "L2", 1002, 7, marks=many_decks),
    ],
)
def test_overlapping_cards_are_named_or_unnamed(
    name: str, layout: str, level: str, seed: int, least: int
) -> None:
    shown, table = lay_cards(name, layout, level, seed)
    known = few_of(name, *(card.face for card in shown.truth))
    assert count_right(shown, read(shown.picture, known, None, table)) >= least


@pytest.mark.parametrize("angle", tiered((271,), (0, 45, 90, 133, 180, 271)))
def test_reads_card_and_its_orientation_at_any_angle(angle: float) -> None:
    shown = frame(SceneCard("captain", 30, -20, angle))
    (card,) = read_frame(shown).cards
    assert (card.face, card.sure, card.facing) == ("captain", True, "up")
    assert card.turned is not None
    assert abs((card.turned - shown.truth[0].turned + 180) % 360 - 180) < 2
    assert np.abs(np.array(card.outline) - shown.truth[0].outline).max() < 4


def test_back_is_face_down_without_orientation() -> None:
    (card,) = read_frame(frame(SceneCard(None, 0, 0, 30))).cards
    assert (card.face, card.sure, card.facing, card.turned) == (None, True, "down", None)
    assert deck().symmetric == {BACK}


def test_among_never_changes_clear_sightings() -> None:
    shown = frame(*FOUR)
    plain = read_frame(shown)
    ways: tuple[dict[str, int], ...] = ({"assassin": 3, "captain": 1}, {})
    for among in ways:
        told = read_frame(shown, among)
        assert [card.face for card in told.cards] == [card.face for card in plain.cards]
        assert all(card.possible == (card.face is None or card.face in among) for card in told.cards)


def test_extra_card_is_reported_as_impossible() -> None:
    cards = read_frame(frame(SceneCard("duke", -100, 0), SceneCard("duke", 100, 0, 15)), {"duke": 1}).cards
    assert [card.face for card in cards] == ["duke", "duke"]
    assert sorted(card.possible for card in cards) == [False, True]


@pytest.mark.usefixtures("small_tables")
def test_other_decks_cards_get_no_name() -> None:
    shown, table = lay_cards("piquet", "separate", "L0", 1, cards=6)
    assert any(truth.face is None for truth in shown.truth)
    reading = read(shown.picture, deck(), None, table)
    assert [card for card in reading.cards if card.sure] == []
    outlines = [np.array(some.outline, np.float32) for some in reading.unexplained]
    unsure = pairs(shown.truth, reading.cards)
    for i, truth in enumerate(shown.truth):
        middle = np.array(truth.outline).mean(axis=0).tolist()
        assert i in unsure or any(cv2.pointPolygonTest(each, middle, False) >= 0 for each in outlines)


ODD_PICTURES = (
    np.zeros((0, 0, 3), np.uint8),
    np.zeros((1, 1, 3), np.uint8),
    np.zeros((30, 2000, 3), np.uint8),
    np.full((479, 641, 3), 255, np.uint8),
    np.random.default_rng(1).integers(0, 256, (301, 397, 3), dtype=np.uint8),
    np.random.default_rng(1).integers(0, 256, (300, 400), dtype=np.uint8),
    np.random.default_rng(1).random((99, 77, 4)).astype(np.float32),
    np.full((60, 60, 1), np.nan),
    np.zeros((50, 50, 2), np.uint8),
    np.zeros(7, np.uint8),
)


@pytest.mark.parametrize("number", range(len(ODD_PICTURES)))
def test_no_picture_raises(number: int) -> None:
    for plane in (None, np.eye(3), np.full((3, 3), np.nan)):
        table = None if plane is None else Surroundings(plane)
        assert read(ODD_PICTURES[number], deck(), None, table).cards == ()


def test_reads_grey_picture() -> None:
    shown = frame(*FOUR)
    grey = cv2.cvtColor(np.asarray(shown.picture), cv2.COLOR_BGR2GRAY)
    count_right(shown, read(grey, deck(), None, Surroundings(shown.plane)))


@pytest.mark.parametrize("long", [70, 150, 590])
def test_cards_of_any_size_are_read_without_a_plane(long: int) -> None:
    card = cv2.resize(faces_of(DECK)("duke"), (round(long * 63 / 88), long), interpolation=cv2.INTER_AREA)
    picture = np.full((long * 2, long * 2, 3), (60, 90, 40), np.uint8)
    picture[long // 2 : long // 2 + long, long // 3 : long // 3 + card.shape[1]] = card
    (seen,) = read(picture, deck()).cards
    assert seen.face == "duke" or not seen.sure


def picture_from(lean: float) -> tuple[Pixels, np.ndarray]:
    face = cv2.resize(faces_of(DECK)("captain"), (252, 352), interpolation=cv2.INTER_AREA)
    c, s = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    corners = np.array([(-126, -176), (126, -176), (126, 176), (-126, 176)], float)
    depth = 1 + corners[:, 1] * s / 1400
    there = np.column_stack((corners[:, 0], corners[:, 1] * c)) / depth[:, None] + (400, 300)
    table_top = np.full((600, 800, 3), (50, 80, 40), np.uint8)
    lay_onto(table_top, face, as_outline(there))
    return table_top, there


@pytest.mark.parametrize("lean", [0, 40])
def test_reads_card_from_the_side_without_a_plane(lean: float) -> None:
    picture, outline = picture_from(lean)
    (card,) = read(picture, deck()).cards
    assert card.face == "captain"
    assert np.abs(np.array(card.outline) - outline).max() < 6


def test_cards_have_any_shape_and_deck_needs_picture() -> None:
    assert shape_of((70, 70), 1260) == (35, 35)
    assert shape_of((60, 120), 1250) == (50, 25)
    rng = np.random.default_rng(2)
    art = {name: [cv2.resize(rng.integers(0, 256, (9, 9, 3), dtype=np.uint8), (300, 300))] for name in "abc"}
    picture = np.full((600, 700, 3), 20, np.uint8)
    picture[100:300, 200:400] = cv2.resize(art["b"][0], (200, 200))
    assert [card.face for card in read(picture, templates(art, (70, 70))).cards] == ["b"]
    with pytest.raises(ValueError, match="at least one"):
        templates({})
