"""Whole questions, as a person at the table gets them."""

from referee.contract import Ask, Situation
from referee.telling import Listener, tell_ask, tell_situation


def tell_question(listener: Listener, situation: Situation | None, ask: Ask) -> str:
    """Put an ask into words as a whole question: what it is about, and what is asked."""
    about = "" if situation is None else f"{tell_situation(listener, situation)} "
    return about + tell_ask(listener, ask)
