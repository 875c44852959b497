"""A deck prepared for reading: every face both ways up, as arrays that one matrix product compares with a card.

Patches are in Lab, balanced to white, and small enough that a slightly misaligned card still fits: a rough one
to find where cards lie, a coarse one to shortlist faces, a fine one to decide. A row is one picture one way up,
so each picture of a face gives two rows.

Whole cards are compared in flat light: each cell less the mean around it, so that shadows, soil or lamps tell
little. Thin lines on a white card differ less from paper than light differs over a card. What covers a part of
a card would be smeared over the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from math import isfinite, sqrt
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]
Shape = tuple[int, int]  # cells down and across

# how sure a name is
# A name can be wrong in two ways: the card is another face that looks alike, or a stranger that is no face of
# the deck. The odds of both add up, so that neither makes up for the other. Against its rivals a face is told
# by how far it leads, in the cells in which they differ; against strangers, by how well it fits besides. What
# each figure tells is learned by logistic regression: over many decks first, then from the deck's own trials,
# which weigh the more the more they are.

Column = NDArray[np.float64]

CERTAIN = 0.9
"""A name is told only if it is right with this probability: trials are harder than tables, and of names told
by it more than 99 in 100 are right."""


class Certainty(Struct, frozen=True, forbid_unknown_fields=True):
    """How much each figure of a card's likeness tells; all are added up."""

    rivals: tuple[float, ...]  # what tells a face from its rivals, as `leads_of` lists it
    weights: tuple[float, ...]  # what tells it from strangers, as `figures_of` lists it
    at_a_glance: tuple[float, ...] | None = None
    """What tells it from both when it is compared by coarse cells alone; None if that wasn't tried."""
    doubts: Mapping[str, float] = {}
    """By how much less sure faces are, in logarithms of odds: those beside faces that the deck lacks."""


UNTRIED = Certainty(
    (1.521, 4.849, 0.57, 0.437), (-1.15, 1.389, -0.848, -0.27, 2.045, 3.671, -5.066, -1.622, -0.884, 0.167)
)
"""What many decks' trials come to together: `python -m tests.long.usual_certainty` learns it."""
GLANCED = (-0.171, 2.919, -0.777, -1.508, 1.879, 3.009, -2.664, -1.471, -0.178, -0.003)
"""The same of cards compared by coarse cells."""


def is_usable(certainty: Certainty) -> bool:
    told = (certainty.rivals, certainty.weights, certainty.at_a_glance or GLANCED)
    return [len(each) for each in told] == [len(UNTRIED.rivals), len(GLANCED), len(GLANCED)] and all(
        isfinite(each) for each in (*chain(*told), *certainty.doubts.values())
    )


def probability(weights: Sequence[float], figures: Sequence[float], doubt: float = 0.0) -> float:
    return float(_logistic(np.dot(weights, figures) - doubt))


def learn_weights(
    figures: Sequence[Sequence[float]],
    right: Sequence[bool],
    counts: Sequence[float],
    usual: Sequence[float],
    loyal: float,
) -> tuple[float, ...]:
    """Learn how much figures tell from trials; the fewer there are, the more is thought to be as usual.

    What is most probable is found by Newton's method, in short steps where trials are few.
    """
    rows, truth, count, before = (np.asarray(each, np.float64) for each in (figures, right, counts, usual))
    weights = before
    for _step in range(STEPS):
        told = _logistic(rows @ weights)
        slope = rows.T @ (count * (truth - told)) - loyal * (weights - before)
        bend = (rows * (count * told * (1 - told))[:, None]).T @ rows + loyal * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights + step * min(1.0, LONGEST / max(1e-9, float(np.abs(step).max())))
    return tuple(round(float(each), 3) for each in weights)


STEPS, LONGEST = 30, 3.0


def _logistic(odds: Column) -> Column:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


# flat light

AROUND = 0.15
"""How far round each cell its surroundings reach, as a standard deviation in shares of a card's width."""


def flat_rows(labs: Floats, shape: Shape, inside: Floats) -> Floats:
    """Flatten patches (channels, n, cells); lay each out as one row of length one."""
    flat = (labs - _around(labs * inside, shape) / _around(inside, shape).clip(0.05)) * inside
    flat -= inside * (flat.sum(axis=2, keepdims=True) / inside.sum())
    rows = np.ascontiguousarray(flat.transpose(1, 0, 2)).reshape(labs.shape[1], 3 * len(inside))
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-3), np.float32)


def _around(patches: Floats, shape: Shape) -> Floats:
    """Blur patches (..., cells), each for itself."""
    high, wide = shape
    down, across = (_blur(count, AROUND * wide) for count in shape)
    blurred = down @ patches.reshape(*patches.shape[:-1], high, wide) @ across
    return np.asarray(blurred.reshape(patches.shape), np.float32)


@cache
def _blur(count: int, spread: float) -> Floats:
    """Make the matrix that blurs a line of cells; nothing comes from beyond its ends."""
    apart = np.subtract.outer(np.arange(count), np.arange(count)) / spread
    kernel = np.exp(-0.5 * apart**2)
    return np.asarray(kernel / kernel.sum(axis=1).max(), np.float32)


# the deck

BACK = "back"
CELLS = (315, 1260, 5544)
"""The approximate number of cells of a rough, a coarse and a fine patch: 4, 2 and 1 mm on a playing card."""
WEIGHTS = np.array([1.0, 0.7, 0.7], np.float32)
"""The weights of L, a and b: a lamp shifts colours more than shapes."""
MIDDLE = np.array([0, 128, 128], np.float32)
STEP = WEIGHTS / np.array([255, 100, 100], np.float32)
"""The origin and step of L, a and b in eight bits."""
RIM, WIDE_RIM = 0.025, 0.06
"""The share of a card's width at its edge that isn't compared, and that of a card that is seen whole.

The edge wears, shows the table, and lies elsewhere in each picture; but of a card in a fan little else is seen.
"""
ROUND = 0.06  # the share of a card's width by which corners may be rounded
INDEX = 0.215  # the side of the corner with the index, as a share of the card's width
ALIKE = 0.02
"""Rows whose zero-mean patches differ by less than this share of their power look the same."""


class TemplateGrid(Struct, frozen=True, eq=False):
    """All rows at one resolution."""

    shape: Shape
    bgr: Sequence[Floats]  # rows, channels and cells: balanced to white, 1 is white
    lab: Floats  # rows, and channels times cells
    inside: Floats  # which cells are compared at all: 1 or 0
    mean: Floats  # the deck's mean card, as Lab: what all cards share tells none apart


class QuickGrid(TemplateGrid, frozen=True, eq=False, kw_only=True):
    """A grid laid out so that a patch is compared with all rows at once."""

    power: Floats  # rows and cells: squares of Lab, summed over the channels
    planes: Floats  # channels, cells and rows: Lab, for one matrix product per channel
    sums: Floats
    """Channels and rows: Lab, summed over all compared cells; a whole card is compared there."""
    powers: Floats  # rows: the power, summed over them
    flat: Floats
    """Rows in flat light, of length one: the correlation with a whole card is one matrix product."""


class Templates(Struct, frozen=True, eq=False, weakref=True):
    """The faces of a deck, ready to compare; row `row` shows `faces[row]` after `turned[row]` half turns."""

    names: tuple[str, ...]
    size: tuple[float, float]
    faces: NDArray[np.intp]
    turned: NDArray[np.bool_]
    rough: QuickGrid
    coarse: QuickGrid
    fine: TemplateGrid
    whole: TemplateGrid  # the fine grid of a card that is seen whole
    symmetric: frozenset[str]  # faces that look the same both ways up
    certainty: Certainty = UNTRIED  # what trials of the deck came to
    untaught: frozenset[str] = frozenset()
    """Faces that were composed of others: no card is named so, yet each may be one of these."""

    def name_of(self, row: int) -> str:
        return self.names[int(self.faces[row])]


def templates(pictures: Mapping[str, Sequence[Picture]], size: tuple[float, float] = (63, 88)) -> Templates:
    """Prepare a deck from upright, rectified pictures, one or more for each face."""
    names = tuple(name for name, some in pictures.items() if len(some))
    if not names:
        raise ValueError("a deck needs at least one picture")
    shots = [(i, shot) for i, name in enumerate(names) for shot in pictures[name]]
    rough, coarse, fine = (_grid([shot for _, shot in shots], shape_of(size, cells)) for cells in CELLS)
    faces = np.array([i for i, _ in shots for _turn in range(2)], np.intp)
    turned = np.array([bool(turn) for _ in shots for turn in range(2)])
    whole = replace(fine, inside=compared_cells(fine.shape, WIDE_RIM))
    return Templates(
        names, size, faces, turned, _quick_grid(rough), _quick_grid(coarse), fine, whole,
        frozenset(_symmetric_faces(names, faces, fine)),
    )  # fmt: skip


def shape_of(size: tuple[float, float], cells: int) -> Shape:
    side = sqrt(size[0] * size[1] / cells)
    return max(4, round(size[1] / side)), max(4, round(size[0] / side))


def _grid(shots: Sequence[Picture], shape: Shape) -> TemplateGrid:
    rows, cells = 2 * len(shots), shape[0] * shape[1]
    bgr, lab = (np.empty((rows, 3, cells), np.float32) for _kind in range(2))
    for i, shot in enumerate(shots):
        for way, patch in enumerate(_both_ways(shrink_to_cells(shot, shape))):
            bgr[2 * i + way] = channels = channels_of(patch)
            lab[2 * i + way] = lab_of(channels)
    every = lab.reshape(rows, -1)
    return TemplateGrid(shape, tuple(bgr), every, compared_cells(shape, RIM), every.mean(axis=0))


def _quick_grid(grid: TemplateGrid) -> QuickGrid:
    lab = grid.lab.reshape(len(grid.lab), 3, -1)
    power, planes = (lab**2).sum(axis=1), np.ascontiguousarray(lab.transpose(1, 2, 0))
    flat = flat_rows(lab.transpose(1, 0, 2), grid.shape, grid.inside)
    return QuickGrid(
        grid.shape, grid.bgr, grid.lab, grid.inside, grid.mean, power=power, planes=planes,
        sums=grid.inside @ planes, powers=power @ grid.inside, flat=flat,
    )  # fmt: skip


def _both_ways(patch: Floats) -> tuple[Floats, Floats]:
    return patch, np.ascontiguousarray(patch[::-1, ::-1])


def shrink_to_cells(shot: Picture, shape: Shape) -> Floats:
    colour = cv2.cvtColor(shot, cv2.COLOR_GRAY2BGR) if shot.ndim == 2 else shot[..., :3]
    soft = cv2.resize(np.ascontiguousarray(colour), shape[::-1], interpolation=cv2.INTER_AREA)
    return whiten_patch(soften_patch(np.asarray(soft, np.float32)))


def soften_patch(patch: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(patch, (3, 3), 0.6), np.float32)


def whiten_patch(patch: Floats) -> Floats:
    return np.asarray(patch / white_of(channels_of(patch)).T, np.float32)


def white_of(channels: Floats) -> Floats:
    """Find the ninth decile of brightness in each row of cells."""
    some = channels[..., :: 1 + channels.shape[-1] // 1000]
    least = some.shape[-1] - max(1, some.shape[-1] // 10)
    return np.asarray(np.maximum(np.partition(some, least, axis=-1)[..., least, None], 8), np.float32)


def channels_of(picture: object) -> Floats:
    return np.asarray(cv2.transpose(np.asarray(picture, np.float32).reshape(-1, 3)), np.float32)


def picture_of(channels: Floats, shape: Shape) -> Floats:
    return np.asarray(cv2.merge(list(channels.reshape(3, *shape))), np.float32)


def lab_of(channels: Floats) -> Floats:
    """Turn balanced cells into weighted Lab, of about 0 to 1; both are channels by cells."""
    # eight bits are finer than any camera's noise, and twenty times as fast
    eight = cv2.convertScaleAbs(cv2.threshold(channels, 0, 0, cv2.THRESH_TOZERO)[1], alpha=255)
    lab = channels_of(cv2.cvtColor(cv2.merge(list(eight.reshape(3, 1, -1))), cv2.COLOR_BGR2Lab))
    return np.asarray((lab - MIDDLE[:, None]) * STEP[:, None], np.float32)


def compared_cells(shape: Shape, rim: float) -> Floats:
    """Choose the cells of a card that are compared: not its very edge, not its rounded corners."""
    high, wide = shape
    x = (np.arange(wide, dtype=np.float32) + 0.5) / wide
    y = (np.arange(high, dtype=np.float32) + 0.5) / wide
    dx = np.minimum(x, 1 - x)[None, :]
    dy = np.minimum(y, high / wide - y)[:, None]
    return np.asarray((dx > rim) & (dy > rim) & (dx + dy > ROUND), np.float32).ravel()


def _symmetric_faces(names: tuple[str, ...], faces: NDArray[np.intp], grid: TemplateGrid) -> Iterator[str]:
    """Find the faces whose upright and turned rows are alike."""
    inside = np.tile(grid.inside, 3)
    for i, name in enumerate(names):
        up, down = (grid.lab[np.flatnonzero(faces == i)[way::2]] for way in (0, 1))
        spread = up.reshape(len(up), 3, -1)
        power = float(np.square(spread - spread.mean(axis=2, keepdims=True)).sum() / len(up))
        apart = min(float(np.square(one - other) @ inside) for one in up for other in down)
        if apart < ALIKE * power:
            yield name
