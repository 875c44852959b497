"""Assign tables' matches to seatings, recomputed for each request.

The results don't depend on the order in which matches arrive.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from club.tournament.entering import NEUTRAL
from club.tournament.values import Result, Round, Seating, Tournament, plain_places, sent_rounds
from referee.match import name_key


class PlayedMatch(Struct, frozen=True):
    """A finished match in the club; matches of a table are ordered by their numbers."""

    number: int
    table: str
    game: str
    names: Sequence[str]
    places: Sequence[int]
    heard: float  # when the club first received it, by the hub's own clock, because a table's may be wrong


def results_of(tournament: Tournament, matches: Iterable[PlayedMatch]) -> tuple[Result, ...]:
    """Return the results of seatings; the director's corrections take precedence over the table's results."""
    by_table = defaultdict[str, list[PlayedMatch]](list)
    for match in sorted(matches, key=lambda each: each.number):
        by_table[match.table].append(match)
    names = {each.number: each.name for each in tournament.entrants}
    found = (
        (_corrected(the_round, seating), _take_match(the_round, seating, names, by_table[seating.table]))
        for the_round in sent_rounds(tournament)
        for seating in the_round.seatings
    )
    return tuple(result for corrected, played in found if (result := corrected or played) is not None)


def seat_names(tournament: Tournament) -> Mapping[int, str]:
    """Return names as tables receive them, with the number for repeated names."""
    count = Counter(name_key(each.name) for each in tournament.entrants)
    return {
        each.number: each.name if count[name_key(each.name)] == 1 else f"{each.name} {each.number}"
        for each in tournament.entrants
    }


def _take_match(
    the_round: Round, seating: Seating, names: Mapping[int, str], matches: list[PlayedMatch]
) -> Result | None:
    """Use the first match of these people at this table, so that it counts for one round only."""
    known = [number for number in seating.entrants if names[number] != NEUTRAL]
    seats = _keys_of(known, names)
    for match in matches:
        found = [seats.get(name_key(name), 0) for name in match.names]
        # forgotten players get the remaining seats in order
        forgotten = (number for number in seating.entrants if number not in known)
        numbers = tuple(number or next(forgotten, 0) for number in found)
        if the_round.sent is None or match.heard < the_round.sent or match.game != seating.game:
            continue
        if sorted(numbers) == sorted(seating.entrants):
            matches.remove(match)
            return Result(
                the_round.number, seating.table, numbers, plain_places(match.places), match=match.number
            )
    return None


def _keys_of(entrants: Sequence[int], names: Mapping[int, str]) -> Mapping[str, int]:
    """Return the names a table may use for these people: with the number, or without if unambiguous."""
    alone = Counter(name_key(names[number]) for number in entrants)
    plain = {name_key(names[number]): number for number in entrants}
    return {
        **{key: number for key, number in plain.items() if alone[key] == 1},
        **{name_key(f"{names[number]} {number}"): number for number in entrants},
    }


def _corrected(the_round: Round, seating: Seating) -> Result | None:
    corrections = [each for each in the_round.corrections if each.table == seating.table]
    if not corrections or not corrections[-1].places:
        return None
    return Result(the_round.number, seating.table, seating.entrants, corrections[-1].places, is_corrected=True)
