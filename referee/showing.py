"""What a match shows of itself, to a seat or to a spectator: board, situation, questions, moods, what is said.

What is said aloud, by a referee's voice or by one for the play, is told to no seat: anybody may know it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from referee.contract import Ask, Board, Cue, Game, Mood, Question, Ruling, Situation, make_question
from referee.match import Match, Step
from referee.telling import TABLE_ASKS, Listener, tell, tell_situation


def board_of(match: Match, viewer: int | None = None) -> Board:
    """Give the board that a viewer sees."""
    game = match.setup.game
    return game.shown.board(game.shown.view(match.state, viewer))


def situation_of(match: Match, viewer: int | None = None) -> Situation | None:
    """Give the situation that a viewer may know."""
    game = match.setup.game
    return game.shown.situation(game.shown.view(match.state, viewer))


def questions_of(match: Match, viewer: int | None = None) -> tuple[Question, ...]:
    """Give what is asked now, of all who are asked, in whole questions: what stops play comes first."""
    return questions_in(match.setup.game, match.state, match.asks, viewer)


def questions_in(
    game: Game, state: Any, asks: tuple[Ask, ...], viewer: int | None = None
) -> tuple[Question, ...]:
    """Put the asks of a state together to whole questions; those of the table itself come first.

    Without a say of the game in it, each is asked about the situation.
    """
    own = tuple(make_question(ask.key, {}, ask) for ask in asks if ask.key in TABLE_ASKS)
    played = tuple(ask for ask in asks if ask.key not in TABLE_ASKS)
    if not played:
        return own
    view = game.shown.view(state, viewer)
    if game.shown.questions is not None:
        return (*own, *game.shown.questions(view, played))
    about = game.shown.situation(view)
    return (*own, *(make_question(ask.key, {}, ask, about=about) for ask in played))


def question_with(questions: tuple[Question, ...], ask: str) -> Question:
    """Find the question that an ask is part of."""
    return next(question for question in questions if ask in question.asks)


def question_at(match: Match, step: Step) -> Question:
    """Give the question that a step answered."""
    before = step.before
    return question_with(questions_in(match.setup.game, before.state, before.asks), step.answer.ask)


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


REVERSAL = Cue(Mood.REVERSAL, "")
OWN_CUES: Mapping[str, Cue] = {
    "taken-back": REVERSAL,
    "corrected": REVERSAL,
    "corrected-all": REVERSAL,
    "struck": REVERSAL,
    "sat-down": Cue(Mood.SEASON, ""),
}
"""Cues of the rulings that the match makes beside its game."""


def cue_for(game: Game, ruling: Ruling) -> Cue | None:
    """Find the cue of a ruling."""
    return game.feel.cues.get(ruling.key) or OWN_CUES.get(ruling.key)


def moods_of(match: Match) -> frozenset[Mood]:
    """List the moods of what was ruled last."""
    cues = (cue_for(match.setup.game, ruling) for ruling in match.rulings)
    return frozenset(cue.mood for cue in cues if cue is not None)


def moods_at(match: Match, seat: int) -> frozenset[Mood]:
    """List the moods of what was ruled last about one seat."""
    game = match.setup.game
    moods = set[Mood]()
    for ruling in match.rulings:
        cue = cue_for(game, ruling)
        named = ruling.values.get(cue.seat) if cue else None
        if cue and (seat in named if isinstance(named, tuple) else named == seat):
            moods.add(cue.mood)
    return frozenset(moods)
