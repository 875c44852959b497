"""A picture as a pyramid of levels, and a view straight down on the table.

A pose is a homography from card coordinates (-0.5 to 0.5, across and down) to picture pixels. A view is a
smaller picture; if the table's plane is known, it shows the table from straight above.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import ceil
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.sightings import Outline
from vision.table.calibration import flat_plane
from vision.table.plane import UNIT_SQUARE, Reals, area_within, as_outline, inverse, map_points, size_misfit
from vision.table.values import Calibration

Picture: TypeAlias = NDArray[np.uint8]
Slope: TypeAlias = NDArray[np.int16]

# the empty table

QUARTER = 4  # the empty table's lines are stored at this fraction of the picture's size


class Surroundings(Struct, frozen=True, eq=False):
    """The table without cards: its plane, other objects and the empty table's edges."""

    plane: NDArray[np.float64]  # maps table millimetres to picture pixels
    things: tuple[Outline, ...] = ()  # outlines of objects other than cards: the marker plates
    lines: Picture | None = None
    """Edge strength of the empty table: its grain, a printed mat."""


def surroundings_at(table: Calibration, empty: Picture | None = None) -> Surroundings:
    """Describe a table; `empty` is the same camera's picture of it without cards.

    Cards' edges run along the lines of checks and of print everywhere, so such lines are left out.
    """
    things = tuple(plate_around(code) for code in table.markers.values())
    lines = None if empty is None else lines_of(empty)
    is_checked = lines is not None and (lines >= A_LINE).mean() > CHECKED
    return Surroundings(flat_plane(table), things, None if is_checked else lines)


def lines_of(empty: Picture) -> Picture:
    """Return the strength of an empty table's edges above the noise, slightly widened."""
    high, wide = empty.shape[:2]
    half = cv2.resize(empty, (wide // 2, high // 2), interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    quarter = cv2.resize(
        strength(slopes_of(np.asarray(grey, np.uint8))),
        (wide // QUARTER, high // QUARTER),
        interpolation=cv2.INTER_AREA,
    )
    wider = cv2.dilate(quarter, np.ones((3, 3)))
    return np.asarray(cv2.subtract(wider, np.full_like(wider, np.median(wider))), np.uint8)


CHECKED = 0.25
"""Share of a table in lines from which on it is checked: gingham has 0.32 and more, a mat 0.24 at most."""


def slopes_of(grey: Picture) -> tuple[Slope, Slope]:
    """Return the grey gradients across and down, smoothed against pixel noise."""
    across, down = cv2.spatialGradient(cv2.GaussianBlur(grey, (3, 3), 0), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(across, np.int16), np.asarray(down, np.int16)


def strength(slopes: tuple[Slope, Slope]) -> Picture:
    across, down = (cv2.convertScaleAbs(each, alpha=0.5) for each in slopes)
    return np.asarray(cv2.add(across, down), np.uint8)


PLATE = (-0.25, -0.25, 1.25, 1.85)
"""Left, top, right and bottom of a marker's plate, in code sides from the code's upper left corner."""


def plate_around(code: Outline) -> Outline:
    left, top, right, bottom = PLATE
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    matrix = cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), np.array(code, np.float32))
    return as_outline(cv2.perspectiveTransform(corners[None], matrix)[0])


Floats: TypeAlias = NDArray[np.float32]
Pose: TypeAlias = Reals
Point: TypeAlias = tuple[float, float]

CORNER_SPOTS: tuple[Point, ...] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
CORNERS = np.array(CORNER_SPOTS)
LONGEST = 1000  # longest side of a view in pixels
SMALLEST = 60 * 36  # smallest area of a card in the picture, in pixels
LONG_SIDE = 63  # length of a card in a view from above, in pixels

# positions and poses


@cache
def along_sides(reach: float, span: float, count: int) -> Reals:
    """Return positions along or beside a card's four sides, in card coordinates: sides x positions x 2."""
    steps, edge = np.linspace(-span, span, count), np.full(count, reach)
    sides = ((steps, -edge), (edge, steps), (steps, edge), (-edge, steps))
    return np.stack([np.column_stack(side) for side in sides])


def pose_of(corners: Reals) -> Pose:
    return np.asarray(
        cv2.getPerspectiveTransform(CORNERS.astype(np.float32), np.asarray(corners, np.float32)), np.float64
    )


def outline_of(pose: Pose) -> Outline:
    a, b, c, d = map_each(pose, CORNER_SPOTS)
    return a, b, c, d


def map_each(pose: Pose, spots: Iterable[Point]) -> list[Point]:
    """Map a few positions with plain numbers, which are far faster than arrays for one pose."""
    (a, b, c), (d, e, f), (g, h, i) = pose.tolist()
    sent = [(a * x + b * y + c, d * x + e * y + f, g * x + h * y + i) for x, y in spots]
    return [(x / depth, y / depth) for x, y, z in sent for depth in (z if abs(z) >= 1e-9 else 1e-9,)]


def area_of(pose: Pose) -> float:
    return area_within(map_points(pose, CORNERS))


def common_share(one: Outline, other: Outline) -> float:
    """Return the overlap of two outlines as a share of their union."""
    first, second = (np.array(outline, np.float32) for outline in (one, other))
    common = cv2.intersectConvexConvex(first, second)[0]
    return common / max(1e-9, cv2.contourArea(first) + cv2.contourArea(second) - common)


# levels and views


def pyramid(picture: Picture) -> tuple[Picture, ...]:
    levels = [picture]
    while min(levels[-1].shape[:2]) >= 240:
        high, wide = (side // 2 for side in levels[-1].shape[:2])
        half = cv2.resize(levels[-1][: 2 * high, : 2 * wide], (wide, high), interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return tuple(levels)


def to_level(level: int) -> Reals:
    share = 0.5**level
    return np.array([(share, 0, (share - 1) / 2), (0, share, (share - 1) / 2), (0, 0, 1)])


class PictureView(Struct, frozen=True, eq=False):
    """A smaller version of the picture; `back` maps its positions to picture pixels."""

    picture: Picture
    grey: Picture
    back: Reals
    card: tuple[float, float] | None
    """A card's sides in view pixels, if the plane is known."""
    edges: Picture  # on the table's own lines, only edges stronger than noise
    solid: Picture  # areas enclosed by edges, filled, without the thin lines that noise leaves


def view_of(levels: Sequence[Picture], size: tuple[float, float], table: Surroundings | None) -> PictureView:
    if table is None:
        return _shrunk_view(levels[0])
    return _view_from_above(levels, size, table) or _shrunk_view(levels[0])


def _shrunk_view(picture: Picture) -> PictureView:
    scale = max(1.0, max(picture.shape[:2]) / LONGEST)
    shape = max(1, round(picture.shape[1] / scale)), max(1, round(picture.shape[0] / scale))
    small = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA) if scale > 1 else picture
    across, down = picture.shape[1] / shape[0], picture.shape[0] / shape[1]
    back = np.array([(across, 0, (across - 1) / 2), (0, down, (down - 1) / 2), (0, 0, 1.0)])
    grey = grey_of(small)
    edges = edges_of(slopes_of(grey))
    return PictureView(np.asarray(small), grey, back, None, edges, _fill_enclosed(edges, grey.size / 16))


def _view_from_above(
    levels: Sequence[Picture], size: tuple[float, float], table: Surroundings
) -> PictureView | None:
    least, span = part_seen(levels[0].shape, table.plane)
    if not 20 < float(span.max()) < 20 * max(size) * 10:
        return None
    scale = min(LONGEST / float(span.max()), LONG_SIDE / max(size))
    back, shape = straight_above(table.plane, least, span, scale)
    above = rectify_part(levels, back, shape)
    grey = grey_of(above)
    edges, outlines = _new_edges(grey, back, table)
    card = (size[0] * scale, size[1] * scale)
    return PictureView(above, grey, back, card, edges, _fill_enclosed(outlines, 1.1 * card[0] * card[1]))


def part_seen(shape: Sequence[int], plane: Reals) -> tuple[Reals, Reals]:
    """Return the upper left corner and extent of the visible table; 0 if the plane is invalid."""
    rim = UNIT_SQUARE * (shape[1], shape[0])
    try:
        seen = map_points(inverse(plane), rim)
    except np.linalg.LinAlgError:
        return np.zeros(2), np.zeros(2)
    span = np.ptp(seen, axis=0)
    return seen.min(axis=0), span if np.isfinite(span).all() else np.zeros(2)


def straight_above(plane: Reals, least: Reals, span: Reals, scale: float) -> tuple[Reals, tuple[int, int]]:
    """Return the map from a view with `scale` pixels per millimetre to the picture, and the view's size."""
    to_table = np.array([(1 / scale, 0, least[0]), (0, 1 / scale, least[1]), (0, 0, 1)])
    return plane @ to_table, (ceil(span[0] * scale), ceil(span[1] * scale))


def _new_edges(grey: Picture, back: Reals, table: Surroundings) -> tuple[Picture, Picture]:
    """Find edges that the empty table doesn't have, outside the known objects on it.

    Return the edges stronger than noise on the table's lines, then all edges. A card's outline across such
    lines needs all of them.
    """
    found = _edges_beside_lines(slopes_of(grey), back, table)
    for edges in found:
        blank_out(edges, back, table.things, 1.1)
    return found


def blank_out(mask: Picture, back: Reals, outlines: Sequence[Outline], wider: float) -> None:
    """Clear slightly enlarged outlines of the picture in a mask of the view."""
    quads = quads_in_view(back, outlines)
    middles = quads.mean(axis=1, keepdims=True)
    for quad in (middles + (quads - middles) * wider).round().astype(np.int32):
        cv2.fillConvexPoly(mask, quad, 0)


def quads_in_view(back: Reals, outlines: Sequence[Outline]) -> Reals:
    return map_points(inverse(back), np.reshape(outlines, (-1, 2))).reshape(-1, 4, 2)


def _edges_beside_lines(
    slopes: tuple[Slope, Slope], back: Reals, table: Surroundings
) -> tuple[Picture, Picture]:
    if table.lines is None:
        return (edges := edges_of(slopes)), edges
    steep = strength(slopes)
    known, least, lines = _known_lines(table, tuple(back.ravel().tolist()), steep.shape[::-1])
    # steepness everywhere outside the table's lines is noise, as a camera produces it in poor light
    noise = float(np.median(cv2.subtract(steep[::8, ::8], known[::8, ::8])))
    edges = edges_of(slopes, noise)
    # all bits are set where lines are
    more = cv2.add(least, lines & np.uint8(min(255.0, ON_LINES * noise)))
    clear, new = (cv2.bitwise_and(edges, cv2.compare(steep, each, cv2.CMP_GT)) for each in (more, least))
    return np.asarray(clear, np.uint8), np.asarray(new, np.uint8)


@lru_cache(maxsize=2)
def _known_lines(
    table: Surroundings, back: tuple[float, ...], shape: tuple[int, int]
) -> tuple[Picture, Picture, Picture]:
    """Return a view of the table's line strength, the least strength of new edges, and a mask of the lines."""
    to_quarter = np.diag((1 / QUARTER, 1 / QUARTER, 1.0)) @ np.reshape(back, (3, 3))
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    known = np.asarray(cv2.warpPerspective(np.asarray(table.lines), to_quarter, shape, flags=how), np.uint8)
    least = np.asarray(cv2.addWeighted(known, STRONGER, known, 0, 8), np.uint8)
    return known, least, np.where(known >= A_LINE, np.uint8(255), np.uint8(0))


STRONGER = 1.6  # factor over the empty table's edge strength from which an edge is new
A_LINE, ON_LINES = 10, 3.0
"""Smallest strength of a line of the table, and factor over the noise for new edges on it."""


def rectify_part(levels: Sequence[Picture], back: Reals, shape: tuple[int, int]) -> Picture:
    """Rectify a part of the picture to (width, height), from the coarsest level that is fine enough."""
    middle, right, below = map_points(
        back, np.array([shape, (shape[0] + 2, shape[1]), (shape[0], shape[1] + 2)]) / 2
    )
    step = max(float(np.hypot(*(right - middle))), float(np.hypot(*(below - middle))), 1e-6)
    level = min(len(levels) - 1, max(0, int(np.log2(step))))
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    part, there = _part_of(levels[level], to_level(level) @ back, shape)
    # OpenCV warps four channels faster than three
    four = cv2.cvtColor(part, cv2.COLOR_BGR2BGRA)
    flat = cv2.warpPerspective(four, there, shape, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGRA2BGR), np.uint8)


def _part_of(picture: Picture, back: Reals, shape: tuple[int, int]) -> tuple[Picture, Reals]:
    """Crop a picture to the part that a view shows; also return the view's map to it."""
    wide, high = shape
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)])
    depth = corners @ back[2, :2] + back[2, 2]
    if not (depth > 0).all() and not (depth < 0).all():
        return picture, back
    seen = map_points(back, corners)
    left, top = np.clip(seen.min(axis=0) - 2, 0, (picture.shape[1] - 1, picture.shape[0] - 1)).astype(int)
    right, bottom = np.clip(seen.max(axis=0) + 3, (left + 1, top + 1), picture.shape[1::-1]).astype(int)
    return picture[top:bottom, left:right], np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1.0)]) @ back


def grey_of(picture: object) -> Picture:
    return np.asarray(cv2.cvtColor(np.asarray(picture, np.uint8), cv2.COLOR_BGR2GRAY), np.uint8)


def edges_of(slopes: tuple[Slope, Slope], noise: float = 0.0) -> Picture:
    """Find edges with thresholds low enough for a white card on a white table, but above noise."""
    low, high = (max(least, above * noise) for least, above in THRESHOLDS)
    return np.asarray(cv2.Canny(*slopes, low, high), np.uint8)


THRESHOLDS = ((20.0, 4.0), (55.0, 8.0))
"""Canny's lower and upper threshold: an absolute minimum, and a multiple of the noise."""


def _fill_enclosed(edges: Picture, most: float) -> Picture:
    """Fill areas enclosed by edges and no larger than a card."""
    closed = np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
    contours, tree = cv2.findContours(closed, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    # without contours there is no tree
    inner = np.asarray(tree if contours else [], np.intp).reshape(-1, 4)[:, 3] >= 0
    holes = [hole for hole, is_inner in zip(contours, inner, strict=True) if is_inner]
    cv2.drawContours(closed, [hole for hole in holes if cv2.contourArea(hole) <= most], -1, 255, cv2.FILLED)
    # lines on the table are too thin to survive this
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)), np.uint8)


# the plane, by cards

Complex: TypeAlias = NDArray[np.complex128]

FOCALS = (0.8, 1.25, 1.9)
"""Focal lengths that are tried, as multiples of a picture's longer side; the first is usual."""
OTHER_LENS, WELL = 0.7, 0.02**2
"""Largest misfit of another lens, relative to the usual one, and in all: a square of shares of a card's length.

Outlines of few cards hardly show the lens, and in a photograph of bent cards, whose misfit is 0.061**2 with the
usual lens and 0.041**2 with a longer one, the longer one lost three cards.
"""
STEEPEST = np.radians(60)
COARSE, FINER = 8, 8
"""Steps tried up to the steepest tilt, and number of passes, each with half the step of the one before."""
DOUBT_OF_TILT = 0.004
"""Outline error, as a share of a card's length, that is tolerated before the camera counts as tilted."""


def plane_under(poses: Sequence[Pose], size: tuple[float, float], shape: Sequence[int]) -> Reals:
    """Return the plane, millimetres to pixels, on which the posed cards all have the given size."""
    outlines = np.stack([map_points(pose, CORNERS) for pose in sorted(poses, key=area_of)[-8:]])
    card = (CORNERS * size) @ np.array([1, 1j])
    usual, *others = (_plane_by_lens(outlines, card, shape, focal) for focal in FOCALS)
    best = min(others, key=lambda each: each[1])
    return best[0] if best[1] < min(WELL, OTHER_LENS * usual[1]) else usual[0]


def _plane_by_lens(outlines: Reals, card: Complex, shape: Sequence[int], focal: float) -> tuple[Reals, float]:
    """Return the plane under outlines in the picture, through a lens, and the misfit of the cards."""
    high, wide = shape[:2]
    unit = focal * max(high, wide)
    lens = np.array([(unit, 0, (wide - 1) / 2), (0, unit, (high - 1) / 2), (0, 0, 1)])
    seen = map_points(inverse(lens), outlines.reshape(-1, 2)).reshape(-1, 4, 2)
    best, misfit, step, reach = np.zeros(2), np.inf, float(STEEPEST) / COARSE, COARSE
    for _finer in range(FINER):
        around = np.stack(np.meshgrid(*[np.arange(-reach, reach + 1)] * 2), axis=-1).reshape(-1, 2)
        leans = [lean for lean in around * step + best if np.hypot(*lean) <= STEEPEST]
        misfits = _misfits(np.stack([_camera_rotation(lean) for lean in leans]), seen, card)
        best, misfit = leans[int(misfits.argmin())], float(misfits.min())
        step, reach = step / 2, 2
    level = _camera_rotation(best)
    _flat, turns = _laid_flat(level[None], seen, card)
    # the median size of a card in the picture gives the table's distance in millimetres
    plane = lens @ inverse(level) @ np.diag((1, 1, float(1 / np.median(np.abs(turns)))))
    return np.asarray(plane), misfit


def _camera_rotation(lean: Reals) -> Reals:
    """Return the camera rotation to straight down on a table tilted by `lean`, across and down."""
    return np.asarray(cv2.Rodrigues(np.array([lean[0], lean[1], 0.0]))[0], np.float64)


def _laid_flat(levels: Reals, seen: Reals, card: Complex) -> tuple[Complex, Complex]:
    """Return each card's corners around its middle, after rotations (n, 3, 3), and its turn and size."""
    sent = np.concatenate((seen.reshape(-1, 2), np.ones((4 * len(seen), 1))), axis=1) @ levels.swapaxes(1, 2)
    spots = ((sent[..., 0] + 1j * sent[..., 1]) / sent[..., 2]).reshape(len(levels), -1, 4)
    flat: Complex = np.asarray(spots - spots.mean(axis=2, keepdims=True), np.complex128)
    turns: Complex = np.asarray(flat @ card.conj() / (np.abs(card) ** 2).sum(), np.complex128)
    return flat, turns


def _misfits(levels: Reals, seen: Reals, card: Complex) -> Reals:
    flat, turns = _laid_flat(levels, seen, card)
    scale = np.median(np.abs(turns), axis=1)[:, None, None]
    off = np.abs(flat - scale * np.exp(1j * np.angle(turns))[..., None] * card) / (scale * np.abs(card).max())
    tilt = np.arccos(np.clip(levels[:, 2, 2], -1, 1))
    return np.asarray(np.minimum(off, 0.1).mean(axis=(1, 2)) ** 2 + (DOUBT_OF_TILT * tilt) ** 2)


def has_card_size(pose: Pose, back: Reals, card: tuple[float, float]) -> bool:
    """Return whether a position has a card's size in a view from above; `back` maps the view to the picture."""
    return size_misfit(map_points(inverse(back) @ pose, CORNERS), card) < ODD_SIZE


ODD_SIZE = 0.15
"""largest log ratio of a side to a card's side; bends and inaccurate outlines cause 0.03"""
