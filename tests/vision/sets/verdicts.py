"""What became of the cards of a photograph, by their truth."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from hardware.twin.rendering.renderer import CardTruth
from tests.vision.counting import is_flagged, pairs
from tests.vision.sets.kinds import face_in
from vision.sightings import Reading, Sighting

Verdict: TypeAlias = Literal["right", "unsure", "flagged", "missed", "wrong", "stranger", "named", "nothing"]
"""Of cards of the deck; of a stranger, left alone or named; of a name where no card lies."""
SEEN = 0.3
"""A card that is covered more isn't counted."""


def verdicts(truth: Sequence[CardTruth], reading: Reading, known: frozenset[str]) -> Iterator[Verdict]:
    """Judge a reading card by card."""
    matched = pairs(truth, reading.cards)
    for i, card in enumerate(truth):
        verdict = _verdict(card, matched.get(i), reading, known)
        if card.visible >= SEEN or verdict in {"wrong", "named"}:
            yield verdict
    met = [id(seen) for seen in matched.values()]
    for seen in reading.cards:
        if seen.sure and id(seen) not in met:
            yield "nothing"


def _verdict(truth: CardTruth, seen: Sighting | None, reading: Reading, known: frozenset[str]) -> Verdict:
    face = face_in(truth.face)
    if face not in known:
        return "named" if seen is not None and seen.sure else "stranger"
    if seen is None:
        return "flagged" if is_flagged(truth, reading) else "missed"
    if not seen.sure:
        return "unsure"
    return "right" if seen.face == face else "wrong"


def count_of_false_names(counts: Counter[Verdict]) -> int:
    """Count names that were told of another face, of a stranger, or of nothing."""
    return counts["wrong"] + counts["named"] + counts["nothing"]
