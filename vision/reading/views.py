"""A picture as the reader uses it: a pyramid of levels, and a view straight down on the table.

A pose is a homography from the card's own square (-0.5 to 0.5, across and down) to the picture's pixels. A view
is the picture made smaller; where the table's plane is known, it is the table seen straight from above.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import ceil
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.sightings import Outline
from vision.table.calibration import flat_plane
from vision.table.plane import UNIT_SQUARE, Reals, area_within, as_outline, inverse, map_points
from vision.table.values import Calibration

Picture: TypeAlias = NDArray[np.uint8]
Slope: TypeAlias = NDArray[np.int16]

# what is known of the table

QUARTER = 4  # the empty table's lines are kept at this fraction of the picture's size


class Surroundings(Struct, frozen=True, eq=False):
    """What is known of the table before any card lies on it."""

    plane: NDArray[np.float64]  # maps the table's millimetres to the picture's pixels
    things: tuple[Outline, ...] = ()  # outlines of things that are no cards: the markers' plates
    lines: Picture | None = None
    """How strong the edges of the empty table are: its grain, a printed mat."""


def surroundings(
    plane: NDArray[np.float64], things: Sequence[Outline] = (), empty: Picture | None = None
) -> Surroundings:
    """Collect what is known; `empty` is the same camera's picture of the table without cards."""
    return Surroundings(plane, tuple(things), None if empty is None else lines_of(empty))


def surroundings_at(table: Calibration, empty: Picture | None = None) -> Surroundings:
    return surroundings(flat_plane(table), [plate_around(code) for code in table.markers.values()], empty)


def lines_of(empty: Picture) -> Picture:
    """Measure an empty table's edges above the noise, and widen them a little."""
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


def slopes_of(grey: Picture) -> tuple[Slope, Slope]:
    """Measure how grey changes at each place, across and down, above single pixels' noise."""
    across, down = cv2.spatialGradient(cv2.GaussianBlur(grey, (3, 3), 0), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(across, np.int16), np.asarray(down, np.int16)


def strength(slopes: tuple[Slope, Slope]) -> Picture:
    across, down = (cv2.convertScaleAbs(each, alpha=0.5) for each in slopes)
    return np.asarray(cv2.add(across, down), np.uint8)


PLATE = (-0.25, -0.25, 1.25, 1.85)
"""Left, top, right and bottom of a marker's plate, in sides of its code from the code's upper left corner."""


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
LONGEST = 1000  # the most pixels of a view
SMALLEST = 60 * 36  # the least pixels of the picture that a card covers
LONG_SIDE = 63  # the length of a card in a view from above, in pixels

# places and poses


@cache
def along_sides(reach: float, span: float, count: int) -> Reals:
    """List places along a card's four sides in its own square, or beside them: sides x places x 2."""
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
    """Map a few places, as plain numbers: for one pose they are far faster than arrays."""
    (a, b, c), (d, e, f), (g, h, i) = pose.tolist()
    sent = [(a * x + b * y + c, d * x + e * y + f, g * x + h * y + i) for x, y in spots]
    return [(x / depth, y / depth) for x, y, z in sent for depth in (z if abs(z) >= 1e-9 else 1e-9,)]


def area_of(pose: Pose) -> float:
    return area_within(map_points(pose, CORNERS))


def common_share(one: Outline, other: Outline) -> float:
    """Measure what two outlines have in common, as a share of both together."""
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
    """The picture made smaller; `back` maps its places to the picture's pixels."""

    picture: Picture
    grey: Picture
    back: Reals
    card: tuple[float, float] | None
    """A card's sides in the view's pixels, where the plane is known."""
    edges: Picture  # on lines of the table's own only those that noise doesn't make
    solid: Picture  # where edges enclose something: filled, without the hairs that noise leaves
    holes: tuple[NDArray[np.int32], ...] = ()  # what edges enclose that is larger than a card


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
    return PictureView(np.asarray(small), grey, back, None, edges, *_fill_enclosed(edges, grey.size / 16))


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
    return PictureView(above, grey, back, card, edges, *_fill_enclosed(outlines, 1.1 * card[0] * card[1]))


def part_seen(shape: Sequence[int], plane: Reals) -> tuple[Reals, Reals]:
    """Find where on the table a picture begins, and how far it reaches; 0 if the plane makes no sense."""
    rim = UNIT_SQUARE * (shape[1], shape[0])
    try:
        seen = map_points(inverse(plane), rim)
    except np.linalg.LinAlgError:
        return np.zeros(2), np.zeros(2)
    span = np.ptp(seen, axis=0)
    return seen.min(axis=0), span if np.isfinite(span).all() else np.zeros(2)


def straight_above(plane: Reals, least: Reals, span: Reals, scale: float) -> tuple[Reals, tuple[int, int]]:
    """Map a view of so many pixels to a millimetre to the picture; give the view's size, too."""
    to_table = np.array([(1 / scale, 0, least[0]), (0, 1 / scale, least[1]), (0, 0, 1)])
    return plane @ to_table, (ceil(span[0] * scale), ceil(span[1] * scale))


def _new_edges(grey: Picture, back: Reals, table: Surroundings) -> tuple[Picture, Picture]:
    """Find the edges that the empty table doesn't have, outside the known things on it.

    Give those first that noise doesn't make on the table's lines; a card's outline over such lines needs all.
    """
    found = _edges_beside_lines(slopes_of(grey), back, table)
    for edges in found:
        blank_out(edges, back, table.things, 1.1)
    return found


def blank_out(mask: Picture, back: Reals, outlines: Sequence[Outline], wider: float) -> None:
    """Clear what lies within outlines of the picture, each a little wider, in a mask of the view."""
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
    # what is steep all over and no line of the table's is noise, as a camera has it in bad light
    noise = float(np.median(cv2.subtract(steep[::8, ::8], known[::8, ::8])))
    edges = edges_of(slopes, noise)
    # where lines are, all bits are set
    more = cv2.add(least, lines & np.uint8(min(255.0, ON_LINES * noise)))
    clear, new = (cv2.bitwise_and(edges, cv2.compare(steep, each, cv2.CMP_GT)) for each in (more, least))
    return np.asarray(clear, np.uint8), np.asarray(new, np.uint8)


@lru_cache(maxsize=2)
def _known_lines(
    table: Surroundings, back: tuple[float, ...], shape: tuple[int, int]
) -> tuple[Picture, Picture, Picture]:
    """Give the strength of the table's own lines in a view, the least of new ones, and where lines are."""
    to_quarter = np.diag((1 / QUARTER, 1 / QUARTER, 1.0)) @ np.reshape(back, (3, 3))
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    known = np.asarray(cv2.warpPerspective(np.asarray(table.lines), to_quarter, shape, flags=how), np.uint8)
    least = np.asarray(cv2.addWeighted(known, STRONGER, known, 0, 8), np.uint8)
    return known, least, np.where(known >= A_LINE, np.uint8(255), np.uint8(0))


STRONGER = 1.6  # how much stronger than the empty table's an edge must be to be new
A_LINE, ON_LINES = 10, 3.0
"""How steep a line of the table's is at least, and by how many times the noise new edges exceed it."""


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
    """Cut out the part of a picture that a view shows, and map the view to it."""
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
    """Find edges, with low thresholds: a white card on a white table has weak ones, but above noise."""
    low, high = (max(least, above * noise) for least, above in THRESHOLDS)
    return np.asarray(cv2.Canny(*slopes, low, high), np.uint8)


THRESHOLDS = ((20.0, 4.0), (55.0, 8.0))
"""Canny's lower and upper threshold: at least so steep, and so many times as steep as noise."""


def _fill_enclosed(edges: Picture, most: float) -> tuple[Picture, tuple[NDArray[np.int32], ...]]:
    """Fill areas enclosed by edges and no larger than a card; give the larger ones, too."""
    closed = np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
    contours, tree = cv2.findContours(closed, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    # with nothing to see there is no tree
    inner = np.asarray(tree if contours else [], np.intp).reshape(-1, 4)[:, 3] >= 0
    holes = [np.asarray(hole, np.int32) for hole, is_inner in zip(contours, inner, strict=True) if is_inner]
    large = [cv2.contourArea(hole) > most for hole in holes]
    cv2.drawContours(
        closed, [each for each, is_large in zip(holes, large, strict=True) if not is_large], -1, 255, cv2.FILLED
    )
    # lines on the table are too thin to stay
    solid = np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)), np.uint8)
    return solid, tuple(each for each, is_large in zip(holes, large, strict=True) if is_large)


def with_heaps(view: PictureView, outlines: Sequence[Outline], card: tuple[float, float]) -> PictureView:
    """Fill what edges enclose round known cards, too: more than a card, it holds others that lie with them."""
    if not view.holes:
        return view
    most = HEAP * card[0] * card[1]
    middles = quads_in_view(view.back, outlines).mean(axis=1).tolist()
    heaps = [
        hole
        for hole in view.holes
        if cv2.contourArea(hole) <= most
        and any(cv2.pointPolygonTest(hole, middle, measureDist=False) > 0 for middle in middles)
    ]
    if not heaps:
        return view
    return replace(
        view, solid=np.asarray(cv2.drawContours(view.solid.copy(), heaps, -1, 255, cv2.FILLED), np.uint8)
    )


HEAP = 12  # the size of the largest heap, in cards: edges round a whole table enclose more


# the plane, by cards

FOCAL = 0.8
"""A typical focal length of phones and webcams, as a multiple of the picture's longer side."""
STEEPEST = np.radians(60)
COARSE, FINER = 8, 8
"""In how many steps leans are tried up to that, and how many times in all, in steps of half the length each."""
DOUBT_OF_TILT = 0.004
"""How far outlines may be off, as a share of a card's length, before the camera is taken to be tilted."""


def plane_under(poses: Sequence[Pose], size: tuple[float, float], shape: Sequence[int]) -> Reals:
    """Find the plane, millimetres to pixels, on which the posed cards all have the given size."""
    high, wide = shape[:2]
    unit = FOCAL * max(high, wide)
    lens = np.array([(unit, 0, (wide - 1) / 2), (0, unit, (high - 1) / 2), (0, 0, 1)])
    largest = sorted(poses, key=area_of)[-8:]
    seen = np.stack([map_points(inverse(lens), map_points(pose, CORNERS)) for pose in largest])
    card = (CORNERS * size) @ np.array([1, 1j])
    best, step, reach = np.zeros(2), float(STEEPEST) / COARSE, COARSE
    for _finer in range(FINER):
        around = np.stack(np.meshgrid(*[np.arange(-reach, reach + 1)] * 2), axis=-1).reshape(-1, 2)
        leans = (lean for lean in around * step + best if np.hypot(*lean) <= STEEPEST)
        best = min(leans, key=lambda lean: _misfit(_camera_rotation(lean), seen, card))
        step, reach = step / 2, 2
    level = _camera_rotation(best)
    return np.asarray(lens @ inverse(level) @ np.diag((1, 1, _scale_of(level, seen, card))))


def _camera_rotation(lean: Reals) -> Reals:
    """Rotate the camera to look straight down on a table that leans so far, across and down."""
    return np.asarray(cv2.Rodrigues(np.array([lean[0], lean[1], 0.0]))[0], np.float64)


def _misfit(level: Reals, seen: Reals, card: NDArray[np.complex128]) -> float:
    flat = np.stack([map_points(level, each) for each in seen]) @ np.array([1, 1j])
    middles = flat.mean(axis=1, keepdims=True)
    turns = (flat - middles) @ card.conj() / (np.abs(card) ** 2).sum()
    scale = np.median(np.abs(turns))
    off = np.abs(flat - middles - scale * np.exp(1j * np.angle(turns))[:, None] * card) / (
        scale * np.abs(card).max()
    )
    tilt = float(np.arccos(np.clip(level[2, 2], -1, 1)))
    return float(np.minimum(off, 0.1).mean() ** 2 + (DOUBT_OF_TILT * tilt) ** 2)


def _scale_of(level: Reals, seen: Reals, card: NDArray[np.complex128]) -> float:
    """Measure a millimetre as a share of the table's distance; give its inverse."""
    flat = np.stack([map_points(level, each) for each in seen]) @ np.array([1, 1j])
    turns = (flat - flat.mean(axis=1, keepdims=True)) @ card.conj() / (np.abs(card) ** 2).sum()
    return float(1 / np.median(np.abs(turns)))


def has_card_size(pose: Pose, back: Reals, card: tuple[float, float]) -> bool:
    """Return whether a place is as large as a card in a view from above; `back` leads to the picture."""
    corners = map_points(inverse(back) @ pose, CORNERS)
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return bool((np.abs(np.log(np.maximum(sides, 1e-6) / np.tile(card, 2))) < ODD_SIZE).all())


ODD_SIZE = 0.15
"""By how much, as a share, a side is off before it is no card's: bends and outlines make 0.03."""
