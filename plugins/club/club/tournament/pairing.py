"""Grouping people at tables: exhaustive for few people, by search for many; deterministic for a draw.

A weight is the cost of two people sharing a table. The cost of a whole drawing is the sum over all tables.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import factorial, prod
from random import Random

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.int64]
"""Cost of two people meeting; symmetric, with zeros on the diagonal."""

Tables = NDArray[np.intp]  # the table of each person

MAX_DIVISIONS = 16_000
"""Most divisions that are all compared; twelve people at three or four tables have as many."""
KICKS = 60
"""Random perturbations without improvement after which the search ends."""


def groups_of(weights: Weights, sizes: Sequence[int], draw: Random) -> tuple[tuple[int, ...], ...]:
    """Divide people into groups of these sizes, with the least weight found within them."""
    choose = _choose_best if count_divisions(sizes) <= MAX_DIVISIONS else _search
    tables = choose(weights, tuple(sizes), draw)
    return tuple(tuple(int(who) for who in np.flatnonzero(tables == table)) for table in range(len(sizes)))


def count_divisions(sizes: Sequence[int]) -> int:
    """Return the number of divisions of people into groups of these sizes; equal tables are the same."""
    alike = prod(factorial(sizes.count(size)) for size in set(sizes))
    return factorial(sum(sizes)) // prod(factorial(size) for size in sizes) // alike


def _choose_best(weights: Weights, sizes: tuple[int, ...], draw: Random) -> Tables:
    one, other = np.triu_indices(len(weights), 1)
    divisions, is_together = _all_divisions(sizes)
    costs = is_together @ weights[one, other]
    best: Tables = divisions[draw.choice(np.flatnonzero(costs == costs.min()).tolist())]
    return best


@cache
def _all_divisions(sizes: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    found: list[tuple[int, ...]] = [()]
    for _person in range(sum(sizes)):
        found = [(*seated, table) for seated in found for table in _open_tables(seated, sizes)]
    divisions = np.array(found, dtype=np.intp)
    one, other = np.triu_indices(sum(sizes), 1)
    return divisions, divisions[:, one] == divisions[:, other]


def _open_tables(seated: Sequence[int], sizes: Sequence[int]) -> Iterator[int]:
    """Yield the tables with a free seat, but only the first of equal empty ones."""
    empty = set[int]()
    for table, size in enumerate(sizes):
        taken = seated.count(table)
        if taken < size and not (taken == 0 and size in empty):
            yield table
        if taken == 0:
            empty.add(size)


def _search(weights: Weights, sizes: tuple[int, ...], draw: Random) -> Tables:
    tables = np.repeat(np.arange(len(sizes)), sizes)
    best = descend(weights, tables)
    cost = cost_of(weights, best)
    tries = 0
    while cost > 0 and tries < KICKS and len(sizes) > 1:
        kicked = best.copy()
        chosen = draw.sample(range(len(best)), min(len(best), draw.randint(3, 6)))
        kicked[chosen] = kicked[chosen[1:] + chosen[:1]]
        found = descend(weights, kicked)
        found_cost = cost_of(weights, found)
        tries = 0 if found_cost < cost else tries + 1
        if found_cost <= cost:
            best, cost = found, found_cost
    return best


def cost_of(weights: Weights, tables: Tables) -> int:
    return int(weights[tables[:, None] == tables[None, :]].sum()) // 2


def descend(weights: Weights, tables: Tables) -> Tables:
    """Repeat the best swap of two people while it lowers the cost."""
    tables = tables.copy()
    count = int(tables.max()) + 1
    # the cost of each person at each table
    at = weights @ (tables[:, None] == np.arange(count)[None, :]).astype(np.int64)
    everybody = np.arange(len(tables))
    while True:
        own = at[everybody, tables]
        there = at[:, tables]
        gain = there + there.T - 2 * weights - own[:, None] - own[None, :]
        gain[tables[:, None] == tables[None, :]] = 0
        one, other = divmod(int(gain.argmin()), len(tables))
        if gain[one, other] >= 0:
            return tables
        moved = weights[:, other] - weights[:, one]
        at[:, tables[one]] += moved
        at[:, tables[other]] -= moved
        tables[one], tables[other] = tables[other], tables[one]
