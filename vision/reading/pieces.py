"""Find and count round pieces on a table: coins, horses, markers; how they are turned doesn't matter.

A piece is found by its rim, as the steep places of a rim all point to its middle, and named by what is printed
within: unrolled, ring by ring, so that all turns are compared at once. Two things have to agree: all that is
seen, and what is left of it without each ring's mean, as rims and even grounds are alike on many pieces. What
isn't named for sure, or lies below another one, is a doubt at its place: so a count is exact, or says "at
least". Pieces that lie exactly on each other look like one.
"""

from collections.abc import Iterator, Sequence
from math import hypot
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.views import (
    Floats,
    Picture,
    Surroundings,
    grey_of,
    part_seen,
    pyramid,
    rectify_part,
    straight_above,
)
from vision.sightings import Point
from vision.table.plane import Reals, map_points

TURNS = 72  # angles at which circles are looked at
STEEP, NOISY = 24.0, 3.5
"""How steep a rim is at least: in grey levels of Sobel's sums, and in what is usual in the view."""
ALONG = 0.85  # how well a steep place must point to the middle
LEAST_VOTES = 0.05
"""Votes for a middle, smoothed, for each pixel of the radius: below, nothing round is there."""
MOST = 400  # circles that are looked at

_ANGLES = np.arange(TURNS) * (2 * np.pi / TURNS)
AROUND = np.stack((np.cos(_ANGLES), np.sin(_ANGLES)), axis=-1)  # the ways from a middle to its rim


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
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) for way in ((1, 0), (0, 1)))
    usual = float(np.median(cv2.magnitude(across[::4, ::4], down[::4, ::4])))
    return Slopes(np.dstack((across, down)), max(STEEP, NOISY * usual))


def find_circles(slopes: Slopes, rim: Rim) -> Circles:
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
    """Return at which angles the rim of each circle is steep, across the rim and not along it."""
    near = rim.radius + np.arange(-2, 3)
    seen = sample(slopes.ways, middles[:, None, None] + near[None, :, None, None] * AROUND)
    out = (seen * AROUND.astype(np.float32)).sum(axis=-1)
    out = out * rim.rise if rim.rise else np.abs(out)
    return np.asarray(((out > slopes.least) & (out > ALONG * np.linalg.norm(seen, axis=-1))).any(axis=1))


def peeks_out(slopes: Slopes, middle: Reals, radius: float, is_open: NDArray[np.bool_]) -> bool:
    """Return whether along part of a circle another edge lies farther out, as that of a disc below it does."""
    near = radius * np.arange(*BEYOND, 0.03)
    seen = sample(slopes.ways, (middle + near[:, None, None] * AROUND)[None])[0]
    out = np.abs((seen * AROUND.astype(np.float32)).sum(axis=-1))
    steep = (out > slopes.least) & (out > ALONG * np.linalg.norm(seen, axis=-1))
    # the piece's own edge is blurred, but rises no more beyond it
    rises = out[1:-1] >= np.maximum(out[:-2], out[2:])
    return longest_arc((steep[1:-1] & rises).any(axis=0) & is_open) >= PEEKS


BEYOND = (1.07, 1.4)  # where the edge of a disc below is sought, as shares of the radius
PEEKS = 0.26  # the least share of the circle along which it peeks out


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
    if abs(rise[best]) < CLEAR_RISE:
        return Rim(radius)
    at = (steps[best] + steps[best + RIM_WIDTH]) / 2
    return Rim(round(float(at * radius), 3), 1 if rise[best] > 0 else -1)


PRINTED, RIM_STEPS, RIM_WIDTH = (0.55, 0.95), 41, 5
"""Between which shares of the radius a printed rim is sought, in how many steps, and over how many it rises."""
CLEAR_RISE = 45.0  # grey levels by which a printed rim rises at least, at half of its angles


# rings

Waves: TypeAlias = NDArray[np.complex64] | NDArray[np.complex128]

SCALE = 1.6  # pixels to a millimetre of the view in which pieces are sought
RINGS, INNER, OUTER = 16, 0.1, 0.93
"""How many rings of a piece are compared, and where they begin and end, as shares of its radius."""
SOFT = 0.8  # pixels by which a camera blurs
PRINT = 0.2
"""By how much what is printed may agree less than all of it: it is finer, and blurs more."""
PLAIN, BARE = 0.03, 0.1
"""The share of print in a look below which it is plain, and by how much better a plain look has to agree."""

_STEPS = np.linspace(INNER, OUTER, RINGS)
_WEIGHTS = (_STEPS / _STEPS.mean()).astype(np.float32)[:, None]
"""What each ring counts for: outer ones are longer."""


class Looks(Struct, frozen=True, eq=False):
    """Looks as waves along each ring: looks, rings, frequencies, colours; and those of their squares."""

    shapes: Waves
    powers: Waves


class PieceKind(Struct, frozen=True, eq=False):
    """A kind of piece: its radius in millimetres, its rims, and its looks, unrolled."""

    name: str
    radius: float
    rims: tuple[Rim, ...]
    whole: Looks
    prints: Looks  # the same looks without the mean of each ring
    is_plain: NDArray[np.bool_]  # which of the looks have nothing printed on them but rings


def piece_kind(name: str, across: float, pictures: Sequence[Picture]) -> PieceKind:
    """Take the looks of a kind from square pictures, each filled by the piece."""
    looks = np.stack([_unroll_look(each, across) for each in pictures])
    prints = looks - looks.mean(axis=2, keepdims=True)
    spread = ((looks - looks.mean(axis=(1, 2), keepdims=True)) ** 2).sum(axis=(1, 2, 3))
    is_plain = (prints**2).sum(axis=(1, 2, 3)) < PLAIN * np.maximum(spread, 1e-6)
    return PieceKind(name, across / 2, rim_of(pictures, across), _waves(looks), _waves(prints), is_plain)


def _waves(looks: Floats) -> Looks:
    return Looks(np.conj(np.fft.rfft(looks, axis=2)), np.conj(np.fft.rfft((looks**2).sum(axis=3), axis=2)))


def _unroll_look(picture: Picture, across: float) -> Floats:
    """Unroll a picture as the camera would show it: no sharper than the view."""
    side = round(across * SCALE)
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), SOFT), np.uint8)
    rings = unroll(soft, np.array([[(side - 1) / 2, (side - 1) / 2]]), side / 2)
    return np.asarray(rings[0], np.float32)


def unroll(view: Picture, middles: Reals, radius: float) -> Floats:
    seen = sample(view, ring_places(middles, radius))
    return np.asarray(seen * np.float32(1 / 255), np.float32)


def ring_places(middles: Reals, radius: float) -> Reals:
    """List the places of the rings round some middles: (n, rings, turns, 2)."""
    places: Reals = middles[:, None, None] + _STEPS[None, :, None, None] * radius * AROUND
    return places


def agreements(rings: Floats, is_open: NDArray[np.bool_], kind: PieceKind) -> Floats:
    """Correlate rings with a kind's looks at every turn, where the rings lie open; the best for each (n)."""
    weights = is_open * _WEIGHTS
    all_ = _correlations(rings, weights, kind.whole)
    means = (weights[..., None] * rings).sum(axis=2) / np.maximum(weights.sum(axis=2), 1e-6)[..., None]
    prints = _correlations(rings - means[:, :, None], weights, kind.prints) + PRINT
    best = np.where(kind.is_plain[:, None], all_ - BARE, np.minimum(all_, prints))
    return np.asarray(best.max(axis=(1, 2)), np.float32)


def _correlations(rings: Floats, weights: Floats, looks: Looks) -> Floats:
    total = np.maximum(weights.sum(axis=(1, 2)), 1e-6)[:, None]
    mask, seen = np.fft.rfft(weights, axis=2), np.fft.rfft(weights[..., None] * rings, axis=2)
    light = (weights[..., None] * rings).sum(axis=(1, 2))
    power = (weights[..., None] * rings**2).sum(axis=(1, 2, 3)) - (light**2).sum(axis=1) / total[:, 0]
    # the looks as they lie below the weights, at every turn
    means = np.fft.irfft(np.einsum("nrf,lrfc->nlcf", mask, looks.shapes), TURNS, axis=3)
    width = np.fft.irfft(np.einsum("nrf,lrf->nlf", mask, looks.powers), TURNS, axis=2)
    both = np.fft.irfft(np.einsum("nrfc,lrfc->nlf", seen, looks.shapes), TURNS, axis=2)
    shared = both - np.einsum("nc,nlcf->nlf", light, means) / total[..., None]
    spread = np.maximum(width - (means**2).sum(axis=2) / total[..., None], 1e-9) * power[:, None, None]
    return np.asarray(shared / np.sqrt(np.maximum(spread, 1e-9)), np.float32)


WIDEST = 3200  # the most pixels across the view in which pieces are sought
ROUND = 0.45  # the least share of a rim that is steep, where nothing known covers it
ALIKE, LIKELY = 0.8, 0.5
"""How well what is printed must agree with a piece, and at first, before its middle is found exactly."""
CLEAR = 0.06  # by how much it must agree better with one kind than with any other
VISIBLE, GLIMPSE = 0.5, 0.12
"""The least share of a piece that must lie open to be sure, and to be seen at all."""
WHOLE = 0.8  # what share of the open part of a rim must be steep
SAME = 0.3  # nearer than so many radii, two middles are those of one piece


class SeenPiece(Struct, frozen=True):
    """A piece: its kind, its middle in pixels of the picture, and how well it agrees."""

    kind: str
    middle: Point
    score: float


class PieceReading(Struct, frozen=True):
    """What lies there for sure, and the middles of what else may lie there, or below."""

    pieces: tuple[SeenPiece, ...] = ()
    doubts: tuple[Point, ...] = ()


# reading


def read_pieces(frame: Picture, kinds: Sequence[PieceKind], table: Surroundings) -> PieceReading:
    """Find the pieces in a picture; the same picture gives the same reading."""
    least, span = part_seen(frame.shape, table.plane)
    if not kinds or not 100 < float(span.max()) * SCALE < WIDEST:
        return PieceReading()
    back, shape = straight_above(table.plane, least, span, SCALE)
    view = rectify_part(pyramid(frame), back, shape)
    slopes = slopes_of(grey_of(view))
    found = _settle(view, _round_things(slopes, kinds))
    named = [each for each in found if each.kind]
    below = [_Settled(each.middle, each.radius) for each in named if _hides_one(slopes, each, found)]
    plates = [np.array(thing, np.float32) for thing in table.things]
    return _in_picture([*found, *below], back, plates)


class _RoundThing(Struct, frozen=True, eq=False):
    """Something round in a view: at which angles its rim is steep, and of which kinds it could be."""

    middle: Reals
    steep: NDArray[np.bool_]
    rim: float  # the radius at which it is steep, in pixels
    kinds: tuple[PieceKind, ...]

    @property
    def radius(self) -> float:
        return self.kinds[0].radius * SCALE


def _round_things(slopes: Slopes, kinds: Sequence[PieceKind]) -> list[_RoundThing]:
    """Find all round things of the sizes of some kinds, those that lie most open first."""
    things: list[_RoundThing] = []
    for rim, radius in dict.fromkeys((rim, kind.radius) for kind in kinds for rim in kind.rims):
        those = tuple(kind for kind in kinds if rim in kind.rims and kind.radius == radius)
        found: Circles = find_circles(slopes, Rim(rim.radius * SCALE, rim.rise))
        rims = zip(found.middles, found.steep, strict=True)
        things += [_RoundThing(middle, steep, rim.radius * SCALE, those) for middle, steep in rims]
    return sorted(things, key=lambda thing: -float(thing.steep.mean()))


class _Settled(Struct, frozen=True, eq=False):
    """A round thing that was named; without a kind it is a doubt."""

    middle: Reals
    radius: float
    kind: str = ""
    score: float = 0.0


def _settle(view: Picture, things: Sequence[_RoundThing]) -> list[_Settled]:
    settled: list[_Settled] = []
    for thing in things:
        if thing.steep.mean() < GLIMPSE:
            break
        if any(_apart(thing, each) < SAME * thing.radius for each in settled):
            continue
        named = _name(view, thing, [each for each in settled if each.kind])
        if named is not None:
            settled.append(named)
    return settled


def _apart(one: _RoundThing | _Settled, other: _Settled) -> float:
    return hypot(*(one.middle - other.middle))


def _name(view: Picture, thing: _RoundThing, above: Sequence[_Settled]) -> _Settled | None:
    over = [each for each in above if _apart(thing, each) < thing.radius + each.radius]
    rim = _is_open(thing.middle + thing.rim * AROUND, over)
    open_, steep = float(rim.mean()), float((thing.steep & rim).mean())
    if steep < max(GLIMPSE, WHOLE * open_ if over else ROUND):
        return None
    if over and open_ < VISIBLE:
        return _Settled(thing.middle, thing.radius)
    is_round = steep >= WHOLE * open_
    # where the rim isn't steep something else may lie over it, and what is printed there doesn't count
    sectors = rim if is_round else _widened(thing.steep) & rim
    best = _best_kind(view, thing, over, sectors, _NUDGES[:1])
    if best.score >= LIKELY:
        best = _best_kind(view, thing, over, sectors, _NUDGES)
    is_alike = best.score >= ALIKE
    if is_round and is_alike:
        return best
    return _Settled(best.middle, best.radius) if is_round or is_alike else None


def _hides_one(slopes: Slopes, piece: _Settled, found: Sequence[_Settled]) -> bool:
    """Return whether another piece seems to lie below one, so that its rim is broader on one side."""
    near = [each for each in found if each is not piece and _apart(each, piece) < 3 * piece.radius]
    is_open = _is_open(piece.middle + 1.2 * piece.radius * AROUND, near)
    return peeks_out(slopes, piece.middle, piece.radius, is_open)


def _is_open(places: Reals, over: Sequence[_Settled]) -> NDArray[np.bool_]:
    is_open = np.ones(places.shape[:-1], np.bool_)
    for each in over:
        is_open &= ((places - each.middle) ** 2).sum(axis=-1) > (each.radius + 1) ** 2
    return is_open


def _widened(steep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(np.any([np.roll(steep, step) for step in range(-2, 3)], axis=0))


_NUDGES = np.array([(x, y) for x in (0.0, -1.0, 1.0) for y in (0.0, -1.0, 1.0)])


def _best_kind(
    view: Picture, thing: _RoundThing, over: Sequence[_Settled], sectors: NDArray[np.bool_], nudges: Reals
) -> _Settled:
    """Find the kind that agrees best with what lies open of a round thing, and where its middle is."""
    middles = thing.middle + nudges
    rings = unroll(view, middles, thing.radius)
    is_open = _is_open(ring_places(middles, thing.radius), over) & sectors
    scores = {kind.name: agreements(rings, is_open, kind) for kind in thing.kinds}
    name, *rivals = sorted(scores, key=lambda each: -float(scores[each].max()))
    best = int(scores[name].argmax())
    # two kinds that agree alike are none
    is_clear = not rivals or scores[rivals[0]].max() < scores[name][best] - CLEAR
    score = round(float(scores[name][best]), 3) if is_clear else 0.0
    return _Settled(middles[best], thing.radius, name, score)


def _in_picture(found: Sequence[_Settled], back: Reals, things: Sequence[Floats]) -> PieceReading:
    """Give what was found in pixels of the picture, without what is printed on the markers' plates."""
    pieces: list[SeenPiece] = []
    doubts: list[Point] = []
    for each, (x, y) in zip(found, _points(found, back), strict=True):
        if any(cv2.pointPolygonTest(thing, (x, y), measureDist=False) >= 0 for thing in things):
            continue
        if each.kind:
            pieces.append(SeenPiece(each.kind, (x, y), each.score))
        else:
            doubts.append((x, y))
    return PieceReading(tuple(pieces), tuple(doubts))


def _points(found: Sequence[_Settled], back: Reals) -> Iterator[Point]:
    if found:
        for x, y in map_points(back, np.array([each.middle for each in found])).tolist():
            yield round(x, 1), round(y, 1)
