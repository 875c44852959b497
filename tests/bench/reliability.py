"""How far stated probabilities hold: of the names that were given so much, how many were right."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from vision.sightings import Sighting

STEPS = (0.0, 0.5, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.001)
"""Where the classes of stated probabilities begin and end."""
WIDE = 20
"""The letters of a bar that stands for all."""


class Stated(Struct, frozen=True):
    """A stated probability, and whether the name was right."""

    chance: float
    right: bool


class Reliability(Struct, frozen=True):
    """The names whose probability lies in a class: how many, the mean of what was stated, and how many held."""

    deck: str
    least: float
    names: int
    stated: float
    right: int


def best_face(seen: Sighting) -> str | None:
    """Give the face that a sighting's probability is of."""
    if seen.sure or seen.facing == "down" or not seen.runners_up:
        return seen.face
    return seen.runners_up[0].face


def reliability(deck: str, stated: Sequence[Stated]) -> Iterator[Reliability]:
    """Sort what was stated into classes."""
    for least, most in pairwise(STEPS):
        some = [each for each in stated if least <= each.chance < most]
        if some:
            mean = sum(each.chance for each in some) / len(some)
            yield Reliability(deck, least, len(some), round(mean, 4), sum(each.right for each in some))


def reliability_lines(rows: Iterable[Reliability]) -> Iterator[str]:
    """Draw the diagram: what was stated, what held, and a bar of it."""
    yield "of the names stated with a probability, how many were right"
    yield f"{'deck':16} {'from':>6} {'names':>6} {'stated':>8} {'right':>8}"
    for row in rows:
        share = row.right / row.names
        bar = "#" * round(WIDE * share)
        shares = f"{100 * row.stated:>7.2f}% {100 * share:>7.2f}%"
        yield f"{row.deck:16} {row.least:>6} {row.names:>6} {shares} {bar}"


def all_reliability(by_deck: Mapping[str, Sequence[Stated]]) -> tuple[Reliability, ...]:
    """Sort what was stated of each deck."""
    return tuple(row for deck, stated in sorted(by_deck.items()) for row in reliability(deck, stated))
