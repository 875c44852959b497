"""What hinders cards that don't lie free: hands, other cards over them, and the picture's edge."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Picture, shrink_picture
from vision.process.messages import ShownCard
from vision.reading.outlines import darkest_channel
from vision.sightings import Outline
from vision.table.card_plane import PAPER, enlarged_mask
from vision.table.plane import area_within, as_outline

LOOKED_AT = 640  # pixels across the picture in which they are searched
GROUND = 0.85  # share of the table that has its usual colours; the rest may be cards and hands
LEAST, MOST = 0.3, 8.0  # areas of a part of a card and of a heap, in cards
HAND = 0.03  # least area of a hand, as a share of the picture
OF_PAPER, PAPER_SHARE = 0.8, 0.3
"""Least brightness of paper, as a share of the found cards', and least share of paper in a part of a card."""
MOST_PAPER = 0.15  # largest share of the table that is as bright as paper, unless the table is white
BESIDE = 1.12  # enlargement of a found card that also contains its shadow
PRINTED = 24  # least difference of print from the ground around it, in grey levels
AROUND, APART = 0.7, 0.22  # sizes of that ground and of gaps in the print of one card, in card sizes


def hindered_cards(
    picture: Picture, found: Sequence[Outline], doubtful: Sequence[Outline]
) -> Iterator[ShownCard]:
    """Yield hands, and cards covered or cut off; the found cards give size and paper.

    They have colours that the table lacks, but a card on a white table shows only its print.
    """
    small = shrink_picture(picture, LOOKED_AT)
    scale = small.shape[1] / picture.shape[1]
    if not found:
        if not doubtful:
            yield from _cut_off_cards(small, scale)
        return
    known = [np.array(each) * scale for each in found]
    card = float(np.median([area_within(each) for each in known]))
    paper = darkest_channel(small)
    inside = enlarged_mask(small.shape[:2], known, 1.0) > 0
    bright = paper > OF_PAPER * np.percentile(paper[inside], PAPER)
    others = [np.array(each) * scale for each in doubtful]
    table = enlarged_mask(small.shape[:2], [*known, *others], BESIDE) == 0
    other = _unlike_ground(small, table) & table
    for part, is_at_edge in _parts(other, HAND * other.size, other.size):
        if is_at_edge and bright[part].mean() < PAPER_SHARE:
            yield ShownCard(as_outline(_box_around(part) / scale), "hand")
    is_white = float(bright[~inside].mean()) > MOST_PAPER
    cards = _print_on(small, card**0.5) & table if is_white else other
    for part, is_at_edge in _parts(cards, LEAST * card, MOST * card):
        if bright[part].mean() >= PAPER_SHARE:
            yield ShownCard(as_outline(_box_around(part) / scale), "near edge" if is_at_edge else "covered")


def _cut_off_cards(small: Picture, scale: float) -> Iterator[ShownCard]:
    """Yield bright parts with straight sides at the picture's edge: cards that it cuts off, of unknown size."""
    paper = darkest_channel(small)
    other = _unlike_ground(small, np.ones(paper.shape, np.bool_))
    bright = other & (paper > OF_PAPER * np.percentile(paper, BRIGHTEST))
    for part, is_at_edge in _parts(bright, CUT_OFF[0] * bright.size, CUT_OFF[1] * bright.size):
        box = _box_around(part)
        if is_at_edge and part.sum() > STRAIGHT * area_within(box):
            yield ShownCard(as_outline(box / scale), "near edge")


CUT_OFF = 0.003, 0.06  # least and largest area of a part of a card, as shares of the picture
BRIGHTEST, STRAIGHT = 99.0, 0.85
"""Percentile of brightness that is paper, and least share of its box that a part of a card fills."""


def _parts(mask: NDArray[np.bool_], least: float, most: float) -> Iterator[tuple[NDArray[np.bool_], bool]]:
    """Yield the parts of a mask from a least to a most area, and whether each touches the picture's edge."""
    opened = cv2.morphologyEx(np.asarray(mask, np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, labels, boxes, _middles = cv2.connectedComponentsWithStats(opened)
    for number in range(1, count):
        left, top, wide, high, area = boxes[number].tolist()
        if least <= area <= most:
            is_at_edge = min(left, top) == 0 or left + wide == mask.shape[1] or top + high == mask.shape[0]
            yield labels == number, is_at_edge


def _print_on(small: Picture, card: float) -> NDArray[np.bool_]:
    """Return where print stands out from a plain ground, filled to the size of cards."""
    off = np.asarray(cv2.absdiff(small, cv2.medianBlur(small, round(AROUND * card) | 1)))
    closed = np.ones((round(APART * card) | 1,) * 2, np.uint8)
    printed = np.asarray(off.max(axis=2) > PRINTED, np.uint8)
    return np.asarray(cv2.morphologyEx(printed, cv2.MORPH_CLOSE, closed), np.bool_)


def _box_around(part: NDArray[np.bool_]) -> NDArray[np.float64]:
    points = np.argwhere(part)[:, ::-1].astype(np.float32)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), np.float64)


def _unlike_ground(small: Picture, table: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which pixels have a colour that is rare on the table."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (5, 5), 0), cv2.COLOR_BGR2Lab).astype(np.int32)
    # light falls off across a table, which changes its colour less than its brightness
    colours = lab[..., 0] // 64 * 1024 + lab[..., 1] // 8 * 32 + lab[..., 2] // 8
    counts = np.bincount(colours[table], minlength=4 * 1024)
    order = np.argsort(-counts)
    common = order[: int(np.searchsorted(counts[order].cumsum(), GROUND * table.sum())) + 1]
    return ~np.isin(colours, common)
