"""Helpers for coaches: known cards of hidden hands, deal counts, and the best possible turn.

A hand certainly held the cards that went into it in public and those revealed later. Other cards are counted
over all possible deals; turns are searched until chance or another player intervenes. What lies beyond is
measured by playing on with bots, and few measurements promise only as much as they can.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import comb, factorial, prod, sqrt
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Move, Zone
from referee.contract.asks import Answer, Ruling, Value
from referee.contract.coaching import Chance, HeardAnswer, Laboratory, Line

Moves = Callable[[Any, Ruling], tuple[Move, ...]]


def cards_held(line: Line, moves: Moves, hand: Zone) -> Sequence[tuple[str, ...]]:
    """Return for each answer the cards that a hand certainly held before it."""
    seen, held, known = cards_seen(line, moves, hand), list[tuple[str, ...]](), Counter[str]()
    for heard, open_to_all in zip(reversed(line), reversed(seen), strict=True):
        # moves are undone: a card drawn unseen may be any of those known later
        for move in reversed(_moves_of(heard, moves)):
            known = _less(known, move) if move.target == hand else known
            known = known + Counter(move.faces) if move.source == hand else known
        held.append(tuple(sorted((known | Counter(open_to_all)).elements())))
    return held[::-1]


def cards_seen(line: Line, moves: Moves, hand: Zone) -> Sequence[tuple[str, ...]]:
    """Return for each answer the cards publicly known to be in a hand before it."""
    seen, known = list[tuple[str, ...]](), Counter[str]()
    for heard in line:
        seen.append(tuple(sorted(known.elements())))
        # moves are applied: a card that left unseen may be any of those known before
        for move in _moves_of(heard, moves):
            known = _less(known, move) if move.source == hand else known
            known = known + Counter(move.faces) if move.target == hand else known
    return seen


def _moves_of(heard: HeardAnswer, moves: Moves) -> list[Move]:
    return [move for ruling in heard.rulings for move in moves(heard.after, ruling)]


def _less(known: Counter[str], move: Move) -> Counter[str]:
    """Remove a move's cards from the known ones; unseen cards may all have the same face."""
    if move.faces:
        return known - Counter(move.faces)
    if move.count is None:
        return Counter()
    return Counter({face: count - move.count for face, count in known.items() if count > move.count})


Room = tuple[int, ...]
"""Number of cards that each place still needs."""


def ways_to_deal(cards: Mapping[frozenset[int], int], room: Room) -> int:
    """Return the number of ways to fill places, if each group of cards may only go to certain places."""
    *bound, (free, _count) = sorted(cards.items(), key=lambda kind: len(kind[0])) or [(frozenset[int](), 0)]
    found = Counter({room: 1})
    for places, count in bound:
        spread = Counter[Room]()
        for left, ways in found.items():
            for after, more in _spread(count, sorted(places), left):
                spread[after] += ways * more
        found = spread
    return sum(ways * _fill(left, free) for left, ways in found.items())


def _spread(count: int, places: list[int], room: Room) -> Iterator[tuple[Room, int]]:
    """Yield all ways to put cards into some places: the remaining room, and the number of ways."""
    if not places:
        if not count:
            yield room, 1
        return
    place, *others = places
    for here in range(min(count, room[place]) + 1):
        after = (*room[:place], room[place] - here, *room[place + 1 :])
        for left, ways in _spread(count - here, others, after):
            yield left, ways * comb(count, here)


def _fill(room: Room, places: frozenset[int]) -> int:
    if any(left and place not in places for place, left in enumerate(room)):
        return 0
    return factorial(sum(room)) // prod(map(factorial, room))


def variance(values: Sequence[float]) -> float:
    """Return the variance of the distribution that values are drawn from; 0 for a single one."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)


def shuffled(cards: Sequence[str], chance: Chance) -> list[str]:
    """Return the cards in random order."""
    mixed = list(cards)
    for place in range(len(mixed) - 1, 0, -1):
        other = int(chance.random() * (place + 1))
        mixed[place], mixed[other] = mixed[other], mixed[place]
    return mixed


# Playing on: answers are compared by what each brings when bots play on, with hidden cards dealt anew.

CERTAIN = 1.96  # quantile of the normal distribution, in standard errors
POOLED = 4
"""Number of deals that the noise of all samples counts for in each: ten deals alone may be equal by chance."""


class Contest(Struct, frozen=True):
    """A decision with other answers to compare; `play` deals anew and returns what each answer brings."""

    chosen: Value
    others: tuple[Value, ...]
    play: Callable[[Sequence[Value]], Sequence[float]]


class Gain(Struct, frozen=True):
    """The expected gain of an answer over the chosen one, and half of its 95 % interval."""

    value: Value
    mean: float
    margin: float

    @property
    def is_certain(self) -> bool:
        return self.mean > self.margin


def contest_of(
    heard: HeardAnswer,
    others: tuple[Value, ...],
    laboratory: Laboratory,
    deal: Callable[[Chance], Mapping[Zone, tuple[str, ...]]],
    is_over: Callable[[Any], bool],
    worth: Callable[[Any], float],
) -> Contest:
    """Compare an answer with others by playing on until a state is over; `deal` deals the hidden cards."""
    chance = laboratory.chance(heard.moment)

    def play(values: Sequence[Value]) -> Sequence[float]:
        places, seed = deal(chance), chance.random()
        answers = (replace(heard.answer, value=value, owners=(), tied=()) for value in values)
        ends = (laboratory.play_until(heard.state, places, each, is_over, seed) for each in answers)
        return [worth(end) for end in ends]

    return Contest(heard.answer.value, others, play)


def best_gains(contests: Sequence[Contest], deals: int, more: int, spread: float) -> list[Gain | None]:
    """Return the gain of each contest's best other answer; None where no other looks better.

    The best answer is chosen by a few deals, and its gain is measured by `more` new ones: the deals that
    made it look best were lucky ones. `spread` is the standard deviation of such gains in many matches.
    """
    best = [_most_promising(contest, deals) for contest in contests]
    found = [(contest, other) for contest, other in zip(contests, best, strict=True) if other is not None]
    samples = [_gains(contest, (other,), more)[other] for contest, other in found]
    expected = iter(expected_gains(samples, spread))
    return [None if other is None else Gain(other, *next(expected)) for other in best]


def _most_promising(contest: Contest, deals: int) -> Value:
    """Return the other answer with the largest gain; None if no gain is positive."""
    sums = {other: sum(gains) for other, gains in _gains(contest, contest.others, deals).items()}
    best = max(sums, key=sums.__getitem__, default=None)
    return best if best is not None and sums[best] > 0 else None


def _gains(contest: Contest, others: Sequence[Value], deals: int) -> dict[Value, list[float]]:
    """Return the gains of other answers over the chosen one, deal by deal."""
    found: dict[Value, list[float]] = {other: [] for other in others}
    for _deal in range(deals):
        chosen, *worths = contest.play((contest.chosen, *others))
        for other, worth in zip(others, worths, strict=True):
            found[other].append(worth - chosen)
    return found


def expected_gains(samples: Sequence[Sequence[float]], spread: float) -> list[tuple[float, float]]:
    """Return the expected true gain of each sample, and half of its 95 % interval.

    The largest of many measured gains are mostly lucky ones. So each is drawn towards 0, the more the larger
    its noise is beside the spread of true gains (Bayes' rule for normal distributions).
    """
    noise = sum(variance(gains) for gains in samples) / max(1, len(samples))
    errors = [_error(gains, noise) for gains in samples]
    trusts = [spread**2 / (spread**2 + error**2) for error in errors]
    return [
        (trust * sum(gains) / len(gains), CERTAIN * error * sqrt(trust))
        for gains, error, trust in zip(samples, errors, trusts, strict=True)
    ]


def _error(gains: Sequence[float], noise: float) -> float:
    """Return the standard error of a mean gain, by its own variance and that of all samples together."""
    own = len(gains) - 1
    return sqrt((own * variance(gains) + POOLED * noise) / (own + POOLED) / len(gains))


Node = TypeVar("Node")


class TurnTree(Struct, Generic[Node], frozen=True):
    """A turn as a search tree: the moves from a node with their results, and a node's value."""

    moves: Callable[[Node], Iterable[tuple[Answer, Node]]]
    worth: Callable[[Node], float]


class BestTurn(Struct, frozen=True):
    """The best reachable value, and whether the search was complete."""

    worth: float
    is_exact: bool
    tried: int


Points = TypeVar("Points", int, float)


def lead_of(points: Sequence[Points], seat: int) -> Points:
    """Return a seat's lead over the best other seat; negative if behind."""
    return points[seat] - max(each for other, each in enumerate(points) if other != seat)


def best_turn(tree: TurnTree[Node], node: Node, most: int) -> BestTurn:
    """Return the best value reachable from a node, searching at most `most` nodes."""
    best, tried, is_exact, is_end = float("-inf"), 1, True, True
    for _answer, after in tree.moves(node):
        is_end = False
        if tried >= most:
            is_exact = False
            break
        found = best_turn(tree, after, most - tried)
        best, tried, is_exact = max(best, found.worth), tried + found.tried, is_exact and found.is_exact
    return BestTurn(tree.worth(node) if is_end else best, is_exact, tried)
