"""What the pages are handed for sharing a match: a film as one file, a picture of how it ended."""

from collections.abc import Sequence
from typing import Protocol


class FilmDoor(Protocol):
    """Makes what is shared, in a process of its own; one thing at a time."""

    def film(self, record: Sequence[str], language: str, pictures_of: int | None = None) -> bytes | None:
        """Make a film as one HTML file, with the pictures kept of this match; None if it can't be made."""

    def score_card(self, record: Sequence[str], language: str) -> bytes | None:
        """Draw the final score as PNG of 1200 by 630 pixels, as chats show it; None if it can't be drawn."""
