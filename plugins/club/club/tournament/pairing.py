"""Who sits together: of few people the best of all ways, of many a search; the same draw, the same tables.

A weight says how bad it is that two people sit together. A whole drawing is as bad as the sum over all tables.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import factorial, prod
from random import Random

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.int64]
"""How bad it is that two people meet; symmetric, with zeros in the diagonal."""

Tables = NDArray[np.intp]  # the table of each person

FEW = 16_000
"""Ways to divide people that are all looked at: twelve people at three or four tables have as many."""
KICKS = 60
"""How often the search is thrown out of its place without finding a better one, before it is content."""


def groups_of(weights: Weights, sizes: Sequence[int], draw: Random) -> tuple[tuple[int, ...], ...]:
    """Divide people into groups of these sizes, with as little weight within them as can be found."""
    choose = _choose_best if count_divisions(sizes) <= FEW else _search
    tables = choose(weights, tuple(sizes), draw)
    return tuple(tuple(int(who) for who in np.flatnonzero(tables == table)) for table in range(len(sizes)))


def count_divisions(sizes: Sequence[int]) -> int:
    """Count the ways to divide people into groups of these sizes; which of two tables alike is all the same."""
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
    ways: list[tuple[int, ...]] = [()]
    for _person in range(sum(sizes)):
        ways = [(*seated, table) for seated in ways for table in _open_tables(seated, sizes)]
    divisions = np.array(ways, dtype=np.intp)
    one, other = np.triu_indices(sum(sizes), 1)
    return divisions, divisions[:, one] == divisions[:, other]


def _open_tables(seated: Sequence[int], sizes: Sequence[int]) -> Iterator[int]:
    """List the tables with a free seat; of empty ones alike, only the first."""
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
    """Swap the two people whose swap helps most, as long as one helps."""
    tables = tables.copy()
    count = int(tables.max()) + 1
    # how bad each person would be at each table
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
