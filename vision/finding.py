"""Where cards could lie: quads of a card's shape, from outlines that stand alone and from corners among lines.

A pose is a homography from the card's own square (-0.5 to 0.5, across and down) to the picture's pixels. A view
is the picture made smaller; where the table's plane is known, it is the table seen straight from above.
"""

from collections.abc import Iterator, Sequence
from math import atan2, ceil
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.sightings import Outline

Picture: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]
Reals: TypeAlias = NDArray[np.float64]
Pose: TypeAlias = Reals

CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
LONGEST = 1000
"""Views aren't larger than so many pixels."""
NESTED = 0.86
"""An outline inside a card, along its printed frame, is at least this share of the card."""
BORDER = 0.052
"""The share of a card's width that its border takes where it has one."""
SMALLEST = 60 * 36
"""Pixels of the picture that a card covers at least."""


class View(Struct, frozen=True, eq=False):
    """The picture made smaller; `back` brings its places to the picture's pixels."""

    picture: Picture
    grey: Picture
    back: Reals
    card: tuple[float, float] | None
    """A card's sides in the view's pixels, where the plane is known."""
    edges: Picture
    solid: Picture
    """Where edges enclose something: filled, without the hairs that noise leaves."""


def through(matrix: Reals, points: Reals) -> Reals:
    """Send points (n, 2) through a homography."""
    sent = matrix[:, :2] @ np.asarray(points, np.float64).T + matrix[:, 2:]
    depth = sent[2]
    depth[np.abs(depth) < 1e-9] = 1e-9
    return np.asarray((sent[:2] / depth).T)


def _inverse(matrix: Reals) -> Reals:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def pose_of(corners: Reals) -> Pose:
    """Find the pose of a card from its corners."""
    return np.asarray(
        cv2.getPerspectiveTransform(CORNERS.astype(np.float32), np.asarray(corners, np.float32)), np.float64
    )


def outline_of(pose: Pose) -> Outline:
    """List a posed card's corners."""
    a, b, c, d = ((float(x), float(y)) for x, y in through(pose, CORNERS))
    return a, b, c, d


def area_of(pose: Pose) -> float:
    """Measure a posed card in pixels of the picture."""
    return float(cv2.contourArea(through(pose, CORNERS).astype(np.float32)))


# views


def view_of(picture: Picture, size: tuple[float, float], plane: Reals | None) -> View:
    """Look straight down on the table where its plane is known, else at the picture as it is."""
    if plane is None:
        return _smaller(picture)
    return _from_above(picture, size, plane) or _smaller(picture)


def _smaller(picture: Picture) -> View:
    scale = max(1.0, max(picture.shape[:2]) / LONGEST)
    shape = max(1, round(picture.shape[1] / scale)), max(1, round(picture.shape[0] / scale))
    small = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA) if scale > 1 else picture
    across, down = picture.shape[1] / shape[0], picture.shape[0] / shape[1]
    back = np.array([(across, 0, (across - 1) / 2), (0, down, (down - 1) / 2), (0, 0, 1.0)])
    grey = _grey(small)
    edges = _edges(grey)
    return View(np.asarray(small), grey, back, None, edges, _solid(edges, grey.size / 16))


def _from_above(picture: Picture, size: tuple[float, float], plane: Reals) -> View | None:
    """Rectify the picture; none if the plane makes no sense."""
    high, wide = picture.shape[:2]
    try:
        table = through(_inverse(plane), np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float))
    except np.linalg.LinAlgError:
        return None
    least, most = table.min(axis=0), table.max(axis=0)
    span = most - least
    if not np.isfinite(span).all() or not 20 < float(span.max()) < 20 * max(size) * 10:
        return None
    scale = min(LONGEST / float(span.max()), 1.0 * 88 / max(size))
    shape = ceil(span[0] * scale), ceil(span[1] * scale)
    to_table = np.array([(1 / scale, 0, least[0]), (0, 1 / scale, least[1]), (0, 0, 1)])
    back = plane @ to_table
    half = _halved(picture) if min(high, wide) > 700 else picture
    share = wide / half.shape[1]
    shrink = np.array([(1 / share, 0, (1 / share - 1) / 2), (0, 1 / share, (1 / share - 1) / 2), (0, 0, 1)])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    above = cv2.warpPerspective(half, shrink @ back, shape, flags=how, borderMode=cv2.BORDER_REPLICATE)
    grey = _grey(above)
    edges = _edges(grey)
    card = (size[0] * scale, size[1] * scale)
    return View(np.asarray(above, np.uint8), grey, back, card, edges, _solid(edges, 1.1 * card[0] * card[1]))


def _halved(picture: Picture) -> Picture:
    shape = picture.shape[1] // 2, picture.shape[0] // 2
    return np.asarray(cv2.resize(picture, shape, interpolation=cv2.INTER_AREA), np.uint8)


def _grey(picture: object) -> Picture:
    return np.asarray(cv2.cvtColor(np.asarray(picture, np.uint8), cv2.COLOR_BGR2GRAY), np.uint8)


def _edges(grey: Picture) -> Picture:
    """Find edges; they are weak where a white card lies on a white table."""
    return np.asarray(cv2.Canny(cv2.GaussianBlur(grey, (3, 3), 0), 20, 55), np.uint8)


def _solid(edges: Picture, most: float) -> Picture:
    """Fill what edges enclose, if it is no larger than a card; lines on the table are too thin to stay."""
    closed = np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
    _count, labels, stats, _middles = cv2.connectedComponentsWithStats(cv2.bitwise_not(closed), connectivity=4)
    enclosed = (stats[:, cv2.CC_STAT_AREA] <= most).astype(np.uint8) * 255
    enclosed[0] = 255
    filled = enclosed[labels]
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8)


# outlines that stand alone


def alone(view: View, size: tuple[float, float]) -> list[Pose]:
    """Find cards by their outlines: in several ways, since each fails on another table."""
    found: list[Pose] = []
    for mask in _masks(view):
        contours, _tree = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if len(contour) >= 4:
                found.extend(_posed(np.asarray(contour), view, size))
    return found


def _masks(view: View) -> Iterator[Picture]:
    """Tell cards from the table in several ways."""
    blue, green, red = cv2.split(view.picture)
    darkest = cv2.min(cv2.min(blue, green), red)
    _level, bright = cv2.threshold(darkest, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield np.asarray(bright, np.uint8)
    window = max(11, min(view.grey.shape) // 14 | 1)
    mean = cv2.boxFilter(darkest, -1, (window, window))
    _level, brighter = cv2.threshold(cv2.subtract(darkest, mean), 6, 255, cv2.THRESH_BINARY)
    yield np.asarray(brighter, np.uint8)
    yield view.solid


def _posed(contour: NDArray[np.int32], view: View, size: tuple[float, float]) -> Iterator[Pose]:
    if view.card is not None:
        yield from _posed_on_plane(contour, view, view.card)
    else:
        yield from _posed_anywhere(contour, view, size)


def _posed_on_plane(contour: NDArray[np.int32], view: View, card: tuple[float, float]) -> Iterator[Pose]:
    """Take a contour for a card if it is as large as one; its middle and angle are what counts."""
    _x, _y, wide, high = cv2.boundingRect(contour)
    long, short = max(card), min(card)
    if not _between(max(wide, high), NESTED * short, 1.3 * float(np.hypot(*card))):
        return
    area = float(cv2.contourArea(contour))
    middle, (first, second), angle = cv2.minAreaRect(contour)
    if _between(max(first, second) / long, NESTED, 1.1) and _between(min(first, second) / short, NESTED, 1.14):
        if area > 0.75 * first * second:
            turn = np.radians(angle if (first < second) == (card[0] <= card[1]) else angle + 90)
            yield view.back @ rigid((float(middle[0]), float(middle[1])), float(turn), card)
    elif _between(area / (long * short), 0.75, 1.3):
        yield view.back @ _balanced_on(contour, card)


def _between(value: float, least: float, most: float) -> bool:
    return least < value < most


def _balanced_on(contour: NDArray[np.int32], card: tuple[float, float]) -> Pose:
    """Lay a card where a ragged contour has its weight, along the contour's longer axis."""
    m = cv2.moments(contour)
    middle = m["m10"] / m["m00"], m["m01"] / m["m00"]
    turn = 0.5 * atan2(2 * m["mu11"], m["mu20"] - m["mu02"])
    return rigid(middle, turn if card[0] > card[1] else turn - np.pi / 2, card)


def rigid(middle: tuple[float, float], turn: float, card: tuple[float, float]) -> Pose:
    """Pose a card of known size in a view that looks straight down."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([(c * card[0], -s * card[1], middle[0]), (s * card[0], c * card[1], middle[1]), (0, 0, 1)])


def _posed_anywhere(contour: NDArray[np.int32], view: View, size: tuple[float, float]) -> Iterator[Pose]:
    """Take a contour for a card if it has four corners and could be one, seen from up to 40 degrees."""
    _x, _y, wide, high = cv2.boundingRect(contour)
    scale = float(view.back[0, 0])
    if wide * high * scale**2 < SMALLEST * 0.7 or wide * high > 0.9 * view.grey.size:
        return
    hull = np.asarray(cv2.convexHull(contour), np.int32)
    area = float(cv2.contourArea(hull))
    if area * scale**2 < SMALLEST or cv2.contourArea(contour) < 0.8 * area:
        return
    quad = _four(hull)
    if quad is None or area < 0.9 * cv2.contourArea(quad.astype(np.float32)):
        return
    yield from _turned_right(_clockwise(quad), view, size)


def _four(hull: NDArray[np.integer]) -> Reals | None:
    """Find the four straight sides of a hull with rounded corners, and where they meet."""
    around = float(cv2.arcLength(hull, True))
    for slack in (0.02, 0.035, 0.055):
        near = cv2.approxPolyDP(hull, slack * around, True)
        if len(near) == 4:
            return _sharpened(np.asarray(hull, np.float64)[:, 0], np.asarray(near, np.float64)[:, 0])
    return None


def _sharpened(hull: Reals, quad: Reals) -> Reals:
    """Lay a line along each side, through what is near its middle, and cut the lines."""
    dense = _walked(hull)
    lines = [_side(dense, quad[i], quad[(i + 1) % 4]) for i in range(4)]
    if any(line is None for line in lines):
        return quad
    cuts = [np.cross(lines[i - 1], lines[i]) for i in range(4)]  # type: ignore[arg-type]
    if any(abs(cut[2]) < 1e-9 for cut in cuts):
        return quad
    sharp = np.array([cut[:2] / cut[2] for cut in cuts])
    far = np.hypot(*(sharp - quad).T).max()
    return np.asarray(sharp if far < 0.12 * np.hypot(*(quad[0] - quad[2])) else quad)


def _walked(hull: Reals) -> Reals:
    """Put points all along a hull, about a pixel apart."""
    following = np.roll(hull, -1, axis=0)
    steps = [
        a + (b - a) * np.linspace(0, 1, max(1, int(np.hypot(*(b - a)))), endpoint=False)[:, None]
        for a, b in zip(hull, following, strict=True)
    ]
    return np.concatenate(steps)


def _side(points: Reals, start: Reals, end: Reals) -> Reals | None:
    """Fit a line a, b, c (ax + by + c = 0) to the points along the middle of a side."""
    along = end - start
    length = np.hypot(*along)
    if length < 4:
        return None
    unit = along / length
    far = (points - start) @ unit / length
    off = np.abs((points - start) @ np.array([-unit[1], unit[0]]))
    near = points[(far > 0.15) & (far < 0.85) & (off < 0.06 * length)]
    if len(near) < 5:
        return None
    vx, vy, x, y = np.asarray(
        cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01), np.float64
    ).ravel()
    return np.array([-vy, vx, vy * x - vx * y])


def _clockwise(quad: Reals) -> Reals:
    """Put corners in order, clockwise as seen."""
    middle = quad.mean(axis=0)
    return np.asarray(quad[np.argsort([atan2(y - middle[1], x - middle[0]) for x, y in quad])])


def _turned_right(quad: Reals, view: View, size: tuple[float, float]) -> Iterator[Pose]:
    """Lay a card's long sides along the quad's long sides; both ways where perspective leaves it open."""
    sides = np.hypot(*(quad - np.roll(quad, -1, axis=0)).T)
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if max(sides[0], sides[2]) > 1.8 * min(sides[0], sides[2]):
        return
    if max(sides[1], sides[3]) > 1.8 * min(sides[1], sides[3]):
        return
    for start, ratio in ((0, first / second), (1, second / first)):
        if 0.7 < ratio * size[1] / size[0] < 1.43:
            pose = pose_of(through(view.back, np.roll(quad, -start, axis=0)))
            yield pose
            # the outline may be a frame that is printed inside the card
            yield pose @ np.diag((1 + 2 * BORDER, 1 + 2 * BORDER * size[0] / size[1], 1))


# corners among lines


class Lines(Struct, frozen=True, eq=False):
    """Straight pieces of edges in a view: where they begin and end."""

    starts: Reals
    ends: Reals


MEETING = 7.0
"""Two sides end at most so many 88ths of a card's length before the corner at which they'd meet."""
SHORTEST = 6.0
LEAN = np.radians(4)
"""By how much the angle at a corner may be off."""
MANY = 6000
"""So many corners are looked at."""


def lines_in(picture: Picture, view: View, boxes: Sequence[tuple[int, int, int, int]], unit: float) -> Lines:
    """Find straight pieces in parts of a view, looked at twice as fine."""
    detector = cv2.createLineSegmentDetector()
    pieces = [np.zeros((0, 4))]
    for left, top, right, bottom in boxes:
        finer = np.array([(0.5, 0, left - 0.25), (0, 0.5, top - 0.25), (0, 0, 1)])
        shape, how = (2 * (right - left), 2 * (bottom - top)), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        part = cv2.warpPerspective(
            picture, view.back @ finer, shape, flags=how, borderMode=cv2.BORDER_REPLICATE
        )
        found = detector.detect(_grey(part))[0]
        if found is not None:
            pieces.append(np.asarray(found, np.float64).reshape(-1, 4) / 2 + (left, top, left, top))
    every = np.concatenate(pieces)
    long = np.hypot(every[:, 2] - every[:, 0], every[:, 3] - every[:, 1]) >= SHORTEST * unit
    return Lines(every[long, :2], every[long, 2:])


def corners_among(lines: Lines, view: View, unit: float) -> list[tuple[tuple[float, float], float]]:
    """Find where two lines meet like a card's sides; give the middle and turn of the cards that fit there."""
    if view.card is None or len(lines.starts) < 2:
        return []
    where, along = _meetings(lines, unit)
    if not len(where):
        return []
    return _fitting(where, along, view.card)


def _meetings(lines: Lines, unit: float) -> tuple[Reals, Reals]:
    """Cut each line with each that is square to it: where they meet, and the direction into the card."""
    way = lines.ends - lines.starts
    length = np.hypot(*way.T)
    unit_way = way / length[:, None]
    cross = unit_way[:, None, 0] * unit_way[None, :, 1] - unit_way[:, None, 1] * unit_way[None, :, 0]
    first, second = np.nonzero(np.triu(np.abs(cross) > np.cos(LEAN), 1))
    apart = lines.starts[second] - lines.starts[first]
    denominator = cross[first, second]
    reach_first = (apart[:, 0] * unit_way[second, 1] - apart[:, 1] * unit_way[second, 0]) / denominator
    reach_second = (apart[:, 0] * unit_way[first, 1] - apart[:, 1] * unit_way[first, 0]) / denominator
    near = MEETING * unit
    good = (_short_of(reach_first, length[first]) < near) & (_short_of(reach_second, length[second]) < near)
    first, second, reach_first, reach_second = (
        each[good] for each in (first, second, reach_first, reach_second)
    )
    where = lines.starts[first] + reach_first[:, None] * unit_way[first]
    inward = np.where(reach_first < length[first] / 2, 1.0, -1.0)[:, None] * unit_way[first]
    inward_second = np.where(reach_second < length[second] / 2, 1.0, -1.0)[:, None] * unit_way[second]
    # the longer of the two tells the angle better
    longer = (length[first] >= length[second])[:, None]
    square = np.column_stack((-inward_second[:, 1], inward_second[:, 0]))
    square *= np.sign((square * inward).sum(axis=1))[:, None]
    axis = np.where(longer, inward, square)
    side = np.sign(axis[:, 0] * inward_second[:, 1] - axis[:, 1] * inward_second[:, 0])
    best = np.argsort(-(length[first] + length[second]), kind="stable")[:MANY]
    return where[best], np.column_stack((axis, side))[best]


def _short_of(reach: Reals, length: Reals) -> Reals:
    """Tell how far a place on a line is from the nearer of its ends."""
    return np.asarray(np.minimum(np.abs(reach), np.abs(reach - length)))


def _fitting(where: Reals, along: Reals, card: tuple[float, float]) -> list[tuple[tuple[float, float], float]]:
    """Lay a card into each corner, its short side along one line or along the other."""
    axis, side = along[:, :2], along[:, 2]
    other = np.column_stack((-axis[:, 1], axis[:, 0])) * side[:, None]
    found = []
    for across, down in ((axis, other), (other, axis)):
        middles = where + across * (card[0] / 2) + down * (card[1] / 2)
        turns = np.arctan2(across[:, 1], across[:, 0]) % np.pi
        found.append(np.column_stack((middles, turns)))
    return [((float(x), float(y)), float(turn)) for x, y, turn in np.concatenate(found)]


# how well edges bear out a quad

BINS = 8
STEPS = 22


def edge_bits(grey: Picture) -> Picture:
    """Mark each place with the directions that edges near it have: a bit for each of eight."""
    across = cv2.Sobel(grey, cv2.CV_16S, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_16S, 0, 1)
    strength = np.abs(across).astype(np.int32) + np.abs(down)
    least = 20 + 2 * float(np.median(strength[::4, ::4]))
    angle = np.arctan2(down, across, dtype=np.float32) % np.float32(np.pi)
    bins = np.minimum((angle * np.float32(BINS / np.pi)).astype(np.int32), BINS - 1)
    table = np.array([(1 << k) | (1 << (k + 1) % BINS) | (1 << (k - 1) % BINS) for k in range(BINS)], np.uint8)
    bits = np.where(strength > least, table[bins], 0).astype(np.uint8)
    for axis in (0, 1):
        bits = bits | np.roll(bits, 1, axis) | np.roll(bits, -1, axis)
    return bits


def support(
    bits: Picture, places: Sequence[tuple[tuple[float, float], float]], card: tuple[float, float]
) -> Floats:
    """Tell for each place how much of each of a card's four sides lies on edges: places x sides."""
    spots = np.array([(x, y, turn) for (x, y), turn in places]).reshape(-1, 3)
    steps = np.linspace(-0.44, 0.44, STEPS)
    half = np.full(STEPS, 0.5)
    own = np.stack([
        np.column_stack((steps, -half)), np.column_stack((half, steps)),
        np.column_stack((steps, half)), np.column_stack((-half, steps)),
    ]) * card  # fmt: skip
    c, s = np.cos(spots[:, 2])[:, None, None], np.sin(spots[:, 2])[:, None, None]
    x = np.rint(own[None, :, :, 0] * c - own[None, :, :, 1] * s + spots[:, 0, None, None]).astype(np.intp)
    y = np.rint(own[None, :, :, 0] * s + own[None, :, :, 1] * c + spots[:, 1, None, None]).astype(np.intp)
    high, wide = bits.shape
    seen = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
    normal = spots[:, 2, None] + np.array([np.pi / 2, 0, np.pi / 2, 0])
    bins = np.minimum((normal % np.pi * (BINS / np.pi)).astype(np.intp), BINS - 1)
    hit = (bits[np.where(seen, y, 0), np.where(seen, x, 0)] >> bins[..., None]) & 1
    return np.asarray((hit.astype(bool) & seen).mean(axis=2), np.float32)


def busy(
    view: View, explained: Sequence[Outline], card: tuple[float, float]
) -> list[tuple[int, int, int, int]]:
    """Find the parts of a view with something in them that no card explains."""
    rest = view.solid.copy()
    forward = _inverse(view.back)
    for outline in explained:
        quad = through(forward, np.array(outline))
        grown = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 1.06
        cv2.fillConvexPoly(rest, grown.round().astype(np.int32), 0)
    contours, _tree = cv2.findContours(rest, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        small = cv2.contourArea(contour) < LEFT_OVER * card[0] * card[1]
        if small or _is_one_thing(np.asarray(contour, np.int32), card, view.solid):
            cv2.drawContours(rest, [contour], -1, 0, cv2.FILLED)
    print_ = cv2.bitwise_and(view.edges, cv2.erode(rest, np.ones((5, 5), np.uint8)))
    return _joined(list(_spots(np.asarray(print_, np.uint8), card)))


def _spots(print_: Picture, card: tuple[float, float]) -> Iterator[tuple[int, int, int, int]]:
    """Gather print that is close together; leave room for the cards that it may be part of."""
    high, wide = print_.shape
    # single lines on a table or a mat are no print
    wider = cv2.erode(cv2.dilate(print_, np.ones((9, 9), np.uint8)), np.ones((15, 15), np.uint8))
    count, _labels, stats, _middles = cv2.connectedComponentsWithStats(wider)
    pad = round(0.45 * max(card))
    for left, top, across, down, _area in np.asarray(stats)[1:count].tolist():
        inside = print_[top : top + down, left : left + across]
        if np.count_nonzero(inside) > PRINT * card[0] * card[1]:
            yield (
                max(0, left - pad),
                max(0, top - pad),
                min(wide, left + across + pad),
                min(high, top + down + pad),
            )


PRINT = 0.02
"""So much of a card's area is edges, in the part of it that is looked for."""
LEFT_OVER = 0.1
"""Parts that are smaller than such a share of a card hold none."""


def _is_one_thing(contour: NDArray[np.integer], card: tuple[float, float], solid: Picture) -> bool:
    """Tell whether something lies there alone that is no larger than a card: then no card hides in it."""
    area, (_middle, (first, second), _angle) = float(cv2.contourArea(contour)), cv2.minAreaRect(contour)
    if area > 1.25 * card[0] * card[1] or area < 0.8 * first * second:
        return False
    around = np.zeros_like(solid)
    cv2.drawContours(around, [contour], -1, 255, 7)
    cv2.drawContours(around, [contour], -1, 0, cv2.FILLED)
    touching = np.count_nonzero(cv2.bitwise_and(around, solid))
    return bool(touching < 0.1 * np.count_nonzero(around))


def _joined(boxes: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Join boxes that overlap."""
    done: list[tuple[int, int, int, int]] = []
    rest = list(boxes)
    while rest:
        box = rest.pop()
        meets = [b for b in done if b[0] < box[2] and box[0] < b[2] and b[1] < box[3] and box[1] < b[3]]
        if meets:
            done = [b for b in done if b not in meets]
            every = [*meets, box]
            rest.append((
                min(b[0] for b in every), min(b[1] for b in every),
                max(b[2] for b in every), max(b[3] for b in every),
            ))  # fmt: skip
        else:
            done.append(box)
    return done
