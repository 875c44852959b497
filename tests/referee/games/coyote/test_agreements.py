"""What may be agreed before a match of Coyote: players, marks, powers, tokens."""

import pytest

from referee.contract import Reason, Refusal
from referee.match import Match
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.coyote.script import CRY, open_first_round, sit_down, try_begin
from tests.referee.games.coyote.second_scorer import EDITIONS, Edition

# What may be agreed before the match.

SEATS = [
    ("kidult", 1, 2, 6),
    ("gigamic", 1, 2, 6),
    ("oliphante", 1, 3, 6),
    ("oliphante", 2, 3, 12),
]


@on_both_sides_of("boxes/one", "boxes/two")
@pytest.mark.parametrize(("edition", "boxes", "least", "most"), SEATS)
def test_number_of_players(edition: Edition, boxes: int, least: int, most: int) -> None:
    """Kidult and Gigamic two to six, Oliphante three to six, and more with two boxes."""
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
    ("kidult", 6, (3,)),
    ("gigamic", 2, (3, 4, 5)),
    ("gigamic", 6, (3, 4, 5)),
    ("oliphante", 3, (3, 4, 5)),
    ("oliphante", 4, (3, 4, 5)),
    ("oliphante", 5, (3,)),
    ("oliphante", 6, (3,)),
]
"""Edition, players, and the marks for elimination that may be agreed on."""


@on_both_sides_of("more-marks/kidult", "more-marks/oliphante", "more-marks/gigamic")
@pytest.mark.parametrize(("edition", "seats", "allowed"), LIMITS)
@pytest.mark.parametrize("limit", [3, 4, 5])
def test_limit_by_players(edition: Edition, seats: int, allowed: tuple[int, ...], limit: int) -> None:
    """Kidult: with four or three players up to four and five; Oliphante: both; Gigamic: as agreed."""
    match = try_begin(seats, edition=edition, limit=limit)
    if limit in allowed:
        assert isinstance(match, Match)
    else:
        assert isinstance(match, Refusal)
        assert (match.reason, match.values["why"]) == (Reason.HOUSE, "limit")


MARKS = [
    ("kidult", 6, 3, 1, None),
    ("kidult", 4, 4, 1, None),
    ("kidult", 3, 5, 1, None),
    ("gigamic", 6, 4, 1, None),
    ("gigamic", 6, 5, 1, (24, 18)),
    ("gigamic", 5, 5, 1, (20, 18)),
    ("oliphante", 6, 3, 1, None),
    ("oliphante", 4, 4, 1, None),
    ("oliphante", 3, 5, 1, None),
    ("oliphante", 4, 5, 1, (16, 12)),
    ("oliphante", 4, 5, 2, None),
    ("oliphante", 12, 3, 2, None),
]
"""Edition, players, limit, boxes, and the marks needed and there, where they may not do."""


@on_both_sides_of("marks-in-box")
@pytest.mark.parametrize(("edition", "seats", "limit", "boxes", "short"), MARKS)
def test_marks_short(
    edition: Edition, seats: int, limit: int, boxes: int, short: tuple[int, int] | None
) -> None:
    """The last mark is never worn; a warning where those in the box may not do."""
    script = sit_down(seats, edition=edition, limit=limit, boxes=boxes)
    assert script.tells("marks-short") == (short is not None)
    if short is not None:
        assert script.ruling("marks-short") == {"needed": short[0], "have": short[1]}


def test_two_boxes_one_set_of_feathers() -> None:
    """Twelve players with two boxes play with thirty feathers: two rounds, then all are shuffled."""
    script = open_first_round(12, edition="oliphante", boxes=2).says(0, 5000).coyote(1)
    assert script.show.count == 12
    assert script.refusal("reveal", ("20",) * 12)[0] == Reason.MORE_THAN_DECK
    first = script.shows("1 2 3 4 5 6 7 8 9 10 15 20")
    assert not first.tells("shuffle")
    second = first.says(1, 5000).coyote(2).shows("1 2 3 4 5 6 7 8 9 10 -5 -10")
    assert second.tells("shuffle")
    assert second.ruling("round")["cards"] == 12


@pytest.mark.parametrize("edition", ["kidult", "gigamic"])
def test_two_boxes_are_oliphantes(edition: Edition) -> None:
    refusal = try_begin(6, edition=edition, boxes=2)
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.values["why"]) == (Reason.HOUSE, "boxes")


POWERS_OF: dict[Edition, set[str]] = {
    "kidult": {"approve", "double", "reverse", "extra", "restart", "next"},
    "gigamic": {"approve", "double", "reverse", "extra", "restart", "next"},
    "oliphante": {"extra", "reverse", "skip", "replace", "guess"},
}


@on_both_sides_of("agreed-powers")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("power", sorted({power for powers in POWERS_OF.values() for power in powers}))
def test_powers_of_the_box(edition: Edition, power: str) -> None:
    """Each of a box's optional rules may be agreed on alone, none of another box."""
    match = try_begin(4, edition=edition, powers=(power,))
    if power in POWERS_OF[edition]:
        assert isinstance(match, Match)
    else:
        assert isinstance(match, Refusal)
        assert (match.reason, match.values["power"]) == (Reason.HOUSE, power)


@on_both_sides_of("direction/round")
def test_direction_persists() -> None:
    """Ruling 5: each round goes clockwise again, unless the house says that the direction stays."""
    for persists, second in ((False, 2), (True, 0)):
        script = open_first_round(3, powers=("reverse",), direction_persists=persists)
        script = script.uses(0, "reverse").says(0, 5000).coyote(2).shows("1 2 3").loses(1)
        assert script.turn == 1
        assert script.says(1, 1).turn == second


def test_anyone_may_contest() -> None:
    """Ruling 16: as a house rule all who hear a number may contest it, not only the next player."""
    strict = open_first_round(4).says(0, 5).says(1, 15)
    assert strict.refusal("contest", CRY, 3)[0] == Reason.NOT_YOU
    script = open_first_round(4, anyone_may_contest=True)
    assert script.keys() == {"announce"}
    script = script.says(0, 5).says(1, 15)
    assert script.ask("contest").seats == (0, 3)
    called = script.answers("contest", CRY, 3)
    assert called.ruling("called") == {"seat": 3, "bidder": 1, "number": 15, "stake": 1}
    played = called.shows("5 5 5 1")
    assert played.ruling("mark")["seat"] == 3
    assert played.turn == 3


def test_anyone_but_the_bidder() -> None:
    """No player contests their own number, and those who are out have no voice."""
    script = open_first_round(4, anyone_may_contest=True).loses(1).loses(1).loses(1)
    script = script.says(2, 15)
    assert script.refusal("contest", CRY, 2)[0] == Reason.NOT_YOU
    assert script.refusal("contest", CRY, 1)[0] == Reason.NOT_YOU
    assert script.answers("contest", CRY, 0).ruling("called")["seat"] == 0
