"""What trials taught becomes a probability: it falls with what a stranger or a rival would explain."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from vision.reading.certainty import (
    CERTAIN,
    UNTRIED,
    ConfusedPair,
    Spread,
    is_usable,
    probability,
)

PAIR = frozenset({"8", "9"})
PATCHY = st.floats(0, 50)
MARGINS = st.floats(-1, 2)


def chance(patchy: float = 2.0, margin: float = 0.9) -> float:
    return probability(UNTRIED, patchy, margin, PAIR)


@given(PATCHY, MARGINS)
def test_a_probability_is_one(patchy: float, margin: float) -> None:
    assert 0 < chance(patchy, margin) < 1


@given(PATCHY, PATCHY, MARGINS)
def test_the_patchier_the_less_sure(one: float, other: float, margin: float) -> None:
    assert chance(max(one, other), margin) <= chance(min(one, other), margin) + 1e-12


@given(PATCHY, MARGINS, MARGINS)
def test_the_clearer_the_surer(patchy: float, one: float, other: float) -> None:
    assert chance(patchy, max(one, other)) >= chance(patchy, min(one, other)) - 1e-12


def test_a_clear_name_is_certain_and_one_that_hardly_wins_isn_t() -> None:
    assert chance() >= CERTAIN
    assert chance(margin=0.1) < CERTAIN
    assert chance(patchy=8.0) < CERTAIN


def test_strangers_that_often_pass_make_names_less_sure() -> None:
    often, seldom = (probability(replace(UNTRIED, mistaken=share), 4.5, 0.9, PAIR) for share in (0.4, 0.004))
    assert often < CERTAIN <= seldom


def test_a_pair_that_was_confused_must_differ_more_clearly_and_others_needn_t() -> None:
    taught = replace(UNTRIED, pairs=(ConfusedPair("9", "8", 0.5),))
    assert probability(taught, 2.0, 0.6, PAIR) < CERTAIN
    assert probability(taught, 2.0, 0.6, frozenset({"7", "8"})) == chance(margin=0.6)
    assert probability(taught, 2.0, 0.95, PAIR) >= CERTAIN


def test_figures_that_can_t_be_reckoned_with_are_told() -> None:
    assert is_usable(UNTRIED)
    assert not is_usable(replace(UNTRIED, faces=Spread(0.8, 0.0)))
    assert not is_usable(replace(UNTRIED, margins=Spread(float("nan"), 0.2)))
    assert not is_usable(replace(UNTRIED, mistaken=1.5))
    assert not is_usable(replace(UNTRIED, pairs=(ConfusedPair("8", "9", float("inf")),)))
