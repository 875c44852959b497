"""What is spoken: a moment in the sentences of the table's language."""

from datetime import time

from msgspec import Struct

from referee.announcing import say_aloud
from referee.match import Match
from referee.telling import Language


class Saying(Struct, frozen=True):
    """Sentences to speak; those that are urgent interrupt what is being said, passing ones give way to any."""

    sentences: tuple[str, ...]
    is_urgent: bool = False
    is_passing: bool = False


def saying(match: Match, language: Language) -> Saying:
    """Say a moment in the sentences of a language."""
    told = say_aloud(match, language)
    return Saying(tuple(each.text for each in told.spoken), told.is_urgent)


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
