"""Lines of play: bids, challenges, cards, marks and each edition's optional rules, with asks and rulings."""

from typing import Any

import pytest

from referee.contract import DISCARD, PILE, TABLE, Move, before_seat
from referee.games.coyote import COYOTE
from referee.games.coyote.hands import forehead
from tests.referee.games.coyote.script import play, play_with_powers
from tests.referee.games.coyote.second_scorer import CARDS, Edition
from tests.referee.games.lines import read_lines


@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "rounds"))
def test_lines_of_play(house: dict[str, Any], line: str, stands: str) -> None:
    agreed = {rule: value for rule, value in house.items() if rule != "box"}
    for edition in house["box"].split(","):
        script = play_with_powers(edition, line, **agreed)
        assert f"{script.stands}: {script.told}".strip() == stands


@pytest.mark.parametrize(
    ("house", "line", "stands"), [*read_lines(__file__, "powers"), *read_lines(__file__, "tokens")]
)
def test_asks_follow_lines_of_play(house: dict[str, Any], line: str, stands: str) -> None:
    """Kidult: one power per player and round. Gigamic: each once per table, several in a turn (ruling 12)."""
    agreed = {rule: value for rule, value in house.items() if rule != "box"}
    for edition in house["box"].split(","):
        assert play_with_powers(edition, line, **agreed).stands == stands


def test_standings() -> None:
    """Fewer marks rank higher, ties share a place, and the first to fall is last."""
    even = [(1, 1, 0, False), (3, 1, 0, False), (0, 3, 1, False), (2, 4, 3, True)]
    late = [(1, 1, 0, False), (3, 2, 3, True), (0, 3, 3, True), (2, 4, 3, True)]
    line = "loses:2 loses:2 loses:0 loses:2"
    for played, places in ((line, even), (f"{line} loses:0 loses:0 loses:3 loses:3 loses:3", late)):
        standings = COYOTE.rules.standings(play(played).match.state)
        assert [(each.seat, each.place, each.counts["marks"], each.out) for each in standings] == places


@pytest.mark.parametrize("edition", ["kidult", "gigamic"])
@pytest.mark.parametrize("power", ["approve", "double", "reverse", "extra", "restart", "next", None])
def test_powers_are_offered_only_if_agreed(edition: Edition, power: str | None) -> None:
    script = play("5", edition=edition, powers=(power,) if power else ())
    assert script.words() | script.words("after") == {"coyote"} | ({power} if power else set())


@pytest.mark.parametrize("edition", ["kidult", "gigamic"])
def test_no_power_targets_oneself_or_eliminated_players(edition: Edition) -> None:
    options = play_with_powers(edition, "loses:3 loses:3 loses:3 1 14").options("after")
    aims = {(option.word, option.seat) for option in options if option.seat is not None}
    assert aims == {("extra", 0), ("extra", 2), ("next", 0), ("next", 2)}


def test_second_card_is_drawn_and_worn() -> None:
    drawn = play_with_powers("kidult", "5 +extra:2")
    moves = [move for ruling in drawn.match.rulings for move in COYOTE.table.moves(drawn.state, ruling)]
    assert moves == [Move(PILE, forehead(2), 1)]


def test_feather_zones() -> None:
    for line, zone, seats in (
        ("5 extra", before_seat(1), (1,)),
        ("5 guess:20", before_seat(1), (1,)),
        ("replace 10 coyote [1 2 3 4]", DISCARD, TABLE),
    ):
        show = play_with_powers("oliphante", line).show
        assert (show.count, show.zone, show.seats) == (1, zone, seats)
    faces = {option.face for option in play_with_powers("oliphante", "").options("turn") if option.face}
    assert faces == set(CARDS["oliphante"])
