"""What is said aloud of a moment, by whom: a referee's voice for rulings, another one for the play; pure.

All of it is what anybody in the room may know: the public sentences, told to no seat.
"""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from referee.contract import Mood, Ruling
from referee.cues import cue_for, moods_of
from referee.match import Match
from referee.showing import situation_of
from referee.telling import Listener, tell, tell_situation

Level = Literal["off", "rulings", "play"]
"""How much is said: nothing, what was ruled, or the play, too."""
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


def announce(listener: Listener, match: Match, level: Level) -> Announcement:
    """Say what was ruled; play by play also what was done, and what comes next."""
    told = (Spoken(_role(match, ruling), spoken_text(tell(listener, ruling))) for ruling in match.rulings)
    if level == "play":
        spoken = (*told, *_next(listener, match))
    else:
        spoken = tuple(each for each in told if level == "rulings" and each.role == "referee")
    return Announcement(spoken, is_urgent=bool(spoken and moods_of(match) & URGENT))


def _role(match: Match, ruling: Ruling) -> Role:
    """Choose the voice: what weighs is the referee's, what players do the announcer's."""
    cue = cue_for(match.setup.game, ruling)
    return "announcer" if cue is None or cue.mood in PLAY else "referee"


def _next(listener: Listener, match: Match) -> Iterator[Spoken]:
    """Say what comes next, where nothing of weight was ruled and nothing has said it."""
    told = _situation(listener, match)
    said = {"", *(tell(listener, ruling) for ruling in match.rulings)}
    before = "" if match.before is None else _situation(listener, match.before)
    if match.outcome is None and told not in {before, *said} and not moods_of(match):
        yield Spoken("announcer", spoken_text(told))


def _situation(listener: Listener, match: Match) -> str:
    situation = situation_of(match)
    return "" if situation is None else tell_situation(listener, situation)


def spoken_text(sentence: str) -> str:
    """Write a sentence so that it is read out well: signs that a voice would spell or skip."""
    sentence = re.sub(r"\N{MINUS SIGN}(?=\d)", "-", sentence)
    return sentence.replace("\N{MULTIPLICATION SIGN}", " x ").replace("“", "").replace("”", "")
