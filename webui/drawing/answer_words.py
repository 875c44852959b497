"""Answers in words, with the player who gave them."""

from msgspec import Struct

from referee.cells import value_counted
from referee.contract.words import phrase
from referee.match import Match, Step, standing_answers
from referee.telling import Listener, tell_labelled, tell_value
from webui.drawing.words import page_text


class AnswerLine(Struct, frozen=True):
    """A standing answer: its number, and what was answered."""

    heard_at: int
    text: str


def answer_lines(match: Match, listener: Listener) -> tuple[AnswerLine, ...]:
    """List the standing answers, the newest first."""
    return tuple(
        AnswerLine(step.heard_at, answer_text(match, listener, step)) for step in standing_answers(match)[::-1]
    )


def answer_text(match: Match, listener: Listener, step: Step) -> str:
    """Put an answer into words, with the player's name."""
    answer = step.answer
    told = tell_value(listener, value_counted(match.setup.game, step.before.state, answer))
    if answer.sense == "clock":
        told = page_text(listener.language, phrase("{answer} (the time was up)"), answer=told)
    if answer.likely:
        told = page_text(listener.language, phrase("{answer} (taken as likely)"), answer=told)
    return told if answer.seat is None else tell_labelled(listener.language, listener.names[answer.seat], told)
