"""The best way through a turn, and what comes of too many."""

from collections.abc import Iterator

import pytest

from referee.contract import Answer
from referee.kit.turn_search import TurnTree, best_turn

DEPTH = 3


def steps(node: tuple[int, ...]) -> Iterator[tuple[Answer, tuple[int, ...]]]:
    """Add 0, 1 or 2 three times."""
    if len(node) < DEPTH:
        yield from ((Answer(0, "add", step), (*node, step)) for step in range(3))


TREE: TurnTree[tuple[int, ...]] = TurnTree(steps, lambda node: float(node[0] * 5 - sum(node[1:]) ** 2))


def test_every_way_is_tried_once_and_the_best_counts() -> None:
    found = best_turn(TREE, (), 1000)
    assert (found.worth, found.is_exact, found.tried) == (10.0, True, 1 + 3 + 9 + 27)
    assert best_turn(TREE, (1, 2), 1000).worth == 1


@pytest.mark.parametrize("most", range(1, 43))
def test_a_search_is_exact_if_there_are_no_more_ways_than_are_wanted(most: int) -> None:
    found = best_turn(TREE, (), most)
    assert (found.is_exact, found.tried) == (most >= 40, min(most, 40))


def test_more_ways_than_are_wanted_are_cut_off_and_said_to_be() -> None:
    found = best_turn(TREE, (), 10)
    assert not found.is_exact
    assert found.tried <= 10
