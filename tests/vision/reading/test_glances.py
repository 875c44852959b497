"""Clear cards are settled by coarse cells alone; whatever could be something else is compared finely."""

import gc
from functools import cache
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.given import present
from tests.tidiness import tries
from tests.vision.laid_cards import lay_onto
from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.deciding import Likeness
from vision.reading.explaining import is_certain
from vision.reading.identifying import chance_of, is_clear_at_a_glance
from vision.reading.looking import Seeing, compare_card, glance_at_all
from vision.reading.templates import UNTRIED, Picture, Templates, learn_weights, probability
from vision.reading.views import Pose, outline_of, pyramid
from vision.teaching.tried_decks import prepare_deck

KNOWN = ("7c", "Jd", "Kd", "10h")
LAID = ("Jd", "7c", "10h")


@cache
def deck_of() -> Templates:
    return prepare_deck({name: [playing_cards().face(name)] for name in KNOWN}, kept=tries())


def pose_at(column: int) -> Pose:
    """Pose a card in one of the columns of the table, a little askew."""
    c, s = np.cos(0.03), np.sin(0.03)
    return np.array([(150.0 * c, -210 * s, 130 + 200 * column), (150 * s, 210 * c, 150), (0, 0, 1)])


POSES = [pose_at(column) for column in range(3)]


def table_with(*faces: Picture | str) -> Picture:
    """Lay cards side by side on a green table."""
    table = np.full((300, 60 + 200 * len(faces), 3), (60, 80, 50), np.uint8)
    for column, face in enumerate(faces):
        shown = playing_cards().face(face) if isinstance(face, str) else face
        lay_onto(table, shown, outline_of(pose_at(column)))
    return table


def look(face: Picture | str, deck: Templates, row: int) -> Likeness | None:
    return compare_card(Seeing(pyramid(table_with(face)), deck, plane=True), pose_at(0), row)


def rows(*names: str) -> list[int]:
    return [2 * KNOWN.index(name) for name in names]


@pytest.mark.parametrize("name", ["7c", "10h"])
def test_glance_agrees_with_fine_comparison(name: str) -> None:
    deck, (row,) = deck_of(), rows(name)
    closely = replace(deck, certainty=replace(deck.certainty, at_a_glance=None))
    glance, again = present(look(name, deck, row)), present(look(name, closely, row))
    assert (glance.at_a_glance, again.at_a_glance) == (True, False)
    assert (glance.row, again.row) == (row, row)
    assert is_certain(Seeing((), deck), glance)
    assert np.abs(np.subtract(outline_of(glance.pose), outline_of(again.pose))).max() < 1.5


@pytest.mark.parametrize("name", ["2s", "7s", "Jc", "Qd", "Ks"])
def test_glance_never_names_unknown_or_covered_card(name: str) -> None:
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
        {"foreign": 0.3},
    ],
)
def test_contrary_evidence_needs_fine_comparison(worse: dict[str, float]) -> None:
    card = present(look("7c", deck_of(), 0))
    assert is_clear_at_a_glance(card, deck_of())
    assert not is_clear_at_a_glance(replace(card, **worse), deck_of())


@pytest.mark.parametrize("shift", [(0, 0), (-4, 3)])
def test_batch_equals_single_comparisons(shift: tuple[int, int]) -> None:
    seeing = Seeing(pyramid(table_with(*LAID)), deck_of(), plane=True)
    off = np.array([(1, 0, shift[0]), (0, 1, shift[1]), (0, 0, 1.0)])
    poses = [off @ pose for pose in POSES]
    together = glance_at_all(seeing, poses, rows(*LAID))
    for row, pose, card in zip(rows(*LAID), poses, together, strict=True):
        alone = present(compare_card(seeing, pose, row))
        assert card is not None
        assert (card.row, card.at_a_glance) == (alone.row, alone.at_a_glance) == (row, True)
        assert [other for other, _near in card.rivals] == [other for other, _near in alone.rivals]
        assert np.abs(np.subtract(outline_of(card.pose), outline_of(alone.pose))).max() < 0.2
        for figure in ("score", "fit", "misfit", "margin", "index", "strange", "visible"):
            assert getattr(card, figure) == pytest.approx(getattr(alone, figure), abs=0.01), figure


def test_unused_deck_is_freed() -> None:
    deck = replace(deck_of())
    look("Jd", deck, 0)
    watched = ref(deck)
    del deck
    gc.collect()
    assert watched() is None


# what a name is worth

SHARES = st.floats(0, 1)


@cache
def seven() -> Likeness:
    return present(look("7c", deck_of(), 0))


def chance(margin: float, score: float, foreign: float) -> float:
    """Return the chance of a card's name in a deck without trials."""
    seen = replace(seven(), score=score, foreign=foreign)
    return chance_of(seen, margin, UNTRIED)


@given(st.tuples(st.floats(-1, 2), SHARES, SHARES), st.tuples(st.floats(-1, 2), SHARES, SHARES))
def test_certainty_grows_with_lead_and_fit(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> None:
    better = chance(max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]))
    worse = chance(min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]))
    assert worse <= better


LEADS = [0.1 * step for step in range(11)]
USUAL = (-2.0, 6.0)


def learned(least: float, times: int) -> float:
    """Give the chance of a name leading by 0.6, after trials in which names were right that led by so much."""
    trials = [(1.0, lead) for lead in LEADS] * times
    weights = learn_weights(trials, [lead > least for _one, lead in trials], [1.0] * len(trials), USUAL, 0.3)
    return probability(weights, (1.0, 0.6))


def test_confusable_faces_need_a_larger_lead() -> None:
    usual = probability(USUAL, (1.0, 0.6))
    assert learned(0.75, 20) < 0.2 < usual < 0.9 < learned(0.35, 20)
    # few trials change little
    assert learned(0.75, 20) < learned(0.75, 1) < usual


def test_low_weight_trials_teach_less() -> None:
    trials, right = [(1.0, 0.5), (1.0, 0.5)], [True, False]
    told = [
        probability(learn_weights(trials, right, [1.0, count], USUAL, 0.01), (1.0, 0.5))
        for count in (0.02, 1.0, 9.0)
    ]
    assert told == pytest.approx([0.98, 0.5, 0.1], abs=0.02)
