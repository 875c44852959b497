"""What a match shows of itself: the board, the situation and the questions, to a seat or to a spectator."""

from typing import Any

from referee.contract import Ask, Board, Game, Question, Situation, make_question
from referee.match import Match, Step
from referee.telling import TABLE_ASKS


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
    """Put the asks of a state together to whole questions; those of the table itself come first."""
    own = tuple(make_question(ask.key, {}, ask) for ask in asks if ask.key in TABLE_ASKS)
    played = tuple(ask for ask in asks if ask.key not in TABLE_ASKS)
    return (*own, *_played_questions(game, game.shown.view(state, viewer), played)) if played else own


def _played_questions(game: Game, view: Any, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Have the game put its asks together; without a say in it, each is asked about the situation."""
    if game.shown.questions is not None:
        return game.shown.questions(view, asks)
    about = game.shown.situation(view)
    return tuple(make_question(ask.key, {}, ask, about=about) for ask in asks)


def question_with(questions: tuple[Question, ...], ask: str) -> Question:
    """Find the question that an ask is part of."""
    return next(question for question in questions if ask in question.asks)


def question_at(match: Match, step: Step) -> Question:
    """Give the question that a step answered."""
    before = step.before
    return question_with(questions_in(match.setup.game, before.state, before.asks), step.answer.ask)
