"""Compare readings with known truth: verdicts of cards, and reliability of stated probabilities."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

import cv2
import numpy as np
from msgspec import Struct

from tests.hardware.twin.truth import CardTruth
from vision.reading.views import Picture
from vision.sightings import Reading, Sighting

VERDICTS = ("right", "unsure", "flagged", "missed", "wrong")
STEPS = (0.0, 0.5, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.001)
"""Bounds of the classes of stated probabilities."""
WIDE = 20  # the letters of a bar that stands for all


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
    """Return the face that a sighting's probability refers to."""
    if seen.sure or seen.facing == "down" or not seen.runners_up:
        return seen.face
    return seen.runners_up[0].face


def stated_names(
    truth: Sequence[CardTruth], reading: Reading, name: Callable[[str | None], str | None] = lambda face: face
) -> Iterator[Stated]:
    """List the probabilities that a reading states, also of nothing, and which of its names are right."""
    faces = {id(seen): name(truth[i].face) for i, seen in pairs(truth, reading.cards).items()}
    for seen in reading.cards:
        if seen.chance is not None:
            yield Stated(seen.chance, id(seen) in faces and best_face(seen) == faces[id(seen)])


def reliability(deck: str, stated: Sequence[Stated]) -> Iterator[Reliability]:
    for least, most in pairwise(STEPS):
        some = [each for each in stated if least <= each.chance < most]
        if some:
            mean = sum(each.chance for each in some) / len(some)
            yield Reliability(deck, least, len(some), round(mean, 4), sum(each.right for each in some))


def reliability_lines(rows: Iterable[Reliability]) -> Iterator[str]:
    yield "of the names stated with a probability, how many were right"
    yield f"{'deck':16} {'from':>6} {'names':>6} {'stated':>8} {'right':>8}"
    for row in rows:
        share = row.right / row.names
        bar = "#" * round(WIDE * share)
        shares = f"{100 * row.stated:>7.2f}% {100 * share:>7.2f}%"
        yield f"{row.deck:16} {row.least:>6} {row.names:>6} {shares} {bar}"


def all_reliability(by_deck: Mapping[str, Sequence[Stated]]) -> tuple[Reliability, ...]:
    return tuple(row for deck, stated in sorted(by_deck.items()) for row in reliability(deck, stated))


def pairs(truth: Sequence[CardTruth], cards: Sequence[Sighting], within: float = 1 / 3) -> dict[int, Sighting]:
    """Match each true card with the nearest sighting, at most `within` card widths away."""
    far = [
        (away, i, j)
        for i, card in enumerate(truth)
        for j, seen in enumerate(cards)
        if (away := _distance(card, seen)) < within
    ]
    found: dict[int, int] = {}
    for _away_by, i, j in sorted(far):
        if i not in found and j not in found.values():
            found[i] = j
    return {i: cards[j] for i, j in found.items()}


def _distance(card: CardTruth, seen: Sighting) -> float:
    """Return the distance of the centres in card widths."""
    outline = np.array(card.outline)
    width = float(np.hypot(*(outline[0] - outline[1])))
    return float(np.hypot(*(outline.mean(axis=0) - np.array(seen.outline).mean(axis=0)))) / width


def verdict_of(truth: CardTruth, seen: Sighting | None, reading: Reading) -> str:
    if seen is None:
        return "flagged" if is_flagged(truth, reading) else "missed"
    if not seen.sure:
        return "unsure"
    return "right" if (seen.face, seen.facing) == (truth.face, truth.facing) else "wrong"


def verdict_columns(told: Mapping[str, int]) -> dict[str, float]:
    """Return the count per verdict and the share that is right; flagged cards are in unexplained objects."""
    counts = {verdict: told.get(verdict, 0) for verdict in VERDICTS}
    cards = sum(counts.values())
    return {"cards": cards, **counts, "right_percent": round(100 * counts["right"] / max(1, cards), 2)}


def is_flagged(truth: CardTruth, reading: Reading) -> bool:
    x, y = np.array(truth.outline).mean(axis=0).tolist()
    return any(
        cv2.pointPolygonTest(np.array(some.outline, np.float32), (x, y), measureDist=False) >= 0
        for some in reading.unexplained
    )


def times_the_yardstick(pictures: Iterable[Sequence[tuple[float, float]]]) -> str:
    """Return the median time of pictures in yardsticks, and its range over rounds of (time, yardstick)."""
    rounds = [tuple(map(median, zip(*each, strict=True))) for each in zip(*pictures, strict=True)]
    times = sorted(spent / base for spent, base in rounds)
    return f"{median(times):.1f} times, {times[0]:.1f}-{times[-1]:.1f}"


def yardstick(picture: Picture) -> object:
    """Do the first step of any reader, as a unit for measured times."""
    grey = cv2.cvtColor(np.asarray(picture), cv2.COLOR_BGR2GRAY)
    _level, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
