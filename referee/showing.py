"""The display of a match for a seat or a spectator: board, situation, questions, moods."""

from collections.abc import Mapping
from typing import Any

from referee.contract import Ask, Board, Cue, Game, Mood, Question, Ruling, Situation, make_question
from referee.match import Match
from referee.sentences import TABLE_ASKS


def board_of(match: Match, viewer: int | None = None) -> Board:
    game = match.setup.game
    return game.shown.board(game.shown.view(match.state, viewer))


def situation_of(match: Match, viewer: int | None = None) -> Situation | None:
    game = match.setup.game
    return game.shown.situation(game.shown.view(match.state, viewer))


def questions_of(match: Match, viewer: int | None = None) -> tuple[Question, ...]:
    return questions_in(match.setup.game, match.state, match.asks, viewer)


def questions_in(
    game: Game, state: Any, asks: tuple[Ask, ...], viewer: int | None = None
) -> tuple[Question, ...]:
    """Combine the asks of a state into questions; those of the table itself come first.

    If the game defines no questions, each ask becomes one, about the situation.
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


OWN_CUES: Mapping[str, Cue] = {
    **dict.fromkeys(("taken-back", "corrected", "corrected-all", "struck"), Cue(Mood.REVERSAL, "")),
    **dict.fromkeys(("sat-down", "ended-early"), Cue(Mood.SEASON, "")),
}
"""Cues of rulings by the match itself, for every game."""


def cue_for(game: Game, ruling: Ruling) -> Cue | None:
    return game.feel.cues.get(ruling.key) or OWN_CUES.get(ruling.key)


def mood_of(match: Match, ruling: Ruling) -> Mood | None:
    cue = cue_for(match.setup.game, ruling)
    return None if cue is None else cue.mood


def moods_of(match: Match) -> frozenset[Mood]:
    moods = (mood_of(match, ruling) for ruling in match.rulings)
    return frozenset(mood for mood in moods if mood is not None)


def moods_at(match: Match, seat: int) -> frozenset[Mood]:
    game = match.setup.game
    moods: set[Mood] = set()
    for ruling in match.rulings:
        cue = cue_for(game, ruling)
        named = ruling.values.get(cue.seat) if cue else None
        if cue and (seat in named if isinstance(named, tuple) else named == seat):
            moods.add(cue.mood)
    return frozenset(moods)
