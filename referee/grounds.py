"""Grounds of decisions: the rules behind rulings, refusals and options, with their house rules."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Chapter, Game, Reason, Refusal, Rule, Ruling
from referee.house_rules import changed_house_rules
from referee.match import Match, moments

_RULES = {
    "asked-now": "An answer counts only for the current question, and only from the players who are asked.",
    "kind-of-answer": "An answer is of the kind that is asked for: a number, a choice or cards.",
    "offered": "Only what is offered can be chosen: the referee offers all that the rules allow.",
    "match-over": "After the end of a match, only the host's corrections count.",
    "cards-of-the-deck": "Each card is in one place only, and none appears more often than in the deck.",
    "begin": "A match begins with as many named players as the game allows, and with house rules that fit.",
    "take-back": "A player may take the last answer back until another card has been revealed.",
    "correct": "The host may correct any answer; later answers stand as long as they fit. Players report"
    " which card was theirs if that wasn't seen.",
    "sit-down": "Another person may take over a seat; earlier actions stay with the previous player.",
    "end-early": "The host may end a match before its end: nobody wins it, and no statistics count it.",
    "bounds": "A match has limits, so that every table can store it.",
}
TABLE_RULES = tuple(Rule(name, text, is_own=True) for name, text in _RULES.items())

_REFUSED_BY = {
    "asked-now": "stale future not-asked not-you out-of-turn",
    "kind-of-answer": "wrong-kind",
    "offered": "no-such-option other-player other-card other-place too-low too-high barred card-barred",
    "match-over": "over",
    "cards-of-the-deck": "card-count unknown-card more-than-deck already-seen card-missing owners",
    "begin": "name seats house no-such-rule rule-value",
    "take-back": "nothing-back not-yours-back seen-back",
    "correct": "no-such-moment",
    "bounds": "too-long too-much",
}
TABLE_REFUSALS = {Reason(reason): name for name, reasons in _REFUSED_BY.items() for reason in reasons.split()}
"""The table rule behind each refusal, unless the game defines its own."""


class HouseChoice(Struct, frozen=True):
    """A house rule that selects this rule instead of the default one, if there is one."""

    name: str
    usual: Rule | None  # the rule that applies by default
    usual_house: Any


class Ground(Struct, frozen=True):
    """A rule behind a decision, and the house rules that selected it."""

    rule: Rule
    house: Any
    choices: tuple[HouseChoice, ...] = ()


def chapters_of(game: Game, house: Any) -> tuple[Chapter, ...]:
    chapters = (
        replace(chapter, rules=tuple(rule for rule in chapter.rules if rule.holds(house)))
        for chapter in game.book.chapters
    )
    return tuple(chapter for chapter in chapters if chapter.rules)


def rules_of(game: Game, house: Any) -> Iterator[Rule]:
    return (rule for chapter in game.book.chapters for rule in chapter.rules if rule.holds(house))


def grounds_of_ruling(game: Game, house: Any, ruling: Ruling) -> tuple[Ground, ...]:
    """Return the rules behind a ruling; rulings of the table itself are covered by table rules."""
    return _grounds(game, house, ruling.rule)


def _grounds(game: Game, house: Any, names: str) -> tuple[Ground, ...]:
    """Return the applicable rules with these names or topics, each once."""
    rules = (*rules_of(game, house), *TABLE_RULES)
    named = ([rule for rule in rules if name in {rule.id, rule.topic}] for name in names.split())
    return tuple(ground_in(game, house, found[0]) for found in named if found)


def ruled_moments(match: Match) -> Iterator[Match]:
    return (moment for moment in moments(match) if moment.rulings)


def newest_grounds(match: Match) -> tuple[Ground, ...]:
    rulings = next((moment.rulings for moment in ruled_moments(match)), ())
    game, house = match.setup.game, match.setup.house
    main = (grounds[0] for ruling in rulings if (grounds := grounds_of_ruling(game, house, ruling)))
    return tuple({ground.rule.id: ground for ground in main}.values())


def grounds_of_refusal(game: Game, house: Any, refusal: Refusal, ask: str = "") -> tuple[Ground, ...]:
    """Return the rules behind a refusal, looked up by reason, option, table and ask, in that order."""
    book, why = game.book, str(refusal.values.get("why", refusal.reason))
    return (
        _grounds(game, house, book.refusals.get(why, why))
        or grounds_of_option(game, house, str(refusal.values.get("word", "")))
        or _grounds(game, house, TABLE_REFUSALS.get(refusal.reason, ""))
        or grounds_of_ask(game, house, ask)
    )


def grounds_of_option(game: Game, house: Any, word: str) -> tuple[Ground, ...]:
    return _grounds(game, house, game.book.options.get(word, word))


def grounds_of_ask(game: Game, house: Any, ask: str) -> tuple[Ground, ...]:
    return _grounds(game, house, game.book.asks.get(ask, ask))


def ground_in(game: Game, house: Any, rule: Rule) -> Ground:
    """Return a rule with the house rules that change its text or make it apply."""
    choices: list[HouseChoice] = []
    for name, default in changed_house_rules(game, house).items():
        usual_house = replace(house, **{name: default})
        usual = _usual_rule(game, usual_house, rule)
        if usual is not rule or f"{{{name}}}" in rule.text:
            choices.append(HouseChoice(name, usual, usual_house))
    return Ground(rule, house, tuple(choices))


def _usual_rule(game: Game, house: Any, rule: Rule) -> Rule | None:
    if rule.holds(house):
        return rule
    return next((other for other in rules_of(game, house) if other.topic == rule.topic), None)
