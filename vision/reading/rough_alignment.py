"""Rate many places at once by the parts of a card that may show, and move them all onto their likeliest faces.

A card under something without a name shows one side of it, so it resembles its face there only. Sums over tiles
of the rough patch give the correlation of every such side for the price of two.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from msgspec import Struct

from vision.reading.deciding import Indices
from vision.reading.identifying import columns_of, labs_at, moved_by
from vision.reading.templates import Floats, QuickGrid, Shape, Templates
from vision.reading.views import Picture, Pose
from vision.table.plane import Reals

TILES = 4
"""Into how many tiles a card is cut across, and down."""
FAINT = 0.0025
"""The least variance of the print of a side that is compared: a blank side is like any other."""


class Side(Struct, frozen=True):
    """A side of a card that shows, up to a line: all of it, or some tiles from one edge."""

    axis: int
    """0 for columns from the left, 1 for rows from the top."""
    first: int
    last: int
    """The tiles from `first` up to, but not with, `last`."""


WHOLE = Side(0, 0, TILES)
SIDES = (
    WHOLE,
    *(Side(axis, 0, last) for axis in (0, 1) for last in range(1, TILES)),
    *(Side(axis, first, TILES) for axis in (0, 1) for first in range(1, TILES)),
)


class Ratings(Struct, frozen=True, eq=False):
    """What each place resembles most: how much, which row, and on which of its sides."""

    fits: Floats
    rows: Indices
    sides: Indices
    shares: Floats
    """Which share of a card that side is."""


def rate_sides(grid: QuickGrid, labs: Floats, seen: Floats) -> Ratings:
    """Correlate patches (channels, n, cells) with all rows, side by side; keep what each resembles most."""
    sums = [_TileSums.of(grid, labs, seen, axis) for axis in (0, 1)]
    count = len(seen)
    best, rows = np.full(count, -1, np.float32), np.zeros(count, np.intp)
    sides, shares = np.zeros(count, np.intp), np.zeros(count, np.float32)
    for number, side in enumerate(SIDES):
        fits, share = sums[side.axis].fits(side.first, side.last)
        share /= float(grid.inside.sum())
        row = fits.argmax(axis=1)
        value = fits[np.arange(count), row] * np.minimum(share, 1) ** SMALLER
        better = (value > best) & (share > LEAST)
        best[better], rows[better], sides[better], shares[better] = (
            value[better], row[better], number, share[better],
        )  # fmt: skip
    return Ratings(best, rows, sides, shares)


SMALLER = 0.15
"""How much less a smaller side counts: chance resembles small sides more."""
LEAST = 0.12
"""The least share of a card that a side must show."""


class _TileSums(Struct, frozen=True, eq=False):
    """Sums over each tile along one axis, of what correlations are made of."""

    count: Floats
    own: Floats
    means: Floats
    power: Floats
    there: Floats
    shared: Floats

    @classmethod
    def of(cls, grid: QuickGrid, labs: Floats, seen: Floats, axis: int) -> "_TileSums":
        tiles = _tiles(grid.shape, axis)
        shown = labs * seen
        return cls(
            count=np.stack([seen[:, tile].sum(axis=1) for tile in tiles]),
            own=np.stack([np.einsum("knc,knc->n", shown[..., tile], shown[..., tile]) for tile in tiles]),
            means=np.stack([shown[..., tile].sum(axis=2) for tile in tiles]),
            power=np.stack([seen[:, tile] @ grid.power[:, tile].T for tile in tiles]),
            there=np.stack([seen[:, tile] @ grid.planes[:, tile] for tile in tiles]),
            shared=np.stack([(shown[..., tile] @ grid.planes[:, tile]).sum(axis=0) for tile in tiles]),
        )

    def fits(self, first: int, last: int) -> tuple[Floats, Floats]:
        """Correlate some neighbouring tiles: n x rows; and count their visible cells."""
        count, own, means, power, there, shared = (
            each[first:last].sum(axis=0)
            for each in (self.count, self.own, self.means, self.power, self.there, self.shared)
        )
        many = np.maximum(count, 1)
        together = shared - np.einsum("kn,knr->nr", means / many, there)
        power = power - np.square(there).sum(axis=0) / many[:, None]
        own = own - np.square(means).sum(axis=0) / many
        least = FAINT * many
        size = np.sqrt(np.maximum(power, least[:, None]) * np.maximum(own, least)[:, None])
        return np.asarray(together / size, np.float32), np.asarray(count, np.float32)


@cache
def _tiles(shape: Shape, axis: int) -> tuple[Indices, ...]:
    """Number the cells of each tile along an axis."""
    high, wide = shape
    along = np.tile(np.arange(wide), high) if axis == 0 else np.repeat(np.arange(high), wide)
    tile = along * TILES // (wide if axis == 0 else high)
    return tuple(np.flatnonzero(tile == k) for k in range(TILES))


def cells_of_side(shape: Shape, number: int) -> Floats:
    """Weigh a side's cells 1, and the others 0."""
    side = SIDES[number]
    weight = np.zeros(shape[0] * shape[1], np.float32)
    weight[np.concatenate(_tiles(shape, side.axis)[side.first : side.last])] = 1
    return weight


# all at once


def move_onto_rows(
    levels: Sequence[Picture], poses: Sequence[Pose], weights: Floats, deck: Templates, rows: Indices
) -> list[Pose]:
    """Shift, turn and scale each place onto its row, by the brightness of its weighted cells."""
    grid, moved = deck.rough, list(poses)
    there = grid.lab[rows][:, : weights.shape[1]]
    columns = np.stack([columns_of(row.reshape(grid.shape), deck.size, FREEDOM) for row in there])
    for _step in range(STEPS):
        shown = labs_at(levels, moved, grid.shape)[0]
        changes = _changes(columns, shown, there, weights)
        moved = [moved_by(pose, change, deck.size) for pose, change in zip(moved, changes, strict=True)]
    return moved


STEPS = 2
"""More would follow the moiré of fine print rather than the card."""
FREEDOM = 4
FARTHEST = 0.05
"""The farthest that a place moves in one step, as a share of the card."""


def _changes(columns: Floats, shown: Floats, there: Floats, weights: Floats) -> Reals:
    """Solve for each place's motion, and its light."""
    off = shown - there
    weighted = columns * (weights / (1 + np.square(off / 0.15)))[:, None]
    squares = weighted @ columns.transpose(0, 2, 1) + np.eye(columns.shape[1], dtype=np.float32) * 1e-3
    solved = np.linalg.solve(squares.astype(np.float64), (weighted @ off[..., None]).astype(np.float64))
    return np.asarray(np.clip(solved[:, :FREEDOM, 0], -FARTHEST, FARTHEST))
