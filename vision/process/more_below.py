"""Known cards under or beside which more lies than was read: parts touch them that no card explains.

A fan of which one card is read must not stand as one card. Where the empty table is known, all that is new on
it is a thing; elsewhere a table's grain and shadows look like one, and only paper like the card's own counts.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.reading.corners import mask_left_over
from vision.reading.outlines import outlines_in
from vision.reading.templates import Picture
from vision.reading.views import (
    Floats,
    PictureView,
    Surroundings,
    plane_under,
    pose_of,
    pyramid,
    quads_in_view,
    view_of,
    with_heaps,
)
from vision.sightings import Outline, Reading, Sighting, likely_face

PART, PRINT = 0.17, 0.015
"""The least size of a part that is new on the table, and its edges, as shares of a card's area."""
TOUCHING, TOUCHING_PAPER = 0.16, 0.1
"""The least share of a card's surroundings that a part takes which it covers."""
PAPER, UNLIKE = 0.2, 32.0
"""How much of a part beside a card must look like the card's rim, and how unlike the table that must be."""
ALIKE = 18.0
"""How far colours of the same paper are apart at most."""
WHOLE = 0.9
"""A card of which more is in sight tells how the table lies, where nothing else does."""
INSIDE, NEAR, FAR = (0, 2), (2, 5), (17, 30)
"""From where to where a card's rim, what lies beside it and the table round it reach, in pixels of the view."""


class Beside(Struct, frozen=True, eq=False):
    """What lies round a card in the view."""

    rim: Picture
    near: Picture
    far: Picture


def mark_more_below(
    seen: Reading, picture: Picture, size: tuple[float, float], around: Surroundings | None = None
) -> Reading:
    """Mark the cards that are sure, or likely, and cover more than was read, and no others."""
    around = around or _surroundings_by_cards(seen.cards, size, picture)
    view = None if around is None else view_of(pyramid(picture), size, around)
    is_over_more = [False] * len(seen.cards)
    if around is not None and view is not None and view.card is not None:
        is_over_more = [*_cards_over_more(seen.cards, view, view.card, around)]
    marked = (
        replace(card, more_below=is_over and (card.sure or likely_face(card) is not None))
        for card, is_over in zip(seen.cards, is_over_more, strict=True)
    )
    return replace(seen, cards=tuple(marked))


def _cards_over_more(
    cards: Sequence[Sighting], view: PictureView, card: tuple[float, float], around: Surroundings
) -> Iterator[bool]:
    """Tell of each card whether a part that no card explains touches it as what lies under it does."""
    outlines = [each.outline for each in cards]
    view = with_heaps(view, outlines, card)
    parts = _parts_left(view, [*outlines, *around.things], card)
    known, judge = _mask_of(outlines, view), _is_paper if around.lines is None else _is_new_thing
    for outline in outlines:
        beside = _surroundings_of(_mask_of([outline], view), known) if parts else None
        yield beside is not None and any(judge(part, beside, view) for part in parts)


def _surroundings_by_cards(
    cards: Sequence[Sighting], size: tuple[float, float], picture: Picture
) -> Surroundings | None:
    """Tell how the table lies by the cards that were read; None without any."""
    poses = [pose_of(np.array(card.outline)) for card in cards if card.sure and card.visible > WHOLE]
    return Surroundings(plane_under(poses, size, picture.shape)) if poses else None


def _parts_left(view: PictureView, explained: Sequence[Outline], card: tuple[float, float]) -> list[Picture]:
    """List the parts of the view that no card explains, a little widened, if they are worth a look."""
    parts: list[Picture] = []
    for contour in outlines_in(mask_left_over(view, explained, card)):
        if cv2.contourArea(contour) > PART * card[0] * card[1]:
            part = np.zeros_like(view.solid)
            cv2.drawContours(part, [contour], -1, 255, cv2.FILLED)
            parts.append(part)
    return parts


def _surroundings_of(card: Picture, cards: Picture) -> Beside:
    """Mark a card's rim, what lies beside it, and the table round it."""
    free = cv2.bitwise_not(cards)
    near, far = (
        cv2.bitwise_and(cv2.subtract(_grown(card, most), _grown(card, least)), free)
        for least, most in (NEAR, FAR)
    )
    rim = cv2.subtract(card, cv2.erode(card, _square(INSIDE[1])))
    return Beside(np.asarray(rim, np.uint8), np.asarray(near, np.uint8), np.asarray(far, np.uint8))


def _is_new_thing(part: Picture, beside: Beside, view: PictureView) -> bool:
    """Tell whether a part that the empty table doesn't have is print beside the card."""
    inside = cv2.bitwise_and(cv2.erode(part, _square(1)), view.edges)
    assert view.card is not None  # noqa: S101 - the view is one from above
    is_printed = cv2.countNonZero(inside) > PRINT * view.card[0] * view.card[1]
    return is_printed and _share_of(beside.near, _grown(part, 4)) > TOUCHING


def _is_paper(part: Picture, beside: Beside, view: PictureView) -> bool:
    """Tell whether a part looks like the card's paper, and the table doesn't."""
    there = np.asarray(cv2.bitwise_and(beside.near, _grown(part, 4)), np.uint8)
    if _share_of(beside.near, there) <= TOUCHING_PAPER or not cv2.countNonZero(beside.far):
        return False
    rim, table = (np.median(_colours(view, where), axis=0) for where in (beside.rim, beside.far))
    unlike = float(np.linalg.norm(rim - table))
    off = np.linalg.norm(_colours(view, there) - rim, axis=1)
    return unlike > UNLIKE and float((off < min(ALIKE, unlike / 2)).mean()) > PAPER


def _colours(view: PictureView, where: Picture) -> Floats:
    """List the colours of some places in the view, as Lab."""
    shown = view.picture[where > 0].astype(np.float32)[None] / 255
    return np.asarray(cv2.cvtColor(shown, cv2.COLOR_BGR2Lab)[0], np.float32)


def _share_of(whole: Picture, part: Picture) -> float:
    return cv2.countNonZero(cv2.bitwise_and(whole, part)) / max(1, cv2.countNonZero(whole))


def _mask_of(outlines: Sequence[Outline], view: PictureView) -> Picture:
    """Mark cards in the view."""
    mask = np.zeros_like(view.solid)
    for quad in quads_in_view(view.back, outlines).round().astype(np.int32):
        cv2.fillConvexPoly(mask, quad, 255)
    return mask


def _grown(mask: Picture, by: int) -> Picture:
    return np.asarray(cv2.dilate(mask, _square(by)), np.uint8)


def _square(by: int) -> Picture:
    """Make a square kernel that reaches so many pixels to each side."""
    return np.ones((2 * by + 1, 2 * by + 1), np.uint8)
