"""The table by its cards during play: found, refined, lost when the camera moves, found again. Pure."""

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.sightings import Cards, Outline
from vision.table.calibration import to_pixels, to_table
from vision.table.card_plane import (
    CardFit,
    aligned,
    enlarged_mask,
    exact_outlines,
    fit_cards,
    middle_of,
    misfits,
    refine_table,
    with_light,
    with_middle,
    with_seat,
)
from vision.table.plane import Reals
from vision.table.plates import Millimetres
from vision.table.values import Calibration, Optics
from vision.troubles import Problem

FEWEST = 2
"""Fewest cards that give a table: one card's perspective is off by a centimetre at the other side."""
ODD_CARD = 0.03  # median misfit from which on the cards no longer fit the table, as a share of their length
SAME_PLACE = 15.0  # millimetres within which a card counts as untouched after the camera moved
SHIFTED = 3.0  # pixels of the picture by which the still background must shift to count
PLACES, TRACKED = 60, 12
"""Most places of the background that are compared, and fewest that show a shift."""
GROUND_WIDTH = 800  # pixels across the small picture
PATCH, REACH = 15, 24  # pixels around a place that are compared, and farther ones that are searched
TEXTURE = 3.0  # least standard deviation of a place's levels, above the noise of a small picture
SAME_TEXTURE = 0.75  # least correlation with the same place
AS_CLEAR = 0.05  # a place counts as still if its correlation is within this of the best one
LEAST_FOUND = 0.3  # share of the places below which the camera has moved farther than the search reaches
BESIDE_CARD = 1.4  # enlargement of a card's outline that also contains its shadow
AGREEING = 0.6  # share of the features that must shift together
MOVED = Problem("camera moved")
LAY_CARDS = Problem("lay cards")


class Ground(Struct, frozen=True, eq=False):
    """A small picture of the table, and places with texture, to notice that the camera moved."""

    picture: Picture
    places: NDArray[np.int32]


class LostTable(Struct, frozen=True):
    """A table before the camera moved, and the positions of its cards by face."""

    table: Calibration
    placed: tuple[tuple[str, Outline], ...]


def find_ground(picture: Picture, cards: Cards) -> Ground:
    """Return the background without the cards, which are taken away during play."""
    small, scale = _shrunk(picture)
    free = 255 - enlarged_mask(small.shape, (np.array(card.outline) * scale for card in cards), BESIDE_CARD)
    inside = np.zeros_like(free)
    inside[PATCH:-PATCH, PATCH:-PATCH] = free[PATCH:-PATCH, PATCH:-PATCH]
    found: Any = cv2.goodFeaturesToTrack(small, PLACES, 0.01, PATCH, mask=inside)
    places = np.zeros((0, 2), np.int32) if found is None else np.asarray(found, np.int32).reshape(-1, 2)
    clear = [_patch(small, place, 0).std() >= TEXTURE for place in places]
    return Ground(small, places[np.array(clear, bool)])


def shift_of(ground: Ground, picture: Picture) -> float | None:
    """Return by how many pixels the background has shifted; None if it has too little texture to tell."""
    if len(ground.places) < TRACKED:
        return None
    now, scale = _shrunk(picture)
    if now.shape != ground.picture.shape:
        return float(max(picture.shape))
    shifts = [shift for place in ground.places if (shift := _shift_at(ground.picture, now, place)) is not None]
    if len(shifts) < LEAST_FOUND * len(ground.places):
        # farther than the search reaches
        return float(max(picture.shape))
    # hands and laid cards hide some places, the camera moves nearly all
    return float(np.quantile(shifts, 1 - AGREEING)) / scale


def _shift_at(before: Picture, now: Picture, place: NDArray[np.int32]) -> float | None:
    """Return how far the texture at a place has moved, none where it is nearly as clear as anywhere."""
    around = _patch(now, place, REACH)
    likeness = cv2.matchTemplate(around, _patch(before, place, 0), cv2.TM_CCOEFF_NORMED)
    _least, best, _where, (x, y) = cv2.minMaxLoc(likeness)
    # the place itself, in an area that may be cut off at the picture's edge
    own_x, own_y = (min(REACH, int(side) - PATCH) for side in place)
    if best < SAME_TEXTURE:
        return None
    return 0.0 if likeness[own_y, own_x] > best - AS_CLEAR else float(np.hypot(x - own_x, y - own_y))


def _patch(small: Picture, place: NDArray[np.int32], more: int) -> Picture:
    """Return the surroundings of a place, as far as they are in the picture."""
    (x, y), far = place.tolist(), PATCH + more
    return small[max(0, y - far) : y + far + 1, max(0, x - far) : x + far + 1]


def _shrunk(picture: Picture) -> tuple[Picture, float]:
    """Return the green channel, which has the least noise, in a small picture, and the scale of that."""
    scale = min(1.0, GROUND_WIDTH / picture.shape[1])
    green = np.ascontiguousarray(picture[..., 1])
    small = cv2.resize(green, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), np.uint8), scale


def lose_table(table: Calibration, known: Cards) -> LostTable:
    """Return what helps to find a table again: cards that lie there with a face that no other has."""
    faces = [card.face for card in known if card.sure and card.face is not None]
    placed = [
        (card.face, _on_table(table, card.outline))
        for card in known
        if card.sure and card.face is not None and faces.count(card.face) == 1
    ]
    return LostTable(table, tuple(placed))


def fit_known_cards(
    known: Cards, picture: Picture, card: Millimetres, optics: Optics | None, lost: LostTable | None
) -> CardFit | None:
    """Fit a table to the cards; after a move of the camera, in the frame that the table had before."""
    size = (picture.shape[1], picture.shape[0])
    outlines = exact_outlines(known, size)
    if len(outlines) < FEWEST:
        return None
    found = fit_cards(outlines, card, size, optics)
    if found is None:
        return None
    table = found.table if lost is None else _in_old_frame(found, lost, known)
    return CardFit(with_light(table, picture, found.outlines), found.outlines)


def _in_old_frame(found: CardFit, lost: LostTable, known: Cards) -> Calibration:
    """Return the table in its old frame, by cards that nobody touched, or else as the picture was framed."""
    faces = [card.face for card in known if card.sure]
    now = {card.face: card.outline for card in known if card.sure and faces.count(card.face) == 1}
    shared = [(now[face], outline) for face, outline in lost.placed if face in now]
    if not shared or found.table.size != lost.table.size:
        return _framed_as_before(found, lost.table)
    # a card that looks the same both ways up may be outlined from either end
    ways = [(seen, way) for seen, mm in shared for way in (mm, (*mm[2:], *mm[:2]))]
    placed = [aligned(found.table, np.array(seen), np.array(mm)) for seen, mm in ways]
    best = max(placed, key=lambda table: sum(_is_there(table, *each) for each in shared))
    kept = [each for each in shared if _is_there(best, *each)]
    middles = np.array([np.mean(seen, axis=0) for seen, _mm in kept])
    if len(kept) < FEWEST:
        return best
    return aligned(best, middles, np.array([np.mean(mm, axis=0) for _seen, mm in kept]))


def _is_there(table: Calibration, seen: Outline, mm: Outline) -> bool:
    off = np.mean(_on_table(table, seen), axis=0) - np.mean(mm, axis=0)
    return float(np.hypot(*off)) < SAME_PLACE


def _framed_as_before(found: CardFit, old: Calibration) -> Calibration:
    if found.table.size != old.size:
        return with_middle(found.table, middle_of(found.outlines))
    middle, seat = to_pixels(old, np.array([(0.0, 0.0), (0.0, 100.0)])).tolist()
    return with_seat(with_middle(found.table, (middle[0], middle[1])), (seat[0], seat[1]))


def do_cards_fit(table: Calibration, known: Cards, card: Millimetres) -> bool:
    """Return whether the cards have their size on the table, as far as there are enough to judge."""
    outlines = exact_outlines(known, table.size)
    return len(outlines) < FEWEST or float(np.median(misfits(table, outlines, card))) < ODD_CARD


def refine_by_cards(
    table: Calibration, known: Cards, fitted: int, card: Millimetres, optics: Optics | None
) -> tuple[Calibration, int]:
    """Return a better table, and the number of cards it was fitted to, if there are more than before."""
    outlines = exact_outlines(known, table.size)
    if len(outlines) <= fitted:
        return table, fitted
    return refine_table(table, outlines, card, optics), len(outlines)


def _on_table(table: Calibration, outline: Outline | Reals) -> Outline:
    a, b, c, d = ((float(x), float(y)) for x, y in to_table(table, np.array(outline)).tolist())
    return a, b, c, d


# the camera's angle

STEEP, FLAT_PIXELS = 55.0, 45.0
"""Degrees off the vertical, and pixels across a foreshortened card, up to and from which names are sure.

`python -m tests.bench cameras`: all names are sure at 60 degrees with 50 pixels left, one in 16 isn't with
37, half of them aren't with 34. Rendered pictures are sharp from front to back, so the angle has a margin.
"""


def angle_of(table: Calibration) -> float:
    """Return how many degrees off the vertical the camera sees the middle of the table."""
    least, most = _scales(table)
    return float(np.degrees(np.arccos(np.clip(least / most, 0.0, 1.0))))


def _scales(table: Calibration) -> tuple[float, float]:
    """Return the least and the largest pixels per millimetre in the middle of the table, by direction."""
    middle, right, down = to_pixels(table, np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]))
    most, least = np.linalg.svd(np.stack((right - middle, down - middle)), compute_uv=False).tolist()
    return least, max(most, 1e-9)


def view_problems(table: Calibration, card: Millimetres, needed: float) -> tuple[Problem, ...]:
    """Return the reasons why cards may be unreadable from here: the camera looks too flat, or is too far."""
    angle, across = angle_of(table), _scales(table)[1] * min(card)
    limit = min(STEEP, float(np.degrees(np.arccos(min(1.0, FLAT_PIXELS / across)))))
    flat = Problem("too flat", {"angle": round(angle), "most": int(limit)})
    far = Problem("too far", {"pixels": round(across), "needed": round(needed)})
    is_flat = angle > limit and across > FLAT_PIXELS
    return (*((flat,) if is_flat else ()), *((far,) if across < needed else ()))
