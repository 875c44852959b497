"""What became of the cards of photographs, by how each was named: surely, likely, or as a first guess."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path
from statistics import median
from time import process_time
from typing import Literal, TypeAlias

from msgspec import Struct, field

from hardware.twin.rendering.lens import Pixels
from tests.bench.measured import milliseconds, timed
from tests.hardware.twin.truth import CardTruth
from tests.vision.counting import Stated, best_face, pairs, stated_names, yardstick
from tests.vision.sets.kept import kept_photographs
from tests.vision.sets.kinds import face_in
from vision.reading.reader import read
from vision.reading.templates import Templates
from vision.sightings import Reading, Sighting, likely_face
from vision.teaching.folder_lessons import teach_from
from vision.teaching.tried_decks import prepare_deck

SEEN = 0.3  # a card that is covered more isn't counted

Naming: TypeAlias = Literal["sure", "likely", "guess"]
Outcome: TypeAlias = (
    tuple[Literal["right", "wrong", "stranger", "nothing"], Naming] | Literal["missed", "alone"]
)
"""What a card is, and how it was named: a face that was taught, a stranger, or no card at all. Cards that
weren't seen are missed, and strangers that weren't seen are left alone."""


def naming_of(seen: Sighting) -> Naming:
    return "sure" if seen.sure else "likely" if likely_face(seen) else "guess"


def outcomes(truth: Sequence[CardTruth], reading: Reading, known: frozenset[str]) -> Iterator[Outcome]:
    """Judge a reading card by card; cards that are mostly covered count only where they are named wrongly."""
    matched = pairs(truth, reading.cards)
    for i, card in enumerate(truth):
        outcome = _outcome(face_in(card.face), matched.get(i), known)
        if card.visible >= SEEN or outcome == ("wrong", "sure"):
            yield outcome
    met = {id(seen) for seen in matched.values()}
    for seen in reading.cards:
        if id(seen) not in met:
            yield ("nothing", naming_of(seen))


def _outcome(face: str, seen: Sighting | None, known: frozenset[str]) -> Outcome:
    if seen is None:
        return "missed" if face in known else "alone"
    if face not in known:
        return ("stranger", naming_of(seen))
    return ("right" if best_face(seen) == face else "wrong", naming_of(seen))


class Tally(Struct):
    """What photographs came to."""

    counts: Counter[Outcome] = field(default_factory=Counter)
    ratios: list[float] = []

    def add(self, other: "Tally") -> "Tally":
        return Tally(self.counts + other.counts, self.ratios + other.ratios)


def teach_deck(folder: Path, name: str) -> Templates:
    lesson = teach_from(folder, name)
    if lesson.missed_faces:
        print(f"{name}, {folder.parent.name}: not taught: {', '.join(lesson.missed_faces)}")
    return prepare_deck(lesson.taught.faces, lesson.taught.card)


def timed_reading(picture: Pixels, deck: Templates) -> tuple[Reading, float]:
    """Read a picture; give the time beside the yardstick's."""
    base = min(milliseconds(lambda: yardstick(picture), process_time) for _time in range(3))
    reading, spent = timed(lambda: read(picture, deck), process_time)
    return reading, spent / base


def judge_photographs(folder: Path, deck: Templates, known: frozenset[str], tally: Tally) -> Iterator[Stated]:
    """Read and tally the photographs of a folder; yield the stated names."""
    for shown in kept_photographs(folder):
        reading, ratio = timed_reading(shown.picture, deck)
        tally.counts.update(outcomes(shown.truth, reading, known))
        tally.ratios.append(ratio)
        yield from stated_names(shown.truth, reading, face_in)


HEADING = (
    f"{'deck':9} {'kind':9} {'cards':>5} {'sure':>6} {'wrong':>10} {'likely':>7} {'wrong':>9}"
    f" {'guess right':>12} {'missed':>6} {'strangers':>9} {'named':>5} {'likely':>6} {'nothing':>7}"
    f" {'likely':>6} {'ratio':>6}"
)


def row_line(deck: str, kind: str, tally: Tally) -> str:
    """Print a row: shares of all cards that were taught, and how many names were wrong of how many."""
    counts, ratio = tally.counts, median(tally.ratios or [nan])
    every: tuple[Naming, ...] = ("sure", "likely", "guess")
    sure, likely, guess = ((counts["right", how], counts["right", how] + counts["wrong", how]) for how in every)
    unsure = (likely[0] + guess[0], likely[1] + guess[1])
    cards = sure[1] + unsure[1] + counts["missed"]
    strangers = counts["alone"] + sum(counts["stranger", how] for how in every)
    return (
        f"{deck:9} {kind:9} {cards:>5} {_share(sure[1], cards):>6} {_wrong(sure):>10}"
        f" {_share(likely[1], cards):>7} {_wrong(likely):>9} {_share(*unsure):>12} {counts['missed']:>6}"
        f" {strangers:>9} {counts['stranger', 'sure']:>5} {counts['stranger', 'likely']:>6}"
        f" {counts['nothing', 'sure']:>7} {counts['nothing', 'likely']:>6} {ratio:>6.1f}"
    )


def _share(some: int, every: int) -> str:
    return f"{100 * some / every:.1f}%" if every else "-"


def _wrong(right_of: tuple[int, int]) -> str:
    right, every = right_of
    return f"{every - right} of {every}"
