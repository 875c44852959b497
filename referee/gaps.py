"""Recovery of a missing record line: try all legal answers until the result no longer depends on it.

If that fails, the host supplies the answer: a correction at the end of the record, which replaces the missing
line when the record is read.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice
from math import comb

from msgspec import Struct, UnsetType

from referee.contract import Answer, Ask, Choice, Number, Refusal, Show, Value
from referee.contract.cards import expand_counts
from referee.match import Correct, Entry, Match, TakeBack, hear

MAX_CANDIDATES = 12_000
"""Maximum number of candidate answers for a missing line; beyond it, the rest can't be recovered."""
MAX_COMBINATIONS = 100_000
"""Maximum number of card combinations to try; beyond it, the search could miss the actual cards."""
MAX_LINES_AFTER_GAP = 60  # lines after a gap within which all candidates must agree


class Gap(Struct, frozen=True):
    """A missing line, the number of answers that fit it, and the line from which the result is certain."""

    line: int
    fits: int
    certain_from: int
    is_from_host: bool = False


class BridgedGap(Struct, frozen=True):
    """A match continued past a gap, with one of the fitting answers in its place."""

    match: Match
    fits: int
    fed: int  # lines read until the result no longer depended on the missing one


def with_host_answer(before: Match, correction: Correct) -> Match | None:
    """Apply the host's answer for a missing line, if it is legal there."""
    value, seat, owners = correction.value, correction.seat, correction.owners
    if isinstance(value, UnsetType):
        return None
    answers = (Answer(before.number, ask.key, value, seat, owners=owners) for ask in before.asks)
    heard = (hear(before, answer) for answer in answers)
    return next((after for after in heard if isinstance(after, Match)), None)


def bridge_gap(before: Match, later: Iterable[Entry]) -> BridgedGap | None:
    """Continue past one missing line if every fitting answer leads to the same result."""
    if any(isinstance(ask, Show) and count_combinations(ask) > MAX_COMBINATIONS for ask in before.asks):
        return None
    possible = list(islice(_after_any(before), MAX_CANDIDATES + 1))
    if len(possible) > MAX_CANDIDATES:
        return None
    for fed, entry in enumerate(islice(later, MAX_LINES_AFTER_GAP), 1):
        heard = (hear(match, entry) for match in possible)
        possible = [match for match in heard if isinstance(match, Match)]
        if not possible:
            return None
        first = possible[0]
        if all(match.state == first.state and match.asks == first.asks for match in possible[1:]):
            return BridgedGap(first, len(possible), fed)
    return None


def _after_any(before: Match) -> Iterator[Match]:
    """Yield the match after each legal answer and each legal take-back."""
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
    """Return the number of card selections that satisfy an ask; several may show the same faces."""
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
