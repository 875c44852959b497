"""A spot that differs from the face: light is excused, another face's print and foreign print are not."""

import cv2
import numpy as np
import pytest

from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.explaining import Seeing, explain_places, is_certain, pool_of
from vision.reading.identifying import compare_card
from vision.reading.strangeness import strangeness
from vision.reading.templates import Picture, templates
from vision.reading.views import pyramid
from vision.teaching.tried_decks import prepare_deck

WIDE, HIGH = 252, 352
FACES = {"one": 1, "two": 2, "three": 3, "four": 4}


def print_card(name: str) -> Picture:
    """Print a mosaic of tones of which none is quite dark or light, on pale paper."""
    tones = np.random.default_rng(FACES[name]).integers(30, 100, (7, 5, 3)).astype(np.uint8)
    if name == "four":
        tones[2, 2] = (170, 170, 170)
    face = np.full((HIGH, WIDE, 3), 190, np.uint8)
    face[16:-16, 16:-16] = cv2.resize(tones, (WIDE - 32, HIGH - 32), interpolation=cv2.INTER_NEAREST)
    return face


def certain_name(face: Picture) -> str | None:
    """Lay a card, and name it if that is beyond doubt."""
    picture = np.full((600, 700, 3), 50, np.uint8)
    picture[100 : 100 + HIGH, 200 : 200 + WIDE] = face
    picture = cv2.GaussianBlur(picture, (5, 5), 0.8)
    known = prepare_deck({name: [print_card(name)] for name in FACES})
    seeing = Seeing(picture.shape, pyramid(picture), known, among=None, plane=False)
    place = np.array([(WIDE, 0, 200 + (WIDE - 1) / 2), (0, HIGH, 100 + (HIGH - 1) / 2), (0, 0, 1)])
    (card,) = explain_places(seeing, pool_of(seeing, [place]), [])
    return known.names[known.faces[card.row]] if is_certain(card, known) else None


def with_streak(face: Picture, strength: int) -> Picture:
    """Mirror a lamp across the card's middle."""
    light = np.zeros(face.shape, np.uint8)
    cv2.line(light, (150, 0), (250, 170), (strength, strength, strength), 16)
    return cv2.add(face, cv2.GaussianBlur(light, (0, 0), 4))


def with_square(face: Picture, colour: tuple[int, int, int]) -> Picture:
    out = face.copy()
    cv2.rectangle(out, (100, 200), (160, 260), colour, cv2.FILLED)
    return out


@pytest.mark.parametrize("strength", [0, 60, 100, 140])
def test_a_lamp_mirrored_in_a_card_leaves_its_name(strength: int) -> None:
    assert certain_name(with_streak(print_card("one"), strength)) == "one"


@pytest.mark.parametrize("colour", [(230, 40, 200), (40, 30, 190), (210, 60, 20)])
def test_print_that_no_face_has_takes_the_name_away(colour: tuple[int, int, int]) -> None:
    assert certain_name(with_square(print_card("one"), colour)) is None


def test_what_another_face_has_there_is_no_light_though_it_is_lighter() -> None:
    face, other = print_card("one"), print_card("four")
    pale = np.s_[106:154, 100:152]
    assert other[pale].mean() > face[pale].mean() + 40
    face[pale] = other[pale]
    assert certain_name(face) is None


def test_a_stranger_that_differs_in_ten_signs_is_as_odd_as_one_that_differs_in_two() -> None:
    few, many = (patchy_as(strange, face) for strange, face in (("2s", "2c"), ("10s", "10c")))
    assert many > 0.9 * few
    assert min(few, many) > 1.4 * max(patchy_as(face, face) for face in ("2c", "10c"))


def patchy_as(shown: str, face: str) -> float:
    """Look at a playing card as one of a deck that may lack it; tell how patchy it is."""
    deck = templates({name: [playing_cards().face(name)] for name in ("2c", "10c", "9h", "Qc", "Kd", "7h")})
    wide, high = 130, 182
    picture = np.full((300, 300, 3), (60, 80, 50), np.uint8)
    card = cv2.resize(playing_cards().face(shown), (wide, high), interpolation=cv2.INTER_AREA)
    picture[60 : 60 + high, 80 : 80 + wide] = card
    noise = np.random.default_rng(3).normal(0, 4, picture.shape)
    seen = np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255), np.uint8)
    pose = np.array([(wide, 0, 79.5 + wide / 2), (0, high, 59.5 + high / 2), (0, 0, 1.0)])
    like = compare_card(pyramid(seen), pose, 2 * deck.names.index(face), deck)
    assert like is not None
    return like.patchy


@pytest.mark.parametrize("colour", [0.15, -0.15])
def test_a_thin_line_s_false_colours_count_less_than_a_spot_of_that_colour(colour: float) -> None:
    shape = (88, 63)
    paper = np.zeros((3, *shape), np.float32)
    paper[0] = 1
    moire, spot = paper.copy(), paper.copy()
    moire[2, 20:60, 40], moire[2, 20:60, 43] = colour, -colour
    spot[2, 20:60, 40:42] = colour
    seen = np.ones(shape[0] * shape[1], np.float32)
    flat = paper.reshape(3, -1)
    false, true = (
        float(strangeness(each.reshape(1, 3, -1), flat[None], seen[None], shape).max())
        for each in (moire, spot)
    )
    assert 0 < false < 0.75 * true


def test_many_cards_at_once_are_as_strange_as_each_alone() -> None:
    shape, rng = (12, 9), np.random.default_rng(5)
    labs, targets = (rng.random((30, 3, 108), np.float32) for _kind in range(2))
    seen = np.asarray(rng.random((30, 108)) < 0.9, np.float32)
    alone = [strangeness(*(each[i : i + 1] for each in (labs, targets, seen)), shape) for i in range(30)]
    assert np.allclose(strangeness(labs, targets, seen, shape), np.concatenate(alone), atol=1e-6)
