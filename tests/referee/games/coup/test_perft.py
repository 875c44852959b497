"""How many ways there are to go on, counted move by move, and fixed.

With two coins one can do five things, of three players six, as there are two to steal from. Then, of two: after
income five things again; after foreign aid, tax and exchange two answers each; after a steal four, as two
characters block it: fifteen (coupml has thirteen, for it asks for blocks later). Of three: six, three times
four, and twice six.
"""

import pytest

from referee.games.coup import COUP
from referee.games.coup.house import House
from referee.legal_answers import legal_answers
from referee.match import Match, Setup, begin, hear
from tests.referee.legal_answers import leaves

COUNTS = [
    (House(window="timer"), 2, [5, 15, 56, 237, 905, 3504, 13843]),
    (House(window="timer"), 3, [6, 30, 118, 586, 2930, 13642]),
    (House(), 2, [5, 19, 73, 316, 1342, 5631]),
    (
        House(window="timer", swap_after_proof="optional", may_concede=False),
        2,
        [5, 15, 53, 207, 751, 2773, 10464],
    ),
    (House(window="timer", priority="clockwise"), 3, [6, 30, 102, 482, 2371, 10800]),
]


@pytest.mark.parametrize(("agreed", "seats", "counts"), COUNTS)
def test_counts(agreed: House, seats: int, counts: list[int]) -> None:
    match = begin(Setup(COUP, agreed, ("Ana", "Bo", "Chloé")[:seats]))
    assert isinstance(match, Match)
    opened = hear(match, next(legal_answers(match)))
    assert isinstance(opened, Match)
    assert [leaves(opened, depth) for depth in range(1, len(counts) + 1)] == counts
