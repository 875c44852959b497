"""House rules of a table: names and values as text, validated against the game's types."""

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
"""The house rule that selects the edition; a default of another edition means nothing."""


def edition_name(game: Game, house: Struct) -> str:
    """Return the name of the edition; empty if the game has only one."""
    return game.words.editions.get(getattr(house, EDITION, ""), "")


def changed_house_rules(game: Game, house: Struct) -> Mapping[str, object]:
    """Return the house rules that differ from the printed rules, with their defaults."""
    return {
        rule.name: rule.default
        for rule in house_rules(game)
        if rule.name != EDITION and getattr(house, rule.name) != rule.default
    }


def values_of(house: Struct, name: str) -> tuple[str, ...]:
    value = getattr(house, name)
    return tuple(str(each).lower() for each in (value if isinstance(value, tuple) else (value,)))


def house_from(game: Game, agreed: Mapping[str, str]) -> Struct | Refusal:
    """Build house rules from text, or refuse the first unknown rule or invalid value."""
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
