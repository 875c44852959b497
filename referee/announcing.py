"""What is said aloud of a moment, by a referee's voice or one for the play: to all, as anybody may know it."""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from referee.contract import TABLE, Mood
from referee.match import Match
from referee.moment_view import MomentView, RulingView, view_of
from referee.sentences import Language
from referee.showing import moods_of

Level = Literal["off", "rulings", "play"]
LEVELS: tuple[Level, ...] = ("off", "rulings", "play")
Role = Literal["referee", "announcer"]

URGENT = frozenset({Mood.CALL, Mood.COUNTER, Mood.REVERSAL})
"""Moods that make what is being said stale."""
PLAY = frozenset({Mood.CLAIM, Mood.GAIN})
"""Moods of what players do; those of rulings are all others."""


class Spoken(Struct, frozen=True):
    """A sentence, and whose voice says it."""

    role: Role
    text: str


class Announcement(Struct, frozen=True):
    """Sentences of a moment in their order; those that are urgent interrupt what is being said."""

    spoken: tuple[Spoken, ...]
    is_urgent: bool = False


def announce(match: Match, language: Language, level: Level) -> Announcement:
    told = view_of(match, language)
    rulings = tuple(Spoken(_role(each), spoken_text(each.text)) for each in told.rulings)
    if level == "play":
        spoken = (*rulings, *_next(told))
    else:
        spoken = tuple(each for each in rulings if level == "rulings" and each.role == "referee")
    return Announcement(spoken, is_urgent=bool(spoken and moods_of(match) & URGENT))


def _role(told: RulingView) -> Role:
    return "announcer" if told.mood is None or told.mood in PLAY else "referee"


def _next(told: MomentView) -> Iterator[Spoken]:
    """Say what comes next, where nothing of weight was ruled and nothing has said it."""
    earlier = told.match.before
    if not told.situation or told.outcome is not None or moods_of(told.match):
        return
    before = "" if earlier is None else view_of(earlier, told.listener.language).situation
    if told.situation not in {before, *(each.text for each in told.rulings)}:
        yield Spoken("announcer", spoken_text(told.situation))


def say_aloud(match: Match, language: Language) -> Announcement:
    """Say what was ruled, and what the table is asked; a seat's own ask is for its lamp."""
    told = view_of(match, language)
    asked = (each.bare for each in told.questions if each.question.seats == TABLE)
    texts = (*(each.text for each in told.rulings), *asked)
    spoken = tuple(Spoken("referee", spoken_text(text)) for text in texts)
    return Announcement(spoken, is_urgent=bool(moods_of(match) & URGENT))


def spoken_text(sentence: str) -> str:
    """Write a sentence so that it is read out well: signs that a voice would spell or skip."""
    sentence = re.sub(r"\N{MINUS SIGN}(?=\d)", "-", sentence)
    return sentence.replace("\N{MULTIPLICATION SIGN}", " x ").replace("“", "").replace("”", "")
