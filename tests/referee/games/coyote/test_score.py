"""The count of a round: the rule books' figures, published vectors, and a second scorer on random deals."""

from collections import Counter
from random import Random

import pytest

from referee.games.coyote.deck import DECKS
from referee.games.coyote.house import House, doubling_of
from referee.games.coyote.score import Tally, tally
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.coyote.second_scorer import CARDS, DOUBLES, EDITIONS, Doubles, Edition, count

DEALS = 120_000
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
]
"""Name, cards, what "?" draws, totals of Kidult (None: not in its deck), Gigamic and Oliphante."""

PUBLIC = [
    ("20 1 -5 2", "", 18),
    ("20 1 -5 2 x2", "", 36),
    ("10 5 4 max0", "", 9),
    ("10 10 5 max0", "", 15),
    ("? 1", "15", 16),
    ("10 5 max0 x2 ?", "4", 18),
    ("-5 -10 max0", "", -15),
]
"""Tests of a public program (CoyoteBattle) that doubles the whole total, as Gigamic does.

The last one differs: there the fox takes the greatest number even when it is red; the rule books say green.
"""


def tally_cards(edition: Edition, cards: str, drawn: str = "", x2: Doubles | None = None) -> Tally:
    """Count cards by the rules of a box."""
    house = House(edition=edition, x2=x2 or "by_edition")
    return tally(tuple(cards.split()), tuple(drawn.split()), doubling_of(house))


@pytest.mark.parametrize("column", range(3), ids=EDITIONS)
@pytest.mark.parametrize("vector", VECTORS, ids=[vector[0] for vector in VECTORS])
def test_vector(vector: tuple[str, str, str, int | None, int, int], column: int) -> None:
    """Every written example, for each box that has the cards, counted by both scorers."""
    cards, drawn, total, edition = vector[1], vector[2], vector[3:][column], EDITIONS[column]
    if total is None:
        assert edition == "kidult"
        return
    assert tally_cards(edition, cards, drawn).total == total
    assert count(edition, tuple(cards.split()), drawn or None)[0] == total


@pytest.mark.parametrize(("cards", "drawn", "total"), PUBLIC)
def test_public_vector(cards: str, drawn: str, total: int) -> None:
    assert tally_cards("gigamic", cards, drawn).total == total


@pytest.mark.parametrize(
    ("cards", "drawn", "shuffled"),
    [
        ("4 -5 1 night", "", True),
        ("? 20 1", "night", True),
        ("? 20 1", "15", False),
        ("4 -5 1", "", False),
    ],
)
@pytest.mark.parametrize("edition", EDITIONS)
def test_night_shuffles(edition: Edition, cards: str, drawn: str, shuffled: bool) -> None:
    """The dusk or blue 0 orders a shuffle, also when "?" drew it."""
    assert tally_cards(edition, cards, drawn).reshuffle is shuffled


@on_both_sides_of("leader/total")
@pytest.mark.parametrize(
    ("edition", "x2", "total"),
    [
        ("kidult", "greens", 20),
        ("kidult", "total", 10),
        ("gigamic", "greens", 20),
        ("gigamic", "total", 10),
        ("oliphante", "greens", 20),
        ("oliphante", "total", 10),
    ],
)
def test_x2_house_option(edition: Edition, x2: Doubles, total: int) -> None:
    """What the leader doubles may be agreed on, whatever the box says (ruling 1)."""
    assert tally_cards(edition, "10 5 -10 x2", x2=x2).total == total


@pytest.mark.parametrize("edition", EDITIONS)
def test_deck(edition: Edition) -> None:
    """The decks, card by card."""
    deck = DECKS[edition]
    assert dict(deck.counts) == Counter(CARDS[edition])
    assert deck.size == (36 if edition == "kidult" else 30)


def test_both_scorers_agree() -> None:
    """Random deals of all boxes, one to nine cards, all that "?" can draw, both ways to double."""
    rng = Random("two scorers")
    for number in range(DEALS):
        edition = EDITIONS[number % 3]
        doubles: Doubles = DOUBLES[edition] if number % 2 else rng.choice(("greens", "total"))
        cards, drawn = random_deal(edition, rng)
        first = tally(cards, () if drawn is None else (drawn,), doubles)
        second = count(edition, cards, drawn, doubles)
        assert (first.total, first.reshuffle) == second, (edition, doubles, cards, drawn)


def test_steps_tell_the_total() -> None:
    """Each step takes the sum on, the last ends on the total, and every card with a meaning is told."""
    rng = Random("told")
    for number in range(20_000):
        edition = EDITIONS[number % 3]
        cards, drawn = random_deal(edition, rng)
        told = tally(cards, () if drawn is None else (drawn,), DOUBLES[edition])
        ends = [0, *(step.sum for step in told.steps)]
        assert [step.start for step in told.steps] == ends[:-1]
        assert ends[-1] == told.total
        assert explained_cards(told) == count_meaningful(cards, drawn), (edition, cards, drawn, told)


def test_steps_of_the_figure() -> None:
    """Figure 2 of the rule book: -20 + 31 - 5 = 6, told as one says it at the table."""
    steps = tally_cards("gigamic", "20 max- 15 10 6 -5").steps
    assert [(step.key, step.cards, step.sum) for step in steps] == [
        ("turn", ("20",), 0),
        ("add", ("15", "10", "6"), 31),
        ("subtract", ("20", "-5"), 6),
    ]


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
