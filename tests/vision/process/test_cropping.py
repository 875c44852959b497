"""What is kept of a phone's photograph: the part around its cards, not the room."""

import numpy as np
import pytest

from vision.process.cropping import crop_to_cards
from vision.sightings import Outline, Reading, Sighting, UnexplainedThing

NEAR: Outline = ((100.0, 200.0), (140.0, 200.0), (140.0, 260.0), (100.0, 260.0))
FAR: Outline = ((200.0, 220.0), (240.0, 220.0), (240.0, 280.0), (200.0, 280.0))


def card_at(outline: Outline) -> Sighting:
    return Sighting("20", True, 0.9, (), outline, "up", 1.0)


def thing_at(left: float, top: float) -> UnexplainedThing:
    return UnexplainedThing(((left, top), (left + 10, top), (left, top + 10)), 0.1)


def numbered_picture() -> np.ndarray:
    """Give a picture in which every pixel says where it was."""
    down, across = np.indices((400, 640))
    return np.stack([across % 256, down % 256, across // 256 * 16 + down // 256], axis=-1).astype(np.uint8)


def test_only_the_part_around_the_cards_stays() -> None:
    picture = numbered_picture()
    reading = Reading((card_at(NEAR), card_at(FAR)), (thing_at(150, 210), thing_at(10, 10), thing_at(250, 200)))
    cut = crop_to_cards(picture, reading)
    assert cut is not None
    # a quarter of 60 pixels on each side
    assert (cut[0] == picture[185:295, 85:255]).all()
    assert cut[0].base is None
    assert [card.outline[0] for card in cut[1].cards] == [(15.0, 15.0), (115.0, 35.0)]
    assert [thing.outline[0] for thing in cut[1].unexplained] == [(65.0, 25.0)]


def test_a_card_at_the_edge_takes_what_there_is() -> None:
    outline: Outline = ((-5.0, 350.0), (40.0, 350.0), (40.0, 420.0), (-5.0, 420.0))
    cut = crop_to_cards(numbered_picture(), Reading((card_at(outline),)))
    assert cut is not None
    assert cut[0].shape[:2] == (400 - 332, 58)


@pytest.mark.parametrize("cards", [(), (card_at(((9e3, 0), (9e3 + 1, 0), (9e3 + 1, 1), (9e3, 1))),)])
def test_without_cards_nothing_stays(cards: tuple[Sighting, ...]) -> None:
    assert crop_to_cards(numbered_picture(), Reading(cards, (thing_at(10, 10),))) is None
