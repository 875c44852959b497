"""What a purse can pay for, one coin below and exactly at each bound, and what is said where it can't."""

import pytest

from referee.contract import Answer, Option, Refusal
from referee.match import hear
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup.script import Script, table

ANA, BO = range(2)
FREE = {"income", "foreign-aid", "tax", "steal", "exchange"}


def words(script: Script) -> set[str]:
    """Name the actions that may be chosen."""
    (ask,) = script.match.asks
    return {option.word for option in script.options(ask.key)}


def why(script: Script, word: str, target: int) -> object:
    """Say why the seat in turn can't choose an action."""
    (ask,) = script.match.asks
    refused = hear(script.match, Answer(script.match.number, ask.key, Option(word, seat=target), ANA))
    assert isinstance(refused, Refusal)
    return refused.values.get("why")


@on_both_sides_of("coup", "assassinate", "affordable")
@beyond("ten-coins")
@pytest.mark.parametrize(
    ("coins", "paid"),
    [
        (2, set()),
        (3, {"assassinate"}),
        (6, {"assassinate"}),
        (7, {"assassinate", "coup"}),
        (9, {"assassinate", "coup"}),
    ],
)
def test_an_action_may_be_chosen_with_exactly_its_price(coins: int, paid: set[str]) -> None:
    assert words(table(f"{coins}:2", "2:2")) == FREE | paid


@within("ten-coins")
def test_with_ten_coins_it_has_to_be_a_coup() -> None:
    assert words(table("10:2", "2:2")) == {"coup"}
    assert why(table("10:2", "2:2"), "steal", BO) == "has-to-coup"


@on_both_sides_of("affordable")
@pytest.mark.parametrize(("word", "price"), [("assassinate", 3), ("coup", 7)])
def test_with_exactly_the_price_it_isnt_the_price_that_is_in_the_way(word: str, price: int) -> None:
    assert why(table(f"{price - 1}:2", "2:2"), word, ANA) == "too-dear"
    assert why(table(f"{price}:2", "2:2"), word, ANA) == "not-yourself"
