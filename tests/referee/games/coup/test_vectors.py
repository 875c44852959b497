"""Test vectors of all special cases, with the rule book's three-player example, and limits of house rules."""

from typing import Any

import pytest

from referee.contract import Reason, Refusal
from referee.games.coup import COUP
from referee.games.coup.state import House
from referee.match import Match, Setup, begin
from tests.referee.games.coup.script import NAMES, play, sit_down
from tests.referee.games.lines import read_lines


@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "vectors"))
def test_vector(house: dict[str, Any], line: str, stands: str) -> None:
    script = play(line, **house)
    assert f"{script.stands} : {script.asked} : {script.told}".strip() == stands
    assert (script.match.outcome is not None) == (not script.asked)


@pytest.mark.parametrize("rule", ["window_seconds", "proof_seconds"])
@pytest.mark.parametrize(("seconds", "may_be"), [(0, False), (1, True), (120, True), (121, False)])
def test_clock_range_is_1_to_120_seconds(rule: str, seconds: int, may_be: bool) -> None:
    begun = begin(Setup(COUP, House(**{rule: seconds}), NAMES))
    assert isinstance(begun, Match) == may_be
    assert may_be or (isinstance(begun, Refusal) and begun.reason is Reason.HOUSE)


@pytest.mark.parametrize(("players", "coins"), [(2, 1), (3, 2)])
def test_first_of_two_players_starts_with_one_coin_less(players: int, coins: int) -> None:
    opened = sit_down(players, two_player_first_coin=1).opens(1)
    assert opened.state.coins[1] == coins
    assert ("first-coin" in opened.ruling_keys) == (players == 2)
