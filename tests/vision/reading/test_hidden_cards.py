"""Cards of which something hides a part: named by what shows of them if that tells them from all others."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.tidiness import tries
from tests.tiers import tiered
from tests.vision.laid_cards import HIGH, SHAPE, few_cards, leaning_table, one_card
from tests.vision.sets.drawn_decks import pictured_cards, playing_cards
from vision.reading.deciding import Likeness
from vision.reading.explaining import explain_places, is_certain, pool_of, without_doubles
from vision.reading.looking import Seeing
from vision.reading.reader import read
from vision.reading.templates import Picture, Templates, templates
from vision.reading.views import Surroundings
from vision.sightings import Reading
from vision.table.plane import inverse
from vision.teaching.tried_decks import prepare_deck

SIZE = (252, 352)  # a card's width and height in a large picture


def look(levels: tuple[Picture, ...], deck: Templates) -> Seeing:
    return Seeing(levels, deck, plane=True)


def names(found: tuple[Likeness, ...], deck: Templates) -> list[str]:
    return [deck.name_of(card.row) for card in found]


def sure_names(reading: Reading) -> list[str]:
    return sorted(card.face or "back" for card in reading.cards if card.sure)


# under other cards


def test_named_covered_card_replaces_doubt_about_it() -> None:
    levels, pose = one_card("7c", 0.4)
    seeing, above = look(levels, few_cards()), pose + np.array([(0, 0, 0), (0, 0, 0.6 * HIGH), (0, 0, 0)])
    (card,) = explain_places(seeing, pool_of(seeing, [pose]), (above,))
    assert (names((card,), few_cards()), is_certain(seeing, card)) == (["7c"], True)
    assert without_doubles(seeing, [doubtful_beside(card, 1), card]) == (card,)
    # another face there may be what covers it
    other = replace(doubtful_beside(card, 1), row=(card.row + 2) % 8)
    assert without_doubles(seeing, [other, card]) == (other, card)


def doubtful_beside(card: Likeness, x: float) -> Likeness:
    return replace(card, pose=card.pose + np.array([(0, 0, x), (0, 0, 0), (0, 0, 0)]), margin=0.1)


@pytest.mark.parametrize(("x", "kept"), [(20, 1), (200, 2)])
def test_named_card_replaces_unnamed_one(x: float, kept: int) -> None:
    levels, pose = one_card("Jd")
    seeing = look(levels, few_cards())
    (card,) = explain_places(seeing, pool_of(seeing, [pose]), ())
    assert len(without_doubles(seeing, [doubtful_beside(card, x), card])) == kept


# in fans of strangers

PICTURED = sorted(pictured_cards().faces)
KNOWN, STRANGERS = PICTURED[:12], PICTURED[12:]


@cache
def pictured_deck() -> Templates:
    return templates({name: [pictured_cards().face(name)] for name in KNOWN}, (63.0, 88.0))


def glued_on_board(faces: Sequence[Picture], rim: int, down: int = 0) -> Picture:
    """Lay cards over each other on cloth, each glued on dark board with a rim, each `down` lower."""
    picture = np.full((480, 720, 3), (90, 110, 100), np.uint8)
    for k, face in enumerate(faces):
        left, top = 100 + 75 * k, 130 + down * k
        picture[top - rim : top + 220 + rim, left - rim : left + 158 + rim] = 25
        picture[top : top + 220, left : left + 158] = cv2.resize(face, (158, 220), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.7).astype(np.float32)
    return np.clip(soft + np.random.default_rng(1).normal(0, 2, soft.shape), 0, 255).astype(np.uint8)


def names_in_fan(*faces: str, rim: int = 0) -> list[str]:
    picture = glued_on_board([pictured_cards().face(name) for name in faces], rim)
    return sure_names(read(picture, pictured_deck(), None, Surroundings(np.diag((2.5, 2.5, 1.0)))))


@pytest.mark.parametrize("rim", [0, 6])
def test_names_cards_glued_on_wider_board(rim: int) -> None:
    assert names_in_fan(*KNOWN[:3], rim=rim) == KNOWN[:3]


@cache
def few_tried() -> Templates:
    return prepare_deck(
        {name: [playing_cards().face(name)] for name in ("7c", "Jd", "Kd", "10h")}, kept=tries()
    )


@pytest.mark.parametrize("rim", [0, 5, 8])
def test_names_half_covered_card_under_one_glued_on_board(rim: int) -> None:
    """The cover's board hides more than its card, and without it the lower card has a strange edge."""
    picture = glued_on_board([playing_cards().face(name) for name in ("Jd", "7c")], rim, down=10)
    assert sure_names(read(picture, few_tried())) == ["7c", "Jd"]


@pytest.mark.parametrize("first", tiered((0, 12), range(0, 24, 4)))
def test_fan_of_unknown_cards_gets_no_names(first: int) -> None:
    assert names_in_fan(*STRANGERS[first : first + 4]) == []


# twins


def print_tones(number: int, tile: int | None = None) -> Picture:
    """Print pale bars that are a card's own, and perhaps one tile more."""
    wide, high = SIZE
    tones = np.random.default_rng(number).integers(60, 190, (8, 5, 3)).astype(np.uint8)
    face = np.full((high, wide, 3), 235, np.uint8)
    face[24:-24, 24:-24] = cv2.resize(tones, (wide - 48, high - 48), interpolation=cv2.INTER_NEAREST)
    if tile is not None:
        face[100:120, tile : tile + 20] = 20
    return face


@cache
def deck_of_twins() -> Templates:
    faces = {"plain": print_tones(1), "tile": print_tones(1, 40), "other": print_tones(2)}
    return prepare_deck(
        {name: [face] for name, face in (*faces.items(), ("third", print_tones(3)))}, kept=tries()
    )


@pytest.mark.parametrize(("covered", "named"), [(80, ["other"]), (110, ["other"]), (20, ["other", "tile"])])
def test_twins_are_named_if_difference_is_visible(covered: int, named: list[str]) -> None:
    (wide, high), left = SIZE, 300 + covered - SIZE[0]
    picture = np.full((700, 900, 3), 50, np.uint8)
    picture[150 : 150 + high, 300 : 300 + wide] = print_tones(1, 40)
    picture[130 : 130 + high, left : left + wide] = print_tones(2)
    soft = cv2.GaussianBlur(picture, (5, 5), 0.8).astype(np.float64)
    noise = np.random.default_rng(covered).normal(0, 3, soft.shape)
    assert sure_names(read(np.clip(soft + noise, 0, 255).astype(np.uint8), deck_of_twins())) == named


# half of a six is a three

BESIDE = ("7c", "Qd", "5s", "10h")
PLACES = ((700, 420), (240, 60), (1100, 80), (260, 760), (1080, 740))


@cache
def known_beside() -> Templates:
    return templates({name: [playing_cards().face(name)] for name in ("3h", *BESIDE)})


@pytest.mark.parametrize(("share", "named"), [(0.56, BESIDE), (1.0, ("3h", *BESIDE))])
def test_half_as_wide_card_is_not_named_beside_whole_ones(share: float, named: tuple[str, ...]) -> None:
    """All are looked at from the side."""
    cloth = np.full((1200, 1600, 3), (60, 90, 50), np.uint8)
    for name, (x, y) in zip(("3h", *BESIDE), PLACES, strict=True):
        size = (round(share * SIZE[0]) if name == "3h" else SIZE[0], SIZE[1])
        face = cv2.resize(playing_cards().face(name), size, interpolation=cv2.INTER_AREA)
        cloth[y : y + size[1], x : x + size[0]] = face
    from_above = np.array([(3.0, 0, 800), (0, 3.0, 600), (0, 0, 1)])
    aside = leaning_table((-0.85, 0.1)) @ inverse(from_above)
    seen = cv2.warpPerspective(cloth, aside, SHAPE[::-1], flags=cv2.INTER_AREA)
    assert sure_names(read(np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.7)), known_beside())) == sorted(named)
