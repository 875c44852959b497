"""A record with a missing line: all answers that fit are tried together until nothing depends on them.

Where that isn't enough, the host says what the answer was: a correction at the end of the record, which stands
in the place of the missing line when the record is read.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice
from math import comb

from msgspec import Struct, UnsetType

from referee.contract import Answer, Ask, Choice, Number, Refusal, Show, Value
from referee.contract.cards import expand_counts
from referee.match import Correct, Entry, Match, TakeBack, hear

MOST_TRIED = 12_000
"""Answers that are tried in the place of a missing one; where there are more, the rest can't be read."""
MOST_COMBINED = 100_000
"""Ways to lay cards that are tried; where there are more, a handful that was laid might be left out."""
MOST_FED = 60  # lines after a gap in which they have to come to the same


class Gap(Struct, frozen=True):
    """A line that was missing, how many answers fit there, and the line from which all is certain again."""

    line: int
    fits: int
    certain_from: int
    is_said: bool = False


class BridgedGap(Struct, frozen=True):
    """A match past a gap: one of the answers that fit stands in it."""

    match: Match
    fits: int
    fed: int  # how many lines were read until nothing depended on the missing one


def said_instead(before: Match, said: Correct) -> Match | None:
    """Enter what the host says that was answered, if that is legal there."""
    if isinstance(said.value, UnsetType):
        return None
    answers = (Answer(before.number, ask.key, said.value, said.seat, owners=said.owners) for ask in before.asks)
    heard = (hear(before, answer) for answer in answers)
    return next((after for after in heard if isinstance(after, Match)), None)


def bridge_gap(before: Match, later: Iterable[Entry]) -> BridgedGap | None:
    """Read on past one missing line, if what follows comes to the same with every answer that fits there."""
    if any(isinstance(ask, Show) and count_combinations(ask) > MOST_COMBINED for ask in before.asks):
        return None
    possible = list(islice(_after_any(before), MOST_TRIED + 1))
    if len(possible) > MOST_TRIED:
        return None
    for fed, entry in enumerate(islice(later, MOST_FED), 1):
        heard = (hear(match, entry) for match in possible)
        possible = [match for match in heard if isinstance(match, Match)]
        if not possible:
            return None
        first = possible[0]
        if all(match.state == first.state and match.asks == first.asks for match in possible[1:]):
            return BridgedGap(first, len(possible), fed)
    return None


def _after_any(before: Match) -> Iterator[Match]:
    """Enter each answer that is legal, and each way to take the last one back."""
    seats = (None, *range(len(before.setup.names)))
    backs: Iterator[Entry] = (TakeBack(before.number, seat) for seat in seats)
    for entry in chain[Entry](legal_answers(before), backs):
        after = hear(before, entry)
        if not isinstance(after, Refusal):
            yield after


def legal_answers(match: Match) -> Iterator[Answer]:
    for ask in match.asks:
        for seat in ask.seats or (None,):
            for value in _values(ask):
                yield Answer(match.number, ask.key, value, seat)


def count_combinations(ask: Show) -> int:
    """Count the ways to lay what an ask wants, of which many show the same cards."""
    return comb(sum(ask.among.values()) - len(ask.must), ask.count - len(ask.must))


def _values(ask: Ask) -> Iterable[Value]:
    match ask:
        case Number():
            return (number for number in range(ask.least, ask.most + 1) if number not in ask.barred)
        case Choice():
            return ask.options
        case Show():
            pool = expand_counts(ask.among)
            for face in ask.must:
                pool.remove(face)
            rest = combinations(pool, ask.count - len(ask.must))
            return sorted({tuple(sorted((*ask.must, *cards))) for cards in rest})
        case _:
            return (None,)
