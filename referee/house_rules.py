"""House rules as a table chooses them: names and values in words, checked against the game's own types."""

import re
from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec import Struct
from msgspec.inspect import BoolType, IntType, LiteralType, StructType, Type, UnionType, VarTupleType, type_info

from referee.contract import Game, Reason, Refusal, make_refusal


class HouseRule(Struct, frozen=True):
    """A house rule: its name, its default, and its possible values (empty: a number)."""

    name: str
    default: object
    takes: tuple[str, ...]
    several: bool = False


def house_rules(game: Game) -> tuple[HouseRule, ...]:
    return _rules_in(game.rules.house)


@cache
def _rules_in(house: type[Struct]) -> tuple[HouseRule, ...]:
    info = type_info(house)
    if not isinstance(info, StructType):
        raise TypeError(f"{house} is no struct")
    return tuple(
        HouseRule(field.name, field.default, _takes(field.type), isinstance(field.type, VarTupleType))
        for field in info.fields
    )


EDITION = "edition"
"""The house rule that says whose box it is: its default is no rule of the other boxes."""


def edition_name(game: Game, house: Struct) -> str:
    """Name the edition that is played; empty if the game has one only."""
    return game.words.editions.get(getattr(house, EDITION, ""), "")


def changed_house_rules(game: Game, house: Struct) -> Mapping[str, object]:
    """List the house rules that a table plays otherwise than the printed rules, each with its default."""
    return {
        rule.name: rule.default
        for rule in house_rules(game)
        if rule.name != EDITION and getattr(house, rule.name) != rule.default
    }


def values_of(house: Struct, name: str) -> tuple[str, ...]:
    value = getattr(house, name)
    return tuple(str(each).lower() for each in (value if isinstance(value, tuple) else (value,)))


def house_from(game: Game, agreed: Mapping[str, str]) -> Struct | Refusal:
    """Make house rules of what was chosen, or refuse the first that doesn't exist or can't have its value."""
    rules = {rule.name: rule for rule in house_rules(game)}
    values: dict[str, object] = {}
    for key, text in agreed.items():
        rule = rules.get(key.lower().removeprefix(f"{game.name}."))
        if rule is None:
            return make_refusal(Reason.NO_SUCH_RULE, rule=key, rules=tuple(rules))
        words = [word.strip() for word in text.lower().split(",")] if rule.several else [text.strip().lower()]
        fits = (word in rule.takes if rule.takes else re.fullmatch("[0-9]{1,3}", word) for word in words)
        if not all(fits):
            takes = rule.takes or ("0, 1, 2, …, 999",)
            return make_refusal(Reason.RULE_VALUE, rule=rule.name, value=text, takes=takes)
        values[rule.name] = words if rule.several else words[0]
    return msgspec.convert(values, game.rules.house, strict=False)


def _takes(kind: Type) -> tuple[str, ...]:
    match kind:
        case LiteralType():
            return tuple(str(value) for value in kind.values)
        case BoolType():
            return ("true", "false")
        case IntType():
            return ()
        case VarTupleType():
            return _takes(kind.item_type)
        case UnionType():
            return tuple(word for one in kind.types for word in _takes(one))
        case _:
            raise TypeError(f"a house rule can't be {kind}")
