"""Cards in fans of strangers: what covers them has an outline and no name."""

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.sets.drawn_decks import pictured_cards
from vision.reading.corners import edge_bits
from vision.reading.explaining import Seeing, pool_of
from vision.reading.outlines import rigid_pose
from vision.reading.reader import read
from vision.reading.surroundings import surroundings
from vision.reading.templates import Picture, Templates, templates
from vision.reading.under_things import Searched, explain_under_things, find_outlined
from vision.reading.views import pyramid
from vision.table.plane import Reals

SIZE = (63.0, 88.0)
NAMES = sorted(pictured_cards().faces)
KNOWN, STRANGERS = NAMES[:12], NAMES[12:]
WIDE, HIGH = 158, 220
PLANE: Reals = np.diag((2.5, 2.5, 1.0))


@cache
def known_cards() -> Templates:
    return templates({name: [pictured_cards().face(name)] for name in KNOWN}, SIZE)


def fanned(*faces: str, step: int = 75) -> Picture:
    """Lay cards on cloth, each to the right of the one below and over it."""
    picture = np.full((480, 720, 3), (90, 110, 100), np.uint8)
    for k, name in enumerate(faces):
        face = cv2.resize(pictured_cards().face(name), (WIDE, HIGH), interpolation=cv2.INTER_AREA)
        left = 100 + step * k
        picture[130 : 130 + HIGH, left : left + WIDE] = face
    soft = cv2.GaussianBlur(picture, (0, 0), 0.7).astype(np.float32)
    return np.asarray(np.clip(soft + np.random.default_rng(1).normal(0, 2, soft.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("name", KNOWN[:6])
@pytest.mark.parametrize("over", [1, 2])
def test_a_card_under_strangers_is_named_by_what_they_leave_of_it(name: str, over: int) -> None:
    reading = read(fanned(name, *STRANGERS[:over]), known_cards(), None, surroundings(PLANE))
    assert [card.face for card in reading.cards if card.sure] == [name]


@pytest.mark.parametrize("first", range(0, 24, 4))
def test_no_name_is_told_in_a_fan_of_strangers(first: int) -> None:
    reading = read(fanned(*STRANGERS[first : first + 4]), known_cards(), None, surroundings(PLANE))
    assert [card.face for card in reading.cards if card.sure] == []


def test_what_lies_on_top_is_outlined_first() -> None:
    picture = fanned(KNOWN[0], STRANGERS[0])
    levels, deck = pyramid(picture), known_cards()
    seeing = Seeing(picture.shape[:2], levels, deck, among=None, plane=True)
    card = (float(WIDE), float(HIGH))
    places = tuple(((100.0 + 75 * k + WIDE / 2, 130.0 + HIGH / 2), 0.0) for k in (0, 1))
    bits = edge_bits(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    pool = pool_of(seeing, [rigid_pose(*place, card) for place in places])
    searched = Searched(np.eye(3), card, bits, places, pool)
    assert find_outlined(searched, []) == places[1]
    (named,), _things = explain_under_things(seeing, searched, ())
    assert deck.names[deck.faces[named.row]] == KNOWN[0]
