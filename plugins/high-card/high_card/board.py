"""What everybody may see: the view, what it is about in one sentence, and the board."""

from msgspec import Struct

from high_card.house import TARGET
from high_card.rules import State, outcome, seat_at, trick_of
from referee.contract import Board, CardRow, Count, Situation, Weight, make_fact, make_situation

EXCUSED = {"points": "the standings show them"}


class View(Struct, frozen=True):
    """The public table."""

    points: tuple[int, ...]
    target: int
    leader: int
    worth: int
    trick: tuple[str, ...]
    turn: int | None


def view(state: State, _viewer: int | None) -> View:
    """Show the table; the referee knows no hand, so all may see the same."""
    trick = trick_of(state)
    turn = seat_at(state, len(trick)) if outcome(state) is None else None
    return View(state.points, TARGET[state.house.length], state.leader, state.worth, trick, turn)


def situation(view: View) -> Situation | None:
    """Say which card is to be beaten, or who leads."""
    if view.turn is None:
        return None
    if not view.trick:
        return make_situation("leads" if view.worth else "dealt", seat=view.leader)
    best = max(view.trick, key=int)
    return make_situation("to-beat", card=best, seat=(view.leader + view.trick.index(best)) % len(view.points))


def board(view: View) -> Board:
    """Show the trick first, then what it is worth and what wins the match."""
    worth = (make_fact("worth", points=Count(view.worth)),) if view.worth else ()
    row = (CardRow("trick", view.trick, Weight.KEY),) if view.trick else ()
    return Board((*worth, make_fact("target", Weight.SIDE, points=Count(view.target))), row, view.turn)
