"""House rules as text: names, possible values, and differences from the printed rules."""

from typing import Literal

import pytest
from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Reason, make_refusal
from referee.games.coyote import COYOTE
from referee.house_rules import HouseRule, changed_house_rules, edition_name, house_from, house_rules, values_of
from tests.given import altered


class House(Struct, frozen=True):
    """House rules of every kind."""

    edition: Literal["new", "old"] = "new"
    limit: int | Literal["none"] = 3
    loud: bool = False
    marks: int = 2
    powers: tuple[Literal["double", "skip"], ...] = ()


GAME = altered(COYOTE, house=House, words=replace(COYOTE.words, editions={"old": "The Old One"}))


def test_house_rules_list_their_values() -> None:
    assert house_rules(GAME) == (
        HouseRule("edition", "new", ("new", "old")),
        HouseRule("limit", 3, ("none",)),
        HouseRule("loud", False, ("true", "false")),
        HouseRule("marks", 2, ()),
        HouseRule("powers", (), ("double", "skip"), several=True),
    )


@pytest.mark.parametrize(
    ("agreed", "house"),
    [
        ({}, House()),
        ({"Edition": " OLD "}, House(edition="old")),
        ({f"{COYOTE.name}.loud": "True"}, House(loud=True)),
        ({"marks": "0"}, House(marks=0)),
        ({"marks": "999"}, House(marks=999)),
        ({"powers": "skip, double"}, House(powers=("skip", "double"))),
        ({"loud": "true", "marks": "4"}, House(loud=True, marks=4)),
    ],
)
def test_house_rules_are_parsed_leniently(agreed: dict[str, str], house: House) -> None:
    assert house_from(GAME, agreed) == house


NUMBERS = ("0, 1, 2, …, 999",)


@pytest.mark.parametrize(
    ("rule", "text", "takes"),
    [
        ("edition", "newest", ("new", "old")),
        ("edition", "new, old", ("new", "old")),
        ("loud", "1", ("true", "false")),
        ("marks", "1000", NUMBERS),
        ("marks", "-1", NUMBERS),
        ("marks", "٣", NUMBERS),
        ("marks", "", NUMBERS),
        ("powers", "skip, jump", ("double", "skip")),
        ("powers", "", ("double", "skip")),
    ],
)
def test_rejects_invalid_value_and_unknown_house_rule(rule: str, text: str, takes: tuple[str, ...]) -> None:
    refused = house_from(GAME, {rule: text})
    assert refused == make_refusal(Reason.RULE_VALUE, rule=rule, value=text, takes=takes)
    unknown = make_refusal(Reason.NO_SUCH_RULE, rule="volume", rules=House.__struct_fields__)
    assert house_from(GAME, {"volume": text}) == unknown


def test_changed_house_rules_exclude_the_edition() -> None:
    house = House(edition="old", marks=5, powers=("skip",))
    assert changed_house_rules(GAME, house) == {"marks": 2, "powers": ()}
    assert changed_house_rules(GAME, House()) == {}
    values = {"edition": ("old",), "loud": ("false",), "marks": ("5",), "powers": ("skip",)}
    assert {name: values_of(house, name) for name in values} == values
    assert (edition_name(GAME, house), edition_name(GAME, House())) == ("The Old One", "")


def test_unsupported_house_rule_type_raises() -> None:
    class Odd(Struct, frozen=True):
        names: dict[str, str] = {}

    with pytest.raises(TypeError, match="a house rule can't be"):
        house_rules(altered(GAME, house=Odd))
