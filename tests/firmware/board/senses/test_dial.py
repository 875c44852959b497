"""The dial: as many steps as clicks, in the right direction, however its wires bounce."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.dial import Encoder, turn_by_edge
from tests.firmware.board.senses.dial_clicks import BACK, CLOCKWISE


def steps(clicks: list[int], apart: float, rng: Random) -> int:
    """Turn by clicks, each wire bouncing as it moves."""
    encoder, at, sum_ = Encoder(), 0.0, 0
    for click in clicks:
        at += apart
        for wire, is_high in CLOCKWISE if click > 0 else BACK:
            for level in [is_high, *[not is_high, is_high] * rng.randrange(4)]:
                at += 0.0001
                encoder, step = turn_by_edge(encoder, wire, at, is_high=level)
                sum_ += step
    return sum_


@given(st.lists(st.sampled_from([1, -1]), max_size=60), st.randoms(use_true_random=False))
def test_slow_clicks_count_one_by_one(clicks: list[int], rng: Random) -> None:
    assert steps(clicks, 0.2, rng) == sum(clicks)


@pytest.mark.parametrize(("apart", "worth"), [(0.2, 1), (0.05, 2), (0.025, 5), (0.008, 10)])
def test_a_fast_hand_makes_larger_steps(apart: float, worth: int) -> None:
    assert steps([1] * 11, apart, Random(1)) == 1 + 10 * worth
    assert steps([-1] * 11, apart, Random(1)) == -1 - 10 * worth


def test_turning_back_is_never_fast() -> None:
    assert steps([1, -1], 0.008, Random(1)) == 0


@pytest.mark.parametrize("missing", range(4))
def test_a_missed_edge_costs_a_click_and_no_more(missing: int) -> None:
    encoder, sum_ = Encoder(), 0
    for place, (wire, is_high) in enumerate(CLOCKWISE * 4):
        if place != missing:
            encoder, step = turn_by_edge(encoder, wire, place / 10, is_high=is_high)
            sum_ += step
    assert sum_ in {3, 4}


def test_half_a_click_and_back_is_nothing() -> None:
    encoder, sum_ = Encoder(), 0
    for wire, is_high in (CLOCKWISE[0], CLOCKWISE[2], BACK[0], BACK[2]):
        encoder, step = turn_by_edge(encoder, wire, 1.0, is_high=is_high)
        sum_ += step
    assert sum_ == 0
