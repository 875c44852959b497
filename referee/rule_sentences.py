"""Rules as text: the sentence, its printed source, and the house rule that selected it."""

import unicodedata
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from referee.contract import Game, Rule, Status, phrase
from referee.grounds import Ground, HouseChoice, chapters_of, ground_in
from referee.house_rules import EDITION, changed_house_rules, values_of
from referee.sentences import Listener, labelled_text, rule_value_text

SOURCES = {
    Status.PRINTED: phrase("Printed: {place}"),
    Status.LEFT_OPEN: phrase("The printed rules leave this open; this is the house ruling."),
    Status.OTHERWISE: phrase("The printed rule differs, in {place}; this is the house ruling."),
    Status.OWN_WORDS: phrase("In our own words; no printed text is cited."),
}
HOUSE_RULE = phrase("House rule")
USUALLY = phrase("By default: {rule}")
NOT_USUALLY = phrase("By default this isn't played.")
STEM = 6  # letters compared of a long word, so that its ending doesn't matter
YES, NO = phrase("yes"), phrase("no")
NO_VALUE = phrase("none")


class RuleView(Struct, frozen=True):
    """A rule as text: id, sentence, printed source, and the table's changes."""

    id: str
    text: str
    place: str
    is_printed: bool
    status: Status
    house: tuple[str, ...] = ()


class ChapterView(Struct, frozen=True):
    """A chapter of the rule book as text."""

    title: str
    rules: tuple[RuleView, ...]


def book_view(listener: Listener, game: Game, house: Any) -> tuple[ChapterView, ...]:
    return tuple(
        ChapterView(
            listener.language.gettext(chapter.title),
            tuple(ground_view(listener, ground_in(game, house, rule)) for rule in chapter.rules),
        )
        for chapter in chapters_of(game, house)
    )


def is_own_book(book: tuple[ChapterView, ...]) -> bool:
    """Return whether all rules of a book are in our own words."""
    return all(rule.status is Status.OWN_WORDS for chapter in book for rule in chapter.rules)


def find_rules(book: tuple[ChapterView, ...], wanted: str) -> tuple[ChapterView, ...]:
    """Return the rules that contain all search words, ignoring case and accents."""
    words = _bare(wanted).split()
    chapters = (
        replace(chapter, rules=tuple(rule for rule in chapter.rules if _has_words(chapter, rule, words)))
        for chapter in book
    )
    return tuple(chapter for chapter in chapters if chapter.rules)


def _has_words(chapter: ChapterView, rule: RuleView, words: list[str]) -> bool:
    text = _bare(" ".join((chapter.title, rule.id, rule.text, *rule.house)))
    return all(word in text or (len(word) > STEM and word[:STEM] in text) for word in words)


def _bare(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def ground_view(listener: Listener, ground: Ground) -> RuleView:
    rule, edition = ground.rule, getattr(ground.house, EDITION, "")
    status = rule.status(edition)
    return RuleView(
        rule.id,
        rule_text(listener, rule, ground.house),
        listener.language.gettext(SOURCES[status].one).format(place=rule.heading(edition)),
        status is Status.PRINTED,
        status,
        tuple(_choice_text(listener, ground.house, choice) for choice in ground.choices),
    )


def rule_text(listener: Listener, rule: Rule, house: Any) -> str:
    return listener.language.gettext(rule.text).format(**asdict(house))


def _choice_text(listener: Listener, house: Any, choice: HouseChoice) -> str:
    language, value = listener.language, house_rule_text(listener, house, choice.name)
    agreed = labelled_text(language, language.gettext(HOUSE_RULE.one), value)
    if choice.usual is None:
        return f"{agreed}. {language.gettext(NOT_USUALLY.one)}"
    usual = rule_text(listener, choice.usual, choice.usual_house)
    return f"{agreed}. {language.gettext(USUALLY.one).format(rule=usual)}"


def change_texts(listener: Listener, game: Game, house: Any) -> Iterator[str]:
    return (house_rule_text(listener, house, name) for name in changed_house_rules(game, house))


def house_rule_text(listener: Listener, house: Any, name: str) -> str:
    agreed = ", ".join(_value_text(listener, name, value) for value in values_of(house, name))
    what = listener.language.gettext(listener.words.house[name])
    return labelled_text(listener.language, what, agreed or listener.language.gettext(NO_VALUE.one))


def _value_text(listener: Listener, name: str, value: str) -> str:
    known = {"true": YES, "false": NO}.get(value)
    return rule_value_text(listener, name, value) if known is None else listener.language.gettext(known.one)
