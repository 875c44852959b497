"""The rule text's three-player example, step by step, and the vectors of every fine point."""

import pytest

from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup.script import Script, sit_down, table

NATASHA, SACHA, HAIG = range(3)
A, T, X = range(3)


def test_the_example_of_the_rule_text() -> None:
    """CO-01: what Natasha, Sacha and Haig have after each turn."""
    script = sit_down(3).opens(NATASHA)
    assert script.stands == "2:2 2:2 2:2 44"
    script = script.does("tax").passes()
    assert script.stands == "5:2 2:2 2:2 41"
    script = script.does("exchange").passes().exchanges()
    assert script.stands == "5:2 2:2 2:2 41"
    script = script.does("tax").passes(NATASHA).challenges(SACHA)
    script = script.shows("duke").shows("assassin")
    assert script.stands == "5:2 2:1 5:2 38"
    script = script.does("tax").passes()
    assert script.stands == "8:2 2:1 5:2 35"
    script = script.does("income")
    assert script.stands == "8:2 3:1 5:2 34"
    script = script.does("assassinate", NATASHA).blocks(NATASHA, "contessa").passes(SACHA).passes()
    assert script.stands == "8:2 3:1 2:2 37"
    script = script.does("coup", HAIG).shows("contessa")
    assert script.stands == "1:2 3:1 2:1 44"
    script = script.does("steal", HAIG).passes(NATASHA).blocks(HAIG, "ambassador")
    script = script.passes(NATASHA).challenges(SACHA).shows("assassin")
    assert script.stands == "1:2 5:1 0:0 44"
    assert script.state.lost == ((), ("assassin",), ("contessa", "assassin"))
    assert script.ruling_keys == ["disproved", "block-fails", "loses", "out", "steals"]
    assert script.turn == NATASHA


def assassination(*stands: str, **house: object) -> Script:
    """Let A declare that T is assassinated."""
    return table(*stands, **house).does("assassinate", T)


def test_double_danger_of_a_challenge() -> None:
    """CO-10: T challenges a true assassin and doesn't block: two influences in one turn."""
    script = assassination("3:2", "2:2", "2:2").challenges(T).shows("assassin")
    script = script.shows("duke").passes(T)
    assert script.show.seats == (T,)
    script = script.shows("captain")
    assert script.stands == "0:2 0:0 2:2 48"
    assert script.turn == X


def test_a_challenger_in_vain_may_still_block() -> None:
    """CO-11: T loses the challenge, then claims a contessa that isn't doubted."""
    script = assassination("3:2", "2:2", "2:2").challenges(T).shows("assassin").shows("duke")
    assert script.waiting_seats == [T]
    script = script.blocks(T, "contessa").passes()
    assert script.stands == "0:2 2:1 2:2 46"
    assert script.ruling("block-holds-spent") == {"seat": A, "coins": 3}


@within("block-after-challenge/may-not")
def test_a_challenger_in_vain_may_not_block_if_so_agreed() -> None:
    script = assassination("3:2", "2:2", "2:2", challenger_may_block=False)
    script = script.challenges(T).shows("assassin").shows("duke")
    assert script.show.seats == (T,)
    assert script.shows("captain").stands == "0:2 0:0 2:2 48"


@beyond("block-after-challenge/may-not")
def test_another_player_challenged_and_the_target_may_block_whatever_was_agreed() -> None:
    script = assassination("3:2", "2:2", "2:2", challenger_may_block=False)
    script = script.challenges(X).shows("assassin").shows("duke")
    assert script.waiting_seats == [T]


def test_out_by_the_challenge() -> None:
    """CO-13: nothing is left to assassinate, and the coins stay spent."""
    script = assassination("3:2", "2:1", "2:2").challenges(T).shows("assassin").shows("captain")
    assert script.stands == "0:2 0:0 2:2 48"
    assert script.turn == X


@within("wrong-card")
@pytest.mark.parametrize("how", ["concede", "captain"])
def test_a_bluff_is_refunded(how: str) -> None:
    """CO-14: A is caught, loses an influence, and gets the three coins back."""
    script = assassination("3:2", "2:2", "2:2").challenges(X)
    script = script.concedes().shows("captain") if how == "concede" else script.shows(how)
    assert script.stands == "3:1 2:2 2:2 43"
    assert script.turn == T


def test_a_third_player_challenges_and_the_target_blocks() -> None:
    """CO-15, CO-16: X loses an influence, T may still block, and A's coins stay spent."""
    script = assassination("3:2", "2:2", "2:2").challenges(X).shows("assassin").shows("duke")
    script = script.blocks(T, "contessa")
    assert script.waiting_seats == [A, X]
    assert script.passes().stands == "0:2 2:2 2:1 46"


def test_the_assassin_falls_to_a_true_contessa() -> None:
    """CO-17: A is out, the action has failed, and A's coins go back."""
    script = assassination("5:1", "2:2", "2:2").passes(X).blocks(T, "contessa").challenges(A)
    script = script.shows("contessa").shows("assassin")
    assert script.stands == "0:0 2:2 2:2 46"
    assert script.ruling("gives-back") == {"seat": A, "coins": 2}
    assert script.turn == T


@pytest.mark.parametrize("coins", [10, 11, 12])
def test_ten_coins_force_a_coup(coins: int) -> None:
    """CO-18: nothing else is asked for, so nothing else is legal."""
    script = table(f"{coins}:2", "2:2", "2:2")
    assert script.ask_keys == {"must-coup"}
    assert [(option.word, option.seat) for option in script.options("must-coup")] == [("coup", T), ("coup", X)]
    assert script.refusal("action", None, A) == "not-asked"
    assert script.does("coup", X).shows("captain").stands == f"{coins - 7}:2 2:2 2:1 {50 - coins + 7 - 4}"


ALL = {"income", "foreign-aid", "coup", "tax", "assassinate", "steal", "exchange"}


@pytest.mark.parametrize(
    ("coins", "words"),
    [(9, ALL), (7, ALL), (6, ALL - {"coup"}), (3, ALL - {"coup"}), (2, ALL - {"coup", "assassinate"})],
)
def test_what_can_be_paid_for(coins: int, words: set[str]) -> None:
    """CO-18: any action that one can pay for; passing is none of them."""
    assert table(f"{coins}:2", "2:2").words("action") == words


@on_both_sides_of("steal")
@pytest.mark.parametrize(("there", "taken"), [(0, 0), (1, 1), (2, 2), (5, 2)])
def test_steal_takes_what_is_there(there: int, taken: int) -> None:
    """CO-20."""
    script = table("2:2", f"{there}:2").does("steal", T).passes()
    assert script.ruling("steals")["coins"] == taken
    assert script.state.coins == (2 + taken, there - taken)


def test_no_steal_from_a_player_without_coins_if_so_agreed() -> None:
    """CO-20: the one who has nothing can't be chosen; if all have nothing, none can."""
    script = table("2:2", "0:2", "1:2", steal_zero="forbid")
    assert [option.seat for option in script.options("action") if option.word == "steal"] == [X]
    assert "steal" not in table("2:2", "0:2", steal_zero="forbid").words("action")


def test_a_bluffed_duke_against_foreign_aid() -> None:
    """CO-21: X loses an influence, A takes two coins, and no player blocks a second time."""
    script = table("2:2", "2:2", "2:2").does("foreign-aid").blocks(X, "duke").challenges(A)
    script = script.shows("captain")
    assert script.stands == "4:2 2:2 2:1 42"
    assert script.turn == T


@pytest.mark.parametrize("left", [1, 2])
def test_exchange(left: int) -> None:
    """CO-22: a player with one influence sees three cards and keeps one; the referee sees none."""
    script = table(f"2:{left}", "2:2").does("exchange").passes()
    assert script.ruling_keys == ["draws"]
    assert script.ask_keys == {"exchange"}
    after = script.exchanges()
    assert after.state.lost == script.state.lost
    assert after.turn == T


@within("last-one", "at-once")
def test_the_last_opponent_falls_to_a_challenge() -> None:
    """CO-25: a true duke, challenged by the last card of the last opponent: over at once."""
    script = table("2:2", "2:1").does("tax").challenges(T).shows("duke").shows("captain")
    assert script.match.outcome is not None
    assert script.match.outcome.winners == (A,)
    assert script.stands == "2:2 0:0 48"
    assert script.match.asks == ()


@beyond("last-one", "at-once")
def test_a_challenger_who_falls_among_three_does_not_end_it() -> None:
    """CO-25: X is out, the tax is paid, and it goes on."""
    script = table("2:2", "2:2", "2:1").does("tax").challenges(X).shows("duke").shows("captain")
    assert script.stands == "5:2 2:2 0:0 43"
    assert script.turn == T


def test_double_danger_of_challenge_and_bluff() -> None:
    """CO-27: T challenges in vain, then bluffs a contessa: out, and nothing is left to assassinate."""
    script = assassination("3:2", "2:2", "2:2").challenges(T).shows("assassin").shows("duke")
    script = script.blocks(T, "contessa").challenges(A).shows("captain")
    assert script.stands == "0:2 0:0 2:2 48"
    assert script.turn == X


def test_double_danger_of_a_bluffed_contessa() -> None:
    """The note of the rule text: one influence for the bluff, one for the assassination."""
    script = assassination("3:2", "2:2", "2:2").passes(X).blocks(T, "contessa").challenges(X)
    script = script.concedes().shows("duke")
    assert script.show.seats == (T,)
    assert script.shows("captain").stands == "0:2 0:0 2:2 48"


def test_a_coup_can_not_be_stopped() -> None:
    script = table("7:2", "2:2").does("coup", T)
    assert script.ask_keys == {"lose"}
    assert script.shows("contessa").stands == "0:2 2:1 48"


def test_steal_is_blocked_as_captain_or_ambassador() -> None:
    script = table("2:2", "2:2").does("steal", T)
    blocks = [option.face for option in script.options("challenge-or-block") if option.word == "block"]
    assert blocks == ["ambassador", "captain"]
    for face in blocks:
        assert script.blocks(T, face or "").passes().stands == "2:2 2:2 46"
