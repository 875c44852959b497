"""`coyote count`: written examples by the command line, and every way to get it wrong."""

import json

import pytest

from tests.firmware.conftest import Coyote

VECTORS = [
    ("20 max- 15 10 6 -5", None, 6, 6),
    ("10 5 -10 x2", 20, 10, 20),
    ("20 max- max0 15 10 6", None, 1, 1),
    ("3 -5 -10 max0", -15, -15, -15),
    ("-5 -10 x2", -15, -30, -15),
    ("7 max0 max-", None, 0, 0),
    ("4 -5 1 night", 0, 0, 0),
    ("'?' 10 5 --drawn max0", 5, 5, 5),
    ("'?' 20 1 --drawn night", 21, 21, 21),
    ("'?' 10 5 x2 --drawn -10", 20, 10, 20),
    ("'?' 8 2 --drawn max-", None, -6, -6),
]


@pytest.mark.parametrize(("cards", "kidult", "gigamic", "oliphante"), VECTORS)
def test_vectors(coyote: Coyote, cards: str, kidult: int | None, gigamic: int, oliphante: int) -> None:
    for edition, total in (("kidult", kidult), ("gigamic", gigamic), ("oliphante", oliphante)):
        if total is not None:
            said = coyote(f"count {edition} {cards} --json")
            assert (said.code, said.err) == (0, "")
            assert json.loads(said.out)["total"] == total


def test_the_example_of_the_help(coyote: Coyote) -> None:
    said = coyote("count gigamic -- 20 max- 15 10 6 -5")
    assert said.code == 0
    assert said.out.splitlines() == [
        "MAX − turns 20 against the others.",
        "15 + 10 + 6 = 31",
        "31 − 20 − 5 = 6",
        "Total: 6",
    ]


def test_json_is_one_object(coyote: Coyote) -> None:
    told = json.loads(coyote("count kidult 4 -5 1 night --json").out)
    assert list(told) == ["total", "reshuffle", "steps"]
    assert (told["total"], told["reshuffle"]) == (0, True)
    assert [step["step"] for step in told["steps"]] == ["add", "subtract", "night"]


SAME = [
    ("gigamic 0 3", "gigamic night 3"),
    ("oliphante MAX0 Max- X2", "oliphante max0 max- x2"),
    ("kidult −5 05", "kidult -5 5"),
    ("kidult ×2 fox cave --drawn 3", "kidult x2 max0 '?' --drawn 3"),
]


@pytest.mark.parametrize(("written", "meant"), SAME)
def test_cards_as_people_write_them(coyote: Coyote, written: str, meant: str) -> None:
    assert coyote(f"count {written} --json") == coyote(f"count {meant} --json")


def test_zero_is_the_decoy_in_kidult(coyote: Coyote) -> None:
    assert json.loads(coyote("count kidult 0 3 --json").out)["reshuffle"] is False
    assert json.loads(coyote("count gigamic 0 3 --json").out)["reshuffle"] is True


WRONG = [
    ("count kidult 20 20", "coyote-kidult has 1 of card 20, not 2"),
    ("count gigamic 7 7 7", "card 7"),
    ("count gigamic 0 0", "card 0 (night)"),
    ("count gigamic '?' 20 --drawn 20", "card 20"),
    ("count kidult 05 05 05 05 05", "card 05 (5)"),
    ("count kidult '?' 10 --drawn '?'", "draws a card"),
    ("count kidult 7", "no card “7”"),
    ("count kidult max-", "no card “max-”"),
    ("count kidult foo --any", "no card “foo”"),
    ("count kidult 1234567 --any", "no card “1234567”"),
    ("count kidult '?' 10 5", "--drawn"),
    ("count kidult 10 5 --drawn 3", "--drawn is for a ?"),
    ("count kidult '?' --drawn 3 --drawn 4", "--drawn is for a ?"),
    ("count kidult 3 --jsn", "--jsn is no card"),
    ("count gigamic -- '?' 10 --drawn 5", "options stand before --"),
    ("count kidult", "CARD"),
    ("count tilsit 3", "tilsit"),
    ("count", "EDITION"),
    ("count kidult ''", "no card"),
]


@pytest.mark.parametrize(("line", "names"), WRONG)
def test_what_is_wrong_is_one_line_and_2(coyote: Coyote, line: str, names: str) -> None:
    said = coyote(line)
    assert (said.code, said.out) == (2, "")
    assert names in said.err
    assert said.err.startswith("coyote: ")
    assert said.err.count("\n") == 1


def test_any_counts_what_no_deck_has(coyote: Coyote) -> None:
    assert coyote("count kidult 20 20 --any").out.splitlines()[-1] == "Total: 40"
    assert coyote("count kidult 7 max- --any").out.splitlines()[-1] == "Total: -7"
    assert coyote("count kidult 3 x2 x2 --any").out.splitlines()[-1] == "Total: 12"


def test_a_cave_with_nothing_left_to_draw(coyote: Coyote) -> None:
    assert coyote("count kidult '?' 10 5 --drawn none").out.splitlines()[-1] == "Total: 15"


def test_a_cave_that_draws_a_cave_draws_again(coyote: Coyote) -> None:
    said = coyote("count kidult --any '?' '?' 5 --drawn 3 --drawn 4")
    assert said.out.splitlines()[-1] == "Total: 12"
