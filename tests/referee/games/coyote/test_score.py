"""The count of a round: the rule books' figures, published vectors, and a second scorer on random deals."""

from collections import Counter
from random import Random

import pytest

from referee.games.coyote.deck import DECKS
from referee.games.coyote.house import House, doubling_of
from referee.games.coyote.score import Tally, tally
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.coyote.second_scorer import CARDS, DOUBLES, EDITIONS, Doubles, Edition, count
from tests.tiers import tiered

DEALS = tiered(6_000, 120_000)
"""How many random deals are counted twice."""

VECTORS: list[tuple[str, str, str, int | None, int, int]] = [
    ("CY-01 and fig. 2", "20 max- 15 10 6 -5", "", None, 6, 6),
    ("CY-10", "10 5 -10 x2", "", 20, 10, 20),
    ("CY-12", "20 max- max0 15 10 6", "", None, 1, 1),
    ("CY-15", "3 -5 -10 max0", "", -15, -15, -15),
    ("CY-16", "-5 -10 x2", "", -15, -30, -15),
    ("CY-17", "7 max0 max-", "", None, 0, 0),
    ("CY-18", "4 -5 1 night", "", 0, 0, 0),
    ("CY-20", "? 10 5", "max0", 5, 5, 5),
    ("CY-22", "? 20 1", "night", 21, 21, 21),
    ("CY-23", "? 10 5 x2", "-10", 20, 10, 20),
    ("CY-25", "? 8 2", "max-", None, -6, -6),
    ("MAX 0 takes one of two equals", "10 10 5 max0", "", 15, 15, 15),
    ("MAX - turns one of two equals", "10 10 5 max-", "", None, 5, 5),
    ("X2 leaves alone what was turned red", "9 4 max- x2", "", None, -10, -1),
    ("X2 and MAX 0", "9 4 max0 x2", "", 8, 8, 8),
    ("X2, MAX 0 and MAX -", "9 6 4 max0 max- x2 -5", "", None, -14, -3),
    ("? with nothing to draw", "? 10 5", "", 15, 15, 15),
    ("specials only", "x2 max0 night", "", 0, 0, 0),
    ("one card", "7", "", None, 7, 7),
    ("? draws X2", "? 10 -5", "x2", 15, 10, 15),
    ("MAX 0 takes what ? drew", "? max0 10 5", "15", 15, 15, 15),
    # tests of a public program (CoyoteBattle), which doubles the whole total, as Gigamic does
    ("public 1", "20 1 -5 2", "", 18, 18, 18),
    ("public 2", "20 1 -5 2 x2", "", 41, 36, 41),
    ("public 3", "10 5 4 max0", "", 9, 9, 9),
    ("public 4", "? 1", "15", 16, 16, 16),
    ("public 5", "10 5 max0 x2 ?", "4", 18, 18, 18),
    # there the fox takes the greatest number even when it is red; the rule books say green
    ("not as there", "-5 -10 max0", "", -15, -15, -15),
]
"""Name, cards, what "?" draws, totals of Kidult (None: not in its deck), Gigamic and Oliphante."""


def tally_cards(edition: Edition, cards: str, drawn: str = "", x2: Doubles | None = None) -> Tally:
    """Count cards by the rules of a box."""
    house = House(edition=edition, x2=x2 or "by_edition")
    return tally(tuple(cards.split()), tuple(drawn.split()), doubling_of(house))


@on_both_sides_of("fox", "max-minus", "added", "subtracted")
@pytest.mark.parametrize("column", range(3), ids=EDITIONS)
@pytest.mark.parametrize("vector", VECTORS, ids=[vector[0] for vector in VECTORS])
def test_vector(vector: tuple[str, str, str, int | None, int, int], column: int) -> None:
    """Every written example, for each box that has the cards, counted by both scorers."""
    cards, drawn, total, edition = vector[1], vector[2], vector[3:][column], EDITIONS[column]
    if total is None:
        assert edition == "kidult"
        return
    counted = tally_cards(edition, cards, drawn)
    assert (counted.total, counted.reshuffle) == (total, "night" in (*cards.split(), drawn))
    assert count(edition, tuple(cards.split()), drawn or None) == (total, counted.reshuffle)


@on_both_sides_of("leader/total")
@pytest.mark.parametrize("edition", EDITIONS)
def test_deck(edition: Edition) -> None:
    """The decks, card by card; what the leader doubles may be agreed on, whatever the box says (ruling 1)."""
    assert dict(DECKS[edition].counts) == Counter(CARDS[edition])
    assert DECKS[edition].size == (36 if edition == "kidult" else 30)
    assert tally_cards(edition, "10 5 -10 x2", x2="greens").total == 20
    assert tally_cards(edition, "10 5 -10 x2", x2="total").total == 10


def test_both_scorers_agree_and_steps_tell_the_total() -> None:
    """Random deals of all boxes, one to nine cards, all that "?" can draw, both ways to double.

    Each step takes the sum on, the last ends on the total, and every card with a meaning is told.
    """
    rng = Random("two scorers")
    for number in range(DEALS):
        edition = EDITIONS[number % 3]
        doubles: Doubles = DOUBLES[edition] if number % 2 else rng.choice(("greens", "total"))
        cards, drawn = random_deal(edition, rng)
        first = tally(cards, () if drawn is None else (drawn,), doubles)
        second = count(edition, cards, drawn, doubles)
        assert (first.total, first.reshuffle) == second, (edition, doubles, cards, drawn)
        ends = [0, *(step.sum for step in first.steps)]
        assert [step.start for step in first.steps] == ends[:-1]
        assert ends[-1] == first.total
        assert explained_cards(first) == count_meaningful(cards, drawn), (edition, cards, drawn, first)


def random_deal(edition: Edition, rng: Random) -> tuple[tuple[str, ...], str | None]:
    """Deal one to nine cards from a shuffled box; every third deal has a "?", which draws the next card."""
    box = list(CARDS[edition])
    if not rng.randrange(3):
        box.remove("?")
        *cards, drawn = ("?", *rng.sample(box, rng.randint(1, 9)))
        return tuple(cards), drawn
    *cards, drawn = rng.sample(box, rng.randint(2, 10))
    return tuple(cards), drawn if "?" in cards else None


STEP_OF = {
    "draw": "?",
    "cancel": "max0",
    "cancel-none": "max0",
    "turn": "max-",
    "turn-none": "max-",
    "double-greens": "x2",
    "double-total": "x2",
}
"""The special card that each step is about."""


def explained_cards(told: Tally) -> Counter[str]:
    """Gather the cards that the steps tell of; what was drawn or turned is named again where it counts."""
    cards = Counter(STEP_OF[step.key] for step in told.steps if step.key in STEP_OF)
    named = {step.key: Counter(step.cards) for step in told.steps}
    for key in ("add", "cancel", "subtract", "night"):
        cards += named.get(key, Counter())
    return cards


def count_meaningful(cards: tuple[str, ...], drawn: str | None) -> Counter[str]:
    """Count the cards that do something: all but the decoys, which have no value."""
    return Counter(card for card in (*cards, drawn) if card not in {"0", None})
