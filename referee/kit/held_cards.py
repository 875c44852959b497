"""Which cards a hand held for certain, as it shows later: what is laid from it was in it since it last drew."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from referee.contract import HeardAnswer, Line, Move, Ruling, Zone

Moves = Callable[[Any, Ruling], tuple[Move, ...]]
"""The moves of hands after a ruling, as a game tells them."""


def cards_held(line: Line, moves: Moves, hand: Callable[[HeardAnswer], Zone]) -> Sequence[tuple[str, ...]]:
    """Tell for each answer which cards a hand held for certain before it; `hand` names it at that moment."""
    held, known = list[tuple[str, ...]](), Counter[str]()
    for heard in reversed(line):
        done = [move for ruling in heard.rulings for move in moves(heard.after, ruling)]
        known = _before_moves(known, done, hand(heard))
        held.append(tuple(sorted(known.elements())))
    return held[::-1]


def _before_moves(known: Counter[str], moves: Iterable[Move], hand: Zone) -> Counter[str]:
    """Go back over moves: cards that were drawn unseen may be any of those known later."""
    for move in reversed(tuple(moves)):
        if move.target == hand:
            known = known - Counter(move.faces) if move.faces else Counter()
        if move.source == hand:
            known = known + Counter(move.faces)
    return known
