"""Clear cards are settled by coarse cells alone; whatever could be something else is compared finely."""

import gc
from functools import cache
from weakref import ref

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.certainty import CERTAIN, UNTRIED, Certainty, ConfusedPair, probability
from vision.reading.clear_cards import glance_at_all
from vision.reading.deciding import Likeness
from vision.reading.explaining import is_certain
from vision.reading.glancing import is_clear_at_a_glance
from vision.reading.identifying import compare_card
from vision.reading.templates import Picture, Templates
from vision.reading.views import Pose, outline_of, pyramid
from vision.teaching.tried_decks import prepare_deck

KNOWN = ("7c", "Jd", "Kd", "10h")
LAID = ("Jd", "7c", "10h")


@cache
def deck_of(names: tuple[str, ...] = KNOWN) -> Templates:
    return prepare_deck({name: [playing_cards().face(name)] for name in names})


def pose_at(column: int) -> Pose:
    """Pose a card in one of the columns of the table, a little askew."""
    c, s = np.cos(0.03), np.sin(0.03)
    return np.array([(150.0 * c, -210 * s, 130 + 200 * column), (150 * s, 210 * c, 150), (0, 0, 1)])


POSES = [pose_at(column) for column in range(3)]


def table_with(*faces: Picture | str) -> Picture:
    """Lay cards side by side on a green table."""
    table = np.full((300, 60 + 200 * len(faces), 3), (60, 80, 50), np.uint8)
    for column, face in enumerate(faces):
        lay(playing_cards().face(face) if isinstance(face, str) else face, pose_at(column), table)
    return table


def lay(face: Picture, pose: Pose, table: Picture) -> None:
    high, wide = face.shape[:2]
    to_face = np.array([(1 / wide, 0, 0.5 / wide - 0.5), (0, 1 / high, 0.5 / high - 0.5), (0, 0, 1)])
    size, mode = (table.shape[1], table.shape[0]), cv2.BORDER_TRANSPARENT
    cv2.warpPerspective(face, pose @ to_face, size, dst=table, flags=cv2.INTER_AREA, borderMode=mode)


def look(face: Picture | str, deck: Templates, row: int) -> Likeness | None:
    return compare_card(pyramid(table_with(face)), pose_at(0), row, deck, plane=True)


def rows(*names: str) -> list[int]:
    return [2 * KNOWN.index(name) for name in names]


@pytest.mark.parametrize("name", ["7c", "10h"])
def test_a_clear_card_is_named_at_a_glance_as_a_closer_look_names_it(name: str) -> None:
    deck, (row,) = deck_of(), rows(name)
    closely = replace(deck, certainty=replace(deck.certainty, at_a_glance=None))
    glance, again = look(name, deck, row), look(name, closely, row)
    assert glance is not None
    assert again is not None
    assert (glance.at_a_glance, again.at_a_glance) == (True, False)
    assert (glance.row, again.row) == (row, row)
    assert is_certain(glance, deck)
    assert np.abs(np.subtract(outline_of(glance.pose), outline_of(again.pose))).max() < 1.5


@pytest.mark.parametrize("name", ["2s", "7s", "Jc", "Qd", "Ks"])
def test_a_stranger_and_a_card_with_something_on_it_are_never_named_at_a_glance(name: str) -> None:
    covered = playing_cards().face("7c").copy()
    covered[: covered.shape[0] // 4, : covered.shape[1] // 2] = (30, 90, 200)
    for face in (name, covered):
        for row in range(2 * len(KNOWN)):
            card = look(face, deck_of(), row)
            assert card is None or not card.at_a_glance


@pytest.mark.parametrize(
    "worse",
    [
        {"visible": 0.9},
        {"margin": 0.7},
        {"score": 0.9},
        {"index": 0.5},
        {"strange": 0.2, "misfit": 0.2},
        {"strange": 0.07, "misfit": 0.02},
        {"patchy": 8.0},
    ],
)
def test_what_speaks_against_a_card_needs_a_closer_look(worse: dict[str, float]) -> None:
    card = look("7c", deck_of(), 0)
    assert card is not None
    assert is_clear_at_a_glance(card, deck_of())
    assert not is_clear_at_a_glance(replace(card, **worse), deck_of())


@pytest.mark.parametrize("shift", [(0, 0), (-4, 3)])
def test_cards_looked_at_together_are_told_as_each_by_itself(shift: tuple[int, int]) -> None:
    levels, deck = pyramid(table_with(*LAID)), deck_of()
    off = np.array([(1, 0, shift[0]), (0, 1, shift[1]), (0, 0, 1.0)])
    poses = [off @ pose for pose in POSES]
    together = glance_at_all(levels, poses, rows(*LAID), deck)
    for row, pose, card in zip(rows(*LAID), poses, together, strict=True):
        alone = compare_card(levels, pose, row, deck, plane=True)
        assert alone is not None
        assert card is not None
        assert (card.row, card.at_a_glance) == (alone.row, alone.at_a_glance) == (row, True)
        assert [other for other, _near in card.rivals] == [other for other, _near in alone.rivals]
        assert np.abs(np.subtract(outline_of(card.pose), outline_of(alone.pose))).max() < 0.2
        for figure in ("score", "fit", "misfit", "margin", "index", "strange", "visible"):
            assert getattr(card, figure) == pytest.approx(getattr(alone, figure), abs=0.01), figure


def test_a_deck_that_is_put_away_leaves_the_memory() -> None:
    deck = replace(deck_of())
    look("Jd", deck, 0)
    watched = ref(deck)
    del deck
    gc.collect()
    assert watched() is None


# what a name is worth

PAIR = frozenset({"8", "9"})
PATCHY, MARGINS = st.floats(0, 50), st.floats(-1, 2)


@given(PATCHY, PATCHY, MARGINS, MARGINS)
def test_the_clearer_and_the_less_patchy_the_surer(one: float, other: float, near: float, far: float) -> None:
    better = probability(UNTRIED, min(one, other), max(near, far), PAIR)
    assert probability(UNTRIED, max(one, other), min(near, far), PAIR) <= better + 1e-12


CONFUSED = replace(UNTRIED, pairs=(ConfusedPair("9", "8", 0.5),))


@pytest.mark.parametrize(
    ("certainty", "patchy", "margin", "pair", "is_certain"),
    [
        (UNTRIED, 2.0, 0.9, PAIR, True),
        (UNTRIED, 2.0, 0.1, PAIR, False),
        (UNTRIED, 8.0, 0.9, PAIR, False),
        # strangers often pass, or seldom
        (replace(UNTRIED, mistaken=0.4), 4.5, 0.9, PAIR, False),
        (replace(UNTRIED, mistaken=0.004), 4.5, 0.9, PAIR, True),
        # a pair that was confused must differ more clearly, and others needn't
        (CONFUSED, 2.0, 0.6, PAIR, False),
        (CONFUSED, 2.0, 0.95, PAIR, True),
        (CONFUSED, 2.0, 0.6, frozenset({"7", "8"}), True),
    ],
)
def test_a_name_is_certain_or_it_isn_t(
    certainty: Certainty, patchy: float, margin: float, pair: frozenset[str], is_certain: bool
) -> None:
    assert (probability(certainty, patchy, margin, pair) >= CERTAIN) is is_certain
