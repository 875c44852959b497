"""Rules that a game's code names, and those that a match cites: through rulings, refusals and asks."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeGuard

import msgspec
from msgspec import Struct

import referee
from referee.contract import Answer, Choice, Game, Refusal, Ruling
from referee.grounds import Ground, grounds_of_ask, grounds_of_option, grounds_of_refusal, grounds_of_ruling
from referee.house_rules import HouseRule, house_rules
from referee.match import Match, moments

Kind = Literal["ruling", "refusal", "option", "ask"]
SOME_NUMBERS = ("0", "1", "3", "9")


class Citation(Struct, frozen=True):
    """A text of a match, with the ids of the rules behind it."""

    kind: Kind
    key: str
    rules: tuple[str, ...]


def files_of(game: Game) -> list[Path]:
    return sorted((Path(referee.__file__).parent / "games" / game.name.replace("-", "_")).rglob("*.py"))


def makes_a_ruling(node: ast.AST) -> TypeGuard[ast.Call]:
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in {"make_ruling", "Ruling"}


def citations_of(match: Match) -> Iterator[Citation]:
    """Yield each text of a match as often as it occurs; its rules are looked up once."""
    game, house = match.setup.game, match.setup.house

    @cache
    def cite_ruling(key: str, rule: str) -> Citation:
        return _cite("ruling", key, grounds_of_ruling(game, house, Ruling(key, {}, rule)))

    @cache
    def cite_ask(key: str) -> Citation:
        return _cite("ask", key, grounds_of_ask(game, house, key))

    @cache
    def cite_option(word: str) -> Citation:
        return _cite("option", word, grounds_of_option(game, house, word))

    for moment in moments(match):
        yield from (cite_ruling(each.key, each.rule) for each in (*moment.rulings, *_insight_at(moment)))
        for ask in moment.asks:
            yield cite_ask(ask.key)
            words = {option.word for option in ask.options} if isinstance(ask, Choice) else set[str]()
            yield from map(cite_option, sorted(words))


def _insight_at(moment: Match) -> tuple[Ruling, ...]:
    entry = moment.entry
    is_shown = isinstance(entry, Answer) and isinstance(entry.value, tuple)
    return moment.setup.game.shown.insight(moment.state) if is_shown else ()


def cite_refusal(game: Game, house: Any, refused: Refusal, ask: str = "") -> Citation:
    why = str(refused.values.get("why", refused.reason))
    return _cite("refusal", why, grounds_of_refusal(game, house, refused, ask))


def _cite(kind: Kind, key: str, grounds: tuple[Ground, ...]) -> Citation:
    return Citation(kind, key, tuple(ground.rule.id for ground in grounds))


def houses_around(game: Game) -> Iterator[Any]:
    """Yield the settings of a game, and each of them with one house rule changed."""
    for house in game.rules.settings.values():
        yield house
        for rule in house_rules(game):
            for value in _values_to_try(rule):
                changed = {**msgspec.to_builtins(house), rule.name: value}
                other = msgspec.convert(changed, game.rules.house, strict=False)
                if other != house:
                    yield other


def _values_to_try(rule: HouseRule) -> Iterator[object]:
    """Return values to try for a house rule: all possible ones, or some numbers."""
    if rule.several:
        return ([value] for value in rule.takes)
    return iter(rule.takes or SOME_NUMBERS)
