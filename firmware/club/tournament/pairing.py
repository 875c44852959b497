"""Who sits together: a search over swaps, with kicks out of dead ends; the same draw, the same tables.

A weight says how bad it is that two people sit together. A whole drawing is as bad as the sum over all tables.
"""

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.int64]
"""How bad it is that two people meet; symmetric, with zeros in the diagonal."""

KICKS = 60
"""How often the search is thrown out of its place without finding a better one, before it is content."""


def groups_of(weights: Weights, sizes: Sequence[int], draw: Random) -> tuple[tuple[int, ...], ...]:
    """Divide people into groups of these sizes, with as little weight within them as can be found."""
    tables = np.repeat(np.arange(len(sizes)), sizes)
    best = descend(weights, tables)
    cost = cost_of(weights, best)
    tries = 0
    while cost > 0 and tries < KICKS and len(sizes) > 1:
        found = descend(weights, _kick(best, draw))
        found_cost = cost_of(weights, found)
        tries = 0 if found_cost < cost else tries + 1
        if found_cost <= cost:
            best, cost = found, found_cost
    return tuple(tuple(int(who) for who in np.flatnonzero(best == table)) for table in range(len(sizes)))


def cost_of(weights: Weights, tables: NDArray[np.intp]) -> int:
    """Add up the weights of all who sit together."""
    return int(weights[tables[:, None] == tables[None, :]].sum()) // 2


def descend(weights: Weights, tables: NDArray[np.intp]) -> NDArray[np.intp]:
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


def _kick(tables: NDArray[np.intp], draw: Random) -> NDArray[np.intp]:
    """Let a few people change places at random."""
    kicked = tables.copy()
    chosen = draw.sample(range(len(tables)), min(len(tables), draw.randint(3, 6)))
    kicked[chosen] = kicked[chosen[1:] + chosen[:1]]
    return kicked
