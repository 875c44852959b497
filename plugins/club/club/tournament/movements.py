"""Movements: the players of the next round, and the cost of two people meeting in it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random

import numpy as np

from club.tournament.pairing import Weights, groups_of
from club.tournament.standings import Standing, standings_of
from club.tournament.values import Movement, NotPossible, Place, Problem, Result, Round, Tournament, sent_rounds

Pair = tuple[int, int]
Groups = tuple[tuple[int, ...], ...]
SWEEPS = 25  # passes over the remaining rounds of a round robin
Cost = tuple[int, int]
"""Squared deviations from the wanted table size, and empty tables; more tables mean less waiting."""
SizedSeating = tuple[Cost, int] | None
"""The cheapest seating of a number of people, and the number of them at the last table."""
AHEAD = 60
"""Most people for whom all remaining rounds are planned; with more, few of the possible meetings happen anyway.
"""


def meetings_of(rounds: Iterable[Round]) -> Counter[Pair]:
    return _pairs([seating.entrants for seating in each.seatings] for each in rounds)


def choose_byes(standings: Sequence[Standing], count: int, draw: Random) -> frozenset[int]:
    """Choose the byes: fewest byes first, then from the bottom."""
    shuffled = draw.sample(standings, len(standings))
    order = sorted(shuffled, key=lambda each: (each.byes, -each.place))
    return frozenset(each.number for each in order[:count])


def divide(
    tournament: Tournament,
    results: Sequence[Result],
    numbers: Sequence[int],
    sizes: Sequence[int],
    draw: Random,
) -> Groups:
    met = meetings_of(sent_rounds(tournament))
    if tournament.plan.movement is Movement.ROUND_ROBIN:
        left = tournament.plan.rounds - len(sent_rounds(tournament))
        return _divide_ahead(met, numbers, sizes, left, draw)
    standings = standings_of(tournament, results)
    place = {each.number: each.place for each in standings}
    # ties, and everybody before the first round, in drawn order
    order = sorted(draw.sample(numbers, len(numbers)), key=lambda number: place[number])
    return _groups(_weights(order, met, standings), order, sizes, draw)


def _weights(order: Sequence[int], met: Mapping[Pair, int], standings: Sequence[Standing]) -> Weights:
    """Return the cost of each pair: a repeated meeting costs more than any difference in points."""
    points = {each.number: each.points for each in standings}
    # in sixtieths, because shared places give fractions of a point
    marks = np.array([int(points[number] * 60) for number in order], dtype=np.int64)
    apart = np.minimum(np.abs(marks[:, None] - marks[None, :]), 6000) ** 2
    weights: Weights = apart + _meeting_weights(order, met) * (int(apart.sum()) + 1)
    return weights


def _meeting_weights(order: Sequence[int], met: Mapping[Pair, int]) -> Weights:
    seat = {number: index for index, number in enumerate(order)}
    weights = np.zeros((len(order), len(order)), dtype=np.int64)
    for (one, other), count in met.items():
        if one in seat and other in seat:
            weights[seat[one], seat[other]] = weights[seat[other], seat[one]] = count
    return weights


def _groups(weights: Weights, order: Sequence[int], sizes: Sequence[int], draw: Random) -> Groups:
    return tuple(tuple(order[index] for index in group) for group in groups_of(weights, sizes, draw))


def _divide_ahead(
    met: Counter[Pair], numbers: Sequence[int], sizes: Sequence[int], left: int, draw: Random
) -> Groups:
    """Plan all remaining rounds, improving each around the others several times. Return the first."""
    order = draw.sample(numbers, len(numbers))
    planned: list[Groups] = []
    for _round in range(max(1, left) if len(order) <= AHEAD else 1):
        planned.append(_divide_around(met, planned, order, sizes, draw))
    repeats, tries = _repeats(met, planned), 0
    while repeats and tries < SWEEPS * len(planned) and len(planned) > 1:
        found = list(planned)
        index = draw.randrange(len(found))
        found[index] = _divide_around(met, found[:index] + found[index + 1 :], order, sizes, draw)
        found_repeats = _repeats(met, found)
        tries = 0 if found_repeats < repeats else tries + 1
        if found_repeats <= repeats:
            planned, repeats = found, found_repeats
    return planned[0]


def _divide_around(
    met: Counter[Pair], others: Iterable[Groups], order: Sequence[int], sizes: Sequence[int], draw: Random
) -> Groups:
    order = draw.sample(order, len(order))
    return _groups(_meeting_weights(order, met + _pairs(others)), order, sizes, draw)


def _pairs(planned: Iterable[Iterable[Sequence[int]]]) -> Counter[Pair]:
    return Counter(pair for each in planned for group in each for pair in combinations(sorted(group), 2))


def _repeats(met: Counter[Pair], planned: Iterable[Groups]) -> int:
    """Return how unevenly people meet; each repeated meeting of a pair costs one more than the last."""
    return sum(count * (count - 1) // 2 for count in (met + _pairs(planned)).values())


# table sizes: few byes, and tables near the wanted size


def table_sizes(count: int, places: Sequence[Place], size: int) -> tuple[int, ...]:
    """Return the number of players for each place, 0 if empty; the rest have a bye."""
    # table by table, the cheapest seating of 0, 1, 2, … people
    cheapest: list[list[SizedSeating]] = [[((0, 0), 0), *[None] * count]]
    for place in places:
        cheapest.append([_cheapest_seating(cheapest[-1], number, place, size) for number in range(count + 1)])
    left = next((number for number in range(count, 0, -1) if cheapest[-1][number] is not None), 0)
    if left == 0:
        raise NotPossible(Problem.TOO_FEW)
    sizes: list[int] = []
    for before in reversed(cheapest[1:]):
        seating = before[left]
        sizes.append(0 if seating is None else seating[1])
        left -= sizes[-1]
    return tuple(reversed(sizes))


def _cheapest_seating(before: Sequence[SizedSeating], number: int, place: Place, size: int) -> SizedSeating:
    found: list[tuple[Cost, int]] = []
    for here in (0, *range(place.least, min(place.most, number) + 1)):
        seating = before[number - here]
        if seating is not None:
            (distance, empty), _ = seating
            # squares make two tables of 4 cheaper than one of 3 and one of 5
            squares = (here - size) ** 2 if here else 0
            found.append(((distance + squares, empty + (here == 0)), here))
    return min(found, default=None)
