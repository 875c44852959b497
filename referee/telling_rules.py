"""Rules as sentences: what a rule says, where it is printed, and which house rule made it so."""

import unicodedata
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from referee.contract import Game, Rule, Status, phrase
from referee.grounds import Ground, HouseChoice, chapters_of, ground_in
from referee.house_rules import EDITION, changed_house_rules, values_of
from referee.telling import Listener, tell_labelled, tell_rule_value

SOURCES = {
    Status.PRINTED: phrase("Printed: {place}"),
    Status.LEFT_OPEN: phrase("The printed rules leave this open; it is ruled so here."),
    Status.OTHERWISE: phrase("Printed otherwise, in {place}; it is ruled so here."),
    Status.OWN_WORDS: phrase("In our own words; no printed text is cited."),
}
HOUSE_RULE = phrase("House rule")
USUALLY = phrase("By default: {rule}")
NOT_USUALLY = phrase("By default this isn't played.")
STEM = 6  # letters by which a long word is found, whatever its ending
YES, NO = phrase("yes"), phrase("no")
NO_VALUE = phrase("none")


class ToldRule(Struct, frozen=True):
    """A rule in words: its id, its sentence, where it is printed, and what the table plays otherwise."""

    id: str
    text: str
    place: str
    is_printed: bool
    status: Status
    house: tuple[str, ...] = ()


class ToldChapter(Struct, frozen=True):
    """A chapter of the rule book in words."""

    title: str
    rules: tuple[ToldRule, ...]


def tell_book(listener: Listener, game: Game, house: Any) -> tuple[ToldChapter, ...]:
    return tuple(
        ToldChapter(
            listener.language.gettext(chapter.title),
            tuple(tell_ground(listener, ground_in(game, house, rule)) for rule in chapter.rules),
        )
        for chapter in chapters_of(game, house)
    )


def is_own_book(book: tuple[ToldChapter, ...]) -> bool:
    """Return whether all rules of a book are in our own words."""
    return all(rule.status is Status.OWN_WORDS for chapter in book for rule in chapter.rules)


def find_rules(book: tuple[ToldChapter, ...], wanted: str) -> tuple[ToldChapter, ...]:
    """Keep the rules that have all the words that are looked for, whatever their case and accents."""
    words = _bare(wanted).split()
    chapters = (
        replace(chapter, rules=tuple(rule for rule in chapter.rules if _has_words(chapter, rule, words)))
        for chapter in book
    )
    return tuple(chapter for chapter in chapters if chapter.rules)


def _has_words(chapter: ToldChapter, rule: ToldRule, words: list[str]) -> bool:
    text = _bare(" ".join((chapter.title, rule.id, rule.text, *rule.house)))
    return all(word in text or (len(word) > STEM and word[:STEM] in text) for word in words)


def _bare(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def tell_ground(listener: Listener, ground: Ground) -> ToldRule:
    rule, edition = ground.rule, getattr(ground.house, EDITION, "")
    status = rule.status(edition)
    return ToldRule(
        rule.id,
        tell_rule(listener, rule, ground.house),
        listener.language.gettext(SOURCES[status].one).format(place=rule.heading(edition)),
        status is Status.PRINTED,
        status,
        tuple(_tell_choice(listener, ground.house, choice) for choice in ground.choices),
    )


def tell_rule(listener: Listener, rule: Rule, house: Any) -> str:
    return listener.language.gettext(rule.text).format(**asdict(house))


def _tell_choice(listener: Listener, house: Any, choice: HouseChoice) -> str:
    language, told = listener.language, tell_house_rule(listener, house, choice.name)
    agreed = tell_labelled(language, language.gettext(HOUSE_RULE.one), told)
    if choice.usual is None:
        return f"{agreed}. {language.gettext(NOT_USUALLY.one)}"
    usual = tell_rule(listener, choice.usual, choice.usual_house)
    return f"{agreed}. {language.gettext(USUALLY.one).format(rule=usual)}"


def tell_changes(listener: Listener, game: Game, house: Any) -> Iterator[str]:
    return (tell_house_rule(listener, house, name) for name in changed_house_rules(game, house))


def tell_house_rule(listener: Listener, house: Any, name: str) -> str:
    agreed = ", ".join(_tell_value(listener, name, value) for value in values_of(house, name))
    what = listener.language.gettext(listener.words.house[name])
    return tell_labelled(listener.language, what, agreed or listener.language.gettext(NO_VALUE.one))


def _tell_value(listener: Listener, name: str, value: str) -> str:
    known = {"true": YES, "false": NO}.get(value)
    return tell_rule_value(listener, name, value) if known is None else listener.language.gettext(known.one)
