"""Find circles of a size in a view: the steep places of a rim all point to its middle."""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.views import Floats, Picture
from vision.table.plane import Reals

TURNS = 72
"""Angles at which circles are looked at."""
STEEP, NOISY = 24.0, 3.5
"""How steep a rim is at least: in grey levels of Sobel's sums, and in what is usual in the view."""
ALONG = 0.85
"""How well a steep place must point to the middle."""
LEAST_VOTES = 0.05
"""Votes for a middle, smoothed, for each pixel of the radius: below, nothing round is there."""
MOST = 400
"""Circles that are looked at."""

_ANGLES = np.arange(TURNS) * (2 * np.pi / TURNS)
AROUND = np.stack((np.cos(_ANGLES), np.sin(_ANGLES)), axis=-1)
"""The ways from a middle to its rim."""


class Rim(Struct, frozen=True):
    """A circle that is steep on a piece: its radius, and 1 or -1 where it is brighter or darker outside.

    At a piece's outer edge that depends on the table: then the rise is 0.
    """

    radius: float
    rise: int = 0


class Slopes(Struct, frozen=True, eq=False):
    """How steep a view is at each place, across and down, and from where on that is more than noise."""

    ways: Floats
    least: float


class Circles(Struct, frozen=True, eq=False):
    """Middles of circles, the likeliest first, and at which of its angles each rim is steep: (n, turns)."""

    middles: Reals
    steep: NDArray[np.bool_]


def slopes_of(grey: Picture) -> Slopes:
    """Measure how steep a view is."""
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) for way in ((1, 0), (0, 1)))
    usual = float(np.median(cv2.magnitude(across[::4, ::4], down[::4, ::4])))
    return Slopes(np.dstack((across, down)), max(STEEP, NOISY * usual))


def find_circles(slopes: Slopes, rim: Rim) -> Circles:
    """Find circles, also those of which only an arc shows."""
    votes = _votes(slopes, rim)
    peaks = (votes == cv2.dilate(votes, np.ones((5, 5)))) & (votes > LEAST_VOTES * rim.radius)
    rows, columns = np.nonzero(peaks)
    best = np.argsort(-votes[rows, columns])[:MOST]
    middles = np.stack((columns[best], rows[best]), -1).astype(np.float64)
    return Circles(middles, _steep_angles(slopes, middles, rim))


def _votes(slopes: Slopes, rim: Rim) -> Floats:
    """Let each steep place vote for the middle that it points to."""
    high, wide = slopes.ways.shape[:2]
    steep = cv2.magnitude(slopes.ways[..., 0], slopes.ways[..., 1])
    rows, columns = np.nonzero(steep > slopes.least)
    ways = slopes.ways[rows, columns] / steep[rows, columns, None]
    spots = np.stack((columns, rows), -1)
    signs = (rim.rise,) if rim.rise else (1, -1)
    aims = np.concatenate([spots - sign * rim.radius * ways for sign in signs]).round().astype(np.intp)
    aims = aims[(aims >= 0).all(axis=1) & (aims < (wide, high)).all(axis=1)]
    votes = np.bincount(aims[:, 1] * wide + aims[:, 0], minlength=high * wide).reshape(high, wide)
    return np.asarray(cv2.GaussianBlur(votes.astype(np.float32), (0, 0), 1.5), np.float32)


def _steep_angles(slopes: Slopes, middles: Reals, rim: Rim) -> NDArray[np.bool_]:
    """Tell at which angles the rim of each circle is steep, across the rim and not along it."""
    near = rim.radius + np.arange(-2, 3)
    seen = sample(slopes.ways, middles[:, None, None] + near[None, :, None, None] * AROUND)
    out = (seen * AROUND.astype(np.float32)).sum(axis=-1)
    out = out * rim.rise if rim.rise else np.abs(out)
    return np.asarray(((out > slopes.least) & (out > ALONG * np.linalg.norm(seen, axis=-1))).any(axis=1))


def peeks_out(slopes: Slopes, middle: Reals, radius: float, is_open: NDArray[np.bool_]) -> bool:
    """Tell whether along part of a circle another edge lies farther out, as that of a disc below it does."""
    near = radius * np.arange(*BEYOND, 0.03)
    seen = sample(slopes.ways, (middle + near[:, None, None] * AROUND)[None])[0]
    out = np.abs((seen * AROUND.astype(np.float32)).sum(axis=-1))
    steep = (out > slopes.least) & (out > ALONG * np.linalg.norm(seen, axis=-1))
    # the piece's own edge is blurred, but rises no more beyond it
    rises = out[1:-1] >= np.maximum(out[:-2], out[2:])
    return longest_arc((steep[1:-1] & rises).any(axis=0) & is_open) >= PEEKS


BEYOND = (1.07, 1.4)
"""Where the edge of a disc below is sought, as shares of the radius."""
PEEKS = 0.26
"""The least share of the circle along which it peeks out."""


def longest_arc(marked: NDArray[np.bool_]) -> float:
    """Measure the longest run of marked angles, as a share of the circle; single gaps don't count."""
    closed = marked | (np.roll(marked, 1) & np.roll(marked, -1))
    if closed.all():
        return 1.0
    gaps = np.flatnonzero(~closed)
    return float((np.diff(np.append(gaps, gaps[0] + len(closed))) - 1).max()) / len(closed)


def sample(view: Picture | Floats, places: Reals) -> Floats:
    """Sample a picture at places (n, ..., 2); beyond its edge it is black."""
    shape = places.shape[:-1]
    flat = places.reshape(shape[0], int(np.prod(shape[1:])), 2).astype(np.float32)
    across, down = np.ascontiguousarray(flat[..., 0]), np.ascontiguousarray(flat[..., 1])
    seen = cv2.remap(view, across, down, cv2.INTER_LINEAR)
    return np.asarray(seen, np.float32).reshape(*shape, *view.shape[2:])


def rim_of(looks: Sequence[Picture], across: float) -> tuple[Rim, ...]:
    """Find the circle by which each look of a piece is found best: one that is printed on it, else its edge."""
    return tuple(dict.fromkeys(_rim(look, across / 2) for look in looks))


def _rim(look: Picture, radius: float) -> Rim:
    """Find the steepest circle that is printed on a look; its radius is in the units of the piece's."""
    half = look.shape[0] / 2
    steps = np.linspace(*PRINTED, RIM_STEPS)
    middle = np.array([half - 0.5, half - 0.5])
    rings = sample(look, (middle + steps[:, None, None] * half * AROUND)[None])[0].mean(axis=-1)
    rise = np.median(rings[RIM_WIDTH:] - rings[:-RIM_WIDTH], axis=1)
    best = int(np.abs(rise).argmax())
    if abs(rise[best]) < CLEAR:
        return Rim(radius)
    at = (steps[best] + steps[best + RIM_WIDTH]) / 2
    return Rim(round(float(at * radius), 3), 1 if rise[best] > 0 else -1)


PRINTED, RIM_STEPS, RIM_WIDTH = (0.55, 0.95), 41, 5
"""Between which shares of the radius a printed rim is sought, in how many steps, and over how many it rises."""
CLEAR = 45.0
"""Grey levels by which a printed rim rises at least, at half of its angles."""
