"""How many ways there are to go on, counted move by move with a small deck, and fixed.

Numbers are capped at 3 (two more than the last, once that is passed), and the deck has six cards.
"""

import pytest
from msgspec.structs import replace

from referee.contract.cards import Deck
from referee.games.coyote import COYOTE, house, rules
from referee.games.coyote.house import House
from referee.match import Match, Setup, begin
from tests.referee.legal_answers import leaves

SMALL = Deck("small", {"3": 2, "1": 1, "-5": 1, "?": 1, "night": 1})

COUNTS = [
    # Two players say who opens; then 1, 2 or 3 is said; then one of two higher numbers, or "Coyote!".
    (House(edition="kidult"), 2, [2, 6, 18, 102, 408, 1428, 5304]),
    (House(edition="gigamic"), 3, [3, 9, 27, 180, 711, 2475]),
    (House(edition="oliphante"), 3, [3, 9, 27, 180, 711, 2475]),
    # Besides a number: turn round. After it: the next one has three powers, the bidder three as well.
    (House(edition="kidult", powers=("all",)), 2, [2, 8, 60, 372, 1926, 9630]),
    (House(edition="gigamic", powers=("all",)), 3, [3, 12, 108, 963, 7092]),
    # Besides a number: four tokens, and five faces to guess.
    (House(edition="oliphante", powers=("all",)), 3, [3, 36, 252, 1818, 15174]),
    (House(edition="kidult", anyone_may_contest=True), 3, [3, 9, 36, 324, 1350, 5184]),
]


@pytest.fixture(autouse=True)
def _small_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST", 3)
    for name, edition in house.EDITIONS.items():
        monkeypatch.setitem(house.EDITIONS, name, replace(edition, deck=SMALL))


@pytest.mark.parametrize(("agreed", "seats", "counts"), COUNTS)
def test_counts(agreed: House, seats: int, counts: list[int]) -> None:
    match = begin(Setup(COYOTE, agreed, ("Ana", "Bo", "Chloé")[:seats]))
    assert isinstance(match, Match)
    assert [leaves(match, depth) for depth in range(1, len(counts) + 1)] == counts
