"""Rules beside what is asked and what was ruled: what one may do, and what comes of it; pure."""

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct

from referee.contract import Ruling
from referee.grounds import Ground, grounds_of_ask, grounds_of_option, grounds_of_ruling, ruled_moments
from referee.match import Match
from referee.telling import Language, Listener, listener_at, tell
from referee.telling_rules import ToldRule, tell_ground
from referee.told import tell_moment
from webui.drawing.controls import Control, controls_of
from webui.drawing.options import Button

NEWEST = 6


class OptionHelp(Struct, frozen=True):
    """An option, what it would bring, why it can't be chosen now, and its rules."""

    word: str
    text: str
    face: str
    effect: str
    why: str
    rules: tuple[ToldRule, ...]


class AskHelp(Struct, frozen=True):
    """A question, the rules behind it, and its options."""

    question: str
    rules: tuple[ToldRule, ...]
    options: tuple[OptionHelp, ...]


class RulingHelp(Struct, frozen=True):
    """A ruling, and the rules behind it."""

    text: str
    rules: tuple[ToldRule, ...]


def help_for_seat(match: Match, seat: int, language: Language) -> tuple[AskHelp, ...]:
    told = tell_moment(match, language, seat)
    return tuple(_help_for_ask(match, control, told.listener) for control in controls_of(told, seat, ()))


def _help_for_ask(match: Match, control: Control, listener: Listener) -> AskHelp:
    options = tuple(_options_help(match, control, listener))
    beside = {rule.id for option in options for rule in option.rules}
    told = _told(listener, grounds_of_ask(match.setup.game, match.setup.house, control.ask))
    question = "" if control.is_asked_above else control.question.text
    return AskHelp(question, tuple(rule for rule in told if rule.id not in beside), options)


def _options_help(match: Match, control: Control, listener: Listener) -> Iterator[OptionHelp]:
    """Explain each word once, also those that can't be chosen now."""
    heads = dict[str, Button]()
    for row in control.rows:
        heads.setdefault(row.head.word, row.head)
    for word, head in heads.items():
        rules = _told(listener, grounds_of_option(match.setup.game, match.setup.house, word))
        yield OptionHelp(word, head.bare or head.shown, head.face, head.effect, head.why, rules)


def explain_rulings(match: Match, language: Language) -> tuple[tuple[int, tuple[RulingHelp, ...]], ...]:
    """Give the numbers of the newest moments with rulings, and what is told of each."""
    ruled = islice(ruled_moments(match), NEWEST)
    return tuple((moment.number, explain(match, moment.rulings, language)) for moment in ruled)


def explain(match: Match, rulings: Iterable[Ruling], language: Language) -> tuple[RulingHelp, ...]:
    listener = listener_at(match.setup, language)
    told, explained = set[str](), list[RulingHelp]()
    for ruling in rulings:
        rules = _told(listener, grounds_of_ruling(match.setup.game, match.setup.house, ruling))
        explained.append(
            RulingHelp(tell(listener, ruling), tuple(rule for rule in rules if rule.id not in told))
        )
        told.update(rule.id for rule in rules)
    return tuple(explained)


def _told(listener: Listener, grounds: Iterable[Ground]) -> tuple[ToldRule, ...]:
    return tuple(tell_ground(listener, ground) for ground in grounds)
