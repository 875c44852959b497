"""Values that describe a card cut out of a picture, shared by messages and teaching."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from vision.pictures import Picture
from vision.sightings import Point

Pixels = Annotated[int, Meta(ge=1, le=1200)]
Share = Annotated[float, Meta(ge=-2, le=3)]
GroundKind = Literal["ground", "nothing", "table"]
"""Surroundings of a card: equal ground in all pictures, none, or a table."""
Corners = tuple[Point, Point, Point, Point]
"""Clockwise from the card's upper left, in shares of a picture's width and height."""
StoredCorners = tuple[tuple[Share, Share], tuple[Share, Share], tuple[Share, Share], tuple[Share, Share]]
"""Corners with the bounds that a file must respect."""


class CutBefore(Struct, frozen=True):
    """The cutting line before the table corrected it, and the card size assumed for the deck then."""

    corners: StoredCorners
    card: tuple[float, float]


class KeptCut(Struct, frozen=True):
    """The line along which a card was cut out of its stored picture, with the measurements beside it."""

    corners: StoredCorners
    size: tuple[Pixels, Pixels]  # width and height of the stored picture
    kind: GroundKind = "table"
    rim: float = 0.0  # ground at each side of the whole picture, in card widths
    light: int | None = None  # median brightness of the ground in grey levels; None if none is visible
    steps: tuple[int, int, int, int] | None = None
    """Brightness gain across each side of the line, inward, in grey levels: the 20 % quantile along it."""
    is_sure: bool = True  # whether the card's edges were visible
    by_hand: bool = False  # whether a person moved or confirmed the line
    before: CutBefore | None = None  # the line before a correction by the table, if there was one


class WideCut(Struct, frozen=True, eq=False):
    """A card's picture with some ground around it, as JPEG."""

    jpeg: bytes
    cut: KeptCut


class CutCard(Struct, frozen=True, eq=False):
    """A card that was cut out, and its wider picture if one is stored."""

    picture: Picture
    wide: WideCut | None = None
