"""How many ways there are to go on in a deal, counted move by move, and worked out by hand beside it.

Hands are hidden, so any card that has not been seen may fall. Where suits may not be led, one more counts:
saying that one has no other; then any card may be led. The Coup card falls only from the hand of the player who
attempts a coup. In Dominos a card has two neighbours, or one at the end of its row, one like it in each other
suit, and a pass.
"""

from collections.abc import Callable

import pytest

from tests.referee.games.coup_d_etat.script import Script, dealt, sit_down
from tests.referee.legal_answers import leaves

Counts = tuple[int, int, int]


def free(cards: int) -> Counts:
    """Lead anything, then lay anything."""
    return cards, cards * (cards - 1), cards * (cards - 1) * (cards - 2)


def barred_leads(cards: int, leads: int) -> Counts:
    """Lead one of some cards; or say that one has none, and lead any."""
    least, most = free(cards - 1), free(cards)
    return leads + 1, leads * least[0] + most[0], leads * least[1] + most[1]


def with_coup(cards: int, leads: int, says: int) -> Counts:
    """Lead as the player who attempts a coup: one of some cards, or the Coup card, which no other can lay."""
    others = free(cards)
    least = free(cards - 1)
    anything = (cards + 1, cards * least[0] + cards, cards * least[1] + others[1])
    return (
        leads + 1 + says,
        leads * least[0] + cards + says * anything[0],
        leads * least[1] + others[1] + says * anything[1],
    )


def ways(cards: int, first: int, laid: frozenset[tuple[int, int]], depth: int) -> int:
    """Count ways to go on in Dominos: cards are suit and rank, and the first one's rank opens other rows."""
    ranks = cards // 4
    free = {(suit, rank) for suit in range(4) for rank in range(ranks)} - laid
    fitting = [
        (suit, rank)
        for suit, rank in free
        if {(suit, rank - 1), (suit, rank + 1)} & laid
        or (rank == first and not any(s == suit for s, _r in laid))
    ]
    if depth == 1:
        return len(fitting) + 1
    return sum(ways(cards, first, laid | {card}, depth - 1) for card in fitting) + ways(
        cards, first, laid, depth - 1
    )


CASES: list[tuple[str, Callable[[int], Counts], Callable[[int], Counts]]] = [
    ("prison", free, lambda cards: with_coup(cards, cards, 0)),
    ("victory", free, lambda cards: with_coup(cards, cards, 0)),
    (
        "siege",
        lambda cards: barred_leads(cards, cards * 3 // 4),
        lambda cards: with_coup(cards, cards * 3 // 4, 1),
    ),
    (
        "barbu",
        lambda cards: barred_leads(cards, cards * 3 // 4),
        lambda cards: with_coup(cards, cards * 3 // 4, 1),
    ),
    (
        "guillotine",
        lambda cards: barred_leads(cards, cards // 2),
        lambda cards: with_coup(cards, cards // 2, 1),
    ),
]


def count_leaves(script: Script, depth: int = 3) -> tuple[int, ...]:
    return tuple(leaves(script.match, each) for each in range(1, depth + 1))


def test_draws_for_the_presidency() -> None:
    assert count_leaves(sit_down()) == free(33)
    assert count_leaves(sit_down(3)) == free(25)


@pytest.mark.parametrize(("seats", "cards"), [(4, 32), (3, 24)])
@pytest.mark.parametrize(("contract", "declined", "attempted"), CASES, ids=[case[0] for case in CASES])
def test_a_deal(
    contract: str,
    declined: Callable[[int], Counts],
    attempted: Callable[[int], Counts],
    seats: int,
    cards: int,
) -> None:
    assert count_leaves(dealt(seats).declines(1, contract)) == declined(cards)
    assert count_leaves(dealt(seats).attempts(1, contract)) == attempted(cards)


@pytest.mark.parametrize(("seats", "cards", "depth"), [(4, 32, 4), (3, 24, 3)])
def test_dominos(seats: int, cards: int, depth: int) -> None:
    """So deep that no player has two turns: then hands that were denied something play in."""
    starts = [(suit, rank) for suit in range(4) for rank in range(cards // 4)]
    deal = dealt(seats).declines(1, "dominos")
    for turns in range(2, depth + 1):
        counts = (ways(cards, rank, frozenset({(suit, rank)}), turns - 1) for suit, rank in starts)
        assert leaves(deal.match, turns) == sum(counts)
