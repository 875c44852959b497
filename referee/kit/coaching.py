"""Helpers for coaches: known cards of hidden hands, deal counts, and the best possible turn.

A hand certainly held the cards that went into it in public and those revealed later. Other cards are counted
over all possible deals; turns are searched until chance or another player intervenes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import comb, factorial, prod, sqrt
from typing import Any, Generic, TypeVar

from msgspec import Struct

from referee.contract import Move, Zone
from referee.contract.asks import Answer, Datum, Ruling, Value
from referee.contract.coaching import HeardAnswer, Judgement, Kind, Line, Weighed, make_remark, weigh_choice

Moves = Callable[[Any, Ruling], tuple[Move, ...]]


def cards_held(line: Line, moves: Moves, hand: Zone) -> Sequence[tuple[str, ...]]:
    """Return for each answer the cards that a hand certainly held before it."""
    seen, held, known = cards_seen(line, moves, hand), list[tuple[str, ...]](), Counter[str]()
    for heard, open_to_all in zip(reversed(line), reversed(seen), strict=True):
        # moves are undone: a card drawn unseen may be any of those known later
        for move in reversed(_moves_of(heard, moves)):
            known = _less(known, move) if move.target == hand else known
            known = known + Counter(move.faces) if move.source == hand else known
        held.append(tuple(sorted((known | Counter(open_to_all)).elements())))
    return held[::-1]


def cards_seen(line: Line, moves: Moves, hand: Zone) -> Sequence[tuple[str, ...]]:
    """Return for each answer the cards publicly known to be in a hand before it."""
    seen, known = list[tuple[str, ...]](), Counter[str]()
    for heard in line:
        seen.append(tuple(sorted(known.elements())))
        # moves are applied: a card that left unseen may be any of those known before
        for move in _moves_of(heard, moves):
            known = _less(known, move) if move.source == hand else known
            known = known + Counter(move.faces) if move.target == hand else known
    return seen


def _moves_of(heard: HeardAnswer, moves: Moves) -> list[Move]:
    return [move for ruling in heard.rulings for move in moves(heard.after, ruling)]


def _less(known: Counter[str], move: Move) -> Counter[str]:
    """Remove a move's cards from the known ones; unseen cards may all have the same face."""
    if move.faces:
        return known - Counter(move.faces)
    if move.count is None:
        return Counter()
    return Counter({face: count - move.count for face, count in known.items() if count > move.count})


Room = tuple[int, ...]
"""Number of cards that each place still needs."""


def ways_to_deal(cards: Mapping[frozenset[int], int], room: Room) -> int:
    """Return the number of ways to fill places, if each group of cards may only go to certain places."""
    *bound, (free, _count) = sorted(cards.items(), key=lambda kind: len(kind[0])) or [(frozenset[int](), 0)]
    found = Counter({room: 1})
    for places, count in bound:
        spread = Counter[Room]()
        for left, ways in found.items():
            for after, more in _spread(count, sorted(places), left):
                spread[after] += ways * more
        found = spread
    return sum(ways * _fill(left, free) for left, ways in found.items())


def _spread(count: int, places: list[int], room: Room) -> Iterator[tuple[Room, int]]:
    """Yield all ways to put cards into some places: the remaining room, and the number of ways."""
    if not places:
        if not count:
            yield room, 1
        return
    place, *others = places
    for here in range(min(count, room[place]) + 1):
        after = (*room[:place], room[place] - here, *room[place + 1 :])
        for left, ways in _spread(count - here, others, after):
            yield left, ways * comb(count, here)


def _fill(room: Room, places: frozenset[int]) -> int:
    if any(left and place not in places for place, left in enumerate(room)):
        return 0
    return factorial(sum(room)) // prod(map(factorial, room))


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of independent values; 0 for a single one."""
    count, mean = len(values), sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / max(1, count - 1) / count)


Node = TypeVar("Node")


class TurnTree(Struct, Generic[Node], frozen=True):
    """A turn as a search tree: the moves from a node with their results, and a node's value."""

    moves: Callable[[Node], Iterable[tuple[Answer, Node]]]
    worth: Callable[[Node], float]


class BestTurn(Struct, frozen=True):
    """The best reachable value, and whether the search was complete."""

    worth: float
    is_exact: bool
    tried: int


def lead_of(points: Sequence[int], seat: int) -> int:
    """Return a seat's lead over the best other seat; negative if behind."""
    return points[seat] - max((*points[:seat], *points[seat + 1 :]))


def weigh_turn(
    heard: HeardAnswer, seat: int, before: int, worth: float, best: tuple[float, Value], **rather: Datum
) -> Judgement:
    """Compare a turn's result with the best possible one, as gains over the lead before it."""
    remark = make_remark("coach-turn", seat=seat, gain=int(worth) - before)
    lost = int(best[0] - worth)
    better = make_remark("coach-turn-best", **rather, gain=int(best[0]) - before, lost=lost)
    chosen = Weighed(worth, heard.answer.value, remark)
    return weigh_choice(heard, seat, Kind.POINTS, chosen, Weighed(*best, better))


def best_turn(tree: TurnTree[Node], node: Node, most: int) -> BestTurn:
    """Return the best value reachable from a node, searching at most `most` nodes."""
    best, tried, is_exact, is_end = float("-inf"), 1, True, True
    for _answer, after in tree.moves(node):
        is_end = False
        if tried >= most:
            is_exact = False
            break
        found = best_turn(tree, after, most - tried)
        best, tried, is_exact = max(best, found.worth), tried + found.tried, is_exact and found.is_exact
    return BestTurn(tree.worth(node) if is_end else best, is_exact, tried)
