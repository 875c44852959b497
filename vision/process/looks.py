"""The last appearance of known cards: a card stays known while its visible part looks the same.

The covering object need not be read or even detected. Textured cells of a card's place are compared with the
earlier picture, each in its own light. The visible part of a card lies to one side of a line.
"""

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.reading.views import Floats, common_share
from vision.sightings import Cards, Outline, Sighting, best_face, likely_face
from vision.table.plane import covers, map_points

CELLS, CELL = 8, 8  # cells of a card each way, and pixels of a cell each way
SIDE = CELLS * CELL
RIM = 0.06
"""Border of a card that isn't compared, as a share of its side: all cards have the same border."""
TEXTURE = 3.0  # least spread of a textured cell's pixels, in grey levels
ALIKE = 0.8  # least correlation of an unchanged cell with its earlier picture
LEAST, FEW = 6, 3
"""Least number of unchanged cells: of any card, and of a card pinned under another."""
MOST_OFF = 0.1  # largest share of changed cells on the visible side of the line: light may fall there
WAYS = 16  # directions of the line that are tried
IN_ITS_PLACE = 0.8
"""Least common area of two cards in the same place, as a share of both."""
PINNED = 0.1  # covered share from which on a card can't be taken from under another
WHOLE = 0.95  # visible share from which on nothing covers a card


class Look(Struct, frozen=True, eq=False):
    """The appearance of a card's place, rectified, and its visible cells."""

    outline: Outline  # the card's position at that time
    grey: Floats
    free: NDArray[np.bool_]  # the cells in which the card was visible


Looks = Mapping[Outline, Look]
"""By the known cards' outlines, which stay the same when a card is turned or pushed a little."""


def remember_looks(looks: Looks, picture: Picture, known: Cards, read: Sequence[Sighting | None]) -> Looks:
    """Return the looks of known cards, updated for cards that were read clearly.

    A card that isn't read in this picture may be gone from it.
    """
    after = dict[Outline, Look]()
    for card, now in zip(known, read, strict=True):
        look = looks.get(card.outline)
        if look is not None and (now is None or not now.sure or not _is_clear(now, card, look, known)):
            after[card.outline] = look
        elif now is not None:
            after[card.outline] = look_at_card(picture, card, now, known)
    return after


def _is_clear(now: Sighting, card: Sighting, look: Look, known: Cards) -> bool:
    """Return whether no known card overlaps it, or all of it is visible in a new place."""
    is_elsewhere = now.visible > WHOLE and not is_same(now.outline, look.outline)
    others = (each for each in known if each.outline != card.outline)
    return is_elsewhere or not outlines_over(now.outline, others)


def as_they_lie(known: Cards, looks: Looks) -> tuple[Sighting, ...]:
    return tuple(
        replace(card, outline=looks[card.outline].outline) if card.outline in looks else card for card in known
    )


def look_at_card(picture: Picture, card: Sighting, now: Sighting, known: Cards) -> Look:
    """Return the look of a known card at its current position, with the cells that others leave visible."""
    covered = np.zeros((SIDE, SIDE), np.uint8)
    others = () if now.visible > WHOLE else (each for each in known if each is not card)
    for cover in outlines_over(now.outline, others):
        corners = map_points(_flattening(now.outline), np.array(cover))
        cv2.fillConvexPoly(covered, corners.round().astype(np.int32), 1)
    free = _cells_of(covered).max(axis=1) == 0
    return Look(now.outline, _flat(picture, now.outline), np.asarray(free))


def cards_still_in_sight(gone: Cards, looks: Looks, picture: Picture, seen: Cards) -> list[Sighting]:
    """Return the unread cards of which a part looks as before, the lowest first."""
    kept = list[Sighting]()
    for card in reversed(gone):
        look = looks.get(card.outline)
        # it is gone if another card has its place, even one that resembles it
        if look is not None and not any(
            (each.sure or each.visible > WHOLE) and is_same(look.outline, each.outline) for each in seen
        ):
            # nobody can have taken it from under a card that is still there
            is_pinned = any(covers(each.outline, card.outline) > PINNED for each in kept)
            if _is_in_sight(look, picture, FEW if is_pinned else LEAST):
                kept.insert(0, card)
    return kept


def keep_names(gone: Cards, looks: Looks, picture: Picture, seen: Cards) -> tuple[Sighting, ...]:
    """Give partly visible cards the names of the cards that were in their places and looked the same.

    Cards of a deck may differ in one sign only, and that sign may be covered now.
    """
    had = [(card, looks[card.outline]) for card in gone if card.sure and card.outline in looks]
    return tuple(_named_after(part, had, picture) for part in seen)


def _named_after(part: Sighting, had: Iterable[tuple[Sighting, Look]], picture: Picture) -> Sighting:
    for card, look in had:
        is_there = part.visible < WHOLE and is_same(part.outline, look.outline)
        if is_there and _is_in_sight(look, picture, LEAST):
            return replace(card, outline=part.outline, visible=part.visible, turned=part.turned)
    return part


def is_replaced(was: Sighting, now: Sighting, looks: Looks, picture: Picture) -> bool:
    """Return whether an unsure card in a known one's place is another one.

    Nothing covers it, another face is likelier, and no part of the place looks as before.
    """
    name, look = was.face or likely_face(was), looks.get(was.outline)
    if look is None or name in {None, best_face(now)} or now.sure or now.visible <= WHOLE:
        return False
    return not (is_same(now.outline, look.outline) and _is_in_sight(look, picture, LEAST))


def is_same(one: Outline, other: Outline) -> bool:
    return common_share(one, other) > IN_ITS_PLACE


def _is_in_sight(look: Look, picture: Picture, least: int) -> bool:
    """Return whether a line separates enough unchanged cells of a card from the others."""
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


def _flattening(outline: Outline) -> NDArray[np.float64]:
    """Return the matrix that maps a card's outline, without its border, to a square."""
    low, high = -RIM * SIDE, (1 + RIM) * SIDE
    square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(np.array(outline, np.float32), square), np.float64)


def _flat(picture: Picture, outline: Outline) -> Floats:
    """Return a card's place as a grey square, in the resolution of the comparison."""
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
    """Return a rectified card's cells as rows of pixels."""
    cells = flat.reshape(CELLS, CELL, CELLS, CELL).swapaxes(1, 2).reshape(CELLS**2, CELL**2)
    return np.asarray(cells, np.float32)
