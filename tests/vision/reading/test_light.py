"""Cards in bad light: in a shadow, a lamp's streak, or so far that few pixels show them."""

import cv2
import numpy as np
import pytest

from tests.given import present
from tests.tidiness import tries
from tests.vision.laid_cards import FACES, few_cards, one_card, outline_at, small
from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.deciding import Likeness, likeness
from vision.reading.explaining import explain_places, is_certain, pool_of
from vision.reading.focus import is_afar, to_colours, to_light
from vision.reading.looking import Seeing, compare_card
from vision.reading.reader import read
from vision.reading.strangeness import without_light
from vision.reading.templates import Picture, Templates, soften_patch, templates
from vision.reading.views import Surroundings, pyramid
from vision.teaching.tried_decks import prepare_deck

# few pixels

SUITS = ("7c", "7s", "Jd", "Js", "Qc", "Kd")


def suits() -> Templates:
    return templates({name: [playing_cards().face(name)] for name in SUITS})


def far_card(deck: Templates, name: str, wide: int, high: int) -> Likeness:
    """Look at a card whose light few pixels have mixed."""
    face = to_light(np.asarray(playing_cards().face(name), np.float32) / np.float32(255))
    light = np.full((300, 300, 3), 0.05, np.float32)
    light[100 : 100 + high, 100 : 100 + wide] = cv2.resize(face, (wide, high), interpolation=cv2.INTER_AREA)
    soft = to_colours(np.asarray(cv2.GaussianBlur(light, (0, 0), 0.9), np.float32))
    levels = pyramid(np.asarray(np.clip(soft * 255, 0, 255), np.uint8))
    pose = np.array([(wide, 0, 99.5 + wide / 2), (0, high, 99.5 + high / 2), (0, 0, 1.0)])
    return present(compare_card(Seeing(levels, deck), pose, deck.names.index(name) * 2))


@pytest.mark.parametrize(("wide", "high"), [(48, 92), (66, 78)])
def test_distinguishes_blurred_small_card(wide: int, high: int) -> None:
    deck = suits()
    for name in SUITS:
        card = far_card(deck, name, wide, high)
        assert deck.name_of(card.row) == name
        assert is_certain(Seeing((), deck, plane=True), card)


@pytest.mark.parametrize(("pixels", "expected"), [(1.2, True), (1.3, False)])
def test_card_with_one_pixel_per_cell_is_far(pixels: float, expected: bool) -> None:
    assert is_afar(np.diag((pixels * 60, 2 * pixels * 80, 1.0)), (80, 60)) is expected
    assert is_afar(np.diag((2 * pixels * 60, pixels * 80, 1.0)), (80, 60)) is expected


# spots that differ from the face: light is excused, print is not

TONES = {"one": 1, "two": 2, "three": 3, "four": 4}


def print_tones(name: str) -> Picture:
    """Print a mosaic of tones of which none is quite dark or light, on pale paper."""
    tones = np.random.default_rng(TONES[name]).integers(30, 100, (7, 5, 3)).astype(np.uint8)
    if name == "four":
        tones[2, 2] = 170
    face = np.full((352, 252, 3), 190, np.uint8)
    face[16:-16, 16:-16] = cv2.resize(tones, (220, 320), interpolation=cv2.INTER_NEAREST)
    return face


@pytest.fixture(scope="module")
def mosaics() -> Templates:
    return prepare_deck({name: [print_tones(name)] for name in TONES}, kept=tries())


def is_named(face: Picture, deck: Templates) -> bool:
    """Lay a card that is or was the first one, and tell whether it is named beyond doubt."""
    picture = np.full((600, 700, 3), 50, np.uint8)
    picture[100:452, 200:452] = face
    picture = cv2.GaussianBlur(picture, (5, 5), 0.8)
    seeing = Seeing(pyramid(picture), deck)
    place = np.array([(252, 0, 325.5), (0, 352, 275.5), (0, 0, 1)])
    (card,) = explain_places(seeing, pool_of(seeing, [place]), [])
    assert deck.name_of(card.row) == "one"
    return is_certain(seeing, card)


@pytest.mark.parametrize("strength", [0, 60, 110])
def test_mirrored_lamp_does_not_change_name(mosaics: Templates, strength: int) -> None:
    light = np.zeros((352, 252, 3), np.uint8)
    cv2.line(light, (150, 0), (250, 170), (strength, strength, strength), 16)
    assert is_named(cv2.add(print_tones("one"), cv2.GaussianBlur(light, (0, 0), 4)), mosaics)


@pytest.mark.parametrize("colour", [(230, 40, 200), (40, 30, 190), (210, 60, 20)])
def test_unknown_print_removes_name(mosaics: Templates, colour: tuple[int, int, int]) -> None:
    assert not is_named(cv2.rectangle(print_tones("one"), (100, 200), (150, 250), colour, -1), mosaics)


def test_missing_print_is_not_light(mosaics: Templates) -> None:
    """Bare paper is as light as all paper; a lamp would make it lighter, or veil the print."""
    grid, row = mosaics.fine, 2 * mosaics.names.index("one")
    own, (down, across) = grid.lab[row].reshape(3, *grid.shape), (30, 24)
    spot = np.s_[:, down : down + 9, across : across + 9]
    strange = np.zeros(grid.shape, np.float32)
    strange[down + 4, across + 4] = 0.3
    for tone, is_left in ((own[:, 1, 1], True), (own[:, 1, 1] - (0.15, 0, 0), False)):
        lab = own.copy()
        lab[spot] = tone[:, None, None]
        left = without_light(strange, lab.reshape(3, -1), grid, row, np.array([], np.intp), grid.inside)
        assert (left.max() > 0) == is_left


def test_lighter_print_of_another_face_is_not_light(mosaics: Templates) -> None:
    face, pale = print_tones("one"), np.s_[106:154, 100:152]
    face[pale] = print_tones("four")[pale]
    assert not is_named(face, mosaics)


# print on white, and colours


TABLE = Surroundings(np.diag((130 / 63, 130 / 63, 1.0)))
"""What lies straight below the camera, in millimetres."""


def on_white_paper(*cards: tuple[str, float, float, float]) -> Picture:
    """Lay cards as a picture shows them in which paper and table are white alike."""
    picture = np.full((700, 900, 3), 255, np.uint8)
    for name, x, y, turned in cards:
        face = small(name)
        high, wide = face.shape[:2]
        corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        into = cv2.getPerspectiveTransform(corners, np.array(outline_at(x, y, turned), np.float32))
        laid = cv2.warpPerspective(face, into, picture.shape[1::-1], borderValue=(255, 255, 255))
        printed = laid.min(axis=2) < 200
        picture[printed] = laid[printed]
    return picture


@pytest.mark.parametrize("turned", [0.0, 7.0, 37.0, 93.0, 170.0])
def test_finds_white_cards_on_white_paper(turned: float) -> None:
    laid = [("7c", 100.0, 90.0, turned), ("4h", 400.0, 110.0, -turned), ("Jd", 330.0, 400.0, turned + 20)]
    reading = read(on_white_paper(*laid), few_cards(), table=TABLE)
    assert sorted(card.face or "" for card in reading.cards) == ["4h", "7c", "Jd"]


def test_text_on_white_paper_is_not_a_card() -> None:
    picture = on_white_paper()
    for number, said in enumerate(("Shopping:", "two lemons", "a dozen eggs", "7 and 4")):
        cv2.putText(picture, said, (150, 200 + 50 * number), cv2.FONT_HERSHEY_COMPLEX, 1.2, (40, 30, 30), 3)
    cv2.circle(picture, (650, 400), 70, (30, 30, 200), 9)
    assert [card for card in read(picture, few_cards(), table=TABLE).cards if card.sure] == []


COLOURS = {"green": (70, 150, 60), "blue": (170, 110, 40), "yellow": (70, 190, 210), "red": (60, 50, 190)}


def figure_on(colour: str, sign: str) -> Picture:
    """Draw a large white figure on a coloured card with a white border."""
    card = np.full((352, 252, 3), 245, np.uint8)
    card[18:-18, 18:-18] = COLOURS[colour]
    cv2.putText(card, sign, (60, 240), cv2.FONT_HERSHEY_COMPLEX, 6, (240, 240, 240), 18)
    return card


def lifted(picture: Picture, by: float) -> Picture:
    """Make colours as much stronger as a camera that likes them strong."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float32)
    return np.asarray((grey + by * (picture - grey)).clip(0, 255), np.uint8)


@pytest.mark.parametrize("by", [0.6, 1.0, 1.7])
def test_tolerates_stronger_colours(by: float) -> None:
    deck = templates({f"{colour}-{sign}": [figure_on(colour, sign)] for colour in COLOURS for sign in "478"})
    table = np.full((600, 800, 3), (40, 55, 80), np.uint8)
    for number, name in enumerate(("green-4", "blue-7", "yellow-8")):
        shown = cv2.resize(lifted(figure_on(*name.split("-")), by), (130, 182), interpolation=cv2.INTER_AREA)
        table[200:382, 100 + 200 * number : 230 + 200 * number] = shown
    faces = [card.face for card in read(table, deck).cards]
    assert sorted(face or "" for face in faces) == ["blue-7", "green-4", "yellow-8"]


@pytest.mark.parametrize("name", FACES[:2])
def test_light_on_taught_picture_is_ignored(name: str) -> None:
    plain = playing_cards().face(name)
    sign = plain.copy()
    cv2.circle(sign, (215, 40), 14, (40, 40, 40), -1)
    high, wide = plain.shape[:2]
    brown = (
        1
        - np.linspace(0, 0.25, wide)[None, :, None] * (1.0, 0.7, 0.4) * np.linspace(0.5, 1, high)[:, None, None]
    )
    deck = templates({"plain": [np.asarray(plain * brown, np.uint8)], "sign": [sign], "other": [small("Qc")]})
    for shown, wanted in ((plain, "plain"), (sign, "sign")):
        fine = deck.fine
        patch = cv2.resize(shown, fine.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
        order = np.arange(len(deck.faces))
        seen = np.asarray(fine.inside, np.float32)
        told = likeness(soften_patch(patch), np.diag((300.0, 420.0, 1.0)), deck, fine, order, seen)
        assert deck.name_of(told.row) == wanted
        assert told.margin > 0.5


# print that another camera sees paler


def in_depth(face: Picture, depth: float) -> Picture:
    """Print a face paler or deeper on paper that stays white, as a camera does that exposes too long."""
    return np.asarray(np.clip(255 - (255.0 - face) * depth, 0, 255), np.uint8)


@pytest.mark.parametrize("depth", [0.55, 0.75])
@pytest.mark.parametrize("name", FACES)
def test_card_matches_face_taught_paler(name: str, depth: float) -> None:
    levels, pose = one_card(name)
    faces = {each: [in_depth(playing_cards().face(each), depth)] for each in FACES}
    deck = templates(faces)
    seen = present(compare_card(Seeing(levels, deck, plane=True), pose, 2 * FACES.index(name)))
    assert deck.name_of(seen.row) == name
    assert seen.misfit < 0.01
    assert is_certain(Seeing(levels, deck, plane=True), seen)
