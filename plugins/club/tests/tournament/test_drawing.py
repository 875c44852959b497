"""Drawing rounds: everybody has a seat once, with suitable table sizes, shared byes and few rematches."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from club.tournament.entering import change_presence, register
from club.tournament.movements import meetings_of, table_sizes
from club.tournament.pairing import groups_of
from club.tournament.rounds import draw_round, send_round, swap
from club.tournament.standings import standings_of
from club.tournament.values import Movement, NotPossible, Place, Problem, Round, Tournament, draft_of
from plugins.club.tests.tournament.evenings import plan_with, play_round, played, refused, tournament_of
from tests.given import present
from tests.tiers import tiered

movements = st.sampled_from((Movement.SWISS, Movement.ROUND_ROBIN))


def drawn(tournament: Tournament) -> Round:
    return present(draft_of(tournament))


def everybody_in(the_round: Round) -> list[int]:
    return sorted((*the_round.byes, *(who for seating in the_round.seatings for who in seating.entrants)))


@settings(max_examples=tiered(5, 100))
@given(
    people=st.integers(3, tiered(17, 33)),
    tables=st.integers(1, tiered(4, 8)),
    size=st.integers(3, 8),
    most=st.sampled_from((4, 8)),
    movement=movements,
)
def test_byes_are_shared_evenly(people: int, tables: int, size: int, most: int, movement: Movement) -> None:
    plan = plan_with(tables, movement, size=min(size, most), most=most)
    tournament, _results = played(people, plan, 4)
    for the_round in tournament.rounds:
        assert everybody_in(the_round) == list(range(1, people + 1))
        assert all(3 <= len(seating.entrants) <= most for seating in the_round.seatings)
        assert len({seating.table for seating in the_round.seatings}) == len(the_round.seatings)
    byes = Counter(number for the_round in tournament.rounds for number in the_round.byes)
    counts = [byes[number] for number in range(1, people + 1)]
    assert max(counts) - min(counts) <= 1


def all_seatings(places: Sequence[Place]) -> Iterator[tuple[int, ...]]:
    """List all ways to fill tables one after another, as an independent check."""
    if not places:
        yield ()
        return
    first, *rest = places
    for size in (0, *range(first.least, first.most + 1)):
        for more in all_seatings(rest):
            yield (size, *more)


rooms = st.tuples(st.integers(3, 8), st.integers(3, 8)).map(sorted)


@given(count=st.integers(3, 30), size=st.integers(3, 8), bounds=st.lists(rooms, min_size=1, max_size=4))
def test_table_sizes_are_optimal(count: int, size: int, bounds: list[list[int]]) -> None:
    places = [Place(str(number), "coyote", least, most) for number, (least, most) in enumerate(bounds)]

    def penalty(sizes: Sequence[int]) -> tuple[int, int, int]:
        used = [each for each in sizes if each]
        return count - sum(sizes), sum((each - size) ** 2 for each in used), -len(used)

    best = min(penalty(each) for each in all_seatings(places) if sum(each) <= count)
    if best[0] == count:
        with pytest.raises(NotPossible):
            table_sizes(count, places, size)
    else:
        assert penalty(table_sizes(count, places, size)) == best


def all_divisions(people: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """List all ways to divide people, as an independent check."""
    if not sizes:
        yield ()
        return
    for group in combinations(people, sizes[0]):
        rest = tuple(each for each in people if each not in group)
        for more in all_divisions(rest, sizes[1:]):
            yield (group, *more)


@settings(max_examples=tiered(20, 100))
@given(seed=st.integers(0, 10**6), sizes=st.sampled_from([(3, 3), (4, 4), (3, 3, 3), (5, 4), (3, 4, 3)]))
@example(seed=735, sizes=(3, 4, 3))
def test_table_division_is_optimal(seed: int, sizes: tuple[int, ...]) -> None:
    chance, count = Random(seed), sum(sizes)
    weights = np.zeros((count, count), dtype=np.int64)
    for one, other in combinations(range(count), 2):
        weights[one, other] = weights[other, one] = chance.choice((0, 0, 0, 1, 1, 2, 7))

    def penalty(groups: Sequence[Sequence[int]]) -> int:
        return sum(int(weights[pair]) for group in groups for pair in combinations(group, 2))

    best = min(map(penalty, all_divisions(tuple(range(count)), sizes)))
    groups = groups_of(weights, sizes, Random(seed))
    assert [len(group) for group in groups] == list(sizes)
    assert sorted(chain.from_iterable(groups)) == list(range(count))
    assert penalty(groups) == best


def test_late_and_withdrawn_people_count_from_the_next_round() -> None:
    tournament, matches = play_round(tournament_of(12, plan_with(4)), [], 1)
    tournament = change_presence(register(tournament, "Late"), 5, is_here=False)
    tournament, _matches = play_round(tournament, matches, 2)
    assert everybody_in(tournament.rounds[0]) == list(range(1, 13))
    assert everybody_in(tournament.rounds[1]) == [*range(1, 5), *range(6, 14)]


@settings(max_examples=tiered(15, 100))
@given(seed=st.integers(0, 1000), one=st.integers(1, 14), other=st.integers(1, 14))
def test_swaps_include_people_with_a_bye(seed: int, one: int, other: int) -> None:
    before = draw_round(tournament_of(14, plan_with(3, most=4)), (), seed)
    after = swap(before, one, other)
    assert everybody_in(drawn(after)) == everybody_in(drawn(before))
    assert swap(after, one, other) == before
    # a sent round can't be swapped
    assert refused(lambda: swap(send_round(before, 10.0), one, other))[0] is Problem.NO_ROUND


@pytest.mark.parametrize("seed", range(4))
def test_swiss_round_seats_equal_points_together(seed: int) -> None:
    plan = plan_with(2, Movement.SWISS, size=3, most=3)
    tournament, results = played(6, plan, 1, seed)
    points = {each.number: each.points for each in standings_of(tournament, results)}
    met, numbers = meetings_of(tournament.rounds), range(1, 7)

    def penalty(tables: Iterable[Sequence[int]]) -> tuple[int, Fraction]:
        pairs = [pair for table in tables for pair in combinations(sorted(table), 2)]
        return sum(met[pair] for pair in pairs), sum((points[a] - points[b]) ** 2 for a, b in pairs)

    the_round = drawn(draw_round(tournament, results, seed))
    every = ((one, tuple(each for each in numbers if each not in one)) for one in combinations(numbers, 3))
    assert penalty(seating.entrants for seating in the_round.seatings) == min(map(penalty, every))
