"""The public display: the situation in one sentence, and the board."""

from hearts.rules import State, direction, is_broken, outcome, trick_of, turn_of
from referee.contract import Board, CardRow, Count, Face, Situation, Weight, make_fact, make_situation
from referee.kit.french_cards import SUIT

EXCUSED = {
    "points": "the standings show them",
    **dict.fromkeys(("denials", "has_only_barred"), "visible in rulings and asks"),
    "passing": "visible in the asks",
    "house": "house rules are shown elsewhere",
}


def situation(state: State) -> Situation | None:
    if outcome(state) is not None:
        return None
    if state.passing:
        return make_situation(f"passing-{direction(state)}")
    if state.leader is None:
        return make_situation("first")
    trick = trick_of(state)
    if not trick:
        return make_situation("leads", seat=state.leader)
    return make_situation("to-follow", suit=SUIT[trick[0]], seat=state.leader)


def board(state: State) -> Board:
    """Show the trick, the points taken in this deal, and whether hearts may be led."""
    trick = trick_of(state)
    row = (CardRow("trick", trick, Weight.KEY),) if trick else ()
    suit = (make_fact("suit", suit=Face(SUIT[trick[0]])),) if trick else ()
    broken = make_fact("broken" if is_broken(state) else "unbroken", Weight.SIDE)
    taken = (
        make_fact("taken", Weight.SIDE, seat=seat, points=Count(points))
        for seat, points in enumerate(state.taken)
        if points
    )
    target = make_fact("target", Weight.SIDE, points=Count(state.house.target))
    return Board((*suit, broken, *taken, target), row, turn_of(state))
