"""Known cards that newer ones cover: which of them stay known."""

from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.reading.test_rough_alignment import few_cards
from tests.vision.sets.drawn_decks import playing_cards
from vision.process.covered_cards import recall_covered
from vision.reading.templates import Picture
from vision.sightings import Outline, Reading, Sighting

WIDE, HIGH = 130, 180


def card(face: str, x: int, y: int, visible: float = 1.0) -> Sighting:
    corners: Outline = ((x, y), (x + WIDE, y), (x + WIDE, y + HIGH), (x, y + HIGH))
    return Sighting(face, True, 0.9, (), corners, "up", visible)


@cache
def table(*laid: Sighting) -> Picture:
    """Lay cards on each other, in this order; one without a face shows nothing."""
    picture = np.full((500, 500, 3), (60, 80, 50), np.uint8)
    for each in laid:
        x, y = (int(corner) for corner in each.outline[0])
        if each.face is None:
            picture[y : y + HIGH, x : x + WIDE] = 120
            continue
        face = cv2.resize(playing_cards().face(str(each.face)), (WIDE, HIGH), interpolation=cv2.INTER_AREA)
        picture[y : y + HIGH, x : x + WIDE] = face
    return picture


def recalled(seen: tuple[Sighting, ...], known: tuple[Sighting, ...], picture: Picture) -> list[str | None]:
    among = {"7c": 1, "Jd": 1, "Qc": 1, "4h": 1}
    return [each.face for each in recall_covered(Reading(seen), known, picture, few_cards(), among).cards]


BELOW, ON_IT, NEWEST = card("7c", 100, 100), card("Jd", 150, 110), card("Qc", 95, 125)


def test_a_card_of_which_next_to_nothing_shows_stays_under_one_that_has_not_moved() -> None:
    unclear = table(replace(BELOW, face=None), ON_IT, NEWEST)
    assert recalled((ON_IT, NEWEST), (BELOW, ON_IT), unclear) == ["Jd", "Qc", "7c"]
    # the one that lay on it was moved: it may have been taken meanwhile
    moved = replace(ON_IT, outline=card("Jd", 150, 130).outline)
    assert recalled((moved, NEWEST), (BELOW, ON_IT), unclear) == ["Jd", "Qc"]
    # more of the other one shows than before: what has gone lay on it
    assert recalled((ON_IT, NEWEST), (BELOW, replace(ON_IT, visible=0.6)), unclear) == ["Jd", "Qc"]
    # it is seen elsewhere
    elsewhere = card("7c", 300, 300)
    assert recalled((ON_IT, NEWEST, elsewhere), (BELOW, ON_IT), unclear) == ["Jd", "Qc", "7c"]


def test_a_card_under_one_that_has_not_moved_is_not_replaced_by_one_in_its_place() -> None:
    newest = card("Qc", 103, 102)
    covered = table(BELOW, ON_IT, newest)
    assert recalled((ON_IT, newest), (BELOW, ON_IT), covered) == ["Jd", "Qc", "7c"]
    moved = replace(ON_IT, outline=card("Jd", 150, 130).outline)
    assert recalled((moved, newest), (BELOW, ON_IT), covered) == ["Jd", "Qc"]
    assert recalled((newest,), (BELOW,), table(BELOW, newest)) == ["Qc"]


def test_what_lies_below_a_card_covers_nothing_of_it() -> None:
    top = card("4h", 150, 150)
    picture = table(BELOW, ON_IT, top)
    newest = card("Qc", 195, 200)
    covered = table(BELOW, ON_IT, top, newest)
    assert recalled((BELOW, ON_IT, newest), (BELOW, ON_IT, top), covered) == ["7c", "Jd", "Qc", "4h"]
    # taken, nothing of it is left
    assert recalled((BELOW, ON_IT), (BELOW, ON_IT, top), table(BELOW, ON_IT)) == ["7c", "Jd"]
    assert recalled((BELOW, ON_IT, top), (BELOW, ON_IT, top), picture) == ["7c", "Jd", "4h"]


def test_a_card_that_is_taken_is_gone_though_what_it_lay_on_fills_its_place() -> None:
    others, top = (card("7c", 100, 100), card("Jd", 160, 150)), card("Qc", 128, 124)
    assert recalled(others, (*others, top), table(*others)) == ["7c", "Jd"]
    # laid on it again, they hide it; so they may if it wasn't whole when all were seen first
    assert recalled(others, (top, *others), table(top, *others)) == ["7c", "Jd", "Qc"]
    partly = replace(top, visible=0.5)
    assert recalled(others, (*others, partly), table(partly, *others)) == ["7c", "Jd", "Qc"]


@pytest.mark.parametrize("strength", [0.3, 0.5])
def test_a_covered_card_in_a_veil_of_glare_stays(strength: float) -> None:
    newest = card("Jd", 130, 220)
    light = 0.35 * (table(BELOW, newest) / 255) ** 2.2
    y, x = np.mgrid[:500, :500]
    light += strength * np.exp(-((x - 165) ** 2 + (y - 140) ** 2) / 70**2)[..., None]
    veiled = np.asarray(np.minimum(light, 1) ** (1 / 2.2) * 255, np.uint8)
    assert recalled((newest,), (BELOW,), veiled) == ["Jd", "7c"]
    gone = 0.35 * (table(newest) / 255) ** 2.2 + strength * 0.1
    assert recalled((newest,), (BELOW,), np.asarray(gone ** (1 / 2.2) * 255, np.uint8)) == ["Jd"]
