"""What may be agreed before a match of Coyote: players, marks, boxes, powers, who contests, the direction."""

from typing import Any

import pytest

from referee.contract import Reason, Refusal
from referee.match import Match
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.coyote.script import CRY, play, sit_down, try_begin
from tests.referee.games.coyote.second_scorer import EDITIONS, Edition


@on_both_sides_of("boxes/one", "boxes/two")
@pytest.mark.parametrize(
    ("edition", "boxes", "least", "most"),
    [("kidult", 1, 2, 6), ("gigamic", 1, 2, 6), ("oliphante", 1, 3, 6), ("oliphante", 2, 3, 12)],
)
def test_number_of_players(edition: Edition, boxes: int, least: int, most: int) -> None:
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
"""Edition, players, and the marks for elimination that may be agreed on."""


@on_both_sides_of("more-marks/kidult", "more-marks/oliphante", "more-marks/gigamic")
@pytest.mark.parametrize(("edition", "seats", "allowed"), LIMITS)
def test_limit_by_players(edition: Edition, seats: int, allowed: tuple[int, ...]) -> None:
    for limit in (3, 4, 5):
        match = try_begin(seats, edition=edition, limit=limit)
        assert isinstance(match, Match) == (limit in allowed)
        assert isinstance(match, Match) or (match.reason, match.values["why"]) == (Reason.HOUSE, "limit")


@on_both_sides_of("marks-in-box")
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
def test_marks_that_the_box_has(
    edition: Edition, seats: int, limit: int, boxes: int, short: tuple[int, int] | None
) -> None:
    """The last mark is never worn; a warning where those in the box may not do."""
    script = sit_down(seats, edition=edition, limit=limit, boxes=boxes)
    assert script.tells("marks-short") == (short is not None)
    assert short is None or script.ruling("marks-short") == {"needed": short[0], "have": short[1]}


SIX = {"approve", "double", "reverse", "extra", "restart", "next"}
POWERS_OF: dict[Edition, set[str]] = {
    "kidult": SIX,
    "gigamic": SIX,
    "oliphante": {"extra", "reverse", "skip", "replace", "guess"},
}


@on_both_sides_of("agreed-powers")
@pytest.mark.parametrize("edition", EDITIONS)
def test_powers_and_boxes_of_an_edition(edition: Edition) -> None:
    """Each of a box's optional rules may be agreed on alone, none of another box; two boxes are Oliphante's."""
    refused: list[tuple[dict[str, Any], bool]] = [
        ({"powers": (power,)}, power not in POWERS_OF[edition]) for power in set().union(*POWERS_OF.values())
    ]
    refused += [({"extra_tokens": tokens}, not 0 <= tokens <= 8) for tokens in (-1, 0, 8, 9)]
    for house, is_refused in [*refused, ({"boxes": 2}, edition != "oliphante")]:
        match = try_begin(4, edition=edition, **house)
        assert isinstance(match, Refusal) == is_refused, house
        assert isinstance(match, Match) or match.reason == Reason.HOUSE


def test_two_boxes_have_one_set_of_feathers() -> None:
    """Twelve players: two rounds, then all thirty are shuffled."""
    script = play("5000 coyote", 12, edition="oliphante", boxes=2)
    assert script.show.count == 12
    assert script.refusal("reveal", ("20",) * 12)[0] == Reason.MORE_THAN_DECK
    first = script.plays("[1 2 3 4 5 6 7 8 9 10 15 20]")
    assert not first.tells("shuffle")
    assert first.plays("5000 coyote [1 2 3 4 5 6 7 8 9 10 -5 -10]").tells("shuffle")


@on_both_sides_of("direction/round")
@pytest.mark.parametrize(("persists", "stands"), [(False, "2 from 2"), (True, "0 from 2")])
def test_each_round_goes_clockwise_unless_the_direction_stays(persists: bool, stands: str) -> None:
    """Ruling 5."""
    line = "reverse 5000 coyote [1 2 3] loses:1 1"
    script = play(line, 3, powers=("reverse",), direction_persists=persists)
    assert script.stands.startswith(stands)


@on_both_sides_of("call/in-turn", "call/anytime")
def test_who_may_contest() -> None:
    """Ruling 16: the one in turn; by a house rule all who hear a number, but not the bidder or who is out."""
    strict = play("5 15")
    assert strict.refusal("contest", CRY, 3)[0] == Reason.NOT_YOU
    assert strict.plays("coyote").ruling("called")["seat"] == 2
    assert play("", anyone_may_contest=True).ask_keys == ["announce"]
    script = play("5 15", anyone_may_contest=True)
    assert script.ask("contest").seats == (0, 3)
    called = script.plays("contest:3")
    assert called.ruling("called") == {"seat": 3, "bidder": 1, "number": 15, "stake": 1}
    assert called.plays("[5 5 5 1]").ruling("round")["opener"] == 3
    later = play("loses:1 loses:1 loses:1 15", anyone_may_contest=True)
    assert later.refusal("contest", CRY, 2)[0] == later.refusal("contest", CRY, 1)[0] == Reason.NOT_YOU
    assert later.plays("contest:0").ruling("called")["seat"] == 0
