"""The public display: the situation in one sentence, and the board."""

from cheat.rules import State, heap_of, outcome, rank_due, turn_of
from referee.contract import Board, CardRow, Count, Face, Situation, Weight, make_fact, make_situation

EXCUSED = {
    "cards": "the standings show them",
    **dict.fromkeys(("asks", "beside", "said", "Claim.seat"), "visible in the asks"),
    "house": "house rules are shown elsewhere",
}


def situation(state: State) -> Situation | None:
    if outcome(state) is not None:
        return None
    claim, seat, rank = state.claim, turn_of(state), rank_due(state)
    if claim is None:
        return make_situation("to-claim", seat=seat, rank=rank)
    key = "claimed" if claim.challenger is None else "challenged"
    return make_situation(key, seat=seat, rank=rank, count=claim.count, challenger=claim.challenger)


def board(state: State) -> Board:
    """Show the current rank, the face-down cards, and the revealed cards."""
    is_over = outcome(state) is not None
    facts = (make_fact("rank", rank=Face(rank_due(state))), make_fact("heap", count=Count(heap_of(state))))
    rows = (CardRow("shown", state.shown, Weight.KEY),) if state.shown else ()
    return Board(() if is_over else facts, rows, None if is_over else turn_of(state))
