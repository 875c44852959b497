"""Clear cards are settled by coarse cells alone; whatever could be something else is compared finely."""

import gc
from functools import cache
from weakref import ref

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.deciding import Likeness
from vision.reading.explaining import is_certain
from vision.reading.glancing import is_clear_at_a_glance
from vision.reading.identifying import compare_card
from vision.reading.templates import Picture, Templates
from vision.reading.views import Pose, outline_of, pyramid
from vision.teaching.tried_decks import prepare_deck

UNLIKE = ("7c", "Jd", "Kd", "10h")
ALIKE = (*UNLIKE, "2c", "2s")
POSE = np.array([(150.0, 4, 200), (-3, 210, 220), (0, 0, 1.0)])


@cache
def deck_of(names: tuple[str, ...]) -> Templates:
    return prepare_deck({name: [playing_cards().face(name)] for name in names})


def lay(face: Picture, pose: Pose, table: Picture) -> None:
    """Draw a face into a picture of a table."""
    high, wide = face.shape[:2]
    to_face = np.array([(1 / wide, 0, 0.5 / wide - 0.5), (0, 1 / high, 0.5 / high - 0.5), (0, 0, 1)])
    size, mode = (table.shape[1], table.shape[0]), cv2.BORDER_TRANSPARENT
    cv2.warpPerspective(face, pose @ to_face, size, dst=table, flags=cv2.INTER_AREA, borderMode=mode)


def table_with(face: Picture) -> Picture:
    """Lay a face on a green table, where POSE is."""
    table = np.full((480, 420, 3), (60, 80, 50), np.uint8)
    lay(face, POSE, table)
    return table


def look(face: Picture, deck: Templates, row: int) -> Likeness:
    seen = compare_card(pyramid(table_with(face)), POSE, row, deck, plane=True)
    assert seen is not None
    return seen


@pytest.mark.parametrize("name", ["7c", "10h"])
def test_a_clear_card_is_named_at_a_glance_as_a_closer_look_names_it(name: str) -> None:
    deck, row = deck_of(UNLIKE), 2 * UNLIKE.index(name)
    closely = replace(deck, certainty=replace(deck.certainty, at_a_glance=None))
    glance, look_again = (look(playing_cards().face(name), each, row) for each in (deck, closely))
    assert (glance.at_a_glance, look_again.at_a_glance) == (True, False)
    assert (glance.row, look_again.row) == (row, row)
    assert is_certain(glance, deck)
    assert np.abs(np.subtract(outline_of(glance.pose), outline_of(look_again.pose))).max() < 1.5


@pytest.mark.parametrize("name", ["2c", "2s"])
def test_faces_that_look_alike_so_small_are_looked_at_closely(name: str) -> None:
    deck = deck_of(ALIKE)
    card = look(playing_cards().face(name), deck, 2 * ALIKE.index(name))
    assert not card.at_a_glance
    assert deck.names[deck.faces[card.row]] == name


@pytest.mark.parametrize("name", ["Jd", "Kd", "7c", "2s", "7s", "Jc", "Qd", "Ks"])
def test_a_stranger_is_never_named_at_a_glance(name: str) -> None:
    known = tuple(each for each in UNLIKE if each != name)
    deck = deck_of(known)
    for row in range(2 * len(known)):
        card = compare_card(pyramid(table_with(playing_cards().face(name))), POSE, row, deck, plane=True)
        assert card is None or not card.at_a_glance


def test_what_speaks_against_a_card_needs_a_closer_look() -> None:
    deck = deck_of(UNLIKE)
    card = look(playing_cards().face("7c"), deck, 0)
    assert is_clear_at_a_glance(card, deck)
    for worse in (
        replace(card, visible=0.9),
        replace(card, margin=0.7),
        replace(card, score=0.9),
        replace(card, index=0.5),
        replace(card, strange=0.2, misfit=0.2),
        replace(card, strange=0.07, misfit=0.02),
        replace(card, patchy=8.0),
    ):
        assert not is_clear_at_a_glance(worse, deck)


def test_what_hides_a_part_of_a_card_is_not_overlooked() -> None:
    face = playing_cards().face("7c").copy()
    face[: face.shape[0] // 4, : face.shape[1] // 2] = (30, 90, 200)
    assert not look(face, deck_of(UNLIKE), 0).at_a_glance


def test_a_deck_that_is_put_away_leaves_the_memory() -> None:
    deck = prepare_deck({name: [playing_cards().face(name)] for name in UNLIKE})
    look(playing_cards().face("Jd"), deck, 0)
    watched = ref(deck)
    del deck
    gc.collect()
    assert watched() is None
