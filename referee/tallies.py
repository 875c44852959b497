"""Facts that count a seat's actions, separately for each person who sat there. Pure."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from msgspec.structs import replace

from referee.contract import Fact, Tally
from referee.match import Match, moments
from referee.seatings import Seatings
from referee.showing import board_of

Tallies = Mapping[tuple[str, int | None], Fact]


def own_facts(match: Match, seatings: Seatings, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Reduce tallies to the actions of the person seated now; a tally of zero is omitted."""
    if not seatings.has_changes:
        return tuple(facts)
    changed = [number for number, _names in seatings.changes]
    boards = {each.number: board_of(each).facts for each in moments(match) if each.number in changed}
    then: list[Tallies] = [
        {(fact.key, fact.seat): fact for fact in boards.get(number, ()) if _is_tally(fact)}
        for number in changed
    ]
    counted = (_own(fact, seatings, then) if _is_tally(fact) else fact for fact in facts)
    return tuple(fact for fact in counted if fact is not None)


def _is_tally(fact: Fact) -> bool:
    return any(isinstance(value, Tally) for value in fact.values.values())


def _own(fact: Fact, seatings: Seatings, then: list[Tallies]) -> Fact | None:
    seat, place = fact.seat or 0, (fact.key, fact.seat)
    stays = zip(seatings.changes, pairwise([*(each.get(place) for each in then), fact]), strict=True)
    own = [stay for (_since, names), stay in stays if names[seat] == seatings.names[seat]]
    values = {
        name: Tally(sum(_count(until, name) - _count(since, name) for since, until in own))
        for name in fact.values
    }
    return replace(fact, values=values) if any(each.value for each in values.values()) else None


def _count(fact: Fact | None, name: str) -> int:
    value = None if fact is None else fact.values.get(name)
    return value.value if isinstance(value, Tally) else 0
