"""What a match shows of itself: the board and the situation, to a seat or to a spectator."""

from referee.contract import Board, Situation
from referee.match import Match


def board_of(match: Match, viewer: int | None = None) -> Board:
    """Give the board that a viewer sees."""
    game = match.setup.game
    return game.board(game.view(match.state, viewer))


def situation_of(match: Match, viewer: int | None = None) -> Situation | None:
    """Give the situation that a viewer may know."""
    game = match.setup.game
    return game.situation(game.view(match.state, viewer))
