"""Where a face may lie is proposed; the reader judges."""

import numpy as np
import pytest

from tests.vision.process.test_still_in_sight import HIGH, WIDE, card, in_other_light, lay, wood
from tests.vision.reading.test_rough_alignment import few_cards
from vision.reading.seeking import _local, seek_face
from vision.reading.templates import Picture
from vision.reading.views import outline_of, pyramid

PLANE = np.diag((WIDE / 63, HIGH / 88, 1.0))


def places(picture: Picture, face: str) -> list[np.ndarray]:
    deck = few_cards()
    row = deck.faces.tolist().index(deck.names.index(face))
    return [np.array(outline_of(pose)) for pose in seek_face(pyramid(picture), row, deck, PLANE)]


@pytest.mark.parametrize("turned", [0, 47, 93, 178, 260])
def test_a_face_is_proposed_where_it_lies_in_any_light(turned: float) -> None:
    there = card("7c", 220, 150, turned)
    for picture in (lay(wood(), there), in_other_light(lay(wood(), card("Jd", 30, 40), there))):
        near = places(picture, "7c")
        # a card that looks the same both ways up may be seen from either end
        off = min(
            np.abs(place - np.roll(there.outline, ends, axis=0)).max() for place in near for ends in (0, 2)
        )
        assert off < 0.2 * WIDE


def test_nothing_is_proposed_where_there_is_no_print_or_no_room() -> None:
    assert places(np.full((400, 400, 3), 120, np.uint8), "7c") == []
    assert places(wood()[:60, :60], "7c") == []
    assert len(places(lay(wood(), card("7c", 220, 150)), "7c")) <= 3


@pytest.mark.parametrize("seed", range(8))
def test_local_print_below_which_nothing_is_printed_stays_finite(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grey = np.full((160, 40), 128, np.float32)
    grey[:40] = rng.uniform(0, 255, (40, 40))
    grey[40:80] += rng.uniform(-1e-4, 1e-4, (40, 40)).astype(np.float32)
    assert np.isfinite(_local(grey)).all()
