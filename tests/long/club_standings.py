"""Who stands where after a Swiss evening, worked out from tables' own journals, by none of the club's code."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from referee.match import Match
from referee.record import read_record

POINTS, BYE = (6, 4, 2), 3


class Played(Struct, frozen=True):
    """A match that is over: who played, and the place of each."""

    names: tuple[str, ...]
    places: tuple[int, ...]


class Stands(Struct, frozen=True):
    """How a person stands; who has more of the first that differs stands higher."""

    points: Fraction
    won: int
    met: Fraction


def played_at(journal: Iterable[list[str]], people: frozenset[str]) -> Iterator[Played]:
    """Give the finished matches of a journal that these people have played, the first of the same people."""
    seen = set[frozenset[str]]()
    for lines in journal:
        match = read_record(lines).match
        if match is None or match.outcome is None or not people.issuperset(match.setup.names):
            continue
        if (who := frozenset(match.setup.names)) not in seen:
            seen.add(who)
            yield Played(match.setup.names, _places(match))


def _places(match: Match) -> tuple[int, ...]:
    found = {each.seat: each.place for each in match.setup.game.rules.standings(match.state)}
    return tuple(1 + sum(other < found[seat] for other in found.values()) for seat in sorted(found))


def stand(people: Iterable[str], played: Sequence[Played], rounds: int) -> dict[str, Stands]:
    """Add up points: who shares places shares their points, and who sat a round out has some for that."""
    count, won, points = Counter[str](), Counter[str](), defaultdict[str, Fraction](Fraction)
    for match in played:
        for name, place in zip(match.names, match.places, strict=True):
            count[name] += 1
            won[name] += place == 1
            points[name] += _points_of(place, match.places.count(place))
    total = {name: points[name] + BYE * (rounds - count[name]) for name in people}
    return {name: Stands(total[name], won[name], _met(name, played, total)) for name in total}


def _points_of(place: int, sharing: int) -> Fraction:
    return Fraction(sum(POINTS[place - 1 : place - 1 + sharing]), sharing)


def _met(name: str, played: Sequence[Played], total: dict[str, Fraction]) -> Fraction:
    others = (other for match in played if name in match.names for other in match.names if other != name)
    return sum((total[other] for other in others), Fraction(0))


def place_of(name: str, stands: dict[str, Stands]) -> int:
    """Count who stands higher."""
    own = stands[name]
    return 1 + sum(
        (each.points, each.won, each.met) > (own.points, own.won, own.met) for each in stands.values()
    )
