"""How many sit at which table: few sit out, and tables are as near to the wanted size as can be."""

from collections.abc import Sequence

from club.tournament.values import NotPossible, Place, Problem

Cost = tuple[int, int]
"""How far the tables are from the wanted size, and how many tables stay empty: with more, people wait less."""
Way = tuple[Cost, int] | None
"""The cheapest way to seat a number of people, and how many of them sit at the newest table."""


def table_sizes(count: int, places: Sequence[Place], size: int) -> tuple[int, ...]:
    """Give each place how many sit there, 0 for an empty one; players who aren't seated sit out."""
    # table by table, the cheapest way to seat 0, 1, 2, … people
    ways: list[list[Way]] = [[((0, 0), 0), *[None] * count]]
    for place in places:
        ways.append([_best_way(ways[-1], number, place, size) for number in range(count + 1)])
    left = next((number for number in range(count, 0, -1) if ways[-1][number] is not None), 0)
    if left == 0:
        raise NotPossible(Problem.TOO_FEW)
    sizes: list[int] = []
    for before in reversed(ways[1:]):
        way = before[left]
        sizes.append(0 if way is None else way[1])
        left -= sizes[-1]
    return tuple(reversed(sizes))


def _best_way(before: Sequence[Way], number: int, place: Place, size: int) -> Way:
    found: list[tuple[Cost, int]] = []
    for here in (0, *range(place.least, min(place.most, number) + 1)):
        way = before[number - here]
        if way is not None:
            (distance, empty), _ = way
            # squares make two tables of 4 better than one of 3 and one of 5
            squares = (here - size) ** 2 if here else 0
            found.append(((distance + squares, empty + (here == 0)), here))
    return min(found, default=None)
