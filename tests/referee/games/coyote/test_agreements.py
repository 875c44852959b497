"""House rules of Coyote: players, marks, boxes, powers, challenges, direction."""

from typing import Any

import pytest

from referee.contract import Reason, Refusal
from referee.match import Match
from tests.referee.games.coyote.script import sit_down, try_begin
from tests.referee.games.coyote.second_scorer import EDITIONS, Edition


@pytest.mark.parametrize(
    ("edition", "boxes", "least", "most"),
    [("kidult", 1, 2, 6), ("gigamic", 1, 2, 6), ("oliphante", 1, 3, 6), ("oliphante", 2, 3, 12)],
)
def test_player_count_limits(edition: Edition, boxes: int, least: int, most: int) -> None:
    for seats in (least, most):
        assert isinstance(try_begin(seats, edition=edition, boxes=boxes), Match)
    for seats in (least - 1, most + 1):
        refusal = try_begin(seats, edition=edition, boxes=boxes)
        assert isinstance(refusal, Refusal)
        assert refusal.reason == Reason.SEATS
        assert refusal.values == {"seats": seats, "least": least, "most": most}


LIMITS: list[tuple[Edition, int, tuple[int, ...]]] = [
    ("kidult", 2, (3,)),
    ("kidult", 3, (3, 4, 5)),
    ("kidult", 4, (3, 4)),
    ("kidult", 5, (3,)),
    ("gigamic", 2, (3, 4, 5)),
    ("gigamic", 6, (3, 4, 5)),
    ("oliphante", 3, (3, 4, 5)),
    ("oliphante", 4, (3, 4, 5)),
    ("oliphante", 5, (3,)),
]
"""Edition, number of players, and the allowed mark limits."""


@pytest.mark.parametrize(("edition", "seats", "allowed"), LIMITS)
def test_limit_by_players(edition: Edition, seats: int, allowed: tuple[int, ...]) -> None:
    for limit in (3, 4, 5):
        match = try_begin(seats, edition=edition, limit=limit)
        assert isinstance(match, Match) == (limit in allowed)
        assert isinstance(match, Match) or (match.reason, match.values["why"]) == (Reason.HOUSE, "limit")


@pytest.mark.parametrize(
    ("edition", "seats", "limit", "boxes", "short"),
    [
        ("kidult", 6, 3, 1, None),
        ("kidult", 3, 5, 1, None),
        ("gigamic", 6, 4, 1, None),
        ("gigamic", 6, 5, 1, (24, 18)),
        ("gigamic", 5, 5, 1, (20, 18)),
        ("oliphante", 4, 4, 1, None),
        ("oliphante", 4, 5, 1, (16, 12)),
        ("oliphante", 4, 5, 2, None),
        ("oliphante", 12, 3, 2, None),
    ],
)
def test_mark_count_of_the_box(
    edition: Edition, seats: int, limit: int, boxes: int, short: tuple[int, int] | None
) -> None:
    """The last mark is never worn; a warning is given if the box has too few."""
    script = sit_down(seats, edition=edition, limit=limit, boxes=boxes)
    assert script.tells("marks-short") == (short is not None)
    assert short is None or script.ruling("marks-short") == {"needed": short[0], "have": short[1]}


SIX = {"approve", "double", "reverse", "extra", "restart", "next"}
POWERS_OF: dict[Edition, set[str]] = {
    "kidult": SIX,
    "gigamic": SIX,
    "oliphante": {"extra", "reverse", "skip", "replace", "guess"},
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_powers_and_boxes_of_an_edition(edition: Edition) -> None:
    """Each power of an edition may be chosen alone, none of another edition; two boxes need Oliphante."""
    refused: list[tuple[dict[str, Any], bool]] = [
        ({"powers": (power,)}, power not in POWERS_OF[edition]) for power in set().union(*POWERS_OF.values())
    ]
    refused += [({"extra_tokens": tokens}, not 0 <= tokens <= 8) for tokens in (-1, 0, 8, 9)]
    for house, is_refused in [*refused, ({"boxes": 2}, edition != "oliphante")]:
        match = try_begin(4, edition=edition, **house)
        assert isinstance(match, Refusal) == is_refused, house
        assert isinstance(match, Match) or match.reason == Reason.HOUSE
