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
    inside = (thing for thing in reading.unexplained if _lies_within(thing, box))
    return Reading(
        tuple(replace(card, outline=_moved(card.outline, box)) for card in reading.cards),
        tuple(replace(thing, outline=_moved(thing.outline, box)) for thing in inside),
    )


def _moved(outline: Iterable[Point], box: tuple[int, int, int, int]) -> tuple[Point, ...]:
    left, top, _right, _low = box
    return tuple((x - left, y - top) for x, y in outline)


def _lies_within(thing: UnexplainedThing, box: tuple[int, int, int, int]) -> bool:
    left, top, right, low = box
    return all(left <= x <= right and top <= y <= low for x, y in thing.outline)
