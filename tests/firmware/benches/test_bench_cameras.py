"""Each camera that we know reads cards from where it belongs, in the light of an evening."""

import pytest

from firmware.benches.cameras import accuracy_of, apart_under, heights_to_try, scene_under
from hardware.twin.rendering.layouts import overlap_area
from vision.table.calibration import CARD_WIDTH, LET_PASS, NEEDED
from vision.table.framing import USUAL_APART
from vision.table.optics import CAMERAS, focal_length, heights, made_smaller
from vision.table.thrift import SMALL

CARDS = 8
TABLES = {name: 1000 + 3 * number for number, name in enumerate(CAMERAS)}
"""A table for each, of other decks and other surfaces."""


@pytest.mark.parametrize("name", CAMERAS)
def test_a_camera_reads_cards_everywhere_on_the_table(name: str) -> None:
    """At the greatest height cards have the fewest pixels, and a short exposure has the most noise."""
    optics, seed = CAMERAS[name], TABLES[name]
    found = accuracy_of(optics, heights_to_try(optics)[-1], "33 ms", range(seed, seed + 1), CARDS)
    assert (found.not_found, found.cards, found.wrong) == (0, CARDS, 0)
    # one may lie on a printed line or in glare: it is to be moved, which is said
    assert found.right >= CARDS - 1


@pytest.mark.parametrize("name", ["imx708", "imx708_wide"])
def test_smaller_pictures_are_read_from_the_same_heights(name: str) -> None:
    small = made_smaller(CAMERAS[name], SMALL.share)
    found = accuracy_of(small, heights_to_try(small)[-1], "33 ms", range(2000, 2001), CARDS)
    assert (found.not_found, found.cards, found.wrong) == (0, CARDS, 0)
    assert found.right >= CARDS - 1


@pytest.mark.parametrize("name", CAMERAS)
def test_every_camera_is_tried_above_a_table_that_it_sees(name: str) -> None:
    optics = CAMERAS[name]
    low, middle, high = heights_to_try(optics)
    assert low <= middle <= high
    assert focal_length(optics) * CARD_WIDTH / high >= NEEDED * LET_PASS
    is_usual = heights(optics, USUAL_APART) is not None
    assert (apart_under(optics) == USUAL_APART) == is_usual
    faces = ("duke",) * 15
    cards = scene_under(optics, apart_under(optics), middle, 4.0, faces, 3).cards
    assert len(cards) == len(faces)
    assert all(not overlap_area(one, other) for one in cards for other in cards if one is not other)
