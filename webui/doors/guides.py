"""Guides for the host: finding the table and teaching a deck.

Actions return None, or a message about what went wrong.
"""

from typing import Literal, Protocol

from msgspec import Struct

from webui.doors.messages import TableMessage

Point = tuple[float, float]
Outline = tuple[Point, ...]


class TablePart(Struct, frozen=True):
    """A part of the table in the picture, with a place for its label."""

    name: str
    """The zone's name, such as "seat 1" or "centre"."""
    outline: Outline
    middle: Point


class FindingProgress(Struct, frozen=True):
    """The progress of finding the table."""

    is_open: bool = False
    is_kept: bool = False
    """A table is saved, from now or from earlier."""
    photograph: int = 0
    """The number of the photograph; 0 if none was taken."""
    size: tuple[int, int] = (0, 0)
    markers: tuple[Outline, ...] = ()
    parts: tuple[TablePart, ...] = ()
    """The parts of the table, if it was found."""
    apart: Point | None = None
    """The distances between the corners that the host typed, in millimetres: across and down."""
    wrong: tuple[TableMessage, ...] = ()


class FindingTable(Protocol):
    """Finds the table step by step; the table is paused meanwhile."""

    def sight(self) -> FindingProgress:
        """Give the progress."""

    def open(self) -> TableMessage | None:
        """Start."""

    def close(self) -> TableMessage | None:
        """Stop and leave the table as it was."""

    def find(self, apart: Point | None) -> TableMessage | None:
        """Take a picture and look for the markers; their distances may be known."""

    def tap(self, taps: tuple[Point, ...], apart: Point) -> TableMessage | None:
        """Use four points of the picture as the corners of a rectangle."""

    def turn(self) -> TableMessage | None:
        """Move every seat on by one place."""

    def keep(self, *, is_empty: bool) -> TableMessage | None:
        """Save the table that was found, with its picture if it is empty, and stop."""

    def photograph(self) -> bytes | None:
        """Give the picture that was taken, as a small JPEG."""


class TeachableDeck(Struct, frozen=True):
    """A deck that can be taught."""

    name: str
    game: str
    edition: str
    """Empty if the game has no editions."""
    faces: int
    taught: int
    """Faces that are taught and saved."""
    drafted: int
    """Faces that are taught but not saved."""
    has_draft: bool = False


class LessonFace(Struct, frozen=True):
    """A face of the deck being taught."""

    name: str
    count: int
    state: Literal["missing", "drafted", "taught"]
    shot: str = ""
    """The name of the picture that the camera took of it; empty if there is none."""


class LookalikePair(Struct, frozen=True):
    """Two faces that look alike; the same face twice if it looks alike upside down."""

    first: str
    second: str


class TeachingProgress(Struct, frozen=True):
    """The progress of teaching a deck."""

    deck: TeachableDeck
    faces: tuple[LessonFace, ...]
    task: Literal["bare", "lay", "turn", "away", "done"]
    """The next step: clear the table, lay a card, move it, take it away, or nothing more."""
    face: str
    """The face of this step, if any."""
    placed: int
    most: int
    """Places of this face so far, and how many there will be."""
    saw: str
    """What was seen last: empty, card, several, unclear, reaching, upright, another card, or nothing."""
    alike: str = ""
    """Another face that this card looks like."""
    wrong: tuple[TableMessage, ...] = ()
    size: tuple[int, int] = (0, 0)
    outline: Outline = ()
    """The card's outline in the picture."""
    pairs: tuple[LookalikePair, ...] = ()
    """Faces that a reader may confuse, known at the end."""


class TeachingDeck(Protocol):
    """Teaches a deck card by card; the table is paused meanwhile."""

    def decks(self) -> tuple[TeachableDeck, ...]:
        """List the decks that can be taught."""

    def lesson(self) -> TeachingProgress | None:
        """Give the progress; None if no deck is being taught."""

    def picture(self, shot: str) -> bytes | None:
        """Give a picture that was taken of a face of this deck, as a small JPEG."""

    def open(self, deck: str) -> TableMessage | None:
        """Start a deck, or continue it."""

    def close(self) -> TableMessage | None:
        """Stop; what was taught stays as a draft."""

    def bare(self) -> TableMessage | None:
        """Take the table for empty."""

    def back(self) -> TableMessage | None:
        """Forget the last placement, or go back to the previous face."""

    def skip(self) -> TableMessage | None:
        """Skip this face for now."""

    def again(self, face: str) -> TableMessage | None:
        """Teach this face next, even if it was taught before."""

    def count(self, face: str, number: int) -> TableMessage | None:
        """Set how many of a face are in the box."""

    def save(self) -> TableMessage | None:
        """Save everything that was taught, and stop."""

    def discard(self, deck: str) -> TableMessage | None:
        """Discard a deck's draft."""


class Guides(Struct, frozen=True, eq=False):
    """The two guides."""

    table: FindingTable
    teaching: TeachingDeck
