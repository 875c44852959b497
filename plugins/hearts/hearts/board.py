"""What everybody may see: the view, what it is about in one sentence, and the board."""

from msgspec import Struct

from hearts.rules import State, direction, is_broken, outcome, trick_of, turn_of
from referee.contract import Board, CardRow, Count, Face, Situation, Weight, make_fact, make_situation
from referee.kit.french_cards import SUIT

EXCUSED = {"points": "the standings show them"}


class View(Struct, frozen=True):
    """The public table."""

    points: tuple[int, ...]
    taken: tuple[int, ...]
    target: int
    passing: tuple[int, ...]
    places: int
    trick: tuple[str, ...]
    leader: int | None
    turn: int | None
    is_broken: bool
    is_over: bool


def view(state: State, _viewer: int | None) -> View:
    """Show the table; the referee knows no hand, so all may see the same."""
    return View(
        state.points,
        state.taken,
        state.house.target,
        state.passing,
        direction(state),
        trick_of(state),
        state.leader,
        turn_of(state),
        is_broken(state),
        outcome(state) is not None,
    )


def situation(view: View) -> Situation | None:
    """Say who passes cards, who leads, or what is to be followed."""
    if view.is_over:
        return None
    if view.passing:
        return make_situation(f"passing-{view.places}", seats=view.passing)
    if view.leader is None:
        return make_situation("first")
    if not view.trick:
        return make_situation("leads", seat=view.leader)
    return make_situation("to-follow", suit=SUIT[view.trick[0]], seat=view.leader)


def board(view: View) -> Board:
    """Show the trick first, then what was taken in this deal, and whether hearts may be led."""
    row = (CardRow("trick", view.trick, Weight.KEY),) if view.trick else ()
    suit = (make_fact("suit", suit=Face(SUIT[view.trick[0]])),) if view.trick else ()
    broken = make_fact("broken" if view.is_broken else "unbroken", Weight.SIDE)
    taken = (
        make_fact("taken", Weight.SIDE, seat=seat, points=Count(points))
        for seat, points in enumerate(view.taken)
        if points
    )
    return Board(
        (*suit, broken, *taken, make_fact("target", Weight.SIDE, points=Count(view.target))), row, view.turn
    )
