"""Points, and who stands where.

Points are for places; who share places share their points evenly. Ties are broken by tables won, then by the
points of those one has met; who is still equal shares the place. In a knock-out who came further stands higher,
then who stood higher there.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from club.tournament.values import Movement, Penalty, Plan, Result, Round, Tournament, sent_rounds

Key = tuple[Fraction | int, ...]


class Standing(Struct, frozen=True):
    """How an entrant stands."""

    number: int
    place: int
    points: Fraction
    won: int
    """Tables at which no other player stood higher."""
    met: Fraction
    """The points of those whom one has met, each meeting counted."""
    played: int
    byes: int
    penalty: int
    reached: int = 0
    """In a knock-out, the last round in which one was."""
    last_place: int = 0
    """In a knock-out, the place at the last table; 0 while nothing is known of it."""


def points_at_table(plan: Plan, places: Sequence[int]) -> tuple[Fraction, ...]:
    """Give each seat its points: who shares a place shares the points of the places that it takes."""
    shared = Counter(places)
    return tuple(Fraction(_sum_of_points(plan, place, shared[place]), shared[place]) for place in places)


def _sum_of_points(plan: Plan, place: int, count: int) -> int:
    return sum(plan.points[place - 1 : place - 1 + count])


def standings_of(tournament: Tournament, results: Iterable[Result]) -> tuple[Standing, ...]:
    """Order all entrants, the first on top; who stands equal has the same place."""
    standings = _unordered(tournament, tuple(results))
    is_knock_out = tournament.plan.movement is Movement.KNOCK_OUT
    keys = {each.number: _key(each, is_knock_out=is_knock_out) for each in standings}
    better = sorted(keys.values(), reverse=True)
    first = {key: better.index(key) + 1 for key in set(better)}
    placed = (replace(each, place=first[keys[each.number]]) for each in standings)
    return tuple(sorted(placed, key=lambda each: (each.place, each.number)))


def _key(standing: Standing, *, is_knock_out: bool) -> Key:
    points = (standing.points, standing.won, standing.met)
    if not is_knock_out:
        return points
    # a place that isn't known yet is as good as any
    return (standing.reached, -standing.last_place, *points)


def _unordered(tournament: Tournament, results: tuple[Result, ...]) -> list[Standing]:
    rounds = sent_rounds(tournament)
    byes = Counter(number for each in rounds for number in each.byes)
    penalties = penalties_by_entrant(tournament.penalties)
    points, won, played = _points_played(tournament.plan, results)
    own = {
        each.number: points[each.number] + byes[each.number] * tournament.plan.bye - penalties[each.number]
        for each in tournament.entrants
    }
    met = _points_met(results, own)
    reached, last = _reached(rounds), _last_places(results)
    return [
        Standing(
            number,
            0,
            own[number],
            won[number],
            met.get(number, Fraction(0)),
            played[number],
            byes[number],
            penalties[number],
            reached[number],
            last.get((reached[number], number), 0),
        )
        for number in own
    ]


def _points_played(
    plan: Plan, results: Iterable[Result]
) -> tuple[Mapping[int, Fraction], Counter[int], Counter[int]]:
    points = defaultdict[int, Fraction](Fraction)
    won, played = Counter[int](), Counter[int]()
    for result in results:
        given = points_at_table(plan, result.places)
        for number, place, more in zip(result.entrants, result.places, given, strict=True):
            points[number] += more
            won[number] += place == 1
            played[number] += 1
    return points, won, played


def _points_met(results: Iterable[Result], points: Mapping[int, Fraction]) -> Mapping[int, Fraction]:
    met = defaultdict[int, Fraction](Fraction)
    for result in results:
        total = sum((points[number] for number in result.entrants), Fraction(0))
        for number in result.entrants:
            met[number] += total - points[number]
    return met


def penalties_by_entrant(penalties: Iterable[Penalty]) -> Counter[int]:
    """Add up the points that each entrant loses by penalties that stand."""
    lost = Counter[int]()
    for each in penalties:
        lost[each.entrant] += 0 if each.is_lifted else each.points
    return lost


def _reached(rounds: Sequence[Round]) -> Counter[int]:
    reached = Counter[int]()
    for each in rounds:
        for number in (*(who for seating in each.seatings for who in seating.entrants), *each.byes):
            reached[number] = each.number
    return reached


def _last_places(results: Iterable[Result]) -> Mapping[tuple[int, int], int]:
    return {
        (result.round, number): place
        for result in results
        for number, place in zip(result.entrants, result.places, strict=True)
    }
