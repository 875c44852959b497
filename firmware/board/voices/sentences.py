"""What is spoken: a moment in the sentences of the table's language."""

from datetime import time

from msgspec import Struct

from referee.contract import TABLE
from referee.match import Match
from referee.showing import URGENT, moods_of, questions_of, spoken_text
from referee.telling import Listener, tell, tell_bare_question


class Saying(Struct, frozen=True):
    """Sentences to speak; those that are urgent interrupt what is being said, passing ones give way to any."""

    sentences: tuple[str, ...]
    is_urgent: bool = False
    is_passing: bool = False


def saying(listener: Listener, match: Match) -> Saying:
    """Say what was ruled, and what the table is asked; a seat's own ask is for its lamp."""
    told = [tell(listener, ruling) for ruling in match.rulings]
    asked = [
        tell_bare_question(listener, question) for question in questions_of(match) if question.seats == TABLE
    ]
    return Saying(tuple(map(spoken_text, (*told, *asked))), is_urgent=bool(moods_of(match) & URGENT))


class Quiet(Struct, frozen=True):
    """Hours in which nothing sounds; they may go past midnight."""

    start: time
    end: time


def is_quiet(hours: Quiet | None, now: time) -> bool:
    """Return whether these are quiet hours."""
    if hours is None:
        return False
    if hours.start <= hours.end:
        return hours.start <= now < hours.end
    return now >= hours.start or now < hours.end
