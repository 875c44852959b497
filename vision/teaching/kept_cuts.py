"""Cut cards out, and store part of the ground around them, with the corners in that picture.

Ground makes a wrong outline visible, and allows moving it outward. The reader uses only the card's own picture.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import cv2
import msgspec
import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from vision.files import read_json_or, read_small, write_whole
from vision.pictures import Picture, packed_jpeg, stated_pixels, unpack_picture
from vision.table.plane import Reals, lengths_of, sample_colours
from vision.teaching.lone_card import LONGER, rectify_card

Pixels = Annotated[int, Meta(ge=1, le=1200)]
Share = Annotated[float, Meta(ge=-2, le=3)]
GroundKind = Literal["ground", "nothing", "table"]
"""Surroundings of a card: equal ground in all pictures, none, or a table."""
Corners = tuple[tuple[Share, Share], tuple[Share, Share], tuple[Share, Share], tuple[Share, Share]]
"""Clockwise from the card's upper left, in shares of a picture's width and height."""


class KeptCut(Struct, frozen=True):
    """The line along which a card was cut out of its stored picture, with the measurements beside it."""

    corners: Corners
    size: tuple[Pixels, Pixels]  # width and height of the stored picture
    kind: GroundKind = "table"
    rim: float = 0.0  # ground at each side of the whole picture, in card widths
    light: int | None = None  # median brightness of the ground in grey levels; None if none is visible
    steps: tuple[int, int, int, int] | None = None
    """Brightness gain across each side of the line, inward, in grey levels: the 20 % quantile along it."""
    is_sure: bool = True  # whether the card's edges were visible


class WideCut(Struct, frozen=True, eq=False):
    """A card's picture with some ground around it, as JPEG."""

    jpeg: bytes
    cut: KeptCut


class CutCard(Struct, frozen=True, eq=False):
    """A card that was cut out, and its wider picture if one is stored."""

    picture: Picture
    wide: WideCut | None = None


# storing

ROOM = 0.25  # stored ground on each side, in card widths
SHARPER = 1.25
"""Resolution of a stored picture relative to the card cut from it, because it may be cut again."""
QUALITY = 94
STRIP = 0.02  # distance from a line within which an edge is measured, in card widths
CUTS = "cuts.json"
MOST_BYTES, MOST_LIST = 8_000_000, 100_000
"""Largest stored picture, and largest list of a face's cuts."""


Card = TypeVar("Card", bound=CutCard)


# cutting


def cut_card(picture: Picture, corners: Reals, shape: float) -> CutCard:
    """Cut a card out and store some ground around it."""
    return CutCard(rectify_card(picture, corners, shape), keep_ground(picture, corners))


def keep_ground(
    picture: Picture, corners: Reals, kind: GroundKind = "table", rim: float = 0.0, *, is_sure: bool = True
) -> WideCut:
    """Return the part of a picture with a card and the ground near it, the card's upper side up."""
    part, shares = _part_round(picture, corners)
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    light, steps = _light_of_ground(grey, shares), _steps_across(grey, shares)
    high, wide = grey.shape
    cut = KeptCut(as_corners(shares), (wide, high), kind, round(rim, 4), light, steps, is_sure)
    return WideCut(packed_jpeg(part, QUALITY), cut)


def _part_round(picture: Picture, corners: Reals) -> tuple[Picture, Reals]:
    """Crop a picture, limit its resolution and rotate it by quarters. Return it with the corners as shares."""
    sides = lengths_of(corners)
    room = ROOM * float(sides[[0, 2]].mean())
    low = np.maximum(np.floor(corners.min(axis=0) - room), 0).astype(int)
    high = np.minimum(np.ceil(corners.max(axis=0) + room) + 1, picture.shape[1::-1]).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]]
    finer = min(1.0, SHARPER * LONGER / float(sides.max()))
    size = np.maximum(1, np.round((high - low) * finer)).astype(int)
    small = cv2.resize(part, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    shares = (corners + 0.5 - low) / (high - low)
    across, down = corners[1] - corners[0]
    turns = round(float(np.arctan2(down, across)) / (np.pi / 2)) % 4
    for _quarter in range(turns):
        shares = np.stack([shares[:, 1], 1 - shares[:, 0]], axis=1)
    return np.ascontiguousarray(np.rot90(small, turns)), shares


def _light_of_ground(grey: Picture, shares: Reals) -> int | None:
    ground = np.full(grey.shape, 255, np.uint8)
    inside = np.round(shares * grey.shape[::-1]).astype(np.int32)
    cv2.fillConvexPoly(ground, inside, (0,))
    seen = grey[ground > 0]
    return int(np.median(seen)) if len(seen) > 0.02 * ground.size else None


def _steps_across(grey: Picture, shares: Reals) -> tuple[int, int, int, int]:
    """Return the increase in brightness across each side of the outline, sampled along it."""
    corners = shares * grey.shape[::-1]
    along = np.roll(corners, -1, axis=0) - corners
    inward = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    at = corners[:, None] + np.linspace(0.08, 0.92, 24)[:, None] * along[:, None]
    aside = STRIP * float(np.linalg.norm(along[[0, 2]], axis=1).mean()) * inward[:, None]
    inside, outside = (sample_colours(grey, at + sign * aside - 0.5) for sign in (1, -1))
    step = (inside - outside).reshape(4, -1)
    usual = np.sign(np.median(step, axis=1, keepdims=True))
    one, two, three, four = np.round(usual[:, 0] * np.quantile(usual * step, 0.2, axis=1)).astype(int).tolist()
    return one, two, three, four


def turned_round(card: Card) -> Card:
    """Rotate a card's picture, and its stored picture with ground, by half a turn."""
    picture = np.ascontiguousarray(card.picture[::-1, ::-1])
    ground = None if card.wide is None else unpack_picture(card.wide.jpeg)
    if card.wide is None or ground is None:
        return replace(card, picture=picture)
    cut = card.wide.cut
    shares = np.roll(1 - np.array(cut.corners), 2, axis=0)
    steps = None if cut.steps is None else (*cut.steps[2:], *cut.steps[:2])
    jpeg = packed_jpeg(cv2.rotate(ground, cv2.ROTATE_180), QUALITY)
    turned = WideCut(jpeg, replace(cut, corners=as_corners(shares), steps=steps))
    return replace(card, picture=picture, wide=turned)


def without_ground(picture: Picture) -> WideCut:
    """Return a card stored without ground; its outline is the picture's rim."""
    cut = KeptCut(WHOLE, (picture.shape[1], picture.shape[0]), "nothing")
    return WideCut(packed_jpeg(picture, QUALITY), cut)


WHOLE: Corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def as_corners(shares: Reals) -> Corners:
    one, two, three, four = ((round(float(x), 5), round(float(y), 5)) for x, y in shares)
    return one, two, three, four


# files beside the card's own picture


def write_wides(home: Path, cards: Sequence[CutCard]) -> None:
    kept = {str(number): each.wide for number, each in enumerate(cards, 1) if each.wide is not None}
    if not kept:
        return
    for number, each in kept.items():
        write_whole(home / f"{number}.jpg", each.jpeg)
    cuts = {number: each.cut for number, each in kept.items()}
    write_whole(home / CUTS, msgspec.json.encode(cuts) + b"\n")


def read_wide(file: Path) -> WideCut | None:
    cut, kept = read_cuts(file.parent).get(file.stem), file.with_suffix(".jpg")
    if cut is None or kept.is_symlink():
        return None
    try:
        content = read_small(kept, MOST_BYTES)
    except OSError:
        return None
    return WideCut(content, cut) if stated_pixels(content) == cut.size[0] * cut.size[1] else None


def read_cuts(home: Path) -> Mapping[str, KeptCut]:
    """Read the outlines of a face's pictures, by the pictures' file names without suffix."""
    file = home / CUTS
    return {} if file.is_symlink() else read_json_or(file, dict[str, KeptCut], {}, MOST_LIST)
