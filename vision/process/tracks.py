"""What was read is carried to where a card was moved; a clear look settles an earlier doubt in its place."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from vision.sightings import Sighting, likely_faces


def carry_names(gone: Sequence[Sighting], new: Sequence[Sighting]) -> list[Sighting]:
    """Name new cards that aren't sure after cards that are gone, where both say the same and nothing else does.

    The best guess must be the face of one card that is gone, and of no other one that has come.
    """
    left = Counter(card.face for card in gone if card.sure)
    came = Counter(_best_guess(card) for card in new)
    return [
        replace(card, face=guess, sure=True)
        if not card.sure and (guess := _best_guess(card)) is not None and left[guess] == came[guess] == 1
        else card
        for card in new
    ]


def _best_guess(card: Sighting) -> str | None:
    """Tell what a card is, or most likely is, if that is likely at all."""
    return card.face if card.sure else next(iter(likely_faces(card)), None)


def settles(was: Sighting, now: Sighting) -> bool:
    """Tell whether a clear look names what a card was thought to be before, without being sure."""
    return (
        not was.sure
        and now.sure
        and was.facing == now.facing
        and any(guess.face == now.face for guess in was.runners_up)
    )
