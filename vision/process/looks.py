"""How known cards looked when they were seen last: they stay known while what is left in sight looks the same.

What lies on a card need not be read, nor even be seen as a thing: pictures are compared, in cells of a card's
place that have a texture, each in its own light. What is left in sight of a card lies to one side of a line.
"""

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.reading.views import Floats, common_share
from vision.sightings import Cards, Outline, Sighting
from vision.table.plane import map_points

CELLS, CELL = 8, 8  # cells of a card each way, and pixels of a cell
SIDE = CELLS * CELL
RIM = 0.06
"""The border of a card that isn't looked at, as a share of it: it is like that of any other in its place."""
TEXTURE = 3.0  # grey levels by which a cell's pixels spread if there is something to compare
ALIKE = 0.8  # how well a cell that hasn't changed correlates with itself
LEAST, FEW = 6, 3
"""Cells that must look as before; so few of a card that is pinned by another one that lies there."""
MOST_OFF = 0.1  # the share of the cells beside the line that may have changed: light may lie there
WAYS = 16  # the directions in which a line is sought
IN_ITS_PLACE = 0.8
"""What a card has in common with one that has taken its place, or is its other side, as a share of both."""
PINNED = 0.1  # the share of a card that another one on it covers if it can't be taken from under that
WHOLE = 0.95  # a card of which this share is in sight has nothing on it


class Look(Struct, frozen=True, eq=False):
    """How the place of a card looked, flattened, and in which of its cells the card was to be seen."""

    outline: Outline  # where the card lay when it was looked at
    grey: Floats
    free: NDArray[np.bool_]


Looks = Mapping[Outline, Look]
"""By the cards' outlines as they are known: those stay while a card is turned a little, or pushed."""


def remember_looks(looks: Looks, picture: Picture, known: Cards, read: Sequence[Sighting | None]) -> Looks:
    """Keep how known cards looked; look anew at what was read of them, each where it lies, if that is clear."""
    return {
        card.outline: look
        if (look := looks.get(card.outline)) is not None
        and (now is None or not now.sure or not _is_clear(now, card, look, known))
        else look_at_card(picture, card, now or card, known)
        for card, now in zip(known, read, strict=True)
    }


def _is_clear(now: Sighting, card: Sighting, look: Look, known: Cards) -> bool:
    """Return whether nothing known overlaps a card, or all of it is seen in another place than before."""
    is_elsewhere = now.visible > WHOLE and not is_same(now.outline, look.outline)
    others = (each for each in known if each.outline != card.outline)
    return is_elsewhere or not outlines_over(now.outline, others)


def as_they_lie(known: Cards, looks: Looks) -> tuple[Sighting, ...]:
    return tuple(
        replace(card, outline=looks[card.outline].outline) if card.outline in looks else card for card in known
    )


def look_at_card(picture: Picture, card: Sighting, now: Sighting, known: Cards) -> Look:
    """Look at a known card where it lies now, and at what others leave of it."""
    covered = np.zeros((SIDE, SIDE), np.uint8)
    others = () if now.visible > WHOLE else (each for each in known if each is not card)
    for cover in outlines_over(now.outline, others):
        corners = map_points(_flattening(now.outline), np.array(cover))
        cv2.fillConvexPoly(covered, corners.round().astype(np.int32), 1)
    free = _cells_of(covered).max(axis=1) == 0
    return Look(now.outline, _flat(picture, now.outline), np.asarray(free))


def cards_still_in_sight(gone: Cards, looks: Looks, picture: Picture, seen: Cards) -> list[Sighting]:
    """List those cards that weren't read again but of which a part looks as before; the lowest first."""
    kept = list[Sighting]()
    for card in reversed(gone):
        look = looks.get(card.outline)
        # it is gone if another card lies in its very place
        if look is not None and not any(each.sure and is_same(look.outline, each.outline) for each in seen):
            # no hand can have taken it from under one that is still there
            is_pinned = any(covers(each.outline, card.outline) > PINNED for each in kept)
            if _is_in_sight(look, picture, FEW if is_pinned else LEAST):
                kept.insert(0, card)
    return kept


def keep_names(gone: Cards, looks: Looks, picture: Picture, seen: Cards) -> tuple[Sighting, ...]:
    """Let parts of cards keep the names of the cards that lay in their very places and looked the same.

    Cards of one deck may share all of a part but a sign; all of the card was in sight before.
    """
    had = [(card, looks[card.outline]) for card in gone if card.sure and card.outline in looks]
    return tuple(_named_after(part, had, picture) for part in seen)


def _named_after(part: Sighting, had: Iterable[tuple[Sighting, Look]], picture: Picture) -> Sighting:
    for card, look in had:
        is_there = part.visible < WHOLE and is_same(part.outline, look.outline)
        if is_there and _is_in_sight(look, picture, LEAST):
            return replace(card, outline=part.outline, visible=part.visible, turned=part.turned)
    return part


def is_same(one: Outline, other: Outline) -> bool:
    return common_share(one, other) > IN_ITS_PLACE


def _is_in_sight(look: Look, picture: Picture, least: int) -> bool:
    """Return whether a line parts enough of a card's cells that look as before from the others."""
    before, now = _cells_of(look.grey), _cells_of(_flat(picture, look.outline))
    one, other = (cells - cells.mean(axis=1, keepdims=True) for cells in (before, now))
    spread, there = one.std(axis=1), other.std(axis=1)
    alike = (one * other).mean(axis=1) / np.maximum(spread * there, 1e-6)
    textured = (np.maximum(spread, there) > TEXTURE) & look.free
    rows, columns = np.divmod(np.flatnonzero(textured), CELLS)
    same = alike[textured] > ALIKE
    for way in np.arange(WAYS) * 2 * np.pi / WAYS:
        count = np.cumsum(same[np.argsort(columns * np.cos(way) + rows * np.sin(way))])
        if ((count >= least) & (count >= (1 - MOST_OFF) * np.arange(1, len(same) + 1))).any():
            return True
    return False


def outlines_over(place: Outline, others: Iterable[Sighting], least: float = 0) -> list[Outline]:
    return [each.outline for each in others if covers(each.outline, place) > least]


def covers(one: Outline, other: Outline) -> float:
    """Measure the share of a card's place that another outline covers."""
    place = np.array(other, np.float32)
    common = cv2.intersectConvexConvex(np.array(one, np.float32), place)[0]
    return common / max(1e-9, cv2.contourArea(place))


def _flattening(outline: Outline) -> NDArray[np.float64]:
    """Map a card's outline, without its border, to a square."""
    low, high = -RIM * SIDE, (1 + RIM) * SIDE
    square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(np.array(outline, np.float32), square), np.float64)


def _flat(picture: Picture, outline: Outline) -> Floats:
    """Flatten a card's place, in grey, no finer than is looked at."""
    corners = np.array(outline)
    left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    right, bottom = np.maximum(np.ceil(corners.max(axis=0)), 0).astype(int) + 1
    part = picture[top:bottom, left:right]
    if part.size == 0:
        return np.zeros((SIDE, SIDE), np.float32)
    step = max(1, round(float(np.linalg.norm(corners[1] - corners[0])) / SIDE))
    grey = np.ascontiguousarray(part.mean(axis=2, dtype=np.float32))
    high, wide = (max(1, side // step) for side in grey.shape)
    small = cv2.resize(grey, (wide, high), interpolation=cv2.INTER_AREA)
    shrunk = np.array([(part.shape[1] / wide, 0, left), (0, part.shape[0] / high, top), (0, 0, 1)])
    flat = cv2.warpPerspective(small, _flattening(outline) @ shrunk, (SIDE, SIDE))
    return np.asarray(flat, np.float32)


def _cells_of(flat: NDArray[np.generic]) -> Floats:
    """List a flattened card's cells, each with its pixels in a row."""
    cells = flat.reshape(CELLS, CELL, CELLS, CELL).swapaxes(1, 2).reshape(CELLS**2, CELL**2)
    return np.asarray(cells, np.float32)
