"""How many sit at which table: few sit out, and tables are as near to the wanted size as can be."""

from collections.abc import Sequence

from club.tournament.values import NotPossible, Place, Problem

Cost = tuple[int, int]
"""How far the tables are from the wanted size, and how many tables stay empty: with more, people wait less."""


def table_sizes(count: int, places: Sequence[Place], size: int) -> tuple[int, ...]:
    """Give each place how many sit there, 0 for an empty one; players who aren't seated sit out."""
    ways = _ways_to_seat(count, places, size)
    seated = next((number for number in range(count, 0, -1) if ways[-1][number] is not None), 0)
    if seated == 0:
        raise NotPossible(Problem.TOO_FEW)
    return _trace(ways, places, seated)


Way = tuple[Cost, int] | None
"""The cheapest way to seat a number of people, and how many of them sit at the newest table."""


def _ways_to_seat(count: int, places: Sequence[Place], size: int) -> list[list[Way]]:
    """Work out, table by table, the cheapest way to seat 0, 1, 2, … people."""
    ways: list[list[Way]] = [[((0, 0), 0), *[None] * count]]
    for place in places:
        before = ways[-1]
        ways.append([_best_way(before, number, place, size) for number in range(count + 1)])
    return ways


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


def _trace(ways: Sequence[Sequence[Way]], places: Sequence[Place], seated: int) -> tuple[int, ...]:
    sizes: list[int] = []
    for row in ways[len(places) : 0 : -1]:
        way = row[seated]
        here = 0 if way is None else way[1]
        sizes.append(here)
        seated -= here
    return tuple(reversed(sizes))
