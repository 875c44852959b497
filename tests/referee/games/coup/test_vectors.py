"""The rule text's three-player example, step by step, and the vectors of every fine point."""

from typing import Any

import pytest

from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup.script import sit_down, table
from tests.referee.games.lines import read_lines

EXAMPLE = [
    ("", "2:2 2:2 2:2 44"),
    ("tax pass", "5:2 2:2 2:2 41"),
    ("exchange pass returned", "5:2 2:2 2:2 41"),
    ("tax pass:0 challenge:1 [duke] [assassin]", "5:2 2:1 5:2 38"),
    ("tax pass", "8:2 2:1 5:2 35"),
    ("income", "8:2 3:1 5:2 34"),
    ("assassinate:0 block:0:contessa pass:1 pass", "8:2 3:1 2:2 37"),
    ("coup:2 [contessa]", "1:2 3:1 2:1 44"),
    ("steal:2 pass:0 block:2:ambassador pass:0 challenge:1 [assassin]", "1:2 5:1 0:0 44"),
]


def test_the_example_of_the_rule_text() -> None:
    """CO-01: what Natasha, Sacha and Haig have after each turn."""
    script = sit_down(3).opens(0)
    for line, stands in EXAMPLE:
        script = script.plays(line)
        assert script.stands == stands
    assert script.ruling_keys == ["disproved", "block-fails", "loses", "out", "steals"]
    assert script.asked == "action 0"


@on_both_sides_of("challenges-first", "swap-first", "last-one", "at-once", "wrong-card")
@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "vectors"))
def test_vector(house: dict[str, Any], line: str, stands: str) -> None:
    before, _, said = f"{line} ".partition(" : ")
    script = table(*before.split(), **house).plays(said)
    assert f"{script.stands} : {script.asked}".strip() == stands
    assert (script.match.outcome is not None) == (not script.asked)


def test_a_treasury_without_end() -> None:
    rich = table("9:2", "9:2", "9:2", "8:2", "7:2", "7:2", bank_unlimited=True)
    assert rich.plays("tax pass").stands.startswith("12:2 9:2")


@within("block-after-challenge/may-not")
def test_a_challenger_in_vain_may_not_block_if_so_agreed() -> None:
    script = table("3:2", "2:2", "2:2", challenger_may_block=False)
    assert script.plays("assassinate:1 challenge:1 [assassin] [duke]").asked == "lose 1"


@beyond("block-after-challenge/may-not")
def test_another_player_challenged_and_the_target_may_block_whatever_was_agreed() -> None:
    script = table("3:2", "2:2", "2:2", challenger_may_block=False)
    assert script.plays("assassinate:1 challenge:2 [assassin] [duke]").asked == "block 1; objections 0"


@on_both_sides_of("steal")
@pytest.mark.parametrize(("there", "taken"), [(0, 0), (1, 1), (2, 2), (5, 2)])
def test_steal_takes_what_is_there(there: int, taken: int) -> None:
    """CO-20."""
    script = table("2:2", f"{there}:2").plays("steal:1 pass")
    assert script.ruling("steals")["coins"] == taken
    assert script.stands == f"{2 + taken}:2 {there - taken}:2 {48 - there}"


def test_coins_of_a_block_stay_spent_and_of_the_dead_go_back() -> None:
    spent = table("3:2", "2:2", "2:2").plays(
        "assassinate:1 challenge:1 [assassin] [duke] block:1:contessa pass"
    )
    assert spent.ruling("block-holds-spent") == {"seat": 0, "coins": 3}
    dead = table("5:1", "2:2", "2:2").plays(
        "assassinate:1 pass:2 block:1:contessa challenge:0 [contessa] [duke]"
    )
    assert dead.ruling("gives-back") == {"seat": 0, "coins": 2}
