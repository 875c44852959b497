"""Cards that no outline shows are found where the picture has changed; nothing is added elsewhere."""

from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.process.test_still_in_sight import HIGH, WIDE, card, lay, wood
from tests.vision.reading.test_rough_alignment import few_cards
from vision.process.sought_cards import seek_unread_cards
from vision.process.watching import begin_watch, changed_spots, gate_picture
from vision.reading.explaining import Seeing
from vision.reading.templates import Picture
from vision.reading.views import pyramid
from vision.sightings import Reading, RunnerUp, Sighting

PLANE = np.diag((WIDE / 63, HIGH / 88, 1.0))
AMONG = {"7c": 1, "Jd": 1, "Qc": 1, "4h": 1}
SEVEN, JACK = card("7c", 60, 70, 20), card("Jd", 330, 240, 75)


@cache
def table(*cards: Sighting) -> Picture:
    return lay(wood(), *cards)


def in_glare(picture: Picture, x: float, y: float) -> Picture:
    """Mirror a lamp at a place."""
    down, across = np.mgrid[: picture.shape[0], : picture.shape[1]]
    light = (
        0.4 * (picture / 255) ** 2.2 + 0.4 * np.exp(-((across - x) ** 2 + (down - y) ** 2) / 80**2)[..., None]
    )
    return np.asarray(np.minimum(light, 1) ** (1 / 2.2) * 255, np.uint8)


def sought(
    before: Picture, now: Picture, known: tuple[Sighting, ...] = (), seen: tuple[Sighting, ...] = ()
) -> Reading:
    watch = replace(begin_watch(before), last=gate_picture(now))
    seeing = Seeing(now.shape[:2], pyramid(now), few_cards(), AMONG, plane=True)
    return seek_unread_cards(Reading(seen), known, changed_spots(watch), seeing, PLANE)


def is_at(found: Sighting, there: Sighting) -> bool:
    corners = np.array(found.outline) - np.array(there.outline)
    return bool(np.abs(corners).max() < 5)


@pytest.mark.parametrize("x", [330, 200])
def test_a_card_that_nobody_read_is_found_where_the_picture_has_changed(x: float) -> None:
    laid = card("Jd", x, 240, 75)
    before, now = table(SEVEN), table(SEVEN, laid)
    for pictures in ((before, now), (in_glare(before, x + 40, 300), in_glare(now, x + 40, 300))):
        (found,) = sought(*pictures).cards
        assert (found.face, found.sure) == ("Jd", True)
        assert is_at(found, laid)


def test_a_card_that_was_moved_where_it_lies_is_found_by_its_face() -> None:
    turned = card("7c", 66, 64, 140)
    (found,) = sought(table(SEVEN), table(turned), (SEVEN,)).cards
    assert found.face == "7c"
    assert is_at(found, turned)


def test_what_an_unsure_card_may_be_is_sought_and_settles_it() -> None:
    beside = card(None, 338, 246, 75)
    doubt = replace(beside, sure=False, runners_up=(RunnerUp("4h", 0.6), RunnerUp("Jd", 0.5)))
    half = table(SEVEN, JACK).copy()
    # a half of it lies on what looks the same as it does
    before = table(SEVEN).copy()
    before[250:420, 400:470] = half[250:420, 400:470]
    (found,) = sought(before, half, (), (doubt,)).cards
    assert (found.face, found.sure) == ("Jd", True)


def test_nothing_is_added_where_nothing_unknown_lies() -> None:
    with_jack = table(SEVEN, JACK)
    # all is explained by what was read, or nothing has changed
    assert sought(table(SEVEN), with_jack, (SEVEN,), (SEVEN, JACK)).cards == (SEVEN, JACK)
    assert sought(with_jack, with_jack).cards == ()
    # it was taken
    assert sought(with_jack, table(SEVEN), (SEVEN, JACK)).cards == ()
    # something else lies there
    thing = table(SEVEN).copy()
    cv2.rectangle(thing, (330, 240), (460, 420), (60, 90, 200), -1)
    assert sought(table(SEVEN), thing, (SEVEN,)).cards == ()
    # the only card of this face lies elsewhere
    elsewhere = card("Jd", 60, 280)
    assert sought(table(SEVEN), with_jack, (elsewhere,)).cards == ()
