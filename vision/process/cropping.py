"""Cuts a picture down to its cards: a phone's photograph may show the room, which is no evidence."""

from collections.abc import Iterable
from math import dist

import numpy as np
from msgspec.structs import replace

from vision.process.evidence import Box, Picture
from vision.sightings import Outline, Point, Reading, UnexplainedThing

MARGIN = 0.25
"""How far beyond a card's outline the picture goes on, as a share of the card's longer side."""


def crop_to_cards(picture: Picture, reading: Reading) -> tuple[Picture, Reading] | None:
    """Cut out the part around the cards that were read, and move the reading with it; None without cards."""
    if not reading.cards:
        return None
    box = _pixels_within(_box_around_cards(card.outline for card in reading.cards), picture)
    left, top, right, low = box
    if left >= right or top >= low:
        return None
    # a copy: a view would hold the whole picture
    return picture[top:low, left:right].copy(), _reading_within(reading, box)


def _box_around_cards(outlines: Iterable[Outline]) -> Box:
    """Put a box around cards, each with its margin."""
    boxes = [_box_with_margin(outline) for outline in outlines]
    lefts, tops, rights, lows = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(lows)


def _box_with_margin(outline: Outline) -> Box:
    across, down = zip(*outline, strict=True)
    sides = (dist(one, other) for one, other in zip(outline, (*outline[1:], outline[0]), strict=True))
    beyond = MARGIN * max(sides)
    return min(across) - beyond, min(down) - beyond, max(across) + beyond, max(down) + beyond


def _pixels_within(box: Box, picture: Picture) -> tuple[int, int, int, int]:
    """Round a box to pixels that the picture has."""
    high, wide = picture.shape[:2]
    left, right = np.clip((box[0], box[2]), 0, wide)
    top, low = np.clip((box[1], box[3]), 0, high)
    return int(left), int(top), int(np.ceil(right)), int(np.ceil(low))


def _reading_within(reading: Reading, box: tuple[int, int, int, int]) -> Reading:
    """Move outlines to where they lie in the box; what lies partly outside is left out, unless it is a card."""
    left, top, _right, _low = box
    cards = (
        replace(card, outline=tuple((x - left, y - top) for x, y in card.outline)) for card in reading.cards
    )
    things = (_moved_thing(thing, left, top) for thing in reading.unexplained if _lies_within(thing, box))
    return Reading(tuple(cards), tuple(things))


def _moved_thing(thing: UnexplainedThing, left: int, top: int) -> UnexplainedThing:
    return replace(thing, outline=tuple((x - left, y - top) for x, y in thing.outline))


def _lies_within(thing: UnexplainedThing, box: tuple[int, int, int, int]) -> bool:
    left, top, right, low = box
    return all(_is_between(point, left, top, right, low) for point in thing.outline)


def _is_between(point: Point, left: int, top: int, right: int, low: int) -> bool:
    return left <= point[0] <= right and top <= point[1] <= low
