"""Rules for the current asks and the latest rulings; pure functions."""

from collections.abc import Iterable, Mapping
from itertools import islice

from msgspec import Struct

from referee.contract import Ruling
from referee.grounds import Ground, grounds_of_ask, grounds_of_option, grounds_of_ruling, ruled_moments
from referee.match import Match, Setup
from referee.moment_view import MomentView, ruling_texts
from referee.rule_sentences import RuleView, ground_view
from referee.sentences import Language, Listener, listener_at
from webui.views.controls import Control, controls_of
from webui.views.options import Button

NEWEST = 6


class RulingHelp(Struct, frozen=True):
    """A ruling, and the rules behind it."""

    text: str
    rules: tuple[RuleView, ...]


def help_for_seat(told: MomentView, seat: int) -> list[Mapping[str, object]]:
    return [_help_for_ask(told.match, control, told.listener) for control in controls_of(told, seat, ())]


def _help_for_ask(match: Match, control: Control, listener: Listener) -> Mapping[str, object]:
    """Explain a question and its options, each word once; unavailable options are included."""
    game, house, heads = match.setup.game, match.setup.house, dict[str, Button]()
    for row in control.rows:
        heads.setdefault(row.head.word, row.head)
    options = [
        (head, _rule_views(listener, grounds_of_option(game, house, word))) for word, head in heads.items()
    ]
    beside = {rule.id for _head, rules in options for rule in rules}
    told = _rule_views(listener, grounds_of_ask(game, house, control.ask))
    return {
        "question": "" if control.is_asked_above else control.question.text,
        "rules": [rule for rule in told if rule.id not in beside],
        "options": options,
    }


def explain_rulings(match: Match, language: Language) -> tuple[tuple[int, tuple[RulingHelp, ...]], ...]:
    """Return the newest moments with rulings, and the explanation of each."""
    ruled = islice(ruled_moments(match), NEWEST)
    return tuple(
        (each.number, explain(each.setup, each.rulings, ruling_texts(each, language), language))
        for each in ruled
    )


def explain(
    setup: Setup, rulings: Iterable[Ruling], sentences: Iterable[str], language: Language
) -> tuple[RulingHelp, ...]:
    """Match rulings and their sentences with the rules, each rule once."""
    listener = listener_at(setup, language)
    told, explained = set[str](), list[RulingHelp]()
    for ruling, text in zip(rulings, sentences, strict=True):
        rules = _rule_views(listener, grounds_of_ruling(setup.game, setup.house, ruling))
        explained.append(RulingHelp(text, tuple(rule for rule in rules if rule.id not in told)))
        told.update(rule.id for rule in rules)
    return tuple(explained)


def _rule_views(listener: Listener, grounds: Iterable[Ground]) -> tuple[RuleView, ...]:
    return tuple(ground_view(listener, ground) for ground in grounds)
