"""Find candidate edges of a card in a picture cropped around it, by profiles across each side.

A line is defined by its depth below the picture's side at both ends, in pixels of the patch. A patch is the
picture at the smallest size that still allows edges to be measured. Sides are numbered clockwise from the top.
Corners are on pixel borders, so the picture's own corners are 0 and its width and height.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.table.plane import (
    UNIT_SQUARE,
    Reals,
    homography,
    largest_channel,
    lengths_of,
    map_points,
    sample_colours,
)

Floats = NDArray[np.float32]

SHORTER = 300  # pixels along a patch's shorter side; a smaller picture isn't resized
COLUMNS = 32  # number of profiles along a side
ENDS = 0.2
"""Share of a side without profiles at both ends, where the ground of the other sides begins."""
DEEPEST = 0.36  # largest depth of a line, as a share of the shorter side
STEEPEST = 0.075  # largest slope of a line
WIDE = 0.012
"""Width of the compared strips, as a share of the shorter side; grain and printed lines are thinner."""
FAINTEST, GRAIN = 4.0, 2.5
"""Smallest colour step in grey levels, and its smallest ratio to the median step beside it."""
MOST = 5  # most lines returned per side


class SideLine(Struct, frozen=True, eq=False):
    """A straight line along a side, at a step in colour."""

    ends: tuple[float, float]
    """Depth at both ends of the side, clockwise around the picture."""
    straight: float  # share of its profiles with a step on the same straight line
    step: float  # difference between the colours inside and outside
    outside: Floats
    inside: Floats  # median colours on both sides of it


def as_patch(picture: Picture) -> Picture:
    share = min(1.0, SHORTER / min(picture.shape[:2]))
    size = (max(1, round(picture.shape[1] * share)), max(1, round(picture.shape[0] * share)))
    small = picture if share == 1 else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0.7), np.uint8)


def side_lines(patch: Picture) -> list[list[SideLine]]:
    strip = max(2, round(WIDE * min(patch.shape[:2])))
    rows = round(DEEPEST * min(patch.shape[:2])) + strip
    above, below = _beside(np.stack([_strip(np.rot90(patch, side), rows) for side in range(4)]), strip)
    step = largest_channel(np.abs(below - above))
    lengths = [patch.shape[1 - side % 2] for side in range(4)]
    return [list(_lines_of(step[side], (above[side], below[side]), strip, lengths[side])) for side in range(4)]


def _strip(view: Picture, rows: int) -> Floats:
    wide = view.shape[1]
    part = np.ascontiguousarray(view[:rows, round(ENDS * wide) : round((1 - ENDS) * wide)])
    return np.asarray(cv2.resize(part, (COLUMNS, rows), interpolation=cv2.INTER_AREA), np.float32)


def _beside(strips: Floats, strip: int) -> tuple[Floats, Floats]:
    """Return the mean colours above and below each border between two rows, starting with the first."""
    total = np.cumsum(np.pad(strips, ((0, 0), (1, 0), (0, 0), (0, 0))), axis=1)
    at = np.arange(1, strips.shape[1] - strip + 1)
    up = np.minimum(at, strip)
    above = (total[:, at] - total[:, at - up]) / up[:, None, None].astype(np.float32)
    below = (total[:, at + strip] - total[:, at]) / np.float32(strip)
    return np.asarray(above, np.float32), np.asarray(below, np.float32)


ACROSS = (np.arange(COLUMNS) + 0.5) / COLUMNS - 0.5


def _lines_of(step: Floats, beside: tuple[Floats, Floats], strip: int, length: int) -> Iterator[SideLine]:
    """Yield the lines of one side: depths and slopes at which most profiles have a step."""
    firm = np.clip(step / max(FAINTEST, GRAIN * float(np.median(step))), 0, 1) ** 2 + np.minimum(step, 60) / 600
    wide = np.maximum(firm, np.maximum(np.roll(firm, 1, axis=0), np.roll(firm, -1, axis=0)))
    far = int(STEEPEST * (1 - 2 * ENDS) * length)
    turns = np.arange(-far, far + 1)
    reach = far // 2 + 1
    padded = np.pad(wide, ((reach, reach), (0, 0)))
    shift = np.round(turns[:, None] * ACROSS).astype(np.intp) + reach
    rows = len(step)
    votes = np.zeros((len(turns), rows), np.float32)
    for column in range(COLUMNS):
        votes += np.lib.stride_tricks.sliding_window_view(padded[:, column], rows)[shift[:, column]]
    known: list[SideLine] = []
    while len(known) < MOST:
        turn, row = np.unravel_index(int(votes.argmax()), votes.shape)
        if votes[turn, row] < LEAST * COLUMNS:
            return
        votes[:, max(0, row - strip - 1) : row + strip + 2] = -1
        line = _fitted(step, beside, turns[turn] * ACROSS + row)
        if line is not None and not any(_is_echo(line, other, strip) for other in known):
            known.append(line)
            yield line


def _is_echo(line: SideLine, other: SideLine, strip: int) -> bool:
    """Return whether a line is only a side effect of a steeper step beside it."""
    apart = abs(sum(line.ends) - sum(other.ends)) / 2
    return (apart < 1.7 * strip and line.step < 0.8 * other.step) or (
        apart < 3 * strip and line.step < 0.3 * other.step
    )


LEAST = 0.5  # smallest share of a side's profiles with a step at a line


def _fitted(step: Floats, beside: tuple[Floats, Floats], at: Reals) -> SideLine | None:
    """Fit a line to the steepest positions near it."""
    columns = np.arange(COLUMNS)
    near = np.clip(np.round(at).astype(np.intp)[:, None] + np.arange(-2, 3), 0, len(step) - 1)
    steep = step[near, columns[:, None]]
    top = near[columns, steep.argmax(axis=1)]
    high = steep.max(axis=1)
    before, after = (step[np.clip(top + by, 0, len(step) - 1), columns] for by in (-1, 1))
    bend = before - 2 * high + after
    off = np.where(bend < -1e-3, np.clip(0.5 * (before - after) / np.minimum(bend, -1e-3), -0.5, 0.5), 0)
    # the first border is below the first row
    depth = top + 1 + off
    usual = float(np.median(high))
    clear = high > 0.25 * usual
    if clear.sum() < COLUMNS // 3:
        return None
    slope, middle = _line(depth, clear)
    for _again in range(2):
        wrong = np.abs(depth - (slope * ACROSS + middle))
        clear = (wrong < max(1.0, 2 * float(np.median(wrong[clear])))) & (high > 0.25 * usual)
        if clear.sum() < COLUMNS // 3:
            return None
        slope, middle = _line(depth, clear)
    wrong = np.abs(depth - (slope * ACROSS + middle))
    half = slope / (1 - 2 * ENDS) / 2
    rows = np.clip(np.round(at).astype(np.intp), 0, len(step) - 1)
    outside, inside = np.median([each[rows, columns] for each in beside], axis=1)
    ends = float(middle - half), float(middle + half)
    return SideLine(ends, float((wrong < 1).mean()), usual, outside, inside)


def _line(depth: Reals, clear: NDArray[np.bool_]) -> tuple[float, float]:
    """Fit a line to depths along a side. Return its slope and its depth at the centre."""
    x, y = ACROSS[clear], depth[clear]
    aside = x - x.mean()
    slope = float((aside * y).sum() / max(1e-9, float((aside**2).sum())))
    return slope, float(y.mean()) - slope * float(x.mean())


def corners_of(ends: Reals, shape: Sequence[int]) -> Reals:
    """Intersect four sides' lines, given by their ends (..., 4, 2). Return the corners (..., 4, 2)."""
    high, wide = shape[:2]
    rim = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    inward = np.array([(0, 1), (-1, 0), (0, -1), (1, 0)], np.float64)
    first = rim + ends[..., :1] * inward
    along = np.roll(rim, -1, axis=0) + ends[..., 1:] * inward - first
    before, along_before = np.roll(first, 1, axis=-2), np.roll(along, 1, axis=-2)
    gap = first - before
    cross = along_before[..., 0] * along[..., 1] - along_before[..., 1] * along[..., 0]
    far = (gap[..., 0] * along[..., 1] - gap[..., 1] * along[..., 0]) / np.where(
        np.abs(cross) < 1e-9, 1e-9, cross
    )
    return np.asarray(before + far[..., None] * along_before, np.float64)


def widened(corners: Reals, borders: Reals) -> Reals:
    """Move the sides of an outline outward by `borders`, in its widths."""
    lengths = lengths_of(corners)
    high = (lengths[1] + lengths[3]) / (lengths[0] + lengths[2])
    top, right, low, left = borders
    wider = np.array([(-left, -top), (1 + right, -top), (1 + right, high + low), (-left, high + low)])
    return map_points(homography(UNIT_SQUARE * (1, high), corners), wider)


# outlines


class Outlines(Struct, frozen=True, eq=False):
    """All outlines formed by a patch's lines."""

    ends: Reals
    corners: Reals
    shape: Reals  # logarithm of width / height
    width: Reals
    share: Reals  # share of the patch's area
    worth: Reals  # likelihood of being a card's or a frame's outline, 0 to 1


def outlines_of(lines: Sequence[Sequence[SideLine]], shape: Sequence[int]) -> Outlines | None:
    if not all(lines):
        return None
    which = np.array(list(product(*(range(len(each)) for each in lines))))

    def chosen(what: Callable[[SideLine], object]) -> Reals:
        values = [np.array([what(line) for line in each], np.float64) for each in lines]
        return np.stack([values[side][which[:, side]] for side in range(4)], axis=1)

    ends = chosen(lambda line: line.ends)
    corners = corners_of(ends, shape)
    top, right, low, left = lengths_of(corners).T
    clear = chosen(clearness)
    step = np.maximum(20.0, chosen(lambda line: line.step).mean(axis=1))
    # the same paper inside all sides, or the same ground outside
    strange = (
        np.minimum(_spread(chosen(lambda line: line.outside)), _spread(chosen(lambda line: line.inside))) / step
    )
    slant = np.maximum(np.abs(np.log(top / low)), np.abs(np.log(right / left)))
    worth = (
        (0.6 * clear.min(axis=1) + 0.4 * clear.mean(axis=1))
        * (1 - 0.5 * np.clip(strange - 0.4, 0, 1))
        * (1 - 0.5 * np.clip(10 * slant - 0.3, 0, 1))
    )
    area = (top + low) * (right + left) / 4
    return Outlines(
        ends,
        corners,
        np.log((top + low) / (right + left)),
        (top + low) / 2,
        area / (shape[0] * shape[1]),
        worth,
    )


def clearness(line: SideLine) -> float:
    """Rate how clear a line is, 0 to 1, by its straightness and colour step."""
    straight = min(1.0, max(0.0, (line.straight - 0.6) / 0.35))
    return straight * min(1.0, line.step / 8) * (0.85 + 0.15 * min(1.0, line.step / 60))


def _spread(colours: Reals) -> Reals:
    return np.asarray((colours.max(axis=1) - colours.min(axis=1)).max(axis=1), np.float64)


# corners


def rounded(patch: Picture, corners: Reals) -> tuple[Reals, Reals]:
    """Return for each corner whether the ground shows in it, 0 to 1, and how clear that is."""
    along = np.roll(corners, -1, axis=0) - corners
    along /= np.linalg.norm(along, axis=1)[:, None]
    down = np.roll(corners, 1, axis=0) - corners
    down /= np.linalg.norm(down, axis=1)[:, None]
    wide = float(lengths_of(corners)[[0, 2]].mean())
    near, far, beside = 0.007 * wide, 0.1 * wide, 0.012 * wide + 1
    at = np.stack([
        corners + near * (along + down),
        corners + far * along + beside * down, corners + far * down + beside * along,
        corners + far * along - beside * down, corners + far * down - beside * along,
        corners - beside * (along + down),
    ])  # fmt: skip
    seen = sample_colours(patch, at - 0.5)
    inside, outside = seen[1:3].mean(axis=0), seen[3:].mean(axis=0)
    difference = outside - inside
    apart = np.linalg.norm(difference, axis=1)
    return ((seen[0] - inside) * difference).sum(axis=1) / np.maximum(apart, 1) ** 2, apart


def odd_corners(patch: Picture) -> tuple[NDArray[np.bool_], Floats]:
    """Return which corners of a patch differ in colour from the adjoining sides, and the colours."""
    high, wide = patch.shape[:2]
    less = min(high, wide)
    rim = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    along = np.sign(np.roll(rim, -1, axis=0) - rim)
    down = np.sign(np.roll(rim, 1, axis=0) - rim)
    spots = [
        rim + far * less * one + 0.012 * less * other
        for far in np.linspace(0.08, 0.3, 8)
        for one, other in ((along, down), (down, along))
    ]
    seen = sample_colours(patch, np.stack([rim + 0.005 * less * (along + down), *spots]) - 0.5)
    usual = np.median(seen[1:], axis=0)
    grain = np.abs(seen[1:] - usual).max(axis=2).mean(axis=0)
    return np.abs(seen[0] - usual).max(axis=1) > np.maximum(20, 2.5 * grain), seen[0]


# around an outline


def light_across(patch: Picture, corners: Reals) -> Reals:
    """Return brightness profiles across outlines' sides (n, 4, 2), from the outside in: (n, 4, depths)."""
    after, before = np.roll(corners, -1, axis=1), np.roll(corners, 1, axis=1)
    opposite = np.roll(corners, -2, axis=1)
    along = np.linspace(0.15, 0.85, 16)[:, None]
    start = corners[:, :, None] + along * (after - corners)[:, :, None]
    inward = (before - corners)[:, :, None] * (1 - along) + (opposite - after)[:, :, None] * along
    inward /= np.linalg.norm(inward, axis=-1, keepdims=True)
    wide = lengths_of(corners)[:, [0, 2]].mean(axis=1)[:, None, None, None, None]
    depth = np.linspace(-0.05, 0.08, 27)[:, None]
    at = start[..., None, :] + wide * depth * inward[..., None, :]
    light = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    seen = sample_colours(light, at.reshape(-1, len(depth), 2) - 0.5)
    return np.asarray(np.median(seen.reshape(at.shape[:-1]), axis=2), np.float64)


def steps_round(patch: Picture, corners: Reals) -> Reals:
    """Return the colour steps along lines parallel to an outline's sides, the farthest first."""
    top, right, low, left = lengths_of(corners)
    wide, high = 2 * AROUND, round(2 * AROUND * float((right + left) / (top + low)))
    room = AROUND * 3 // 5
    laid = UNIT_SQUARE * (wide, high) + room - 0.5
    back = homography(laid, corners - 0.5)
    size = (wide + 2 * room, high + 2 * room)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(patch, back, size, flags=how)
    seen = cv2.warpPerspective(
        np.full(patch.shape[:2], 255, np.uint8), back, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    )
    return np.stack([_steps_above(np.rot90(flat, side), np.rot90(seen, side), room) for side in range(4)])


AROUND = 100  # half the outline's width in pixels when its surroundings are measured


def _steps_above(view: Picture, seen: Picture, room: int) -> Reals:
    """Return the median step at each border between rows above an outline; NaN beyond the picture."""
    part = (slice(0, room + 4), slice(room + AROUND // 6, view.shape[1] - room - AROUND // 6))
    strip = cv2.resize(np.ascontiguousarray(view[part]), (COLUMNS, room + 4), interpolation=cv2.INTER_AREA)
    above, below = _beside(np.asarray(strip, np.float32)[None], 2)
    step = np.median(largest_channel(np.abs(below - above))[0], axis=1)[:room]
    hidden = (seen[part] < 255).any(axis=1)
    first = int(np.flatnonzero(hidden).max(initial=-1)) + 3
    return np.where(np.arange(len(step)) < first, np.nan, step)
