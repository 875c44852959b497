"""What is asked, as the pages put it: whole questions, with long names cut for the eye only. Pure."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract import Ask
from referee.told import ToldMoment, ToldQuestion, tell_moment


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


def question_texts(told: ToldMoment) -> tuple[QuestionText, ...]:
    """Give all that is asked: the question that stops play, then what else may be done."""
    return tuple(_text(short.text, full.text) for short, full in _questions(told))


def bare_questions(told: ToldMoment) -> tuple[QuestionText, ...]:
    """Ask all in turn, where what the questions are about is told beside them."""
    first = tuple(_text(short.bare, full.bare) for short, full in _questions(told)[:1])
    return (*first, *question_texts(told)[1:])


def asked_texts(told: ToldMoment, seat: int) -> Iterator[AskedText]:
    """Ask a seat what it may answer; what it is about stands beside it, or is told once."""
    asks, told_of = {ask.key: ask for ask in told.match.asks}, told.about
    for short, full in _questions(told):
        question = full.question
        if question.seats and seat not in question.seats:
            continue
        is_bare = question.about is not None and question.about == told_of
        text = _text(short.bare, full.bare) if is_bare else _text(short.whole, full.whole)
        for key in question.asks:
            yield AskedText(asks[key], text, is_asked_above=key != question.asks[0], is_bare=is_bare)
        told_of = question.about


def _questions(told: ToldMoment) -> list[tuple[ToldQuestion, ToldQuestion]]:
    short = tell_moment(told.match, told.listener.language, told.seat, is_short=True)
    return list(zip(short.questions, told.questions, strict=True))


def _text(short: str, full: str) -> QuestionText:
    return QuestionText(short, "" if short == full else full)
