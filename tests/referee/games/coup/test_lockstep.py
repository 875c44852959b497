"""A few hundred matches in lockstep with coupml; `tests/long/coup_lockstep.py` plays more."""

from tests.referee.games.coup.lockstep import DIFFERENCES, Figures, play

MATCHES = 400


def test_both_engines_agree_and_every_known_difference_is_met() -> None:
    """A difference that no match shows would be an excuse, not knowledge."""
    figures = Figures()
    for number in range(MATCHES):
        play(number, 2026, figures)
    assert figures.games == MATCHES
    assert figures.comparisons > 10 * MATCHES
    assert {name for name, times in figures.differences.items() if times} == set(DIFFERENCES)
