"""Faces that share their print: a small sign sets them apart, or how deep it is printed."""

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
import pytest

from tests.given import present
from tests.tidiness import tries
from tests.vision.sets.drawn_decks import line_drawings
from vision.reading.deciding import Likeness, likeness
from vision.reading.identifying import patches_of
from vision.reading.looking import Seeing, compare_card
from vision.reading.own_light import cell_middles
from vision.reading.reader import read
from vision.reading.templates import Picture, Templates, templates
from vision.reading.views import pyramid
from vision.teaching.tried_decks import prepare_deck

HIGH, WIDE = 352, 252
POSE = np.array([(150.0, 0, 140), (0, 210, 150), (0, 0, 1)])
SIGNS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "feather": ((-12, 12), (2, 4), (12, -12), (4, -10)),
    "sword": ((-14, 14), (-10, 14), (14, -12), (12, -14)),
    "key": ((-4, 14), (4, 14), (4, -14), (-4, -14)),
    "anchor": ((-12, 0), (0, 14), (12, 0), (0, -2)),
}
"""Corners of each sign, a few millimetres large."""
TAUGHT = ("feather", "sword", "key")


def photographed(name: str, noise: float, seed: int) -> Picture:
    """Draw a castle with a small grey sign below; no two photographs of it are the same."""
    card = np.full((HIGH, WIDE, 3), 245.0)
    cv2.rectangle(card, (60, 90), (190, 190), (110, 110, 110), cv2.FILLED)
    cv2.circle(card, (126, 140), 92, (130, 130, 130), 3)
    cv2.fillPoly(card, [np.add(SIGNS[name], (212, 308))], (165, 165, 165))
    clouds = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, card.shape), (0, 0), 2.5)
    return np.asarray(np.clip(cv2.GaussianBlur(card + noise * clouds, (0, 0), 0.9), 0, 255), np.uint8)


@cache
def deck(noise: float) -> Templates:
    return templates({name: [photographed(name, noise, i)] for i, name in enumerate(TAUGHT)})


def look(name: str, noise: float) -> Likeness:
    """Lay a card on a table, and compare it with the deck, from its first face on."""
    table = np.full((300, 280, 3), (60, 80, 50), np.uint8)
    table[45:255, 65:215] = cv2.resize(photographed(name, noise, 10), (150, 210), interpolation=cv2.INTER_AREA)
    return present(compare_card(Seeing(pyramid(table), deck(noise), plane=True), POSE, 0))


@pytest.mark.parametrize("name", TAUGHT)
def test_small_symbol_outweighs_small_differences(name: str) -> None:
    clean, noisy = look(name, 0), look(name, 12)
    assert [deck(0).names[deck(0).faces[each.row]] for each in (clean, noisy)] == [name, name]
    assert noisy.margin > 0.6 * clean.margin


@pytest.mark.parametrize("noise", [0, 12])
def test_unknown_symbol_is_another_face(noise: float) -> None:
    right = [look(name, noise).distinction for name in TAUGHT]
    assert look("anchor", noise).distinction < 0.4 * min(right)


# how deep print is


def drop(tone: tuple[int, int, int], deeper: float) -> Picture:
    """Draw a drop, as a camera shows it that makes print deeper, and leaves paper white."""
    card = np.full((HIGH, WIDE, 3), 245.0)
    cv2.ellipse(card, (126, 176), (50, 84), 0, 0, 360, tone, cv2.FILLED)
    return np.asarray(np.clip(cv2.GaussianBlur(245 - (245 - card) * deeper, (0, 0), 0.9), 0, 255), np.uint8)


TONES = {"deep": (60, 50, 190), "pale": (150, 144, 216)}


@pytest.mark.parametrize("first", TONES)
@pytest.mark.parametrize("name", TONES)
@pytest.mark.parametrize("deeper", [0.9, 1.1])
def test_pale_face_differs_from_faded_deep_one(name: str, first: str, deeper: float) -> None:
    deck = templates({each: [drop(tone, 1)] for each, tone in TONES.items()})
    table = cv2.resize(drop(TONES[name], deeper), (150, 210), interpolation=cv2.INTER_AREA)
    place = np.array([(150.0, 0, 75), (0, 210, 105), (0, 0, 1)])
    (patch,) = patches_of(pyramid(np.asarray(table, np.uint8)), [place], deck.fine.shape)
    order = np.roll(np.arange(4), -2 * list(TONES).index(first))
    card = likeness(patch, np.diag((150.0, 210, 1)), deck, deck.fine, order, deck.fine.inside)
    assert deck.name_of(card.row) == name


# where a card ends


@pytest.mark.parametrize("share", [1.0, 0.4])
def test_ignores_edge_of_fully_visible_card(share: float) -> None:
    """It was cut a little wider than the picture that taught it; a strip of a card has little else to tell."""
    shown, fine = photographed("feather", 0, 10), deck(0).fine
    cv2.rectangle(shown, (0, 0), (WIDE - 1, HIGH - 1), (40, 60, 40), 2 * round(0.04 * WIDE))
    (patch,) = patches_of((shown,), [np.diag((WIDE, HIGH, 1.0)) @ HALF], fine.shape)
    seen = np.float32(fine.inside * (cell_middles(fine.shape)[:, 0] < share - 0.5))
    card = likeness(patch, POSE, deck(0), fine, np.arange(6), seen)
    assert card.visible == pytest.approx(share, abs=0.02)
    assert (card.foreign < 0.1) == (share == 1)


HALF = np.array([(1, 0, 0.5), (0, 1, 0.5), (0, 0, 1)])


# stripes


@pytest.mark.parametrize("blur", [0.6, 1.2, 2.5])
def test_fine_stripes_are_not_read_as_an_open_shape(blur: float) -> None:
    drawn = line_drawings()
    names = [f"1-{colour}-{filled}-oval" for colour in ("red", "violet") for filled in ("open", "striped")]
    deck = prepare_deck({name: [drawn.face(name)] for name in names}, drawn.size, tries())
    flat = np.full((330, 560, 3), (50, 60, 40), np.uint8)
    for i, name in enumerate(name for name in names if "striped" in name):
        flat[80:233, 100 + 200 * i : 200 + 200 * i] = cv2.resize(
            drawn.face(name), (100, 153), interpolation=cv2.INTER_AREA
        )
    corners = np.array([(0, 0), (560, 0), (560, 330), (0, 330)], np.float32)
    slanted = cv2.getPerspectiveTransform(
        corners, corners + np.array([(40, 20), (-40, 20), (0, 0), (0, 0)], np.float32)
    )
    table = cv2.warpPerspective(flat, slanted, (560, 330), borderMode=cv2.BORDER_REPLICATE)
    soft = np.asarray(cv2.GaussianBlur(table, (0, 0), blur), np.uint8)
    cards = read(soft, deck).cards
    assert len(cards) == 2
    assert not any("open" in (card.face or "") for card in cards)
