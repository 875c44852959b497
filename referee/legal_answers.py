"""All legal answers to what is asked, listed one by one."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb

from referee.contract import Answer, Ask, Choice, Number, Show, Value
from referee.contract.cards import expand_counts
from referee.match import Match


def legal_answers(match: Match) -> Iterator[Answer]:
    """List every legal answer: every value of every ask, from every seat that may give it."""
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
            return sorted(_handfuls(ask))
        case _:
            return (None,)


def _handfuls(ask: Show) -> set[tuple[str, ...]]:
    """List the different handfuls of cards, whatever their order."""
    pool = expand_counts(ask.among)
    for face in ask.must:
        pool.remove(face)
    rest = combinations(pool, ask.count - len(ask.must))
    return {tuple(sorted((*ask.must, *cards))) for cards in rest}
