"""How many ways there are to go on, counted move by move, and fixed.

The first card can be any of 52: 50 have one place or are discarded, a Saboteur gives the next one 53 ways: any
card, or the open one. Of a box of five, four cards leave five ways if they are laid (stop, or four cards); six
if they are discarded (take it, or see any of five). The Lasso ends the turn: four, and six.
"""

import pytest

from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import COUNTS
from referee.games.ogallala.house import House
from referee.legal_answers import legal_answers
from referee.match import Match, Setup, begin, hear
from tests.referee.legal_answers import leaves

SMALL = tuple(
    int(face in {"empty-bow", "empty-stern", "gold-left", "gold-right", "red-lasso"}) for face in COUNTS
)
RECYCLED = House(box=SMALL, discard="recycle_when_pile_empty", voluntary_stop=False)

COUNTED = [
    (House(), 2, [52, 206, 5794, 50324]),
    (House(box=SMALL), 2, [5, 10, 54, 218, 912, 5304, 17980]),
    (
        RECYCLED,
        3,
        [5, 10, 45, 207, 656, 4272, 10470],
    ),
]


@pytest.mark.parametrize(("agreed", "seats", "counts"), COUNTED)
def test_counts(agreed: House, seats: int, counts: list[int]) -> None:
    match = begin(Setup(OGALLALA, agreed, ("Ana", "Bo", "Chloé")[:seats]))
    assert isinstance(match, Match)
    opened = hear(match, next(legal_answers(match)))
    assert isinstance(opened, Match)
    assert [leaves(opened, depth) for depth in range(1, len(counts) + 1)] == counts
