"""Public spoken announcements of a moment, for a referee's voice and a play-by-play announcer."""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from referee.contract import TABLE, Mood
from referee.match import Match
from referee.moment_view import MomentView, view_of
from referee.sentences import Language
from referee.showing import moods_of

Level = Literal["off", "rulings", "play"]
LEVELS: tuple[Level, ...] = ("off", "rulings", "play")
Role = Literal["referee", "announcer"]

URGENT = frozenset({Mood.CALL, Mood.COUNTER, Mood.REVERSAL})
"""Moods that make the current announcement obsolete."""
PLAY = frozenset({Mood.CLAIM, Mood.GAIN})
"""Moods of player actions; all other moods belong to rulings."""


class Spoken(Struct, frozen=True):
    """A sentence and the voice that speaks it."""

    role: Role
    text: str


class Announcement(Struct, frozen=True):
    """Sentences of a moment in order; an urgent announcement interrupts the current one."""

    spoken: tuple[Spoken, ...]
    is_urgent: bool = False


def announce(match: Match, language: Language, level: Level) -> Announcement:
    view = view_of(match, language)
    rulings = tuple(
        Spoken("announcer" if each.mood is None or each.mood in PLAY else "referee", spoken_text(each.text))
        for each in view.rulings
    )
    if level == "play":
        spoken = (*rulings, *_next(view))
    else:
        spoken = tuple(each for each in rulings if level == "rulings" and each.role == "referee")
    return Announcement(spoken, is_urgent=bool(spoken and moods_of(match) & URGENT))


def _next(view: MomentView) -> Iterator[Spoken]:
    """Yield the new situation if it has changed, no ruling has a mood, and no ruling already describes it."""
    earlier = view.match.before
    if not view.situation or view.outcome is not None or moods_of(view.match):
        return
    before = "" if earlier is None else view_of(earlier, view.listener.language).situation
    if view.situation not in {before, *(each.text for each in view.rulings)}:
        yield Spoken("announcer", spoken_text(view.situation))


def say_aloud(match: Match, language: Language) -> Announcement:
    """Announce the rulings and the questions to the whole table; a seat's own question appears at its lamp."""
    view = view_of(match, language)
    asked = (each.bare for each in view.questions if each.question.seats == TABLE)
    texts = (*(each.text for each in view.rulings), *asked)
    spoken = tuple(Spoken("referee", spoken_text(text)) for text in texts)
    return Announcement(spoken, is_urgent=bool(moods_of(match) & URGENT))


def spoken_text(sentence: str) -> str:
    """Prepare a sentence for speech: replace characters that a voice would spell out or skip."""
    sentence = re.sub(r"\N{MINUS SIGN}(?=\d)", "-", sentence)
    return sentence.replace("\N{MULTIPLICATION SIGN}", " x ").replace("“", "").replace("”", "")
