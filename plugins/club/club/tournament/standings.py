"""Points and standings.

Points are awarded for places; shared places split their points evenly. Ties are broken by tables won, then by
the opponents' points; remaining ties share the place.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from club.tournament.values import Plan, Result, Tournament, sent_rounds


class Standing(Struct, frozen=True):
    """An entrant's standing."""

    place: int
    number: int
    name: str
    points: Fraction
    won: int  # number of tables without a higher-placed player
    met: Fraction  # the sum of the opponents' points; repeated opponents count repeatedly
    played: int
    byes: int
    penalty: int
    moved: int | None = None  # places gained or lost since the previous round
    is_here: bool = True


def points_at_table(plan: Plan, places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return each seat's points; shared places split the points of the places that they cover."""
    shared = Counter(places)
    taken = (plan.points[place - 1 : place - 1 + shared[place]] for place in places)
    return tuple(Fraction(sum(points), shared[place]) for points, place in zip(taken, places, strict=True))


def standings_of(tournament: Tournament, results: Iterable[Result]) -> tuple[Standing, ...]:
    """Return all entrants in order, the first on top; ties share a place."""
    plan, results, rounds = tournament.plan, tuple(results), sent_rounds(tournament)
    byes = Counter(number for each in rounds for number in each.byes)
    penalties = Counter[int]()
    for each in tournament.penalties:
        penalties[each.entrant] += 0 if each.is_lifted else each.points
    points, won, played = _points_played(plan, results)
    own = {
        each.number: points[each.number] + byes[each.number] * plan.bye - penalties[each.number]
        for each in tournament.entrants
    }
    met = defaultdict[int, Fraction](Fraction)
    for result in results:
        total = sum((own[number] for number in result.entrants), Fraction(0))
        for number in result.entrants:
            met[number] += total - own[number]
    keys = {number: (own[number], won[number], met[number]) for number in own}
    better = sorted(keys.values(), reverse=True)
    first = {key: better.index(key) + 1 for key in set(better)}
    standings = (
        Standing(
            first[keys[who.number]],
            who.number,
            who.name,
            own[who.number],
            won[who.number],
            met[who.number],
            played[who.number],
            byes[who.number],
            penalties[who.number],
            is_here=who.is_here,
        )
        for who in tournament.entrants
    )
    return tuple(sorted(standings, key=lambda each: (each.place, each.number)))


def with_moves(
    standings: Iterable[Standing], tournament: Tournament, results: Iterable[Result]
) -> tuple[Standing, ...]:
    """Add the places gained or lost in the newest round; none before the second."""
    *earlier, _newest = sent_rounds(tournament) or (None,)
    if not earlier:
        return tuple(standings)
    shorter = Tournament(tournament.plan, tournament.entrants, tuple(earlier), tournament.penalties)
    numbers = {each.number for each in earlier}
    before = {
        each.number: each.place
        for each in standings_of(shorter, (each for each in results if each.round in numbers))
    }
    return tuple(replace(each, moved=before[each.number] - each.place) for each in standings)


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
