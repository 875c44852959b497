"""Find and count round pieces on a table: coins, horses, markers; how they are turned doesn't matter.

A piece is found by its rim and named by what is printed within. What isn't named for sure, or lies below
another one, is a doubt at its place: so a count is exact, or says "at least". Pieces that lie exactly on each
other look like one.
"""

from collections.abc import Iterator, Sequence
from math import ceil, hypot

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.rims import (
    AROUND,
    Circles,
    Rim,
    Slopes,
    find_circles,
    peeks_out,
    slopes_of,
)
from vision.reading.surroundings import Surroundings
from vision.reading.unrolled import SCALE, PieceKind, agreements, ring_places, unroll
from vision.reading.views import Floats, Picture, grey_of, pyramid, rectify_part
from vision.sightings import Point
from vision.table.plane import Reals, inverse, map_points

WIDEST = 3200
"""The most pixels across the view in which pieces are sought."""
ROUND = 0.45
"""The least share of a rim that is steep, where nothing known covers it."""
ALIKE, LIKELY = 0.8, 0.5
"""How well what is printed must agree with a piece, and at first, before its middle is found exactly."""
CLEAR = 0.06
"""By how much it must agree better with one kind than with any other."""
VISIBLE, GLIMPSE = 0.5, 0.12
"""The least share of a piece that must lie open to be sure, and to be seen at all."""
WHOLE = 0.8
"""What share of the open part of a rim must be steep."""
SAME = 0.3
"""Nearer than so many radii, two middles are those of one piece."""


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
    back, shape = _from_above(frame, table)
    if not kinds or back is None:
        return PieceReading()
    view = rectify_part(pyramid(frame), back, shape)
    slopes = slopes_of(grey_of(view))
    found = _settle(view, _round_things(slopes, kinds))
    named = [each for each in found if each.kind]
    below = [_Settled(each.middle, each.radius) for each in named if _hides_one(slopes, each, found)]
    plates = [np.array(thing, np.float32) for thing in table.things]
    return _in_picture([*found, *below], back, plates)


def _from_above(frame: Picture, table: Surroundings) -> tuple[Reals | None, tuple[int, int]]:
    """Map a view straight from above to the picture; None if the plane makes no sense."""
    high, wide = frame.shape[:2]
    try:
        corners = map_points(
            inverse(table.plane), np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float)
        )
    except np.linalg.LinAlgError:
        return None, (0, 0)
    least, span = corners.min(axis=0), np.ptp(corners, axis=0)
    if not np.isfinite(span).all() or not 100 < float(span.max()) * SCALE < WIDEST:
        return None, (0, 0)
    to_table = np.array([(1 / SCALE, 0, least[0]), (0, 1 / SCALE, least[1]), (0, 0, 1)])
    return table.plane @ to_table, (ceil(span[0] * SCALE), ceil(span[1] * SCALE))


class _RoundThing(Struct, frozen=True, eq=False):
    """Something round in a view: at which angles its rim is steep, and of which kinds it could be."""

    middle: Reals
    steep: NDArray[np.bool_]
    rim: float
    """The radius at which it is steep, in pixels."""
    kinds: tuple[PieceKind, ...]

    @property
    def radius(self) -> float:
        """Give the radius in pixels; kinds of one rim are of one size."""
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
    """Name round things one after the other; one that is named covers those below it."""
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
    """Name a round thing below others, or doubt it; None if nothing is there."""
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
    """Tell whether another piece seems to lie below one, so that its rim is broader on one side."""
    near = [each for each in found if each is not piece and _apart(each, piece) < 3 * piece.radius]
    is_open = _is_open(piece.middle + 1.2 * piece.radius * AROUND, near)
    return peeks_out(slopes, piece.middle, piece.radius, is_open)


def _is_open(places: Reals, over: Sequence[_Settled]) -> NDArray[np.bool_]:
    """Tell which places no piece covers."""
    is_open = np.ones(places.shape[:-1], np.bool_)
    for each in over:
        is_open &= ((places - each.middle) ** 2).sum(axis=-1) > (each.radius + 1) ** 2
    return is_open


def _widened(steep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Close small gaps in a rim."""
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
