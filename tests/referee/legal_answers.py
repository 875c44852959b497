"""All legal answers to what is asked, counted and listed."""

from collections.abc import Iterator
from itertools import combinations

from referee.contract import Answer, Ask, Choice, Number, Refusal, Show, Value
from referee.contract.cards import expand_counts
from referee.match import Match, hear


def legal_answers(match: Match) -> Iterator[Answer]:
    """List every legal answer: every value of every ask, from every seat that may give it."""
    for ask in match.asks:
        for seat in ask.seats or (None,):
            for value in _values(ask):
                yield Answer(match.number, ask.key, value, seat)


def _values(ask: Ask) -> list[Value]:
    match ask:
        case Number():
            return [number for number in range(ask.least, ask.most + 1) if number not in ask.barred]
        case Choice():
            return list(ask.options)
        case Show():
            return sorted(_handfuls(ask))
        case _:
            return [None]


def _handfuls(ask: Show) -> set[tuple[str, ...]]:
    """List the different handfuls of cards, whatever their order."""
    pool = expand_counts(ask.among)
    for face in ask.must:
        pool.remove(face)
    rest = combinations(pool, ask.count - len(ask.must))
    return {tuple(sorted((*ask.must, *cards))) for cards in rest}


def leaves(match: Match, depth: int, *, but: str = "") -> int:
    """Count the answers at a depth; where some ask stands, nothing is counted."""
    if but and any(ask.key == but for ask in match.asks):
        return 0
    if depth == 1:
        return sum(1 for _answer in legal_answers(match))
    total = 0
    for answer in legal_answers(match):
        after = hear(match, answer)
        assert not isinstance(after, Refusal)
        total += leaves(after, depth - 1, but=but)
    return total
