"""Guides for the host: finding the table and teaching a deck.

Actions return None, or a message about what went wrong.
"""

from typing import Literal, Protocol

from msgspec import Struct

from firmware.table.door import LastingTrouble

Point = tuple[float, float]
Outline = tuple[Point, ...]


class TablePart(Struct, frozen=True):
    """A part of the table in the picture, with a place for its label."""

    name: str
    """The zone's name, such as "seat 1" or "centre"."""
    outline: Outline
    middle: Point


class Gauge(Struct, frozen=True):
    """How good something is: a share of 100, good between 55 and 92, and in a word."""

    part: Literal["markers", "focus", "light"]
    share: float
    word: Literal["count", "sharp", "blurred", "good", "too dark", "too bright", "unknown"]

    @property
    def is_good(self) -> bool:
        """Tell whether it is as it should be."""
        return self.share > 55 and self.word in {"count", "sharp", "good"}


class CameraFraming(Struct, frozen=True):
    """How the table lies in the live picture, and what hands should do next."""

    size: tuple[int, int]
    outline: Outline
    """Where the markers belong in the picture."""
    seen: int
    """Markers that are seen, of four."""
    gauges: tuple[Gauge, ...]
    way: str = ""
    """Which way the camera has to go: raise, left, look left, turn left, and so on; empty if it is right."""
    move: LastingTrouble | None = None
    """The same, to be told."""

    @property
    def is_good(self) -> bool:
        """Tell whether all markers lie where they belong."""
        return self.seen == 4 and self.move is None


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
    wrong: tuple[LastingTrouble, ...] = ()
    framing: CameraFraming | None = None
    """How the table lies in the live picture, if there is one; not once a photograph was taken."""


class FindingTable(Protocol):
    """Finds the table step by step; the table is paused meanwhile."""

    def sight(self) -> FindingProgress:
        """Give the progress."""

    def open(self) -> LastingTrouble | None:
        """Start."""

    def close(self) -> LastingTrouble | None:
        """Stop and leave the table as it was."""

    def find(self, apart: Point | None) -> LastingTrouble | None:
        """Take a picture and look for the markers; their distances may be known."""

    def tap(self, taps: tuple[Point, ...], apart: Point) -> LastingTrouble | None:
        """Use four points of the picture as the corners of a rectangle."""

    def turn(self) -> LastingTrouble | None:
        """Move every seat on by one place."""

    def keep(self, *, is_empty: bool) -> LastingTrouble | None:
        """Save the table that was found, with its picture if it is empty, and stop."""

    def photograph(self) -> bytes | None:
        """Give the picture that was taken, as a small JPEG."""

    def markers(self) -> bytes:
        """Give the markers to print, as PDF."""


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
    wrong: tuple[LastingTrouble, ...] = ()
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

    def open(self, deck: str) -> LastingTrouble | None:
        """Start a deck, or continue it."""

    def close(self) -> LastingTrouble | None:
        """Stop; what was taught stays as a draft."""

    def bare(self) -> LastingTrouble | None:
        """Take the table for empty."""

    def back(self) -> LastingTrouble | None:
        """Forget the last placement, or go back to the previous face."""

    def skip(self) -> LastingTrouble | None:
        """Skip this face for now."""

    def again(self, face: str) -> LastingTrouble | None:
        """Teach this face next, even if it was taught before."""

    def count(self, face: str, number: int) -> LastingTrouble | None:
        """Set how many of a face are in the box."""

    def save(self) -> LastingTrouble | None:
        """Save everything that was taught, and stop."""

    def discard(self, deck: str) -> LastingTrouble | None:
        """Discard a deck's draft."""


class Guides(Struct, frozen=True, eq=False):
    """The two guides."""

    table: FindingTable
    teaching: TeachingDeck
