"""Odds of a round, compared with all possible deals and draws, and ratings of bids and calls."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from referee.coaching import line_of, turning_points
from referee.contract import Judgement, Option
from referee.games.coyote import COYOTE
from referee.games.coyote.coaching import chance_seen, odds
from referee.games.coyote.state import House
from tests.referee.games.coyote.script import Script, play
from tests.referee.games.coyote.second_scorer import CARDS, EDITIONS, Doubles, Edition, count
from tests.referee.laboratories import StillLaboratory

DOUBLES: tuple[Doubles, ...] = ("greens", "total")

WHOLE_BOX = [
    (0, "", ""),
    (0, "10 max0 5", ""),
    (1, "", ""),
    (1, "20 10 x2", "5 5"),
    (1, "? 20 4", "max0 3"),
    (2, "15 -5 4", "1 2 night"),
]
"""Hidden, seen, discarded; most of the pile is left."""

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
"""Hidden, seen, and all unseen cards, which are just the hidden ones, so "?" draws from the discards."""


def brute_force(
    edition: Edition, doubles: Doubles, hidden: int, seen: tuple[str, ...], discarded: tuple[str, ...]
) -> dict[int, Fraction]:
    """Deal every hand, draw every card, and count each time."""
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
    found = odds(House(edition=edition, x2=doubles), hidden, seen.split(), discarded).chances
    assert (sum(found.values()), {type(chance) for chance in found.values()}) == (1, {Fraction})
    assert found == brute_force(edition, doubles, hidden, tuple(seen.split()), discarded)


def rest_of(edition: Edition, *kept: str) -> tuple[str, ...]:
    """Return the edition's cards without some; cards it doesn't have are ignored."""
    box = list(CARDS[edition])
    for card in " ".join(kept).split():
        if card in box:
            box.remove(card)
    return tuple(box)


@pytest.mark.parametrize("doubles", DOUBLES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_odds_match_all_deals(edition: Edition, doubles: Doubles) -> None:
    """If all unseen cards are in play, "?" draws a shuffled discard, or counts nothing (ruling 3)."""
    for hidden, seen, discarded in WHOLE_BOX:
        compare_odds(edition, doubles, hidden, seen, tuple(discarded.split()))
    for hidden, seen, unseen in SMALL_PILES:
        pile = unseen if edition == "kidult" else f"{unseen} max-"
        compare_odds(edition, doubles, hidden, seen, rest_of(edition, seen, pile))
    for hidden, seen, unseen in EMPTY_PILES:
        compare_odds(edition, doubles, hidden, seen, rest_of(edition, seen, unseen))
    box = sorted(CARDS[edition])
    for hidden in range(4):
        compare_odds(edition, doubles, hidden, " ".join(box[hidden:]), ())


def test_unknown_cards_raise_an_error() -> None:
    for hidden, seen, gone, named in ((1, "20", "20", "20"), (1, "max-", "", "max-"), (36, "20", "", "36")):
        with pytest.raises(ValueError, match=named):
            odds(House(), hidden, seen.split(), gone.split())


# Probability of a bid in a played round, given the cards its bidder saw.

SEEN: list[tuple[dict[str, Any], str, tuple[int | None, ...], tuple[int, int, float]]] = [
    # seat 0 said 14 and saw 10 and 2, so her own card had to be worth 2 or more: 20, 15 15, 10 10, four 5, 4
    # and 3, three 2 and the chief, 21 of 34. The tipi draws one of the 33 others: (21 + 21/33) / 34 = 21/33
    ({}, "14 coyote [10 5 2]", (1, 0, 2), (0, 14, 63.6)),
    # the 10 was someone else's: it may have been the 5 (21 in 33) or the 2 (29 in 33)
    ({}, "14 coyote [10 5 2]", (1, None, None), (0, 14, 75.8)),
    # with 10, 5 and -5, 20, 15 and 15 reach 22; X2 makes 25, or 20 if it doubles all
    ({"x2": "greens", "seats": 4}, "22 coyote [1 10 5 -5]", (0, 1, 2, 3), (0, 22, 12.5)),
    ({"x2": "total", "seats": 4}, "22 coyote [1 10 5 -5]", (0, 1, 2, 3), (0, 22, 9.4)),
]


@pytest.mark.parametrize(("house", "line", "owners", "seen"), SEEN)
def test_bid_probability(
    house: dict[str, Any], line: str, owners: tuple[int | None, ...], seen: tuple[int, int, float]
) -> None:
    before, _bracket, cards = line.partition(" [")
    script = play(before, **{"seats": 3, **house}).shows(cards.strip("]"), owners)
    assert percent_seen(script, *seen[:2]) == seen[2]


def percent_seen(script: Script, seat: int, number: int) -> float:
    state = script.match.state
    return round(100 * chance_seen(state.house, state.revealed, seat, number), 1)


def test_odds_with_an_empty_pile() -> None:
    """In the fifth round of six players all feathers are out, so each knows her own; "?" draws a discard.

    20 10 5 1 make 36. Of the 24 discards 15, 10, 9 9, 8 8, 7 7, 6 6, 5, 4 4 and X2 lead to 40: 14 of 24.
    """
    rounds = ("15 10 9 9 8 8", "7 7 6 6 5 4", "4 3 3 2 2 1", "-5 -5 -10 max0 max- x2")
    line = " ".join(f"5000 coyote [{cards}]" for cards in rounds)
    script = play(f"{line} 40 coyote", 6, edition="gigamic", limit=5)
    played = script.shows("20 ? night 10 5 1", tuple(range(6))).shows("4")
    assert percent_seen(played, 0, 40) == 58.3


def judged(
    line: str, cards: str = "20 5 -5", owners: tuple[int, ...] = (0, 1, 2), **house: Any
) -> list[Judgement]:
    match = play(line, 3, **house).shows(cards, owners).match
    return list(COYOTE.play.coach(line_of(match), StillLaboratory()))


def dealt_chance(seen: str, number: int, discarded: str = "") -> float:
    """Deal each possible own card, and draw each card a cave may draw."""
    chances = brute_force("kidult", "greens", 1, tuple(seen.split()), tuple(discarded.split()))
    return float(sum(share for total, share in chances.items() if total >= number))


def test_judgements_match_full_enumeration() -> None:
    """Each decision is compared with a call or the minimum bid; one's own card and later events don't count."""
    first, second, call = judged("10 22 coyote")
    assert first.worth == pytest.approx(dealt_chance("5 -5", 10))
    assert second.worth == pytest.approx(dealt_chance("20 -5", 22))
    assert call.worth == pytest.approx(1 - dealt_chance("20 5", 22))
    assert (first.better, first.best) == (1, pytest.approx(dealt_chance("5 -5", 1)))
    assert (second.better, call.better) == (11, 23)
    assert call.best == pytest.approx(dealt_chance("20 5", 23))
    for own, key, card in ((first, "coach-bid", "20"), (second, "coach-bid", "5"), (call, "coach-call", "-5")):
        assert [remark.key for remark in own.remarks] == [key, "coach-least", "coach-wore"]
        assert own.remarks[2].values["card"] == card
    for seat, cards in enumerate(("3 5 -5", "20 1 -5", "20 5 4")):
        other, own = judged("10 22 coyote", cards)[seat], (first, second, call)[seat]
        assert (other.worth, other.best, other.remarks[:2]) == (own.worth, own.best, own.remarks[:2])


def test_unknown_owners_are_averaged() -> None:
    pairs = ("5 -5", "20 -5", "20 5")
    first = judged("10 22 coyote", owners=())[0]
    assert first.worth == pytest.approx(sum(dealt_chance(pair, 10) for pair in pairs) / 3)
    assert "coach-wore" not in [remark.key for remark in first.remarks]


def test_certain_call_has_no_loss() -> None:
    bold, call = judged("99 coyote", "1 2 3")
    assert (bold.worth, call.worth, call.loss, call.better) == (0, 1, 0, None)
    assert bold.loss > 0.9
    assert turning_points([bold, call]) == (bold,)


def test_other_judged_decisions() -> None:
    """A bid taken over, a call out of turn, and no rating after hidden draws."""
    taken = judged("10 approve coyote", powers=("approve",))[1]
    assert (taken.chosen, taken.worth) == (Option("approve"), pytest.approx(dealt_chance("20 -5", 10)))
    call = judged("10 contest:2", anyone_may_contest=True)[1]
    assert (call.seat, call.loss, len(call.remarks)) == (2, 0, 2)
    assert call.worth == pytest.approx(1 - dealt_chance("20 5", 10))
    assert judged("10 +extra:1 coyote", "1 2 3 4", (), powers=("extra",)) == []
