"""Gains of other answers: how much of a few measurements is believed."""

from collections.abc import Sequence
from random import Random
from statistics import mean

import pytest

from referee.kit.coaching import Contest, best_gains, expected_gains, shuffled, spread_of

CHOSEN, BETTER, WORSE = ("chosen",), ("better",), ("worse",)


def test_gains_without_noise_are_believed() -> None:
    """A gain that is equal in every deal is promised as it is."""

    def play(values: Sequence[object]) -> Sequence[float]:
        return [{CHOSEN: 10.0, BETTER: 13.0, WORSE: 9.0}[value] for value in values]

    (gain,) = best_gains([Contest(CHOSEN, (WORSE, BETTER), play)], 4, 6)
    assert gain is not None
    assert (gain.value, gain.mean, gain.error, gain.deals) == (BETTER, 3.0, 0.0, 6)
    assert gain.is_likely


def test_gain_is_measured_by_new_deals() -> None:
    """The first deal makes the answer look good; those that follow don't."""
    worths = iter([9.0, *[1.0] * 6])
    (gain,) = best_gains([Contest(CHOSEN, (BETTER,), lambda _values: [2.0, next(worths)])], 1, 6)
    assert gain is not None
    assert (gain.mean, gain.is_likely) == (-1.0, False)


def test_worse_answers_are_not_dealt_again() -> None:
    deals = list[Sequence[object]]()

    def play(values: Sequence[object]) -> Sequence[float]:
        deals.append(values)
        return [5.0, 4.0]

    assert best_gains([Contest(CHOSEN, (WORSE,), play)], 4, 6) == [None]
    assert len(deals) == 4


def test_mere_noise_promises_nothing() -> None:
    """All measured gains are within their errors of each other, so that the largest is a lucky one."""
    samples = [[-1.0, 1.0, 0.5, -0.3], [1.0, -1.0, 0.4, 0.4], [0.8, -1.0, -0.6, 0.4]]
    assert all(abs(mean) < 0.1 for mean, _error in expected_gains(samples))


def test_equal_gains_are_believed_together() -> None:
    """Ten decisions with the same gain are no luck, though each alone could be."""
    gains = expected_gains([[2.0, 0.0, 1.0, 3.0]] * 10)
    assert all(mean == pytest.approx(1.5, abs=0.1) for mean, _error in gains)
    ((alone, _error),) = expected_gains([[2.0, 0.0, 1.0, 3.0]])
    assert 0 < alone < 1.5


def test_few_equal_deals_are_noisy_beside_others() -> None:
    """Deals that are equal by chance don't make a gain certain."""
    (_mean, error), *_others = expected_gains([[3.0, 3.0, 3.0], [0.0, 4.0, -4.0], [5.0, -6.0, 1.0]])
    assert error > 0.5


def test_spread_is_what_noise_does_not_explain() -> None:
    assert spread_of([(0.1, 1.0), (-0.2, 1.0), (0.3, 1.0)]) == 0
    assert spread_of([(-3.0, 0.1), (0.0, 0.1), (-6.0, 0.1)]) == pytest.approx(3.0, abs=0.1)
    assert spread_of([]) == 0


def test_promised_gains_are_true_on_average() -> None:
    """True gains differ by 1 and single deals by 3, so that the largest measured gains are mostly luck."""
    rng = Random(5)
    promised, true = list[float](), list[float]()
    for _match in range(30):
        truths = [{("a",): rng.gauss(0, 1), ("b",): rng.gauss(0, 1)} for _decision in range(20)]

        def contest(truth: dict[tuple[str, ...], float]) -> Contest:
            def play(values: Sequence[object]) -> Sequence[float]:
                return [0.0 if value == CHOSEN else rng.gauss(truth[value], 3) for value in values]

            return Contest(CHOSEN, tuple(truth), play)

        for truth, gain in zip(truths, best_gains([*map(contest, truths)], 4, 12), strict=True):
            if gain is not None and gain.is_likely:
                promised.append(gain.mean)
                true.append(truth[gain.value])
    assert len(promised) > 100
    assert mean(promised) == pytest.approx(mean(true), abs=0.12)


def test_shuffled_cards_are_the_same_cards() -> None:
    cards = tuple("abcdefgh")
    orders = {tuple(shuffled(cards, Random(seed))) for seed in range(20)}
    assert len(orders) > 15
    assert {"".join(sorted(order)) for order in orders} == {"abcdefgh"}
