"""What guides the host to find the table and to teach a deck: plain values, and what may be asked of it.

What goes wrong comes back as something that `Handed.told` words; None is well.
"""

from typing import Literal, Protocol

from msgspec import Struct

from webui.doors.messages import TableMessage

Point = tuple[float, float]
Outline = tuple[Point, ...]


class TablePart(Struct, frozen=True):
    """A part of the table in the picture, and where there is room for its name."""

    name: str
    """As zones are called: "seat 1", "centre"."""
    outline: Outline
    middle: Point


class FindingProgress(Struct, frozen=True):
    """How far finding the table has come."""

    is_open: bool = False
    is_kept: bool = False
    """A table is kept: from now, or from before."""
    photograph: int = 0
    """The number of the picture that was taken; 0 for none."""
    size: tuple[int, int] = (0, 0)
    markers: tuple[Outline, ...] = ()
    parts: tuple[TablePart, ...] = ()
    """Of the table, if it was found."""
    apart: Point | None = None
    """What was said of how far apart the corners are, in millimetres: across and down."""
    wrong: tuple[TableMessage, ...] = ()


class FindingTable(Protocol):
    """Finding the table, step by step; while it is open the table pauses."""

    def sight(self) -> FindingProgress:
        """Tell how far it has come."""

    def open(self) -> TableMessage | None:
        """Begin."""

    def close(self) -> TableMessage | None:
        """Leave: the table stays as it was."""

    def find(self, apart: Point | None) -> TableMessage | None:
        """Take a picture, and look for the markers; they may be known to be so far apart."""

    def tap(self, taps: tuple[Point, ...], apart: Point) -> TableMessage | None:
        """Take four places of the picture that was taken for the corners of a rectangle."""

    def turn(self) -> TableMessage | None:
        """Let every seat be one place farther on."""

    def keep(self, *, is_empty: bool) -> TableMessage | None:
        """Keep the table that was found, perhaps with its picture; then it is left."""

    def photograph(self) -> bytes | None:
        """Give the picture that was taken, small, as JPEG."""


class TeachableDeck(Struct, frozen=True):
    """A deck that can be taught."""

    name: str
    game: str
    edition: str
    """Empty where a game has none."""
    faces: int
    taught: int
    """Faces that count."""
    drafted: int
    """Faces that were taught, and don't count yet."""
    has_draft: bool = False


class LessonFace(Struct, frozen=True):
    """A face of the deck that is being taught."""

    name: str
    count: int
    state: Literal["missing", "drafted", "taught"]


class LookalikePair(Struct, frozen=True):
    """Two faces that look alike; or one that does turned round."""

    first: str
    second: str


class TeachingProgress(Struct, frozen=True):
    """How far teaching a deck has come."""

    deck: TeachableDeck
    faces: tuple[LessonFace, ...]
    task: Literal["bare", "lay", "turn", "away", "done"]
    """What is to be done: clear the table, lay a card, move it, take it away, or nothing more."""
    face: str
    """The one that it is about, where there is one."""
    placed: int
    most: int
    """Placements of it so far, and how many there are to be."""
    saw: str
    """What was seen last: empty, card, several, unclear, reaching, upright, another card, or nothing."""
    alike: str = ""
    """Another face that the card looks like."""
    wrong: tuple[TableMessage, ...] = ()
    size: tuple[int, int] = (0, 0)
    outline: Outline = ()
    """Of the card in the picture."""
    pairs: tuple[LookalikePair, ...] = ()
    """Faces that a reader may take for each other; told at the end."""


class TeachingDeck(Protocol):
    """Teaching a deck, card by card; while it is open the table pauses."""

    def decks(self) -> tuple[TeachableDeck, ...]:
        """List the decks of the games."""

    def lesson(self) -> TeachingProgress | None:
        """Tell how far it has come; None while no deck is being taught."""

    def open(self, deck: str) -> TableMessage | None:
        """Begin with a deck, or go on with it."""

    def close(self) -> TableMessage | None:
        """Leave: what was taught stays as a draft."""

    def bare(self) -> TableMessage | None:
        """Take the table for empty."""

    def back(self) -> TableMessage | None:
        """Forget the last placement, or go back to the face before."""

    def skip(self) -> TableMessage | None:
        """Leave this face out for now."""

    def again(self, face: str) -> TableMessage | None:
        """Teach a face next, again or not."""

    def count(self, face: str, number: int) -> TableMessage | None:
        """Note how many of a face the box holds."""

    def save(self) -> TableMessage | None:
        """Let all that was taught count; then it is left."""

    def discard(self, deck: str) -> TableMessage | None:
        """Throw a deck's draft away."""


class Guides(Struct, frozen=True, eq=False):
    """Both."""

    table: FindingTable
    teaching: TeachingDeck
