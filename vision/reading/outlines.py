"""Find cards by their outlines: separate quads of a card's shape, or one side of touching or crossing cards."""

from collections.abc import Iterable, Iterator, Sequence
from math import atan2

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.views import CORNERS, SMALLEST, Picture, PictureView, Pose, area_of, pose_of
from vision.table.plane import Reals, area_within, line_through, map_points, meet


def points_along(hull: Reals) -> Reals:
    along = np.roll(hull, -1, axis=0) - hull
    counts = np.maximum(1, np.hypot(*along.T).astype(np.intp))
    firsts = np.cumsum(counts) - counts
    which = np.repeat(np.arange(len(hull)), counts)
    far = (np.arange(len(which)) - firsts[which]) / counts[which]
    return np.asarray(hull[which] + along[which] * far[:, None])


def line_along(points: Reals, start: Reals, end: Reals) -> Reals | None:
    """Fit a line to the points along the middle of a side; None if there are too few."""
    along = end - start
    length = np.hypot(*along)
    if length < 4:
        return None
    unit = along / length
    far = (points - start) @ unit / length
    off = np.abs((points - start) @ np.array([-unit[1], unit[0]]))
    near = points[(far > 0.15) & (far < 0.85) & (off < 0.06 * length)]
    return line_through(near) if len(near) >= 5 else None


SIDED = 1500  # most quads tried
PARTS = 3  # most cards that may touch along one side
DEPTHS = (0.88, 1.0, 1.12)  # perspective factors on a side's length


def quads_by_side(
    contour: NDArray[np.int32], view: PictureView, size: tuple[float, float], fewest: int
) -> Iterator[Reals]:
    """Place `fewest` or more cards along each straight side of a contour with corners at both ends."""
    scale = float(view.back[0, 0])
    area = float(cv2.contourArea(contour))
    if area * scale**2 < SMALLEST or area > 0.9 * view.grey.size:
        return
    sides = _straight_sides(np.asarray(contour, np.float64)[:, 0], area)
    if len(sides) < 3:
        return
    corners = [_corner(sides[i - 1], sides[i]) for i in range(len(sides))]
    for i, side in enumerate(sides):
        start, end = corners[i], corners[(i + 1) % len(sides)]
        if start is None or end is None:
            continue
        before, after = sides[i - 1], sides[(i + 1) % len(sides)]
        down_start, down_end = _unit(before[0] - before[1]), _unit(after[1] - after[0])
        length = float(np.hypot(*(end - start)))
        if length * scale < SHORTEST_SIDE or length < 0.6 * float(np.hypot(*(side[1] - side[0]))):
            continue
        known = [float(np.hypot(*(each[1] - each[0]))) for each in (before, after)]
        yield from _cards_along(size, start, end, (down_start, down_end), known, fewest)


SHORTEST_SIDE = 30.0  # shortest side of a card, in pixels of the picture


def _cards_along(
    size: tuple[float, float],
    start: Reals,
    end: Reals,
    down: tuple[Reals, Reals],
    known: Sequence[float],
    fewest: int,
) -> Iterator[Reals]:
    """Place one or several touching cards along a side; yield the corners of the first and the last."""
    for parts in range(fewest, PARTS + 1):
        step = (end - start) / parts
        share = float(np.hypot(*step))
        for ratio, turned in ((size[1] / size[0], False), (size[0] / size[1], True)):
            depths = [share * ratio * much for much in (DEPTHS if parts == 1 else (1.0,))]
            depths += [each for each in known if abs(each / (share * ratio) - 1) < 0.2]
            for depth in depths:
                first = np.array([start, start + step, start + step + down[1] * depth, start + down[0] * depth])
                last = np.array([end - step, end, end + down[1] * depth, end - step + down[0] * depth])
                for quad in (first, last)[:parts]:
                    yield np.roll(quad, -1, axis=0) if turned else quad


def _straight_sides(points: Reals, area: float) -> list[Reals]:
    """Return a contour's straight sides, clockwise, each as two ends on the fitted line."""
    if cv2.contourArea(points.astype(np.float32), oriented=True) < 0:
        points = points[::-1]
    slack = float(np.clip(0.015 * np.sqrt(area), 1.5, 5.0))
    near = np.asarray(cv2.approxPolyDP(points.astype(np.float32)[:, None], slack, True), np.float64)[:, 0]
    if not 3 < len(near) < 60:
        return []
    least = 0.12 * float(np.sqrt(area))
    following = np.roll(near, -1, axis=0)
    dense = points_along(points)
    sides = []
    for start, end in zip(near, following, strict=True):
        if np.hypot(*(end - start)) < least:
            continue
        line = line_along(dense, start, end)
        sides.append(
            np.array([start, end])
            if line is None
            else np.array([_point_on_line(line, start), _point_on_line(line, end)])
        )
    return sides


def _point_on_line(line: Reals, point: Reals) -> Reals:
    return np.asarray(point - line[:2] * (point @ line[:2] + line[2]))


def _unit(direction: Reals) -> Reals:
    return np.asarray(direction / max(1e-9, float(np.hypot(*direction))))


def _corner(one: Reals, following: Reals) -> Reals | None:
    """Return the corner where two sides meet; None unless it is convex, about square and near both ends."""
    along, after = one[1] - one[0], following[1] - following[0]
    long, next_long = float(np.hypot(*along)), float(np.hypot(*after))
    cross = float(along[0] * after[1] - along[1] * after[0])
    if cross < 0.8 * long * next_long:
        return None
    apart = following[0] - one[0]
    reach = float(apart[0] * after[1] - apart[1] * after[0]) / cross
    corner = one[0] + reach * along
    near = 0.3 * min(long, next_long)
    if np.hypot(*(corner - one[1])) > near or np.hypot(*(corner - following[0])) > near:
        return None
    return np.asarray(corner)


# whole outlines

NESTED = 0.86  # smallest share of a card that its printed frame takes, in case the outline is the frame
BORDER = 0.052  # width of a card's border, if any, as a share of the card's width


def find_lone_cards(view: PictureView, size: tuple[float, float]) -> list[Pose]:
    """Find cards by their outlines, with the masks that separate most of them from most tables.

    On a known plane, size tells cards from print, so that all edges with their gaps closed are a mask.
    """
    if view.card is not None:
        masks = _bright_parts(darkest_channel(view.picture)), _close_gaps(view.edges, GAP)
        return _find_on_plane(masks, view, view.card)
    return _find_anywhere(_masks(view), view, size)


GAP = 9
"""Widest gap in a card's outline on a known plane, in pixels of the view; print on the mat hides edges.

With the masks of an unknown plane, two of 353 whole rendered cards weren't named, and separate cards took 6 %
longer.
"""


def find_more_lone_cards(view: PictureView, size: tuple[float, float]) -> list[Pose]:
    """Find cards with masks for cards of any colour and any table, pattern or clutter."""
    if view.card is not None:
        # the bright parts are a mask on a plane already
        _bright, *others = _masks(view)
        return _find_on_plane((*others, *_more_masks(view)), view, view.card)
    return _find_anywhere(_more_masks(view), view, size)


def _find_on_plane(masks: Iterable[Picture], view: PictureView, card: tuple[float, float]) -> list[Pose]:
    contours = (each for mask in masks for each in _as_large_as_cards(_contours(mask), card))
    return [pose for each in contours for pose in _poses_on_plane(each, view, card)]


def _find_anywhere(masks: Iterable[Picture], view: PictureView, size: tuple[float, float]) -> list[Pose]:
    found: list[Pose] = []
    sided: list[Reals] = []
    met: set[tuple[int, ...]] = set()
    for contour in (each for mask in masks for each in _contours(mask)):
        if _is_new_contour(contour, met):
            poses = list(_poses_anywhere(contour, view, size))
            found.extend(poses)
            whole = any(_is_filled(contour, pose, view, size) for pose in poses[::2])
            sided.extend(quads_by_side(contour, view, size, 2 if whole else 1))
    return [*found, *_pose_each_once(sided, view)]


def _contours(mask: Picture) -> list[NDArray[np.int32]]:
    contours, _tree = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    return [np.asarray(contour, np.int32) for contour in contours if len(contour) >= 4]


def _as_large_as_cards(
    contours: Sequence[NDArray[np.int32]], card: tuple[float, float]
) -> list[NDArray[np.int32]]:
    if not contours:
        return []
    least, most = NESTED * min(card), 1.3 * float(np.hypot(*card))
    # most contours are specks, so their sizes are measured all at once
    places, starts = np.concatenate(contours)[:, 0], np.cumsum([0, *map(len, contours[:-1])])
    reach = np.maximum.reduceat(places, starts) - np.minimum.reduceat(places, starts) + 1
    size = reach.max(axis=1)
    return [contours[i] for i in np.flatnonzero((size > least) & (size < most)).tolist()]


def _is_new_contour(contour: NDArray[np.integer], met: set[tuple[int, ...]]) -> bool:
    around = tuple(round(each / 3) for each in (*cv2.boundingRect(contour), cv2.contourArea(contour) ** 0.5))
    known = around in met
    met.add(around)
    return not known


def _pose_each_once(quads: Sequence[Reals], view: PictureView) -> list[Pose]:
    if not quads:
        return []
    every = np.stack(quads).reshape(len(quads), 8)
    _same, first = np.unique(np.rint(every / 3), axis=0, return_index=True)
    across, down = every[first, 4:6] - every[first, :2], every[first, 6:] - every[first, 2:4]
    area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
    largest = first[np.argsort(-area)[:SIDED]].tolist()
    return [pose_of(map_points(view.back, every[k].reshape(4, 2))) for k in largest]


def _masks(view: PictureView) -> Iterator[Picture]:
    darkest, mean = _darkest_channel(view)
    yield _bright_parts(darkest)
    _level, brighter = cv2.threshold(cv2.subtract(darkest, mean), 6, 255, cv2.THRESH_BINARY)
    yield _remove_specks(brighter)
    yield view.solid


def _bright_parts(darkest: Picture) -> Picture:
    _level, bright = cv2.threshold(darkest, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return _remove_specks(bright)


def _darkest_channel(view: PictureView) -> tuple[Picture, Picture]:
    """Return each pixel's darkest channel, where white cards stand out from any colour, and its local mean."""
    darkest, window = darkest_channel(view.picture), max(11, min(view.grey.shape) // 14 | 1)
    return darkest, np.asarray(cv2.boxFilter(darkest, -1, (window, window)), np.uint8)


def darkest_channel(picture: Picture) -> Picture:
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def _more_masks(view: PictureView) -> Iterator[Picture]:
    darkest, mean = _darkest_channel(view)
    _level, darker = cv2.threshold(cv2.subtract(mean, darkest), 6, 255, cv2.THRESH_BINARY)
    yield np.asarray(darker, np.uint8)
    away = distance_from_rim(np.asarray(cv2.GaussianBlur(view.picture, (5, 5), 0), np.uint8))
    _level, other = cv2.threshold(away, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield np.asarray(other, np.uint8)
    soft = cv2.GaussianBlur(view.grey, (5, 5), 0)
    for plane, low in ((soft, 12), (soft, 45), (soft, 90), (away, 30)):
        yield _close_gaps(cv2.Canny(plane, low, 3 * low), 3)
    yield _close_gaps(view.edges, 5)


def _close_gaps(edges: object, reach: int) -> Picture:
    around = np.ones((reach, reach), np.uint8)
    return np.asarray(cv2.morphologyEx(np.asarray(edges, np.uint8), cv2.MORPH_CLOSE, around), np.uint8)


def distance_from_rim(soft: Picture) -> Picture:
    """Return each colour's distance from the median colour at a picture's rim, where the table is."""
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2Lab)
    rim = np.concatenate((lab[:4].reshape(-1, 3), lab[-4:].reshape(-1, 3), lab[:, 0], lab[:, -1]))
    # numpy is slow along a last axis of three
    light, green_red, blue_yellow = (
        np.square((np.asarray(channel, np.float32) - np.float32(usual)) * np.float32(weight))
        for channel, usual, weight in zip(cv2.split(lab), np.median(rim, axis=0), (0.7, 1, 1), strict=True)
    )
    return np.asarray(np.minimum(2 * np.sqrt(light + green_red + blue_yellow), 255), np.uint8)


def _remove_specks(mask: object) -> Picture:
    """Remove specks: noise would produce thousands of contours."""
    return np.asarray(cv2.morphologyEx(np.asarray(mask), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _poses_on_plane(contour: NDArray[np.int32], view: PictureView, card: tuple[float, float]) -> Iterator[Pose]:
    """Yield the pose of a contour with a card's size, by its centre and angle."""
    long, short = max(card), min(card)
    middle, (first, second), angle = cv2.minAreaRect(contour)
    if NESTED < max(first, second) / long < 1.1 and NESTED < min(first, second) / short < 1.14:
        # print at the rim may open the outline of a card, whose contour then runs inside, too
        if cv2.contourArea(cv2.convexHull(contour)) > 0.75 * first * second:
            turn = np.radians(angle if (first < second) == (card[0] <= card[1]) else angle + 90)
            yield view.back @ rigid_pose((float(middle[0]), float(middle[1])), float(turn), card)
    elif 0.75 < cv2.contourArea(contour) / (long * short) < 1.3:
        yield view.back @ _pose_by_weight(contour, card)


def _pose_by_weight(contour: NDArray[np.int32], card: tuple[float, float]) -> Pose:
    """Place a card at a ragged contour's centre of mass, along its longer axis."""
    m = cv2.moments(contour)
    middle = m["m10"] / m["m00"], m["m01"] / m["m00"]
    turn = 0.5 * atan2(2 * m["mu11"], m["mu20"] - m["mu02"])
    return rigid_pose(middle, turn if card[0] > card[1] else turn - np.pi / 2, card)


def rigid_pose(middle: tuple[float, float] | Reals, turn: float, card: tuple[float, float]) -> Pose:
    c, s = np.cos(turn), np.sin(turn)
    return np.array([(c * card[0], -s * card[1], middle[0]), (s * card[0], c * card[1], middle[1]), (0, 0, 1)])


def _poses_anywhere(contour: NDArray[np.int32], view: PictureView, size: tuple[float, float]) -> Iterator[Pose]:
    """Yield poses of a contour whose corners fit a card seen at up to 40 degrees."""
    _x, _y, wide, high = cv2.boundingRect(contour)
    scale = float(view.back[0, 0])
    if wide * high * scale**2 < SMALLEST * 0.7 or wide * high > 0.9 * view.grey.size:
        return
    hull = np.asarray(cv2.convexHull(contour), np.float64)[:, 0]
    area = area_within(hull)
    if area * scale**2 < SMALLEST or cv2.contourArea(contour) < 0.8 * area:
        return
    turns = four_turns(hull, (0.02, 0.035, 0.055))
    quad = None if turns is None else sides_of(hull, turns, 0.12)
    if quad is None or area < 0.9 * area_within(quad):
        return
    yield from _poses_of_quad(quad, view, size)


def _is_filled(contour: NDArray[np.integer], pose: Pose, view: PictureView, size: tuple[float, float]) -> bool:
    """Return whether a contour has exactly one card's shape, with nothing missing or added."""
    four = map_points(pose, CORNERS)
    sides = np.hypot(*(four - np.roll(four, -1, axis=0)).T)
    slim = (sides[0] + sides[2]) / (sides[1] + sides[3]) * size[1] / size[0]
    shown = float(cv2.contourArea(contour)) * float(view.back[0, 0]) * float(view.back[1, 1])
    return bool(0.88 < slim < 1.14 and shown > 0.95 * area_of(pose))


def four_turns(hull: Reals, slacks: Sequence[float]) -> Reals | None:
    """Return a hull's corners, which may be rounded; None unless there are four."""
    outline = hull.astype(np.int32)
    length = cv2.arcLength(outline, True)
    for slack in slacks:
        turns = cv2.approxPolyDP(outline, slack * length, True).reshape(-1, 2)
        if len(turns) <= 4:
            return np.asarray(turns, np.float64) if len(turns) == 4 else None
    return None


def sides_of(hull: Reals, turns: Reals, farthest: float) -> Reals | None:
    """Fit lines to the middles of a hull's sides. Return their intersections if they are near its turns."""
    dense = points_along(hull)
    ends = [(turns[i], turns[(i + 1) % 4]) for i in range(4)]
    fitted = [line_along(dense, *side) for side in ends]
    lines = [
        line_through(np.stack(side)) if line is None else line for side, line in zip(ends, fitted, strict=True)
    ]
    quad = meet(np.array(lines))
    if quad is None:
        return None
    moved = float(np.hypot(*(quad - turns).T).max())
    return quad if moved < farthest * float(np.hypot(*(turns[1] - turns[3]))) else turns


def _poses_of_quad(quad: Reals, view: PictureView, size: tuple[float, float]) -> Iterator[Pose]:
    """Yield poses with the card's long sides along the quad's; both if perspective leaves it open."""
    sides = np.hypot(*(quad - np.roll(quad, -1, axis=0)).T)
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if min(sides) < 1:
        return
    if max(sides[0], sides[2]) > 1.8 * min(sides[0], sides[2]):
        return
    if max(sides[1], sides[3]) > 1.8 * min(sides[1], sides[3]):
        return
    for start, ratio in ((0, first / second), (1, second / first)):
        if 0.7 < ratio * size[1] / size[0] < 1.43:
            pose = pose_of(map_points(view.back, np.roll(quad, -start, axis=0)))
            yield pose
            # the outline may be a frame printed inside the card
            yield pose @ np.diag((1 + 2 * BORDER, 1 + 2 * BORDER * size[0] / size[1], 1))


def outlines_in(mask: Picture) -> list[NDArray[np.int32]]:
    contours, _tree = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [np.asarray(contour, np.int32) for contour in contours if len(contour) >= 4]


def find_lone_cards_in_mask(view: PictureView, mask: Picture, card: tuple[float, float]) -> list[Pose]:
    contours = _as_large_as_cards(outlines_in(mask), card)
    return [pose for contour in contours for pose in _poses_on_plane(contour, view, card)]
