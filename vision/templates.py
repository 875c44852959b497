"""A deck as a reader holds it: every face both ways up, as arrays that one matrix product compares with a card.

Patches are in Lab, balanced to white, so small that a card a little askew still fits: a coarse one to find
which faces come into question, a fine one to decide. A row is one picture one way up; a face has two rows a
picture.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]
Shape = tuple[int, int]
"""Cells down and across."""

BACK = "back"
CELLS = (1260, 5544)
"""About so many cells has a coarse patch, and a fine one: 2 mm and 1 mm on a playing card."""
WEIGHTS = np.array([1.0, 0.7, 0.7], np.float32)
"""What L, a and b count: a lamp shifts colours more than it shifts shapes."""
RIM = 0.025
"""The share of a card's width at its edge that isn't compared: it wears, and shows the table."""
ROUND = 0.06
"""The share of its width by which corners may be rounded."""
INDEX = 0.215
"""The share of its width that the corner with the index takes, both ways."""
ALIKE = 0.02
"""Two rows whose zero-mean patches differ by less than this share of their power look the same."""


class Grid(Struct, frozen=True, eq=False):
    """All rows at one resolution."""

    shape: Shape
    bgr: Floats
    """Rows, cells and channels: balanced to white, 1 is white."""
    lab: Floats
    """Rows, and cells times channels."""
    power: Floats
    """Rows and cells: squares of lab, over the channels."""
    planes: Floats
    """Channels, cells and rows: lab, laid out for one matrix product a channel."""
    inside: Floats
    """Which cells are compared at all: 1 or 0."""


class Templates(Struct, frozen=True, eq=False):
    """The faces of a deck as they are compared; `faces[row]` is shown by `turned[row]` half turns."""

    names: tuple[str, ...]
    size: tuple[float, float]
    faces: NDArray[np.intp]
    turned: NDArray[np.bool_]
    coarse: Grid
    fine: Grid
    mean: Floats
    """The deck's mean card, as lab of the fine grid: what all cards share tells none from another."""
    apart: Floats
    """How far apart two rows are on the fine grid: the squared distance of their patches."""
    symmetric: frozenset[str]
    """Faces that look the same both ways up."""


def templates(pictures: Mapping[str, Sequence[Picture]], size: tuple[float, float] = (63, 88)) -> Templates:
    """Make a deck of upright, rectified pictures: one or more for each face."""
    names = tuple(name for name, some in pictures.items() if len(some))
    if not names:
        raise ValueError("a deck needs at least one picture")
    shots = [(i, shot) for i, name in enumerate(names) for shot in pictures[name]]
    coarse, fine = (_grid([shot for _, shot in shots], shape_of(size, cells)) for cells in CELLS)
    faces = np.array([i for i, _ in shots for _turn in range(2)], np.intp)
    turned = np.array([bool(turn) for _ in shots for turn in range(2)])
    apart = _apart(fine)
    return Templates(
        names, size, faces, turned, coarse, fine,
        fine.lab.mean(axis=0), apart, frozenset(_same_turned(names, faces, turned, apart, fine)),
    )  # fmt: skip


def shape_of(size: tuple[float, float], cells: int) -> Shape:
    """Share out cells over a card so that they are square."""
    side = sqrt(size[0] * size[1] / cells)
    return max(4, round(size[1] / side)), max(4, round(size[0] / side))


def _grid(shots: Sequence[Picture], shape: Shape) -> Grid:
    rows = [row for shot in shots for row in _both_ways(small(shot, shape))]
    bgr = np.stack(rows)
    lab = np.stack([lab_of(row) for row in bgr]).reshape(len(rows), -1, 3)
    return Grid(
        shape=shape,
        bgr=bgr.reshape(len(rows), -1, 3),
        lab=np.ascontiguousarray(lab.reshape(len(rows), -1)),
        power=np.ascontiguousarray((lab**2).sum(axis=2)),
        planes=np.ascontiguousarray(lab.transpose(2, 1, 0)),
        inside=inside(shape).ravel(),
    )


def _both_ways(patch: Floats) -> tuple[Floats, Floats]:
    return patch, np.ascontiguousarray(patch[::-1, ::-1])


def small(shot: Picture, shape: Shape) -> Floats:
    """Shrink a picture to cells and balance it to white."""
    colour = cv2.cvtColor(shot, cv2.COLOR_GRAY2BGR) if shot.ndim == 2 else shot[..., :3]
    soft = cv2.resize(np.ascontiguousarray(colour), shape[::-1], interpolation=cv2.INTER_AREA)
    return balanced(softened(np.asarray(soft, np.float32)))


def softened(patch: Floats) -> Floats:
    """Blur by half a cell, so that what is a little askew still fits."""
    return np.asarray(cv2.GaussianBlur(patch, (3, 3), 0.6), np.float32)


def balanced(patch: Floats) -> Floats:
    """Make the patch's brightest tenth white."""
    flat = patch.reshape(-1, 3)
    tenth = max(1, len(flat) // 10)
    white = np.partition(flat, len(flat) - tenth, axis=0)[len(flat) - tenth]
    return np.asarray(patch / np.maximum(white, 8), np.float32)


def lab_of(patch: Floats) -> Floats:
    """Turn a balanced patch into weighted Lab, of about 0 to 1."""
    lab = cv2.cvtColor(np.clip(patch, 0, 1.1).astype(np.float32), cv2.COLOR_BGR2Lab)
    return np.asarray(lab * (WEIGHTS / 100), np.float32)


def inside(shape: Shape) -> Floats:
    """Say which cells of a card are compared: not its very edge, not its rounded corners."""
    high, wide = shape
    x = (np.arange(wide, dtype=np.float32) + 0.5) / wide
    y = (np.arange(high, dtype=np.float32) + 0.5) / wide
    dx = np.minimum(x, 1 - x)[None, :]
    dy = np.minimum(y, high / wide - y)[:, None]
    return np.asarray((dx > RIM) & (dy > RIM) & (dx + dy > ROUND), np.float32)


def _apart(grid: Grid) -> Floats:
    """Measure how far every row is from every other."""
    seen = grid.lab * np.repeat(grid.inside, 3)
    power = (seen**2).sum(axis=1)
    return np.asarray(np.maximum(0, power[:, None] + power[None, :] - 2 * seen @ seen.T), np.float32)


def _same_turned(
    names: tuple[str, ...], faces: NDArray[np.intp], turned: NDArray[np.bool_], apart: Floats, grid: Grid
) -> Iterator[str]:
    """Find the faces whose upright and turned rows are alike."""
    spread = grid.lab.reshape(len(faces), -1, 3)
    power = ((spread - spread.mean(axis=1, keepdims=True)) ** 2).sum(axis=(1, 2))
    for i, name in enumerate(names):
        up, down = (np.flatnonzero((faces == i) & (turned == way)) for way in (False, True))
        if apart[np.ix_(up, down)].min() < ALIKE * power[up].mean():
            yield name
