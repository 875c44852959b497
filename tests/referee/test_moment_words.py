"""Text selection and placeholders, tested with an invented game: by reader, by length, and by default."""

from gettext import NullTranslations
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language
from referee import sentences
from referee.contract import Option, Question, Ruling, Situation
from referee.contract.board import Headline
from referee.contract.words import HeadlineWords, Phrase, Words, wording
from referee.sentences import Listener, question_texts

ANA, BO, NOBODY = range(3)
WORDS = Words(
    title="Made up",
    rulings={},
    asks={
        "plain": "What does {seat:player} do?",
        "yours": wording("What do [{seats:players}|you] do?", also="{n} may, too."),
    },
    options={
        "take": "take from {seat:player}",
        "take-own": "take from the table",
        "keep": "keep",
        "agreed": "as agreed",
    },
    counts={},
    house={},
    faces={"king": "King", "hearts": "Hearts, face"},
    values={"rule.agreed": "by this rule"},
    typed={"keep": "k"},
    short={"keep": "kept"},
    hints={"plain": "Do what you like."},
    answers={"plain": "I lay {card:face}."},
    suits={"hearts": "all hearts"},
    cells={"keep": "stays"},
    situations={"deed": "[{by:player}|You] began."},
    headlines={"bare": HeadlineWords("{n}")},
    editions={"old": "The Old One"},
    unseated="the neutral player",
)
LISTENER = Listener(WORDS, ("Ana", "Bo"), NullTranslations())


def fill(text: str, listener: Listener = LISTENER, **values: Any) -> str:
    words = replace(listener.words, rulings={"own": Phrase(text)})
    return sentences.ruling_text(replace(listener, words=words), Ruling("own", values))


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("{n:players}", (ANA, NOBODY, BO), "Ana, the neutral player and Bo"),
        ("{n:players}", (), "the table"),
        ("for{n:unseated}", BO, "for"),
        ("for{n:unseated}", NOBODY, "for (the neutral player)"),
        ("{n:player} acts.", NOBODY, "The neutral player acts."),
        ("It is {n:player}.", NOBODY, "It is the neutral player."),
        ("{n:face} belongs here.", "tent", "tent belongs here."),
        ("{n:face}", "-5", "−5"),
        ("{n:faces}", ("king", "3"), "King, 3"),
        ("{n:plus}", ("king", "3"), "King + 3"),
        ("{n:minus}", ("-3", "-5"), "− 3 − 5"),
        ("{n:signed}", -3, "−3"),
        ("{n:share}", 0.254, "25\u202f%"),
        ("{n:scores}", (12, -3), "Ana 12, Bo −3"),
        ("{n:held}", (BO, "king", ANA, "-5"), "Bo King, Ana −5"),
        ("{n:words}", ("a", 1), "a, 1"),
        ("{n:options}", ("keep", "take"), "k, take"),
        ("{n:money}", -12500, "−12\u202f500"),
        ("{n:cell}", (0, 4), "column 1, row 5"),
        ("{n:edition}", "old", "The Old One"),
        ("{n:edition}", "new", "new"),
    ],
)
def test_values_are_formatted_by_kind(text: str, value: Any, told: str) -> None:
    assert fill(text, n=value) == told


def test_faces_but_no_names_begin_a_sentence_with_a_capital() -> None:
    assert fill("{card:face} belongs here.", card="tent") == "Tent belongs here."
    assert fill("{card:face}", card="tent") == "tent"
    assert fill("{n:player} acts.", Listener(WORDS, ("ana",), NullTranslations()), n=ANA) == "ana acts."


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ana", "celui d\N{RIGHT SINGLE QUOTATION MARK}Ana"),
        ("équipage 2", "celui d\N{RIGHT SINGLE QUOTATION MARK}équipage 2"),
        ("Bo", "celui de Bo"),
        ("", "celui de "),
    ],
)
def test_french_elision_before_names(name: str, told: str) -> None:
    french, text = language("fr"), told.replace("celui", "Lampe")
    assert fill("celui de {n:player}", Listener(WORDS, (name,), french), n=0) == told
    assert fill("celui de {n:player}", Listener(WORDS, (name,), language("en")), n=0) == f"celui de {name}"
    assert sentences.phrase_text(french, "{name}'s lamp", {"name": name}) == text


def test_alternative_wordings_extend_brackets() -> None:
    words = wording("[{by:player}|You] and {n} [card|cards]", also="or {n} [card|cards]", to="To you.")
    assert words.told == Phrase("{by:player} and {n} card", "{by:player} and {n} cards", "n")
    assert words.to["by"] == Phrase("You and {n} card", "You and {n} cards", "n")
    assert (words.to["to"], words.also) == (Phrase("To you."), Phrase("or {n} card", "or {n} cards", "n"))


def test_shared_subject_is_stated_once() -> None:
    deed, other = Situation("deed", {"by": ANA}), Situation("deed", {"by": BO})
    first, second = (Question("plain", (), (seat,), {"seat": seat}, deed) for seat in (ANA, BO))
    third = Question("plain", (), (BO,), {"seat": BO}, other)
    assert question_texts(LISTENER, (first, second, third)) == (
        "Ana began. What does Ana do?",
        "What does Bo do?",
        "Bo began. What does Bo do?",
    )
    assert question_texts(LISTENER, (first,), ANA) == ("You began. What does Ana do?",)
    assert question_texts(LISTENER, ()) == ()


def test_long_names_are_shortened_in_questions() -> None:
    names = ("abcdefghijkl", "abcdefghijklm", "Marie-Anne de la Tour")
    assert tuple(map(sentences.short_name, names)) == ("abcdefghijkl", "abcdefghijk…", "Marie-Anne…")


TAKE, KEEP, FRENCH = Option("take", seat=BO), Option("keep"), language("fr")


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (sentences.hint_text(LISTENER, "yours"), ""),
        (sentences.card_answer_text(LISTENER, "yours", "king"), ""),
        (sentences.suit_text(LISTENER, "hearts"), "all hearts"),
        (sentences.suit_text(LISTENER, "king"), "King"),
        (sentences.cell_text(LISTENER, KEEP), "stays"),
        (sentences.cell_text(LISTENER, TAKE), ""),
        (sentences.short_option_text(LISTENER, KEEP), "kept"),
        (sentences.short_option_text(LISTENER, TAKE), "take from Bo"),
        (sentences.option_word_text(LISTENER, "keep"), "k"),
        (sentences.option_word_text(LISTENER, "take"), "take"),
        (sentences.option_text(LISTENER, replace(TAKE, seat=None)), "take from the table"),
        # the name of a house-rule value comes from the most specific text
        (sentences.rule_value_text(LISTENER, "rule", "agreed"), "by this rule"),
        (sentences.rule_value_text(LISTENER, "other", "agreed"), "as agreed"),
        (sentences.rule_value_text(LISTENER, "edition", "old"), "The Old One"),
        (sentences.rule_value_text(LISTENER, "rule", "7"), "7"),
        (sentences.headline_view(LISTENER, Headline("bare", {"n": 3})), ("", "3", "")),
        (sentences.share_text(0), "0\u202f%"),
        (sentences.share_text(1), "100\u202f%"),
        (sentences.decimal_text(FRENCH, 0), "0"),
        (sentences.decimal_text(FRENCH, -2.25), "\N{MINUS SIGN}2,2"),
    ],
)
def test_specific_texts_take_precedence(told: object, sentence: object) -> None:
    assert told == sentence
