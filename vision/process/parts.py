"""Parts of a picture: read separately and mapped back to the whole, or cropped to their cards.

Photographs are cropped because they may show the room, which isn't evidence.
"""

import numpy as np
from msgspec.structs import replace

from vision.pictures import Picture
from vision.reading.corners import Box
from vision.reading.views import QUARTER, Surroundings
from vision.sightings import Cards, Outline, Reading, Sighting
from vision.table.plane import lengths_of


def with_room(box: Box, picture: Picture, room: int) -> Box:
    """Widen a part by `room` pixels, aligned with the pixels of the empty table's lines."""
    left, top, right, bottom = box
    high, wide = picture.shape[:2]
    left, top = max(0, left - room) // QUARTER * QUARTER, max(0, top - room) // QUARTER * QUARTER
    return left, top, min(wide, right + room), min(high, bottom + room)


def part_of(around: Surroundings, box: Box) -> Surroundings:
    left, top, right, bottom = box
    there = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)], np.float64)
    things = tuple(shift_outline(thing, (-left, -top)) for thing in around.things if _reaches_into(thing, box))
    inside = np.s_[top // QUARTER : -(-bottom // QUARTER), left // QUARTER : -(-right // QUARTER)]
    lines = None if around.lines is None else np.ascontiguousarray(around.lines[inside])
    return Surroundings(there @ around.plane, things, lines)


def _reaches_into(thing: Outline, box: Box) -> bool:
    """Return whether a thing may be in a part or near it."""
    (left, top), (right, bottom) = np.min(thing, axis=0), np.max(thing, axis=0)
    across, down = right - left, bottom - top
    return bool(
        left - across < box[2] and right + across > box[0] and top - down < box[3] and bottom + down > box[1]
    )


def shift_reading(seen: Reading, by: tuple[int, int]) -> Reading:
    strange = (
        replace(each, outline=tuple((x + by[0], y + by[1]) for x, y in each.outline))
        for each in seen.unexplained
    )
    return Reading(shift_cards(seen.cards, by), tuple(strange))


def shift_cards(cards: Cards, by: tuple[int, int]) -> tuple[Sighting, ...]:
    return tuple(replace(card, outline=shift_outline(card.outline, by)) for card in cards)


def shift_outline(outline: Outline, by: tuple[int, int]) -> Outline:
    a, b, c, d = ((x + by[0], y + by[1]) for x, y in outline)
    return a, b, c, d


MARGIN = 0.25  # margin around a card's outline, as a share of its longer side


def crop_to_cards(picture: Picture, reading: Reading) -> tuple[Picture, Reading] | None:
    """Return the part around the cards, and the reading in its coordinates; None without cards."""
    if not reading.cards:
        return None
    corners = np.array([card.outline for card in reading.cards])
    beyond = MARGIN * lengths_of(corners).max(axis=1, keepdims=True)
    least, most = (corners.min(axis=1) - beyond).min(axis=0), (corners.max(axis=1) + beyond).max(axis=0)
    left, top = np.clip(least, 0, picture.shape[1::-1]).astype(int).tolist()
    right, low = np.ceil(np.clip(most, 0, picture.shape[1::-1])).astype(int).tolist()
    if left >= right or top >= low:
        return None
    inside = tuple(
        thing
        for thing in reading.unexplained
        if all(left <= x <= right and top <= y <= low for x, y in thing.outline)
    )
    # a copy, because a view would keep the whole picture in memory
    cut = picture[top:low, left:right].copy()
    return cut, shift_reading(replace(reading, unexplained=inside), (-left, -top))
