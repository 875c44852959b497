"""A deck that is being taught, as it is kept: each face at once."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from vision.table.calibration import Picture
from vision.teaching.lessons import Course
from vision.teaching.taught_decks import TaughtDeck, card_size_for, save_deck


class DeckToTeach(Struct, frozen=True):
    """The deck that is taught: what is known of it before."""

    name: str
    folder: Path
    faces: Mapping[str, int]
    """Faces to teach, and how many of each there are; without any, people name them."""
    card: tuple[float, float] | None


def keep_new(deck: DeckToTeach, before: Course, after: Course, counts: Mapping[str, int]) -> None:
    """Keep the faces that a step has taught."""
    new = {face: some for face, some in after.taught.items() if before.taught.get(face) is not some}
    if new:
        save_deck(
            TaughtDeck(deck.name, _size(deck, new), {face: counts.get(face, 1) for face in new}, new),
            deck.folder,
        )


def _size(deck: DeckToTeach, taught: Mapping[str, tuple[Picture, ...]]) -> tuple[float, float]:
    """Tell how large the cards are, judging by their shape unless it was given."""
    high, wide = next(iter(taught.values()))[0].shape[:2]
    return deck.card or card_size_for(wide / high)
