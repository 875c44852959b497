"""`coyote play coup`: several may speak at once, and one may speak to what is only asked of oneself."""

import pytest

from tests.firmware.conftest import Coyote

PLAY = "play coup --seats Ana,Bo,Dan"


def test_a_turn(coyote: Coyote) -> None:
    typed = "opens Ana\ntax\nDan pass\nBo challenge\nduke\ncontessa\nsteal Dan\nDan block captain\nquit\n"
    said = coyote(PLAY, typed)
    assert (said.code, said.err) == (0, "")
    for sentence in (
        "Everybody gets two cards, face down, and 2 coins.",
        "Ana claims the Duke: 3 coins of tax.",
        "Bo challenges: Ana has to show the Duke.",
        "Ana shuffles the Duke into the Court and draws another card.",
        "Bo loses the Contessa.",
        "Ana takes 3 coins.",
        "Still hidden: Duke 3, Assassin 3, Captain 3, Ambassador 3, Contessa 2.",
        "Dan means to block as the Captain, unless another player comes first.",
    ):
        assert sentence in said.out


TYPED = [
    ("steal Dan\npass\n", "Who says it? Put the name first."),
    ("steal Dan\nBo block captain\n", "It is the turn of Dan."),
    ("steal Dan\nDan pass\nBo pass\n", "Ana takes 2 coins from Dan."),
    ("steal Dan\nDan pass\npass\n", "Ana takes 2 coins from Dan."),
    ("steal Dan\nAna pass\n", "It is the turn of Bo."),
    ("tax\nobjections\n", "Ana asks: any objections? 8 seconds."),
    ("tax\nDan challenge\nconcede\n", "Ana doesn't show the Duke: the challenge succeeds."),
    ("tax\nDan challenge\nduc\n", "Ana shows the Duke: the challenge fails."),
    ("exchange\nDan pass\nBo pass\ndone\n", "Ana has put two cards back into the Court."),
    ("exchange\nDan pass\nBo pass\nback\n", "Cards have come to light since"),
    ("coup Bo\n", "That costs 7, you have 2."),
    ("steal\n", "Which one? steal Bo, steal Dan"),
    ("steal Ana\n", "Not yourself: choose another player."),
    ("challenge\n", "“challenge” can't be chosen now. Possible: income, foreign-aid, tax, steal, exchange."),
    ("Foreign Aid\n", "Ana asks for foreign aid: 2 coins."),
    ("steal Dan\nDan block duke\n", "That is blocked by Ambassador, Captain only."),
    ("tax\nBo block duke\n", "“tax” can't be blocked."),
    ("xyzzy\n", "That isn't understood. Type income, foreign-aid, tax, steal, exchange; help says more."),
]


@pytest.mark.parametrize(("typed", "told"), TYPED)
def test_what_is_typed(coyote: Coyote, typed: str, told: str) -> None:
    assert told in coyote(PLAY, f"opens Ana\n{typed}").out


def test_house_rules_of_each_game_stand_under_its_name(coyote: Coyote) -> None:
    out = coyote("play --help").out
    assert "\nCoup\n  two_player_first_coin=2|1\n" in out


def test_a_clock_that_can_not_be(coyote: Coyote) -> None:
    said = coyote(f"{PLAY} --house window_seconds=0")
    assert said.code == 2
    assert "the clock can be set to 1 to 120 seconds" in said.err
