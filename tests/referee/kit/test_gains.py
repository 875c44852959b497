"""Gains of other answers: how much of a few measurements is believed."""

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean

import pytest

from referee.kit.coaching import Contest, best_gains, expected_gains, shuffled

CHOSEN, BETTER, WORSE = ("chosen",), ("better",), ("worse",)


def test_gains_without_noise_are_believed() -> None:
    """A gain that is equal in every deal is promised as it is."""

    def play(values: Sequence[object]) -> Sequence[float]:
        return [{CHOSEN: 10.0, BETTER: 13.0, WORSE: 9.0}[value] for value in values]

    (gain,) = best_gains([Contest(CHOSEN, (WORSE, BETTER), play)], 4, 6, 1.0)
    assert gain is not None
    assert (gain.value, gain.mean, gain.margin) == (BETTER, 3.0, 0.0)
    assert gain.is_certain


def test_gain_is_measured_by_new_deals() -> None:
    """The first deal makes the answer look good; those that follow don't."""
    worths = iter([9.0, *[1.0] * 6])
    (gain,) = best_gains([Contest(CHOSEN, (BETTER,), lambda _values: [2.0, next(worths)])], 1, 6, 1.0)
    assert gain is not None
    assert (gain.mean, gain.is_certain) == (-1.0, False)


def test_worse_answers_are_not_dealt_again() -> None:
    deals = list[Sequence[object]]()

    def play(values: Sequence[object]) -> Sequence[float]:
        deals.append(values)
        return [5.0, 4.0]

    assert best_gains([Contest(CHOSEN, (WORSE,), play)], 4, 6, 1.0) == [None]
    assert len(deals) == 4


def test_gains_are_drawn_to_zero_by_their_noise() -> None:
    """As in Bayes' rule: a spread as large as the error halves the measured gain."""
    gains = [[0.0, 4.0] * 8, [4.0, 0.0] * 8]
    error = sqrt(16 / 15 * 4 / 16)
    assert expected_gains(gains, error) == [pytest.approx((1.0, 1.96 * error / sqrt(2)))] * 2
    assert all(mean < 0.1 for mean, _margin in expected_gains(gains, 0.1))


def test_few_equal_deals_are_noisy_beside_others() -> None:
    """Deals that are equal by chance don't make a gain certain."""
    (mean, margin), *_others = expected_gains([[3.0, 3.0, 3.0], [0.0, 4.0, -4.0], [5.0, -6.0, 1.0]], 2.0)
    assert 0 < mean < margin


def test_promised_gains_are_true_on_average() -> None:
    """True gains differ by 1 and single deals by 3, so that the largest measured gains are mostly luck."""
    rng = Random(5)
    promised, true = list[float](), list[float]()
    for _match in range(100):
        truths = [{("a",): rng.gauss(0, 1), ("b",): rng.gauss(0, 1)} for _decision in range(20)]

        def contest(truth: dict[tuple[str, ...], float]) -> Contest:
            def play(values: Sequence[object]) -> Sequence[float]:
                return [0.0 if value == CHOSEN else rng.gauss(truth[value], 3) for value in values]

            return Contest(CHOSEN, tuple(truth), play)

        for truth, gain in zip(truths, best_gains([*map(contest, truths)], 4, 12, 1.0), strict=True):
            if gain is not None and gain.is_certain:
                promised.append(gain.mean)
                true.append(truth[gain.value])
    assert len(promised) > 50
    assert mean(promised) == pytest.approx(mean(true), abs=0.25)


def test_shuffled_cards_are_the_same_cards() -> None:
    cards = tuple("abcdefgh")
    orders = {tuple(shuffled(cards, Random(seed))) for seed in range(20)}
    assert len(orders) > 15
    assert {"".join(sorted(order)) for order in orders} == {"abcdefgh"}
