"""Find the one card in a photograph by its shape, on any background, and rectify it.

Outlines are searched in a small picture with several masks, because each mask fails on some tables. The best
ones are refined in the full picture, and rated by how much of all four sides is an edge.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import hypot
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.pictures import Picture, shrink_picture
from vision.reading.outlines import darkest_channel, distance_from_rim, four_turns, sides_of
from vision.sightings import Outline
from vision.table.optics import USUAL_FOCAL
from vision.table.plane import (
    UNIT_SQUARE,
    Reals,
    area_within,
    holds,
    homography,
    largest_channel,
    lengths_of,
    line_through,
    meet,
    sample_colours,
)

LONGER = 352  # pixels along a rectified card's longer side: 4 per millimetre
_LOOKED_AT = 960  # pixels along the longer side of the picture in which outlines are searched
FINE = 2400  # pixels along the longer side of the picture in which edges are measured
_LEAST = 0.0012  # smallest share of the picture that a card takes
_SLIMMEST = 2.6  # largest apparent ratio of a card's length to its width
_LOOKED_THROUGH, _TRIED = 60, 10
"""Outlines rated in the small picture, and the number of those measured at full size."""


class CardOutline(Struct, frozen=True, eq=False):
    """A four-sided outline, rated by how likely it is a card's."""

    corners: Reals  # clockwise from the picture's upper left
    picture: tuple[int, ...]  # the shape of the picture that contains it
    score: float
    edge: float  # share of its sides that are edges
    firm: float = 1.0  # share of its faintest side that is stronger than the table's grain

    @property
    def share(self) -> float:
        """Share of the picture's area."""
        return area_within(self.corners) / (self.picture[0] * self.picture[1])

    @property
    def shape(self) -> float:
        """The card's width / height, corrected for perspective."""
        return true_aspect(self.corners, self.picture)


SURE = 0.3  # smallest score of a card's outline


def find_card_outlines(picture: Picture) -> list[CardOutline]:
    """Return candidate outlines of the card, the best first."""
    measured = shrink_picture(picture, FINE)
    small = shrink_picture(measured, _LOOKED_AT)
    up, whole = measured.shape[1] / small.shape[1], picture.shape[1] / measured.shape[1]
    rough = islice(_distinct_quads(small), _LOOKED_THROUGH)
    best = _best_outlines([measure_outline(small, quad, (0.03,)) for quad in rough])
    light = np.asarray(cv2.GaussianBlur(measured, (0, 0), 1.0), np.uint8)
    fine = [measure_outline(light, (each.corners + 0.5) * up - 0.5, (0.02, 0.01)) for each in best[:_TRIED]]
    known = [each for each in fine if each is not None]
    # a sheet or mat with a card at an angle on it ranks behind the card
    cards = [replace(each, score=each.score * 0.6) if _is_ground(each, known) else each for each in known]
    return [
        replace(each, corners=(each.corners + 0.5) * whole - 0.5, picture=picture.shape)
        for each in _best_outlines(_outer_first(cards))
    ]


def find_tilted_outlines(picture: Picture, width_by_height: float) -> list[CardOutline]:
    """Return measured outlines of cards of this shape, upright or across, also under a slanting camera."""
    slim = np.log(upright(width_by_height))
    return _measured_outlines(picture, lambda aspect: abs(np.log(upright(aspect)) - slim) < _TILTED)


def _measured_outlines(picture: Picture, is_shaped: Callable[[float], bool]) -> list[CardOutline]:
    small = shrink_picture(picture, _LOOKED_AT_MANY)
    up = picture.shape[1] / small.shape[1]
    rough = _distinct_quads(small)
    shaped = [each for each in rough if is_shaped(true_aspect(each, small.shape))]
    light = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    measured = [measure_outline(light, (each + 0.5) * up - 0.5, (0.02, 0.01)) for each in shaped]
    return sorted((each for each in measured if each is not None), key=lambda each: -each.edge)


_LOOKED_AT_MANY = 1280
"""Pixels along the longer side of the picture in which the outlines of many cards are searched."""
_ODD = 0.15  # largest log difference of an outline's shape from a card's
_TILTED = 0.4
"""The same if the plane is fitted afterwards: the focal length of a slanting camera isn't known."""


def find_as_large(picture: Picture, width_by_height: float, share: float) -> CardOutline | None:
    """Find the clearest outline of the deck's shape and about the size of its other cards.

    The size excludes pips, however clear they are.
    """
    every = _measured_outlines(picture, lambda aspect: abs(np.log(aspect / width_by_height)) < _ODD)
    best = next((each for each in every if is_as_large(each.share, share)), None)
    return None if best is None else with_a_side_righted(picture, best, width_by_height)


def is_as_large(share: float, usual: float) -> bool:
    """Return whether a card takes a usual share of its picture; people hold cameras at similar distances."""
    return usual / _LARGER < share < usual * _LARGER


_LARGER = 3.0


def with_a_side_righted(picture: Picture, found: CardOutline, width_by_height: float) -> CardOutline:
    """Recompute each side from the opposite one and the card's shape; return the clearest outline.

    A light spot of the table beside a light card may displace one side of its outline.
    """
    light = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    laid = [_with_side_at(found.corners, side, width_by_height) for side in range(4)]
    measured = [each for quad in laid if (each := measure_outline(light, quad, _CLOSER_AND_CLOSER))]
    shaped = [each for each in measured if abs(np.log(each.shape / width_by_height)) < _ODD]
    return max((found, *shaped), key=lambda each: each.score)


_CLOSER_AND_CLOSER = (0.05, 0.04, 0.03, 0.02, 0.01)
"""Search ranges for the edge near a computed side; perspective isn't known exactly."""


def _with_side_at(quad: Reals, side: int, width_by_height: float) -> Reals:
    first, last, beside_last, beside_first = ((side + step) % 4 for step in range(4))
    opposite = float(np.hypot(*(quad[beside_first] - quad[beside_last])))
    far = opposite / width_by_height if side % 2 == 0 else opposite * width_by_height
    moved = quad.copy()
    for corner, from_here in ((first, beside_first), (last, beside_last)):
        side_vector = quad[corner] - quad[from_here]
        moved[corner] = quad[from_here] + side_vector * far / max(1e-9, float(np.hypot(*side_vector)))
    return moved


def _best_outlines(measured: Sequence[CardOutline | None]) -> list[CardOutline]:
    good = [each for each in measured if each is not None and each.score > 0.2]
    return sorted(good, key=lambda each: -each.score)


def _outer_first(those: list[CardOutline]) -> list[CardOutline]:
    """Rank a card's outline before that of a frame printed on it, though the frame is clearer."""
    best = max((each.score for each in those), default=0.0)
    return [
        replace(each, score=best + area_within(each.corners) / 1e9)
        if each.edge > _PALE
        and each.score > 0.42 * best
        and any(is_print(other, each) for other in those if other.score == best)
        else each
        for each in those
    ]


_PALE = 0.8  # smallest share of edges in the rim of a white card on a white table


def is_print(inner: CardOutline, outer: CardOutline) -> bool:
    share = area_within(inner.corners) / area_within(outer.corners)
    is_smaller = 0.3 < share < 0.97 and _degrees_askew(inner.corners, outer.corners) < 4
    return is_smaller and _is_inside(inner.corners, outer.corners)


def _is_ground(one: CardOutline, others: list[CardOutline]) -> bool:
    return any(
        other.score > 0.8 * one.score
        and (0.002 if one.share > 0.5 else 0.012) < other.share / one.share < 0.7
        and _slimness(other.corners) > 1.1
        and _degrees_askew(one.corners, other.corners) > 5
        and _is_inside(other.corners, one.corners)
        for other in others
    )


def _degrees_askew(one: Reals, other: Reals) -> float:
    """Return the angle between two outlines in degrees, the smallest over quarter turns."""
    sides = [np.roll(other, -1, axis=0) - other, np.roll(one, -1, axis=0) - one]
    inner, outer = (np.degrees(np.arctan2(each[:, 1], each[:, 0])) for each in sides)
    return min(float(np.abs((np.roll(inner, i) - outer + 180) % 360 - 180).mean()) for i in range(4))


def _is_inside(inner: Reals, outer: Reals) -> bool:
    return all(holds(outer, (x, y)) for x, y in inner)


# choosing the card's outline


def upright(shape: float) -> float:
    return min(shape, 1 / shape)


def count_tables(seen: Sequence[Sequence[CardOutline]]) -> int:
    """Count pictures of a card on a table: outlines of one shape at varying positions.

    Scans contain outlines, too: frames, which have a fixed position, and pips, which are small or not shaped
    like a card.
    """
    best = [some[0] for some in seen if some]
    places = np.array([(each.corners + 0.5) / each.picture[1::-1] for each in best])
    here = np.log([
        slim
        for each, place in zip(best, places, strict=True)
        if each.share >= _LEAST_SHARE
        and _SLIMMEST_CARD < (slim := upright(each.shape)) < _BROADEST
        and (np.abs(places - place).max(axis=(1, 2)) < _SAME_PLACE).sum() == 1
    ])  # fmt: skip
    return int((np.abs(here - np.median(here)) < _OFF).sum()) if len(here) else 0


_LEAST_SHARE, _SLIMMEST_CARD, _BROADEST = 0.02, 0.5, 0.86
"""Smallest share of the picture that a card takes, and its slimmest and broadest shape, upright."""
_SAME_PLACE = 0.015
"""Largest distance between the corners of a frame on scans, as shares of the picture."""
_OFF = 0.1  # largest log difference from a card's shape: cameras differ


def choose_outline(found: Sequence[CardOutline], shape: float) -> CardOutline | None:
    """Return the best outline of the deck's shape; an upright one is preferred over one lying across."""
    shapes = [(each, float(np.log(each.shape))) for each in found]
    stands = float(np.log(shape))
    fitting = [each for each, here in shapes if min(abs(here - stands), abs(here + stands)) < _OFF]
    least = _AS_WELL * max((each.score for each in fitting), default=0.0)
    for wanted in (stands, -stands):
        for each, here in shapes:
            if abs(here - wanted) < _OFF and each.score >= least:
                return _outermost_rim(each, [other for other, there in shapes if abs(there - wanted) < _EXACT])
    return None


_AS_WELL = 0.7
"""An upright outline is preferred if its score is at least this share of the best one's."""
_EXACT = 0.05
"""Largest log difference of a white card's rim from the shape; a frame inside it would be slimmer."""


def _outermost_rim(best: CardOutline, exact: list[CardOutline]) -> CardOutline:
    """Prefer a rim around the best outline if it has exactly a card's shape, even if it is less clear."""
    rims = [each for each in exact if each.edge > _RIM and each.firm > _FIRM and is_print(best, each)]
    return max((best, *rims), key=lambda each: each.share)


_RIM, _FIRM = 0.6, 0.12
"""Smallest share of edges in the rim, and of edges stronger than a cloth's grain."""


# outlines in the small picture


def _masks(small: Picture) -> Iterator[Picture]:
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.2), np.uint8)
    grey, darkest = cv2.cvtColor(soft, cv2.COLOR_BGR2GRAY), darkest_channel(soft)
    away = distance_from_rim(soft)
    for plane in (grey, darkest, away):
        yield np.asarray(cv2.threshold(plane, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1], np.uint8)
    window = max(15, max(small.shape[:2]) // 14 | 1)
    for less in (-4, 4):
        mean = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, less)
        yield np.asarray(mean if less < 0 else 255 - np.asarray(mean), np.uint8)
    for plane, low, high in ((grey, 12, 36), (grey, 40, 110), (darkest, 8, 24), (away, 16, 48)):
        edges = cv2.Canny(plane, low, high, L2gradient=True)
        yield np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _quads(small: Picture) -> Iterator[Reals]:
    """Yield four-sided outlines of all masks, the largest first."""
    hulls = [each for mask in _masks(small) for each in _hulls(mask)]
    for area, hull in sorted(hulls, key=lambda each: -each[0]):
        turns = four_turns(hull, (0.02, 0.035, 0.05, 0.07, 0.09))
        # most hulls are print without a card's shape, so fitting their sides is skipped
        quad = None if turns is None or not _is_card_like(turns, small) else sides_of(hull, turns, 0.25)
        if quad is not None and area > 0.88 * area_within(quad):
            yield quad


def _hulls(mask: Picture) -> Iterator[tuple[float, Reals]]:
    contours, _tree = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    least = _LEAST * mask.size
    for contour in contours:
        if len(contour) < 60:
            continue
        _left, _top, wide, high = cv2.boundingRect(contour)
        if wide * high >= least and (area := cv2.contourArea(hull := cv2.convexHull(contour))) >= least:
            yield area, np.asarray(hull, np.float64)[:, 0]


def _distinct_quads(small: Picture) -> Iterator[Reals]:
    """Yield distinct quads that could be a card, with corners in order."""
    kept = np.zeros((0, 4, 2))
    for quad in (_from_upper_left(quad) for quad in _quads(small) if _is_card_like(quad, small)):
        near = 0.02 * float(np.sqrt(area_within(quad)))
        if not (np.abs(kept - quad).max(axis=(1, 2)) < near).any():
            kept = np.concatenate((kept, quad[None]))
            yield quad


def _from_upper_left(quad: Reals) -> Reals:
    if float(cv2.contourArea(quad.astype(np.float32), oriented=True)) < 0:
        quad = quad[::-1]
    return max((np.roll(quad, -i, axis=0) for i in range(4)), key=_uprightness)


def _uprightness(quad: Reals) -> float:
    """Return how straight a quad's lower side is below its upper one; 1 is straight."""
    (x, y), (right, beside), (low_x, low_y), (left_x, left_y) = ((float(x), float(y)) for x, y in quad)
    across, down = low_x + left_x - x - right, low_y + left_y - y - beside
    return down / max(1e-9, hypot(across, down))


def _is_card_like(quad: Reals, picture: Picture) -> bool:
    high, wide = picture.shape[:2]
    inside = (quad > -0.02 * max(high, wide)).all() and (quad < (wide * 1.02, high * 1.02)).all()
    if not inside or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    if not _LEAST * high * wide < area_within(quad) < 0.95 * high * wide:
        return False
    top, right, low, left = np.maximum(1e-9, lengths_of(quad))
    # perspective makes opposite edges differ, but only to this extent
    uneven = max(top / low, low / top, left / right, right / left)
    return bool(_slimness(quad) < _SLIMMEST and uneven < 1.9)


def _slimness(quad: Reals) -> float:
    top, right, low, left = lengths_of(quad)
    return float(max(top + low, left + right) / max(1e-9, min(top + low, left + right)))


# edges in the full picture


def measure_outline(light: Picture, quad: Reals, reaches: Sequence[float]) -> CardOutline | None:
    """Move an outline onto the edges near it; `reaches` are distances in card sizes. None if it collapses."""
    sides: list[_Side] = []
    for reach in reaches:
        sides = _edges(light, quad, reach)
        moved = meet(np.stack([side.line for side in sides]))
        if moved is None or np.abs(moved - quad).max() > 2 * reach * float(lengths_of(quad).max()) + 2:
            return None
        quad = moved
    shares = [side.edge for side in sides], [side.step for side in sides]
    edge, step = (min(each) * 0.6 + float(np.mean(each)) * 0.4 for each in shares)
    score = edge * (0.45 + 0.55 * step) + _placement_score(quad, light)
    return CardOutline(quad, light.shape, score, edge, min(side.firm for side in sides))


def _placement_score(quad: Reals, light: Picture) -> float:
    """Rate size and position: people photograph a card large and in the middle."""
    size = np.array(light.shape[1::-1])
    off = (quad.mean(axis=0) - size / 2) / np.hypot(*size)
    return 0.06 * float(np.log10(area_within(quad) / size.prod())) - 0.5 * float(np.hypot(*off))


class _Side(NamedTuple):
    """One side of an outline."""

    line: Reals
    edge: float  # share of the side that is an edge
    firm: float  # share with an edge stronger than the grain of cloth or wood
    step: float  # share where inside and outside differ, unlike at a printed line


def _edges(light: Picture, quad: Reals, reach: float) -> list[_Side]:
    """Find the edges near all four sides of an outline at once; most of the cost is the calls."""
    along = np.roll(quad, -1, axis=0) - quad
    lengths = np.maximum(1e-9, np.hypot(*along.T))
    out = np.column_stack((along[:, 1], -along[:, 0])) / lengths[:, None]
    size = float(np.sqrt(area_within(quad)))
    far = max(3.0, reach * size)
    steps = np.linspace(-far, far, 2 * min(24, int(far * 1.5) + 2) + 1)
    where = quad[:, None] + np.linspace(0.1, 0.9, 64)[:, None] * along[:, None]
    seen = sample_colours(light, where[:, :, None] + steps[:, None] * out[:, None, None])
    slope = largest_channel(np.abs(np.gradient(seen, axis=2))) / (steps[1] - steps[0])
    at, strength = (each.reshape(4, -1) for each in _outermost_edges(slope.reshape(-1, len(steps))))
    points = where + steps[at][..., None] * out[:, None]
    clear = strength > _CLEAR
    firm = clear & (strength > _GRAIN * np.median(slope, axis=2))
    step = _share_with_step(light, where, out, max(4.0, 0.03 * size))
    lines = [
        line_through(each[some] if some.sum() > 5 else each) for each, some in zip(points, clear, strict=True)
    ]
    off = [np.abs(each @ line[:2] + line[2]) for each, line in zip(points, lines, strict=True)]
    near = np.stack(off) < np.maximum(1.5, 0.006 * lengths)[:, None]
    shares = [each.mean(axis=1).tolist() for each in (clear & near, firm & near)]
    return [_Side(*values) for values in zip(lines, *shares, step, strict=True)]


def _share_with_step(light: Picture, where: Reals, out: Reals, far: float) -> list[float]:
    """Return each side's share with a difference between strips farther apart than a printed line."""
    beside = np.linspace(0.8, 1.3, 5)[:, None] * far * out[:, None, None]
    inner, outer = (sample_colours(light, where[:, :, None] + sign * beside).mean(axis=2) for sign in (-1, 1))
    return [float(each) for each in (largest_channel(np.abs(inner - outer)) > _DIFFERENT).mean(axis=1)]


_DIFFERENT = 7.0  # smallest step between inside and outside, in grey levels of any channel
_CLEAR = 1.6  # smallest slope of an edge, in grey levels per pixel
_GRAIN = 3.0
"""Smallest ratio of an edge's slope to its surroundings; cloth and grain are steep everywhere."""


def _outermost_edges(slope: NDArray[np.float32]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return for each profile the outermost position nearly as steep as the steepest."""
    steep = slope >= 0.6 * slope.max(axis=1, keepdims=True)
    last = slope.shape[1] - 1 - steep[:, ::-1].argmax(axis=1)
    # climb from there to the top of that slope
    for _step in range(3):
        inner = np.maximum(last - 1, 0)
        rows = np.arange(len(slope))
        last = np.where(slope[rows, inner] > slope[rows, last], inner, last)
    return last, slope[np.arange(len(slope)), last]


# rectification


def aspect(outline: Reals) -> float:
    top, right, low, left = lengths_of(outline)
    return float((top + low) / max(1e-9, right + left))


def true_aspect(corners: Reals, shape: Sequence[int]) -> float:
    """Return a card's width / height without perspective, in a picture of this shape."""
    high, wide = shape[:2]
    centred = (corners - ((wide - 1) / 2, (high - 1) / 2)) / (USUAL_FOCAL * max(high, wide))
    across, down, _away = homography(UNIT_SQUARE, centred).T
    return float(np.linalg.norm(across) / np.linalg.norm(down))


def size_of(width_by_height: float, longer: int = LONGER) -> tuple[int, int]:
    if width_by_height <= 1:
        return max(1, round(longer * width_by_height)), longer
    return longer, max(1, round(longer / width_by_height))


def rectify_card(
    picture: Picture, outline: Outline | Reals, width_by_height: float, longer: int = LONGER
) -> Picture:
    corners = np.asarray(outline, np.float64)
    width, height = size_of(width_by_height, longer)
    # halve an oversized picture first to avoid aliasing
    while lengths_of(corners).max() > 2.4 * longer:
        size = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        corners = (corners + 0.5) / 2 - 0.5
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64) - 0.5
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(
        picture, homography(target, corners), (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)
