"""By which rule the referee decided: the rules behind rulings, refusals and options, and their house rules."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Chapter, Game, Refusal, Rule, Ruling
from referee.house_rules import changed_house_rules
from referee.match import Match, moments
from referee.table_rules import TABLE_REFUSALS, TABLE_RULES


class HouseChoice(Struct, frozen=True):
    """A house rule without which another rule would hold, or none: its name, its value, the default."""

    name: str
    value: object
    default: object
    usual: Rule | None
    """The rule that would hold by the default."""
    usual_house: Any


class Ground(Struct, frozen=True):
    """A rule that was decided by, and the house rules that made it this one."""

    rule: Rule
    house: Any
    choices: tuple[HouseChoice, ...] = ()


def chapters_of(game: Game, house: Any) -> tuple[Chapter, ...]:
    """Give the rule book of a table: the chapters with the rules that hold under its house rules."""
    chapters = (
        replace(chapter, rules=tuple(rule for rule in chapter.rules if rule.holds(house)))
        for chapter in game.book.chapters
    )
    return tuple(chapter for chapter in chapters if chapter.rules)


def rules_of(game: Game, house: Any) -> Iterator[Rule]:
    """List the rules that hold under some house rules, in the order of the book."""
    return (rule for chapter in game.book.chapters for rule in chapter.rules if rule.holds(house))


def grounds_of_ruling(game: Game, house: Any, ruling: Ruling) -> tuple[Ground, ...]:
    """Say by which rules a ruling was made; the table's own rulings are grounded in the table's rules."""
    return _grounds(game, house, ruling.rule)


def _grounds(game: Game, house: Any, names: str) -> tuple[Ground, ...]:
    """Find rules that hold by their names or topics, each once."""
    rules = (*rules_of(game, house), *TABLE_RULES)
    named = ([rule for rule in rules if name in {rule.id, rule.topic}] for name in names.split())
    return tuple(ground_in(game, house, found[0]) for found in named if found)


def ruled_moments(match: Match) -> Iterator[Match]:
    """Walk back through the moments in which something was ruled."""
    return (moment for moment in moments(match) if moment.rulings)


def newest_grounds(match: Match) -> tuple[Ground, ...]:
    """Give the main rule behind each of the newest rulings, each rule once."""
    rulings = next((moment.rulings for moment in ruled_moments(match)), ())
    game, house = match.setup.game, match.setup.house
    main = (grounds[0] for ruling in rulings if (grounds := grounds_of_ruling(game, house, ruling)))
    return tuple({ground.rule.id: ground for ground in main}.values())


def grounds_of_refusal(game: Game, house: Any, refusal: Refusal, ask: str = "") -> tuple[Ground, ...]:
    """Say by which rules an answer was refused: those of its reason, its option, the table, what was asked."""
    book, why = game.book, str(refusal.values.get("why", refusal.reason))
    return (
        _grounds(game, house, book.refusals.get(why, why))
        or grounds_of_option(game, house, str(refusal.values.get("word", "")))
        or _grounds(game, house, TABLE_REFUSALS.get(refusal.reason, ""))
        or grounds_of_ask(game, house, ask)
    )


def grounds_of_option(game: Game, house: Any, word: str) -> tuple[Ground, ...]:
    """Say which rules allow an option."""
    return _grounds(game, house, game.book.options.get(word, word))


def grounds_of_ask(game: Game, house: Any, ask: str) -> tuple[Ground, ...]:
    """Say which rules let the referee ask for something."""
    return _grounds(game, house, game.book.asks.get(ask, ask))


def ground_in(game: Game, house: Any, rule: Rule) -> Ground:
    """Find the house rules that decide in a rule: with the default it would read otherwise, or not hold."""
    return Ground(rule, house, tuple(_choices(game, house, rule)))


def _choices(game: Game, house: Any, rule: Rule) -> Iterator[HouseChoice]:
    for name, default in changed_house_rules(game, house).items():
        usual_house = replace(house, **{name: default})
        usual = _usual_rule(game, usual_house, rule)
        if usual is not rule or _is_named(rule, name):
            yield HouseChoice(name, getattr(house, name), default, usual, usual_house)


def _usual_rule(game: Game, house: Any, rule: Rule) -> Rule | None:
    """Give the rule that stands in the place of another under other house rules."""
    if rule.holds(house):
        return rule
    return next((other for other in rules_of(game, house) if other.topic == rule.topic), None)


def _is_named(rule: Rule, name: str) -> bool:
    """Tell whether a rule's sentence tells the value of a house rule."""
    return f"{{{name}}}" in rule.text
