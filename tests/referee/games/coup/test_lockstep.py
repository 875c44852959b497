"""Another engine agrees, decision by decision; and how many ways there are to go on, counted and fixed."""

import pytest

from referee.games.coup import COUP
from referee.games.coup.house import House
from referee.legal_answers import legal_answers
from referee.match import Match, Setup, begin, hear
from tests.referee.games.coup.lockstep import DIFFERENCES, Figures, play
from tests.referee.legal_answers import leaves
from tests.tiers import tiered

MATCHES = tiered(100, 1000)


def test_both_engines_agree_and_every_known_difference_is_met() -> None:
    """A difference that no match shows would be an excuse, not knowledge."""
    figures = Figures()
    for number in range(MATCHES):
        play(number, 2026, figures)
    assert figures.games == MATCHES
    assert figures.comparisons > 10 * MATCHES
    assert {name for name, times in figures.differences.items() if times} == set(DIFFERENCES)


COUNTS = [
    # with two coins one can do five things, of three players six, as there are two to steal from; then, of
    # two: after income five things again; after foreign aid, tax and exchange two answers each; after a steal
    # four, as two characters block it: fifteen (coupml has thirteen, for it asks for blocks later)
    (House(window="timer"), 2, [5, 15, 56, 237, 905, 3504]),
    (House(window="timer"), 3, [6, 30, 118, 586, 2930]),
    (House(), 2, [5, 19, 73, 316, 1342]),
    (House(window="timer", swap_after_proof="optional", may_concede=False), 2, [5, 15, 53, 207, 751, 2773]),
    (House(window="timer", priority="clockwise"), 3, [6, 30, 102, 482, 2371]),
]


@pytest.mark.parametrize(("agreed", "seats", "counts"), COUNTS)
def test_counts(agreed: House, seats: int, counts: list[int]) -> None:
    match = begin(Setup(COUP, agreed, ("Ana", "Bo", "Chloé")[:seats]))
    assert isinstance(match, Match)
    opened = hear(match, next(legal_answers(match)))
    assert isinstance(opened, Match)
    assert [leaves(opened, depth) for depth in range(1, len(counts) + 1)] == counts
