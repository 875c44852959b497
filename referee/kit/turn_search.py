"""The best that a player can do in a turn: every way is tried, until chance or another player comes in."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from msgspec import Struct

from referee.contract import Answer

Node = TypeVar("Node")


class TurnTree(Struct, Generic[Node], frozen=True):
    """A turn as a tree: what may be done at a node, with where it leads; and what a node is worth."""

    moves: Callable[[Node], Iterable[tuple[Answer, Node]]]
    worth: Callable[[Node], float]


class BestTurn(Struct, frozen=True):
    """The most that can be reached, and whether all ways were tried."""

    worth: float
    is_exact: bool
    tried: int


def best_turn(tree: TurnTree[Node], node: Node, most: int) -> BestTurn:
    """Find what the best way from a node comes to; of more than so many nodes only the first are tried."""
    best, tried, is_exact, is_end = float("-inf"), 1, True, True
    for _answer, after in tree.moves(node):
        is_end = False
        if tried >= most:
            is_exact = False
            break
        found = best_turn(tree, after, most - tried)
        best, tried, is_exact = max(best, found.worth), tried + found.tried, is_exact and found.is_exact
    return BestTurn(tree.worth(node) if is_end else best, is_exact, tried)
