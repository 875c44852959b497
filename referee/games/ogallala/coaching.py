"""Exact analysis of a placement, shot or attack: the points lost within the turn, with all open cards.

The score is one's own points in complete canoes minus the best of the others'. All continuations are tried
until a card is drawn or the turn ends.
"""

from collections.abc import Iterator
from functools import partial

from referee.contract.asks import Answer, Choice
from referee.contract.coaching import HeardAnswer, Judgement, Laboratory, Line
from referee.games.ogallala.final_count import score
from referee.games.ogallala.rules import asks, hear
from referee.games.ogallala.state import Aiming, Placing, Sharing, State
from referee.kit.coaching import TurnTree, best_turn, lead_of, weigh_turn

OWN = (Placing, Aiming, Sharing)
"""Stages decided by the player in turn, without chance."""
MOST_TRIED = 250  # maximum number of continuations per decision; decisions with more are not judged


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge all decisions of turns, except drawing, stopping and ending the match."""
    found = (_judge(heard) for heard in line if isinstance(heard.state.stage, OWN))
    return tuple(judgement for judgement in found if judgement is not None)


def lead(state: State, seat: int) -> int:
    return lead_of([score(state.house, territory) for territory in state.territories], seat)


def turn_tree(seat: int) -> TurnTree[State]:
    return TurnTree(partial(_moves, seat), lambda state: float(lead(state, seat)))


def _moves(seat: int, state: State) -> Iterator[tuple[Answer, State]]:
    """Yield the player's possible answers and resulting states; none before a draw or another player's turn."""
    if not isinstance(state.stage, OWN) or state.turn.seat != seat:
        return
    for ask in asks(state):
        if isinstance(ask, Choice):
            for option in ask.options:
                answer = Answer(0, ask.key, option, seat)
                yield answer, hear(state, answer).state


def _judge(heard: HeardAnswer) -> Judgement | None:
    """Compare a decision with the best alternative; None if there are too many continuations."""
    seat, left = heard.state.turn.seat, MOST_TRIED
    tree = turn_tree(seat)
    chosen = best_turn(tree, heard.after, left)
    best, better, is_exact = chosen.worth, heard.answer.value, chosen.is_exact
    for answer, after in tree.moves(heard.state):
        left -= 1
        found = best_turn(tree, after, left)
        left -= found.tried
        is_exact = is_exact and found.is_exact and left > 0
        if found.worth > best:
            best, better = found.worth, answer.value
        if not is_exact:
            return None
    return weigh_turn(heard, seat, lead(heard.state, seat), chosen.worth, (best, better))
