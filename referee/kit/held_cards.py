"""Which cards a hand held for certain: those that all saw go into it, and those that later came to light."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from referee.contract import HeardAnswer, Line, Move, Ruling, Zone

Moves = Callable[[Any, Ruling], tuple[Move, ...]]
"""The moves of hands after a ruling, as a game tells them."""


def cards_held(line: Line, moves: Moves, hand: Callable[[HeardAnswer], Zone]) -> Sequence[tuple[str, ...]]:
    """Tell for each answer which cards a hand held for certain before it; `hand` names it at that moment."""
    seen, held, known = cards_seen(line, moves, hand), list[tuple[str, ...]](), Counter[str]()
    for heard, open_to_all in zip(reversed(line), reversed(seen), strict=True):
        known = _before_moves(known, _moves_of(heard, moves), hand(heard))
        held.append(tuple(sorted((known | Counter(open_to_all)).elements())))
    return held[::-1]


def cards_seen(line: Line, moves: Moves, hand: Callable[[HeardAnswer], Zone]) -> Sequence[tuple[str, ...]]:
    """Tell for each answer which cards all know to be in a hand before it, because they saw them go there."""
    seen, known = list[tuple[str, ...]](), Counter[str]()
    for heard in line:
        seen.append(tuple(sorted(known.elements())))
        known = _after_moves(known, _moves_of(heard, moves), hand(heard))
    return seen


def _moves_of(heard: HeardAnswer, moves: Moves) -> list[Move]:
    return [move for ruling in heard.rulings for move in moves(heard.after, ruling)]


def _before_moves(known: Counter[str], moves: Iterable[Move], hand: Zone) -> Counter[str]:
    """Go back over moves: cards that were drawn unseen may be any of those known later."""
    for move in reversed(tuple(moves)):
        if move.target == hand:
            known = _less(known, move)
        if move.source == hand:
            known = known + Counter(move.faces)
    return known


def _after_moves(known: Counter[str], moves: Iterable[Move], hand: Zone) -> Counter[str]:
    """Go on over moves: cards that went away unseen may be any of those known before."""
    for move in moves:
        if move.source == hand:
            known = _less(known, move)
        if move.target == hand:
            known = known + Counter(move.faces)
    return known


def _less(known: Counter[str], move: Move) -> Counter[str]:
    """Take a move's cards from those that are known: unseen, they may all be of one face."""
    if move.faces:
        return known - Counter(move.faces)
    if move.count is None:
        return Counter()
    return Counter({face: count - move.count for face, count in known.items() if count > move.count})
