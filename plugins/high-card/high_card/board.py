"""The public display: the situation in one sentence, and the board."""

from high_card.rules import TARGET, State, outcome, seat_at, trick_of
from referee.contract import Board, CardRow, Count, Situation, Weight, make_fact, make_situation

EXCUSED = {"points": "the standings show them", "house": "house rules are shown elsewhere"}


def situation(state: State) -> Situation | None:
    """Report the card to beat, or the leader."""
    if outcome(state) is not None:
        return None
    trick = trick_of(state)
    if not trick:
        return make_situation("leads", seat=state.leader)
    best = max(trick, key=int)
    return make_situation("to-beat", card=best, seat=seat_at(state, trick.index(best)))


def board(state: State) -> Board:
    """Show the trick, its worth, and the points needed to win."""
    trick, is_over = trick_of(state), outcome(state) is not None
    worth = (make_fact("worth", points=Count(state.worth)),) if state.worth else ()
    target = make_fact("target", Weight.SIDE, points=Count(TARGET[state.house.length]))
    row = (CardRow("trick", trick, Weight.KEY),) if trick else ()
    return Board((*worth, target), row, turn=None if is_over else seat_at(state, len(trick)))
