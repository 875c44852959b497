"""Dominos: rows, who may lay what, passes that were wrong, the ace on a king, the end."""

import pytest

from referee.games.coup_d_etat.deck import RANK
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup_d_etat.script import Script, dealt


def dominos(seats: int = 4, **house: str) -> Script:
    """Begin Dominos on the President's side."""
    return dealt(seats, **house).declines(1, "dominos")


def test_the_example_of_the_rule_text() -> None:
    """CE-01: the fourth player has neither the 8 nor the queen of hearts, and opens another row with a 10."""
    script = dominos().plays("10h 9h Jh")
    assert script.legal == {"8h", "Qh", "10s", "10d", "10c"}
    assert script.plays("10s").ruling("lays") == {"seat": 3, "card": "10s"}


@on_both_sides_of("domino-ranks")
def test_the_ten_lies_between_the_jack_and_the_nine() -> None:
    assert dominos().plays("Kd").legal == {"Ad", "Qd", "Ks", "Kh", "Kc"}
    assert dominos().plays("Jd").legal == {"Qd", "10d", "Js", "Jh", "Jc"}
    assert dominos().plays("Ad").legal == {"Kd", "As", "Ah", "Ac"}
    assert dominos().plays("7d").legal == {"8d", "7s", "7h", "7c"}


def test_with_three_players_the_row_ends_at_the_nine() -> None:
    assert dominos(3).plays("9d").legal == {"10d", "9s", "9h", "9c"}


def test_a_card_that_fits_no_row_is_refused() -> None:
    script = dominos().plays("10h")
    assert script.refusal("domino", ("Qh",)) == ("card-barred", {"why": "no-fit", "card": "Qh"})
    assert script.refusal("domino", ("10h",)) == ("already-seen", {"card": "10h", "left": 0})
    assert script.refusal("domino", ("coup",)) == ("already-seen", {"card": "coup", "left": 0})


@on_both_sides_of("domino-open/first-rank")
@pytest.mark.parametrize(("rule", "opens"), [("start_rank", {"10"}), ("any_matching", {"10", "9"})])
def test_which_rank_opens_a_row(rule: str, opens: set[str]) -> None:
    """Ruling 9."""
    script = dominos(domino_open=rule).plays("10h 9h")
    assert {RANK[card] for card in script.legal if not card.endswith("h")} == opens


def test_a_row_of_another_rank_grows_from_there() -> None:
    assert dominos(domino_open="any_matching").plays("10h 9h 9s").legal >= {"10s", "8s"}


# Passing


def test_the_first_card_is_laid() -> None:
    assert dominos().ask_keys() == ["domino"]


def test_when_all_have_passed_one_of_them_is_wrong() -> None:
    script = dominos().plays("10h - - - -")
    assert script.ruling("all-passed") == {"cards": ("10c", "10d", "10s", "9h", "Jh")}
    assert (script.turn, script.ask_keys()) == (1, ["pass", "domino"])
    assert script.plays("9h").ruling("false-pass")["seat"] == 1


def test_a_wrong_pass_is_told_as_soon_as_it_shows() -> None:
    """Ruling 11."""
    script = dominos().plays("10h - 9h 8h Jh").plays("10s")
    assert script.ruling("false-pass") == {"seat": 1, "after": "10h", "card": "10s"}
    script = script.says("stop", "stop")
    assert script.ruling("void") == {"seats": (1,)}
    assert script.money() == (0, -800, 0, 0)


def test_a_pass_that_was_right_is_not_told() -> None:
    script = dominos().plays("10h - 9h 8h Jh Qh")
    assert not script.all_told("false-pass")


def test_the_last_hand_is_known_too() -> None:
    """Dan passes all the time; in the end all unlaid cards are his, and he could have laid one."""
    script = to_the_end(dominos(revoke_penalty="pays").plays("10h"), {3})
    assert script.ruling("last-out") == {"seat": 3}
    assert script.ruling("false-pass")["seat"] == 3
    assert script.money() == (800, 0, 0, -1600)


# The ace on a king


def chain(**house: str) -> Script:
    """Lay an ace on the king of hearts."""
    return dominos(**house).plays("Qh Kh Ah")


def test_after_an_ace_on_a_king_one_may_go_on() -> None:
    script = chain()
    assert (script.turn, script.ask_keys()) == (2, ["chain", "domino"])
    script = script.plays("Qd Kd")
    assert script.turn == 2
    script = script.says("chain", "enough")
    assert script.ruling("enough") == {"seat": 2}
    assert (script.turn, script.ask_keys()) == (3, ["pass", "domino"])


@pytest.mark.parametrize(("rule", "turn"), [("on_king", 1), ("any_ace", 0)])
def test_an_ace_that_opens_a_row(rule: str, turn: int) -> None:
    """Ruling 10: literally, an ace on a king; a king laid beside an ace is none."""
    script = dominos(ace_chain=rule).plays("Ah")
    assert script.turn == turn


def test_a_king_beside_an_ace_is_no_ace_on_a_king() -> None:
    assert dominos().plays("Ah Kh").turn == 2


# The end


def to_the_end(script: Script, idle: set[int]) -> Script:
    """Let some seats pass whenever they may, and the others lay."""
    while "domino" in script.ask_keys():
        may_pass = script.turn in idle and "pass" in script.ask_keys()
        script = script.plays("-" if may_pass else min(script.legal))
    return script


def test_the_last_one_pays_the_president() -> None:
    script = to_the_end(dominos(revoke_penalty="told").plays("10h"), {2})
    assert script.ruling("pays") == {"payer": 2, "payee": 0, "amount": 800}


def test_a_president_who_is_last_pays_nothing() -> None:
    """CE-19."""
    script = to_the_end(dominos(revoke_penalty="told").plays("10h"), {0})
    assert script.ruling("last-out") == {"seat": 0}
    assert script.ruling("nobody-pays") == {}
    assert script.money() == (0, 0, 0, 0)


@within("domino-end")
def test_a_player_who_is_out_is_passed_over() -> None:
    script, out = dominos(revoke_penalty="told").plays("10h"), set[int]()
    while "domino" in script.ask_keys():
        assert script.turn not in out
        script = script.plays(min(script.legal))
        out |= {values["seat"] for values in script.all_told("out-of-cards")}
    assert len(out) == 3


@beyond("domino-end")
@within("coup-dominos")
def test_in_a_coup_the_first_one_out_decides() -> None:
    """The Coup card is swapped for the middle card: it can't be laid."""
    script = dealt(revoke_penalty="told").attempts(0, "dominos")
    assert script.ruling("swaps") == {"seat": 0}
    assert "coup" not in script.legal
    script = to_the_end(script.plays("10h"), {1, 2, 3})
    assert script.ruling("out-of-cards") == {"seat": 0}
    assert script.ruling("coup-won") == {"seat": 0}
    assert script.money() == (1800, -600, -600, -600)
