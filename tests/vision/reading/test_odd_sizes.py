"""What isn't as large as the cards beside it is no card, whatever it shows: half of a six is a three."""

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.reading.test_tilt import SHAPE, leaning_table
from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.reader import read
from vision.reading.templates import Picture, Templates
from vision.reading.tilt import has_card_size
from vision.table.plane import inverse
from vision.teaching.tried_decks import prepare_deck

WIDE, HIGH = 252, 352
BESIDE = ("7c", "Qd", "5s", "10h")


@cache
def deck() -> Templates:
    return prepare_deck({name: [playing_cards().face(name)] for name in ("3h", *BESIDE)})


def lay_cards(wide: int, beside: int) -> Picture:
    """Lay a three that is so wide among cards that are as cards are; look at them from the side."""
    picture = np.full((1200, 1600, 3), (60, 90, 50), np.uint8)
    for name, (x, y) in zip(
        ("3h", *BESIDE[:beside]), ((700, 420), (240, 60), (1100, 80), (260, 760), (1080, 740)), strict=False
    ):
        size = (wide if name == "3h" else WIDE, HIGH)
        picture[y : y + size[1], x : x + size[0]] = cv2.resize(
            playing_cards().face(name), size, interpolation=cv2.INTER_AREA
        )
    from_above = np.array([(3.0, 0, 800), (0, 3.0, 600), (0, 0, 1)])
    seen = cv2.warpPerspective(
        picture, leaning_table((-0.85, 0.1)) @ inverse(from_above), SHAPE[::-1], flags=cv2.INTER_AREA
    )
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.7), np.uint8)


def names(picture: Picture) -> set[str | None]:
    return {card.face for card in read(picture, deck()).cards if card.sure}


def test_a_card_of_half_the_width_is_not_named_beside_whole_ones() -> None:
    assert names(lay_cards(round(0.56 * WIDE), 4)) == set(BESIDE)
    assert names(lay_cards(WIDE, 4)) == {"3h", *BESIDE}


@pytest.mark.parametrize(
    ("across", "down", "fits"),
    [(1, 1, True), (1.1, 0.9, True), (0.8, 1, False), (1, 1.3, False), (0, 0, False)],
)
def test_a_place_fits_whose_sides_are_as_long_as_a_card_s(across: float, down: float, fits: bool) -> None:
    turn = np.array([(0.6, -0.8, 300.0), (0.8, 0.6, 200.0), (0.0, 0.0, 1.0)])
    back = np.array([(1.2, 0.1, 5.0), (-0.1, 0.9, 8.0), (0.0003, 0.0002, 1.0)])
    assert has_card_size(back @ turn @ np.diag((63 * across, 88 * down, 1)), back, (63, 88)) is fits
