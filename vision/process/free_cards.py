"""Find the table by cards: by those with a sure name, else by the edges of cards of any deck.

Print of a ground has edges, too, and a play mat has places of one size, but nothing else has a card's name.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Picture, shrink_picture, small_jpeg
from vision.process.card_table import FAR, far_problems, view_problems
from vision.process.messages import CardsShown, ShownCard
from vision.reading.outlines import darkest_channel
from vision.reading.views import common_share
from vision.sightings import Outline
from vision.table.calibration import light_and_focus_problems
from vision.table.card_plane import FOUR, PAPER, CardFit, enlarged_mask, fit_cards, misfits, with_light
from vision.table.plane import area_within, as_outline, lengths_of
from vision.table.plates import Millimetres
from vision.table.values import Optics
from vision.teaching.free_cards import find_free_cards
from vision.troubles import Problem

NAMED = 3  # fewest cards with a sure name that give a table without others
EXACT_NAMED, EXACT = 0.8, 0.9
"""Largest errors in millimetres of tables by names and by edges; places that are no cards fit worse."""
ALIKE = 0.02  # largest error of an unnamed card on a table by names, as a share of its length
SHOWN = 1280  # pixels across the picture of a page
FEWEST = 2  # cards whose perspective shows the camera's angle
LARGEST = 0.1  # largest share of the picture that is a card, and not a heap of them
SMALLEST = 20.0  # shortest side in pixels of a card that is found, so that the page can say that it is too far


def show_cards(
    picture: Picture, read: Sequence[Outline], card: Millimetres, optics: Optics | None
) -> CardsShown:
    """Show the cards that lie free, and the others with what hinders them; `read` are sure cards' outlines."""
    size = (picture.shape[1], picture.shape[0])
    edged = [as_outline(each) for each in find_free_cards(picture, card[0] / card[1], SMALLEST, LARGEST)]
    named = fit_cards(read, card, size, optics) if len(read) >= NAMED else None
    if named is not None and len(named.outlines) >= NAMED and named.table.residual < EXACT_NAMED:
        # others of that size are shown, too, but don't change the table
        alike = [each for each in edged if float(misfits(named.table, [each], card)[0]) < ALIKE]
        return _shown(picture, _each_once(named.outlines, alike), named, card, is_enough=True)
    # a slanted view may displace a card that was read, and a check pattern a card's edges
    ways = [_each_once(read, edged), _each_once(edged, read)]
    fits = [fit_cards(way, card, size, optics) for way in ways if len(way) >= FEWEST]
    fit = max(fits, key=lambda each: 0 if each is None else len(each.outlines), default=None)
    used = ways[0] if fit is None else fit.outlines
    is_exact = fit is not None and len(used) >= FOUR and fit.table.residual < EXACT
    # print of the ground may outvote cards, but cards with a name lie on the table
    is_enough = is_exact and all(any(common_share(each, one) >= SAME for one in used) for each in read)
    return _shown(picture, used, fit, card, is_enough=is_enough)


def _shown(
    picture: Picture, used: Sequence[Outline], fit: CardFit | None, card: Millimetres, *, is_enough: bool
) -> CardsShown:
    size = (picture.shape[1], picture.shape[0])
    cards = (*(ShownCard(each) for each in used), *_hindered(picture, used))
    far_or_flat = _view_problems(used, fit, card)
    table = with_light(fit.table, picture, used) if fit is not None and is_enough else None
    wrong = (*light_and_focus_problems(picture, {}), *far_or_flat)
    return CardsShown(size, small_jpeg(picture, SHOWN), cards, table, wrong)


def _each_once(first: Sequence[Outline], others: Sequence[Outline]) -> tuple[Outline, ...]:
    return (*first, *(each for each in others if all(common_share(each, one) < SAME for one in first)))


SAME = 0.5  # share of two outlines' area from which they are the same card


def _view_problems(cards: Sequence[Outline], fit: CardFit | None, card: Millimetres) -> tuple[Problem, ...]:
    """Return whether the camera is too far away or looks too flat, as soon as the cards show it."""
    if fit is not None:
        return view_problems(fit.table, card, ())
    across = max((float(lengths_of(np.array(each)).min()) for each in cards), default=FAR)
    return far_problems(across, FAR)


# things that are no free cards

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


def _hindered(picture: Picture, found: Sequence[Outline]) -> Iterator[ShownCard]:
    """Yield hands, and cards covered or cut off; the found cards give size and paper.

    They have colours that the table lacks, but a card on a white table shows only its print.
    """
    if not found:
        return
    small = shrink_picture(picture, LOOKED_AT)
    scale = small.shape[1] / picture.shape[1]
    known = [np.array(each) * scale for each in found]
    card = float(np.median([area_within(each) for each in known]))
    paper = darkest_channel(small)
    inside = enlarged_mask(small.shape[:2], known, 1.0) > 0
    bright = paper > OF_PAPER * np.percentile(paper[inside], PAPER)
    table = enlarged_mask(small.shape[:2], known, BESIDE) == 0
    other = _unlike_ground(small, table) & table
    for part, is_at_edge in _parts(other, HAND * other.size, other.size):
        if is_at_edge and bright[part].mean() < PAPER_SHARE:
            yield ShownCard(as_outline(_box_around(part) / scale), "hand")
    is_white = float(bright[~inside].mean()) > MOST_PAPER
    cards = _print_on(small, card**0.5) & table if is_white else other
    for part, is_at_edge in _parts(cards, LEAST * card, MOST * card):
        if bright[part].mean() >= PAPER_SHARE:
            yield ShownCard(as_outline(_box_around(part) / scale), "near edge" if is_at_edge else "covered")


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
