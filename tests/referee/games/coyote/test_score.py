"""The count of a round: examples of the rule books, published vectors, and a second scorer on random deals."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from referee.games.coyote.state import House, Tally, tally
from tests.referee.games.coyote.second_scorer import CARDS, DOUBLES, EDITIONS, Doubles, Edition, count
from tests.tiers import tiered

DEALS = tiered(6_000, 120_000)  # number of random deals counted twice

LINES = Path(__file__).with_name("score.txt").read_text(encoding="utf-8").splitlines()


def tally_cards(edition: Edition, cards: str, drawn: str = "", x2: Doubles | None = None) -> Tally:
    house = House(edition=edition, x2=x2 or "by_edition")
    return tally(tuple(cards.split()), tuple(drawn.split()), house.doubling)


@pytest.mark.parametrize("vector", [line for line in LINES if not line.startswith("#")])
def test_vector(vector: str) -> None:
    """Every written example, for each edition with the cards, counted by both scorers."""
    laid, _, totals = vector.partition(": ")[2].partition(" => ")
    cards, _, drawn = laid.rstrip("]").partition(" [")
    for edition, total in zip(EDITIONS, totals.split(), strict=True):
        if total != "-":
            counted = tally_cards(edition, cards, drawn)
            assert (counted.total, counted.reshuffle) == (int(total), "night" in (*cards.split(), drawn))
            assert count(edition, tuple(cards.split()), drawn or None) == (int(total), counted.reshuffle)


@pytest.mark.parametrize("edition", EDITIONS)
def test_deck(edition: Edition) -> None:
    """The decks, card by card; the leader's effect is a house rule in every edition (ruling 1)."""
    assert dict(House(edition=edition).deck.counts) == Counter(CARDS[edition])
    assert House(edition=edition).deck.size == (36 if edition == "kidult" else 30)
    assert tally_cards(edition, "10 5 -10 x2", x2="greens").total == 20
    assert tally_cards(edition, "10 5 -10 x2", x2="total").total == 10


def test_scorers_agree_and_steps_reach_the_total() -> None:
    """Random deals of all editions, one to nine cards, all possible draws of "?", both ways to double.

    The steps are consecutive, and the last ends on the total.
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


def random_deal(edition: Edition, rng: Random) -> tuple[tuple[str, ...], str | None]:
    """Deal one to nine cards from a shuffled box; every third deal has a "?", which draws the next card."""
    box = list(CARDS[edition])
    if not rng.randrange(3):
        box.remove("?")
        *cards, drawn = ("?", *rng.sample(box, rng.randint(1, 9)))
        return tuple(cards), drawn
    *cards, drawn = rng.sample(box, rng.randint(2, 10))
    return tuple(cards), drawn if "?" in cards else None
