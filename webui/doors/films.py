"""What the pages are handed for sharing a match: a film as one file, a picture of how it ended."""

from collections.abc import Sequence
from typing import IO, Literal, Protocol

from msgspec import Struct


class FinalLine(Struct, frozen=True):
    """A player's line on the picture of the final score."""

    place: int
    name: str
    counts: str
    has_won: bool


class FinalScore(Struct, frozen=True):
    """What the picture of a final score shows."""

    game: str
    deck: str
    title: str
    result: str
    facts: str
    lines: tuple[FinalLine, ...]
    made_by: str


UnreadFile = Literal["busy", "too much", "no match"]
"""Why a file is no film: others are being played, it would take too long, or there is no match in it."""


class MatchFileDoor(Protocol):
    """Plays match files from phones, each in a process of its own that is ended when it takes too long."""

    def read(self, file: IO[bytes]) -> bytes | UnreadFile:
        """Give the film of a file, packed; this takes seconds and keeps nothing."""


class FilmDoor(Protocol):
    """Makes what is shared, in a process of its own; one thing at a time."""

    def film(self, record: Sequence[str], language: str, pictures_of: int | None = None) -> bytes | None:
        """Make a film as one HTML file, with the pictures kept of this match; None if it can't be made."""

    def score_card(self, record: Sequence[str], language: str) -> bytes | None:
        """Draw the final score as PNG of 1200 by 630 pixels, as chats show it; None if it can't be drawn."""
