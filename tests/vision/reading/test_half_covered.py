"""Half covered cards: what is in sight must tell a face from all others, else the card stays without a name."""

import cv2
import numpy as np
import pytest

from firmware.benches.vision import lay_cards, pairs, templates_from_artwork
from vision.reading.deciding import _contrast
from vision.reading.reader import read
from vision.reading.templates import Picture, Templates
from vision.teaching.tried_decks import prepare_deck

WIDE, HIGH = 252, 352
TILE = (20, 100)
"""What tells one face from the other: a tile's width and its distance from the upper edge."""


@pytest.mark.parametrize(
    ("deck", "layout", "level", "seed"),
    [
        ("ogallala", "crossing", "L1", 7018),
        ("ogallala", "crossing", "L2", 7018),
        ("piquet", "fan", "L1", 7045),
        ("piquet", "fan", "L2", 7050),
    ],
)
def test_a_tint_or_a_shifted_strip_tells_no_face_from_another(
    deck: str, layout: str, level: str, seed: int
) -> None:
    frame, table = lay_cards(deck, layout, level, seed)
    reading = read(frame.picture, templates_from_artwork(deck), None, table)
    named = {i: card for i, card in pairs(frame.truth, reading).items() if card.sure}
    assert len(named) >= len(frame.truth) - 4
    assert {i: card.face for i, card in named.items()} == {i: frame.truth[i].face for i in named}


def print_card(number: int, tile: int | None = None) -> Picture:
    """Print pale bars that are a card's own, and perhaps one tile more."""
    tones = np.random.default_rng(number).integers(60, 190, (8, 5, 3)).astype(np.uint8)
    face = np.full((HIGH, WIDE, 3), 235, np.uint8)
    face[24:-24, 24:-24] = cv2.resize(tones, (WIDE - 48, HIGH - 48), interpolation=cv2.INTER_NEAREST)
    if tile is not None:
        side, down = TILE
        face[down : down + side, tile : tile + side] = (20, 20, 20)
    return face


def deck_of_twins() -> Templates:
    faces = {"plain": print_card(1), "tile": print_card(1, 40), "other": print_card(2), "third": print_card(3)}
    return prepare_deck({name: [face] for name, face in faces.items()})


def names_on_table(covered: int) -> set[str | None]:
    """Lay the card with the tile, and another one on it that leaves its right part in sight."""
    picture = np.full((700, 900, 3), 50, np.uint8)
    picture[150 : 150 + HIGH, 300 : 300 + WIDE] = print_card(1, 40)
    left = 300 + covered - WIDE
    picture[130 : 130 + HIGH, left : left + WIDE] = print_card(2)
    soft = cv2.GaussianBlur(picture, (5, 5), 0.8).astype(np.float64)
    noisy = np.clip(soft + np.random.default_rng(covered).normal(0, 3, soft.shape), 0, 255).astype(np.uint8)
    return {card.face for card in read(noisy, deck_of_twins()).cards if card.sure}


@pytest.mark.parametrize("covered", [80, 90, 100, 110])
def test_twins_whose_difference_is_covered_have_no_name(covered: int) -> None:
    assert names_on_table(covered) == {"other"}


def test_twins_whose_difference_is_in_sight_are_told_apart() -> None:
    assert names_on_table(20) == {"other", "tile"}


@pytest.mark.parametrize(("laid", "taught"), [("coup", "piquet"), ("piquet", "coup"), ("ogallala", "piquet")])
def test_another_decks_back_is_not_taken_for_this_ones(laid: str, taught: str) -> None:
    frame, _table = lay_cards(laid, "separate", "L0", 1, cards=6)
    backs = [truth for truth in frame.truth if truth.face is None]
    assert backs
    read_so = read(frame.picture, templates_from_artwork(taught))
    assert not any(card.sure and card.facing == "down" for card in read_so.cards)
    own = read(frame.picture, templates_from_artwork(laid))
    assert sum(card.sure and card.facing == "down" for card in own.cards) == len(backs)


def test_a_face_without_print_has_no_contrast() -> None:
    cells = np.ones((40, 3, 99), np.float32) * np.linspace(0.01, 0.99, 40, dtype=np.float32)[:, None, None]
    assert np.isfinite(_contrast(cells, np.ones((40, 99), np.float32))).all()
