"""What everybody may see: the view, what it is about in one sentence, and the board."""

from msgspec import Struct

from cheat.rules import State, heap_of, outcome, rank_due, turn_of
from referee.contract import Board, CardRow, Count, Face, Situation, Weight, make_fact, make_situation

EXCUSED = {"cards": "the standings show them"}


class View(Struct, frozen=True):
    """The public table."""

    cards: tuple[int, ...]
    rank: str
    heap: int
    """How many cards lie face down, those of the last claim with them."""
    claimed: int
    """How many of them are claimed to be of the rank due, and may be doubted."""
    turn: int
    challenger: int | None
    shown: tuple[str, ...]
    is_over: bool


def view(state: State, _viewer: int | None) -> View:
    """Show the table; the referee knows no hand, so all may see the same."""
    count, challenger = (state.claim.count, state.claim.challenger) if state.claim else (0, None)
    heap, turn, is_over = heap_of(state), turn_of(state), outcome(state) is not None
    return View(state.cards, rank_due(state), heap, count, turn, challenger, state.shown, is_over)


def situation(view: View) -> Situation | None:
    """Say who lays, what was claimed, or who doubts it."""
    if view.is_over:
        return None
    if not view.claimed:
        return make_situation("to-claim", seat=view.turn, rank=view.rank)
    key = "claimed" if view.challenger is None else "challenged"
    return make_situation(key, seat=view.turn, rank=view.rank, count=view.claimed, challenger=view.challenger)


def board(view: View) -> Board:
    """Show which rank is due, what lies face down, and what was turned up."""
    facts = (make_fact("rank", rank=Face(view.rank)), make_fact("heap", count=Count(view.heap)))
    rows = (CardRow("shown", view.shown, Weight.KEY),) if view.shown else ()
    return Board(() if view.is_over else facts, rows, None if view.is_over else view.turn)
