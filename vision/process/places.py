"""Where sightings lie, and which of them are the same card: in another picture, or by another camera."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.process.tracks import settles
from vision.sightings import Sighting

KnownBefore = list[Sighting | None]
"""The known card that each seen one is; None for a new one."""

NEAR = 0.35
"""How far a card may shift and still be in the same place, as a share of its longer side."""


def is_same_place(one: Sighting, other: Sighting) -> bool:
    """Tell whether two sightings lie in the same place."""
    return distance_between(one, other) < NEAR * longer_side(one)


def distance_between(one: Sighting, other: Sighting) -> float:
    """Measure how far apart the middles of two cards are."""
    return float(np.linalg.norm(middle_of(one) - middle_of(other)))


def longer_side(card: Sighting) -> float:
    """Measure a card's longer side."""
    corners = np.array(card.outline)
    return float(max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[1])))


def middle_of(card: Sighting) -> NDArray[np.float64]:
    """Give the middle of a card."""
    return np.asarray(np.mean(np.array(card.outline, np.float64), axis=0))


def pair_nearest(
    first: Sequence[Sighting], second: Sequence[Sighting], apart: Callable[[Sighting, Sighting], float | None]
) -> list[tuple[int, int]]:
    """Pair sightings one to one, the nearest first: two cards may lie on each other, and are two."""
    near = sorted(
        (distance, one, other)
        for one, was in enumerate(first)
        for other, now in enumerate(second)
        if (distance := apart(was, now)) is not None
    )
    pairs: list[tuple[int, int]] = []
    for _distance_apart, one, other in near:
        if all(one != was and other != now for was, now in pairs):
            pairs.append((one, other))
    return pairs


def partners_of(pairs: Iterable[tuple[int, int]], count: int) -> list[int | None]:
    """List the first of each pair by its second."""
    partner_of = {second: first for first, second in pairs}
    return [partner_of.get(number) for number in range(count)]


def known_before(known: Sequence[Sighting], seen: Sequence[Sighting]) -> KnownBefore:
    """Give the known card that each seen one is, if it is one."""
    partners = partners_of(pair_nearest(known, seen, _sameness), len(seen))
    return [None if number is None else known[number] for number in partners]


def missing_cards(known: Sequence[Sighting], was: KnownBefore) -> list[Sighting]:
    """List the known cards that none of the seen ones is."""
    return [card for card in known if all(card is not each for each in was)]


def _sameness(was: Sighting, now: Sighting) -> float | None:
    """Measure how far a card has shifted; None if it isn't the same one.

    Half covered it may be unsure, but not show another face; what surely lies face down was turned over.
    """
    if not is_same_place(was, now):
        return None
    if (was.face == now.face and was.facing == now.facing) or settles(was, now):
        return distance_between(was, now)
    could_be = not now.sure and any(other.face == was.face for other in now.runners_up)
    return distance_between(was, now) + longer_side(was) if could_be else None
