"""Propose cards by their print alone, where their sides can't be seen: white cards on a white table.

A card's print lies round its middle. Where as much lies together as is a card's, and no card explains it, one
may lie there, turned any way.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.outlines import outlines_in, rigid_pose
from vision.reading.views import Picture, PictureView, Pose, blank_out
from vision.sightings import Outline

LIGHT = 170
"""The grey of a table that is as light as paper; on darker ones cards show their sides."""
TOGETHER = 0.2
"""How far apart the parts of a card's print lie that belong to one group, in lengths of a card."""
SHORT, LEAST, MOST = 0.28, 0.65, 1.4
"""How long a group must be, and how long one or two that are a card's, as far round them as groups reach."""
TURNS = 18
"""In how many ways a card is tried to lie, up to half a turn."""
GROUPS, MIDDLES = 24, 30
"""The most groups that are looked at, the largest first, and the most places where a card may lie."""


def find_cards_by_print(
    view: PictureView, card: tuple[float, float], explained: Sequence[Outline]
) -> Iterator[Pose]:
    """Lay cards, turned each way, round the middles of print that no card explains."""
    if np.median(view.grey[::4, ::4]) < LIGHT:
        return
    for middle in _middles_of_print(view, card, explained):
        for turn in range(TURNS):
            yield view.back @ rigid_pose(middle, np.pi * turn / TURNS, card)


def _middles_of_print(
    view: PictureView, card: tuple[float, float], explained: Sequence[Outline]
) -> list[tuple[float, float]]:
    """Give the middles of print that lies together, if it is as long as a card's: a group's, or between two."""
    long = max(card)
    rest = view.edges.copy()
    blank_out(rest, view.back, explained, 1.06)
    joined = _join(rest, TOGETHER * long)
    groups = sorted(((_length(each), each) for each in outlines_in(joined)), key=lambda each: -each[0])
    groups = [(length, each) for length, each in groups if SHORT * long < length < MOST * long][:GROUPS]
    pairs = [np.concatenate((one, other)) for (_, one), (_, other) in combinations(groups, 2)]
    longest = sorted(((_length(each), each) for each in pairs), key=lambda each: -each[0])
    found = [each for length, each in (*groups, *longest) if LEAST * long < length < MOST * long]
    return [(x, y) for (x, y), *_sides in map(cv2.minAreaRect, found[:MIDDLES])]


def _length(points: NDArray[np.int32]) -> float:
    return max(cv2.minAreaRect(points)[1])


def _join(edges: Picture, reach: float) -> Picture:
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(reach) | 1,) * 2)
    return np.asarray(cv2.dilate(edges, around), np.uint8)
