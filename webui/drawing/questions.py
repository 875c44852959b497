"""What is asked, as the pages put it: whole questions, with long names cut for the eye only. Pure."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract import Ask, Question
from referee.match import Match
from referee.showing import questions_of, situation_of
from referee.telling import Listener, tell_bare_question, tell_question, tell_questions, with_short_names


class QuestionText(Struct, frozen=True):
    """A question to be seen, and to be read out where long names were cut."""

    text: str
    full: str = ""


class AskedText(Struct, frozen=True):
    """The question that an ask is part of; one that was asked above is for screen readers only."""

    ask: Ask
    question: QuestionText
    is_asked_above: bool = False
    is_bare: bool = False
    """What it is about is told beside it, not in it."""


def question_texts(
    questions: tuple[Question, ...], listener: Listener, reader: int | None
) -> tuple[QuestionText, ...]:
    """Put all that is asked into words: the question that stops play, then what else may be done."""
    told = (tell_questions(each, questions, reader) for each in (with_short_names(listener), listener))
    return tuple(_question_text(short, full) for short, full in zip(*told, strict=True))


def bare_questions(match: Match, listener: Listener) -> tuple[QuestionText, ...]:
    """Ask all in turn, where what the questions are about is told beside them."""
    questions = questions_of(match)
    told = (_bare_texts(each, questions) for each in (with_short_names(listener), listener))
    return tuple(_question_text(short, full) for short, full in zip(*told, strict=True))


def _bare_texts(listener: Listener, questions: tuple[Question, ...]) -> tuple[str, ...]:
    first = tuple(tell_bare_question(listener, question) for question in questions[:1])
    return (*first, *tell_questions(listener, questions)[1:])


def asked_texts(match: Match, seat: int, listener: Listener) -> Iterator[AskedText]:
    """Ask a seat what it may answer; what it is about stands beside it, or is told once."""
    asks, told_of = {ask.key: ask for ask in match.asks}, situation_of(match, seat)
    for question in questions_of(match, seat):
        if question.seats and seat not in question.seats:
            continue
        is_bare = question.about is not None and question.about == told_of
        tell = tell_bare_question if is_bare else tell_question
        names = (with_short_names(listener), listener)
        text = _question_text(*(tell(each, question, seat) for each in names))
        for key in question.asks:
            yield AskedText(asks[key], text, is_asked_above=key != question.asks[0], is_bare=is_bare)
        told_of = question.about


def _question_text(short: str, full: str) -> QuestionText:
    return QuestionText(short, "" if short == full else full)
