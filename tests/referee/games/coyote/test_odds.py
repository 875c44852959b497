"""The odds of a round, against all that can really be dealt and drawn; and what is told of a played round."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from referee.contract import Datum
from referee.games.coyote.house import House
from referee.games.coyote.odds import insight, odds
from tests.referee.games.coyote.script import Script, open_first_round
from tests.referee.games.coyote.second_scorer import CARDS, EDITIONS, Doubles, Edition, count

DOUBLES: tuple[Doubles, ...] = ("greens", "total")

WHOLE_BOX = [
    (0, "", ""),
    (0, "10 max0 5", ""),
    (1, "", ""),
    (1, "20 10 x2", "5 5"),
    (1, "? 20 4", "max0 3"),
    (2, "15 -5 4", "1 2 night"),
]
"""Hidden, seen, discarded: with most of the pile still there."""

SMALL_PILES = [
    (0, "", "7 ? -5 x2"),
    (0, "? 10 x2", "7 -5 max0 20"),
    (1, "10 5", "? max0 x2 night -5 4 4 20"),
    (1, "? 10 5", "max0 x2 night -5 4 4 20"),
    (1, "? max0 x2 5 5", "night -5 -5 -10 20"),
    (2, "10 5", "? max0 x2 night -5 4 4 20"),
    (2, "? 10 5", "max0 x2 night -5 4 4 20"),
    (2, "?", "max0 x2 10 1"),
    (2, "10", "max0 x2 night 3 3"),
    (3, "10 5", "? max0 x2 night -5 4 4 20"),
    (3, "? -10", "max0 x2 night 2 3 15"),
    (3, "", "? max0 x2 -5"),
    (3, "max0 x2 10 10", "0 0 15 4 -5 1"),
]
"""Hidden, seen, and all unseen cards; the rest is discarded."""

EMPTY_PILES = [
    (0, "? 10 5", ""),
    (1, "? 10 5", "x2"),
    (2, "10 5", "? x2"),
    (2, "? max0 5", "10 10"),
    (3, "10 5", "? x2 -5"),
    (3, "10", "20 2 max0"),
]
"""Hidden, seen, and all unseen cards: just the hidden ones, so that "?" draws from the discards."""


def brute_force(
    edition: Edition, doubles: Doubles, hidden: int, seen: tuple[str, ...], discarded: tuple[str, ...]
) -> dict[int, Fraction]:
    """Deal every hand of actual cards, draw every card, and count each time."""
    left = Counter(CARDS[edition])
    left.subtract(seen + discarded)
    unseen = tuple(left.elements())
    chances: dict[int, Fraction] = {}
    hands = list(combinations(range(len(unseen)), hidden))
    scored = cache(lambda cards, drawn: count(edition, cards, drawn, doubles)[0])
    for hand in hands:
        cards = tuple(sorted((*seen, *(unseen[place] for place in hand))))
        pile = [unseen[place] for place in range(len(unseen)) if place not in hand]
        draws: list[str | None] = [*(pile or discarded)] if "?" in cards else []
        for drawn in draws or [None]:
            total = scored(cards, drawn)
            share = Fraction(1, len(hands) * len(draws or [None]))
            chances[total] = chances.get(total, Fraction(0)) + share
    return chances


def compare_odds(
    edition: Edition, doubles: Doubles, hidden: int, seen: str, discarded: tuple[str, ...]
) -> None:
    """Hold the referee's odds against all deals."""
    found = odds(House(edition=edition, x2=doubles), hidden, seen.split(), discarded).chances
    assert sum(found.values()) == 1
    assert {type(chance) for chance in found.values()} == {Fraction}
    assert found == brute_force(edition, doubles, hidden, tuple(seen.split()), discarded)


def rest_of(edition: Edition, *kept: str) -> tuple[str, ...]:
    """List the box without the cards that are kept out; a card that the box hasn't got is passed over."""
    box = list(CARDS[edition])
    for card in " ".join(kept).split():
        if card in box:
            box.remove(card)
    return tuple(box)


@pytest.mark.parametrize("doubles", DOUBLES)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("hidden", "seen", "discarded"), WHOLE_BOX)
def test_whole_box(edition: Edition, doubles: Doubles, hidden: int, seen: str, discarded: str) -> None:
    compare_odds(edition, doubles, hidden, seen, tuple(discarded.split()))


@pytest.mark.parametrize("doubles", DOUBLES)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("hidden", "seen", "unseen"), SMALL_PILES)
def test_small_piles(edition: Edition, doubles: Doubles, hidden: int, seen: str, unseen: str) -> None:
    """A few cards that are unseen; Gigamic and Oliphante have MAX - among them too."""
    pile = unseen if edition == "kidult" else f"{unseen} max-"
    compare_odds(edition, doubles, hidden, seen, rest_of(edition, seen, pile))


@pytest.mark.parametrize("doubles", DOUBLES)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("hidden", "seen", "unseen"), EMPTY_PILES)
def test_empty_pile(edition: Edition, doubles: Doubles, hidden: int, seen: str, unseen: str) -> None:
    """Every unseen card is out: "?" draws one of the shuffled discards (ruling 3)."""
    compare_odds(edition, doubles, hidden, seen, rest_of(edition, seen, unseen))


@pytest.mark.parametrize("doubles", DOUBLES)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("hidden", range(4))
def test_nothing_to_draw(edition: Edition, doubles: Doubles, hidden: int) -> None:
    """All cards are out and none is discarded: "?" counts nothing (ruling 3)."""
    box = sorted(CARDS[edition])
    compare_odds(edition, doubles, hidden, " ".join(box[hidden:]), ())


@pytest.mark.parametrize("edition", EDITIONS)
def test_at_least(edition: Edition) -> None:
    """No player needs a negative number, but everything reaches one; and nothing reaches 9999."""
    chances = odds(House(edition=edition), 2, ("10", "-5"), ())
    assert chances.at_least(-1000) == 1
    assert chances.at_least(9999) == 0
    assert chances.at_least(6) == 1 - sum(
        (chance for total, chance in chances.chances.items() if total < 6), Fraction(0)
    )


@pytest.mark.parametrize(
    ("edition", "hidden", "seen", "discarded", "named"),
    [
        ("kidult", 1, "20 20", "", "20"),
        ("kidult", 1, "20", "20", "20"),
        ("kidult", 1, "max-", "", "max-"),
        ("gigamic", 1, "0", "", "0"),
        ("oliphante", 1, "10", "10 10", "10"),
        ("oliphante", 1, "", "joker", "joker"),
        ("kidult", 36, "20", "", "36"),
        ("gigamic", 30, "", "20", "30"),
    ],
)
def test_impossible(edition: Edition, hidden: int, seen: str, discarded: str, named: str) -> None:
    """Cards that the box has not got, or not so often, are an error that names them."""
    with pytest.raises(ValueError, match=named):
        odds(House(edition=edition), hidden, seen.split(), discarded.split())


# What is told of a played round.


def chances_told(script: Script, key: str = "chance") -> list[tuple[Datum, ...]]:
    """List whose number had which chance."""
    return [
        tuple(ruling.values[name] for name in ("seat", "number", "percent"))
        for ruling in insight(script.state)
        if ruling.key == key
    ]


def round_of_three(owners: tuple[int, ...], edition: Edition = "kidult") -> Script:
    """Seat 0 says 14 and wears 5, seat 1 wears 10, seat 2 wears 2; seat 1 contests."""
    return open_first_round(3, edition=edition).says(0, 14).coyote(1).shows("10 5 2", owners)


def test_insight_with_owners() -> None:
    """Seat 0 said 14 and saw 10 and 2, so her own card had to be worth 2 or more: 63.6 %.

    34 cards are left to be hers. 20, 15 15, 10 10, four 5, 4 and 3, three 2 and the chief do: 21. The tipi
    draws one of the 33 others, so it does 21 times in 33. (21 + 21/33) / 34 = 21/33.
    """
    assert chances_told(round_of_three((1, 0, 2))) == [(0, 14, 63.6)]


def test_insight_without_owners() -> None:
    """Her own card may have been the 10 (7 in 33), the 5 (21 in 33) or the 2 (29 in 33): about 57.6 %.

    Seeing 5 and 2 she needs 7 or more: 20, 15 15, 10 10 10 and the chief. Seeing 10 and 5 she needs no
    more than not to fall: all but -5 -5 -10 and the squaw.
    """
    played = round_of_three(())
    assert chances_told(played) == []
    assert chances_told(played, "chance-about") == [(0, 14, 57.6)]


def test_insight_of_gigamic() -> None:
    """Seeing 10 and 2 of the feathers: 20, 15, 10, two of each from 9 to 3, 2 and X2 do: 19 of 27."""
    assert chances_told(round_of_three((1, 0, 2), edition="gigamic")) == [(0, 14, 70.4)]


@pytest.mark.parametrize(("x2", "percent"), [("greens", 12.5), ("total", 9.4)])
def test_insight_with_the_house_option(x2: Doubles, percent: float) -> None:
    """She sees 10, 5 and -5 and says 22: 20, 15 and 15 do, 3 in 32; X2 makes 25, or 20 if it doubles all."""
    played = open_first_round(4, x2=x2).says(0, 22).coyote(1).shows("1 10 5 -5", (0, 1, 2, 3))
    assert chances_told(played) == [(0, 22, percent)]


def test_insight_of_each_number() -> None:
    """Each bidder saw other cards; who didn't say a number isn't told of."""
    played = open_first_round(3).says(0, 3).says(1, 14).coyote(2).shows("5 10 2", (0, 1, 2))
    saw_10_and_2 = odds(House(), 1, ("10", "2"), ()).at_least(3)
    saw_5_and_2 = odds(House(), 1, ("5", "2"), ()).at_least(14)
    assert chances_told(played) == [
        (0, 3, round(float(100 * saw_10_and_2), 1)),
        (1, 14, round(float(100 * saw_5_and_2), 1)),
    ]


def test_insight_knows_the_discards() -> None:
    """In the second round the first three cards are known to be gone."""
    played = round_of_three((1, 0, 2)).says(1, 15).coyote(2).shows("10 15 4", (0, 1, 2))
    expected = odds(House(), 1, ("10", "4"), ("10", "5", "2")).at_least(15)
    assert chances_told(played) == [(1, 15, round(float(100 * expected), 1))]


def test_insight_counts_what_the_cave_may_draw() -> None:
    """Seat 0 sees "?" and 10 and says 12: her card and the drawn one decide together."""
    played = open_first_round(3).says(0, 12).coyote(1).shows("1 ? 10", (0, 1, 2)).shows("4")
    expected = brute_force("kidult", "greens", 1, ("?", "10"), ())
    chance = sum(share for total, share in expected.items() if total >= 12)
    assert chances_told(played) == [(0, 12, round(float(100 * chance), 1))]


FOUR_ROUNDS = ("15 10 9 9 8 8", "7 7 6 6 5 4", "4 3 3 2 2 1", "-5 -5 -10 max0 max- x2")


def test_insight_when_the_pile_was_empty() -> None:
    """In the fifth round of six players all feathers are out, so each knows her own; "?" draws a discard.

    20 10 5 1 make 36. Of the 24 discards 15, 10, 9 9, 8 8, 7 7, 6 6, 5, 4 4 and X2 lead to 40: 14 of 24.
    """
    script = open_first_round(6, edition="gigamic", limit=5)
    for cards in FOUR_ROUNDS:
        script = script.says(0, 5000).coyote(1).shows(cards)
    played = script.says(0, 40).coyote(1).shows("20 ? night 10 5 1", (0, 1, 2, 3, 4, 5)).shows("4")
    assert played.ruling("enough")["total"] == 40
    assert chances_told(played) == [(0, 40, 58.3)]
