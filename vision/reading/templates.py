"""A deck prepared for reading: every face both ways up, as arrays for comparison by one matrix product.

Patches are in Lab, white-balanced, and small enough to tolerate slight misalignment. A rough patch finds cards,
a coarse one shortlists faces, and a fine one decides. A row is one picture one way up, so each picture of a
face gives two rows.

Fully visible cards are compared in flat light: each cell minus the mean around it. This suppresses shadows,
dirt and lamps, whose differences may exceed those of thin lines from paper. Partly covered cards are compared
as they are, because the mean would spread the cover over the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from math import isfinite, sqrt
from typing import Literal, TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]
Shape = tuple[int, int]  # cells down and across

# certainty of a name
# A name can be wrong in two ways: the card is a similar face, or it is from another deck. The odds of both add
# up, so neither compensates for the other. The lead in the cells that differ separates a face from its rivals.
# The fit also separates it from other decks. Logistic regression learns the weight of each feature: over many
# decks first, then from the deck's own trials. More trials give the deck's own result more weight.

Column = NDArray[np.float64]

CERTAIN = 0.9
"""Smallest probability for naming a card.

Trials are harder than tables: over 99 % of names accepted at this probability are right.
"""


STRANGERS = 0.02
"""Assumed number of other decks' cards per card on a table, besides untaught faces of the deck."""
Extent: TypeAlias = Literal["whole", "covered"]


class Certainty(Struct, frozen=True, forbid_unknown_fields=True):
    """Weight of each feature of a card's likeness; the weighted features are summed."""

    rivals: tuple[float, ...]  # against other faces, in the order of `leads_of`
    weights: tuple[float, ...]  # against other decks' cards, in the order of `figures_of`
    at_a_glance: tuple[float, ...] | None = None
    """Against both, in a comparison by coarse cells alone; None without trials."""
    doubts: Mapping[Extent, Mapping[str, float]] = {}
    """Reduced certainty, in log odds, of faces similar to ones that the deck lacks."""
    worst: Mapping[Extent, tuple[float, ...]] = {}
    """Worst figures of the deck's own cards in its trials, or usual ones, in the order of `shortfalls_of`."""


UNTRIED = Certainty(
    (1.521, 4.849, 0.57, 0.437),
    (-1.15, 1.389, -0.848, -0.27, 2.045, 3.671, -5.066, -1.622, -0.884, 0.167),
    worst={
        "whole": (0.26, 0.244, 0.639, 0.122, 0.171, 0.194),
        "covered": (0.186, 0.166, 0.736, 0.07, 0.137, 0.154),
    },
)
"""Combined result of many decks' trials; `python -m tests.long.learned_weights untried` computes it.

Weights computed anew on 30 November 2026 gave as many of 552 photographed cards a certain name, and one more
untaught card, so these stay.
"""
GLANCED = (-0.171, 2.919, -0.777, -1.508, 1.879, 3.009, -2.664, -1.471, -0.178, -0.003)
"""The same for cards compared by coarse cells."""


def is_usable(certainty: Certainty) -> bool:
    lists = (certainty.rivals, certainty.weights, certainty.at_a_glance or GLANCED)
    return [len(each) for each in lists] == [len(UNTRIED.rivals), len(GLANCED), len(GLANCED)] and all(
        isfinite(each)
        for each in chain(
            *lists, *(some.values() for some in certainty.doubts.values()), *certainty.worst.values()
        )
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
    """Learn feature weights from trials; with few trials, they stay near the usual ones.

    Newton's method finds the most probable weights, in short steps when trials are few.
    """
    rows, truth, count, before = (np.asarray(each, np.float64) for each in (figures, right, counts, usual))
    weights = before
    for _step in range(STEPS):
        predicted = _logistic(rows @ weights)
        slope = rows.T @ (count * (truth - predicted)) - loyal * (weights - before)
        bend = (rows * (count * predicted * (1 - predicted))[:, None]).T @ rows + loyal * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights + step * min(1.0, LONGEST / max(1e-9, float(np.abs(step).max())))
    return tuple(round(float(each), 3) for each in weights)


STEPS, LONGEST = 30, 3.0


def _logistic(odds: Column) -> Column:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


# flat light

AROUND = 0.15
"""Standard deviation of the surroundings averaged for each cell, as a share of a card's width."""


def flat_rows(labs: Floats, shape: Shape, inside: Floats) -> Floats:
    """Flatten patches (channels, n, cells); return each as one row of length one."""
    flat = (labs - _around(labs * inside, shape) / _around(inside, shape).clip(0.05)) * inside
    flat -= inside * (flat.sum(axis=2, keepdims=True) / inside.sum())
    rows = np.ascontiguousarray(flat.transpose(1, 0, 2)).reshape(labs.shape[1], 3 * len(inside))
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-3), np.float32)


def _around(patches: Floats, shape: Shape) -> Floats:
    """Blur patches (..., cells) separately."""
    high, wide = shape
    down, across = (_blur(count, AROUND * wide) for count in shape)
    blurred = down @ patches.reshape(*patches.shape[:-1], high, wide) @ across
    return np.asarray(blurred.reshape(patches.shape), np.float32)


@cache
def _blur(count: int, spread: float) -> Floats:
    """Return the matrix that blurs a line of cells; beyond its ends is zero."""
    apart = np.subtract.outer(np.arange(count), np.arange(count)) / spread
    kernel = np.exp(-0.5 * apart**2)
    return np.asarray(kernel / kernel.sum(axis=1).max(), np.float32)


# the deck

BACK = "back"
CELLS = (315, 1260, 5544)
"""Approximate cell counts of a rough, a coarse and a fine patch: 4, 2 and 1 mm on a playing card."""
WEIGHTS = np.array([1.0, 0.7, 0.7], np.float32)
"""Weights of L, a and b: a lamp changes colours more than shapes."""
MIDDLE = np.array([0, 128, 128], np.float32)
STEP = WEIGHTS / np.array([255, 100, 100], np.float32)
"""Origin and step of L, a and b in eight bits."""
RIM, WIDE_RIM = 0.025, 0.06
"""Width of the excluded edge, as a share of a card's width: partly and fully visible cards.

The edge wears, shows the table and varies between pictures. On a card in a fan, little else is visible.
"""
ROUND = 0.06  # largest radius of rounded corners, as a share of a card's width
INDEX = 0.215  # side of the corner with the index, as a share of the card's width
ALIKE = 0.02
"""Rows whose zero-mean patches differ by less than this share of their power look the same."""


class TemplateGrid(Struct, frozen=True, eq=False):
    """All rows at one resolution."""

    shape: Shape
    bgr: Sequence[Floats]  # rows, channels x cells: white-balanced, 1 is white
    lab: Floats  # rows, channels * cells
    inside: Floats  # 1 for compared cells, else 0
    mean: Floats  # mean card of the deck as Lab: common print doesn't distinguish faces


class QuickGrid(TemplateGrid, frozen=True, eq=False, kw_only=True):
    """A grid laid out so that a patch is compared with all rows at once."""

    power: Floats  # rows x cells: squares of Lab, summed over the channels
    planes: Floats  # channels x cells x rows: Lab, for one matrix product per channel
    sums: Floats
    """Channels x rows: Lab, summed over all compared cells, for fully visible cards."""
    powers: Floats  # rows: the power, summed over all compared cells
    flat: Floats
    """Rows in flat light, of length one: a matrix product correlates them with fully visible cards."""


class Templates(Struct, frozen=True, eq=False, weakref=True):
    """The faces of a deck, ready to compare; row `row` shows `faces[row]` after `turned[row]` half turns."""

    names: tuple[str, ...]
    size: tuple[float, float]
    faces: NDArray[np.intp]
    turned: NDArray[np.bool_]
    rough: QuickGrid
    coarse: QuickGrid
    fine: TemplateGrid
    whole: TemplateGrid  # the fine grid for fully visible cards
    symmetric: frozenset[str]  # faces that look the same both ways up
    certainty: Certainty = UNTRIED  # result of the deck's trials
    untaught: frozenset[str] = frozenset()
    """Faces composed from others. A card is never named as one, but it may be one."""
    doubtful: frozenset[str] = frozenset()
    """Faces whose pictures may be badly cut. Only a whole card that fits well is certainly one of them."""

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
        patch = shrink_to_cells(shot, shape)
        for half_turns, way in enumerate((patch, patch[::-1, ::-1])):
            bgr[2 * i + half_turns] = channels = channels_of(way)
            lab[2 * i + half_turns] = lab_of(channels)
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


def shrink_to_cells(shot: Picture, shape: Shape) -> Floats:
    colour = cv2.cvtColor(shot, cv2.COLOR_GRAY2BGR) if shot.ndim == 2 else shot[..., :3]
    soft = cv2.resize(np.ascontiguousarray(colour), shape[::-1], interpolation=cv2.INTER_AREA)
    return whiten_patch(soften_patch(np.asarray(soft, np.float32)))


def soften_patch(patch: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(patch, (3, 3), 0.6), np.float32)


def whiten_patch(patch: Floats) -> Floats:
    return np.asarray(patch / white_of(channels_of(patch)).T, np.float32)


def white_of(channels: Floats) -> Floats:
    """Return the ninth decile of brightness in each row of cells."""
    some = channels[..., :: 1 + channels.shape[-1] // 1000]
    least = some.shape[-1] - max(1, some.shape[-1] // 10)
    return np.asarray(np.maximum(np.partition(some, least, axis=-1)[..., least, None], 8), np.float32)


def channels_of(picture: object) -> Floats:
    return np.asarray(cv2.transpose(np.asarray(picture, np.float32).reshape(-1, 3)), np.float32)


def picture_of(channels: Floats, shape: Shape) -> Floats:
    return np.asarray(cv2.merge(list(channels.reshape(3, *shape))), np.float32)


def lab_of(channels: Floats) -> Floats:
    """Convert balanced cells to weighted Lab, from about 0 to 1; both are channels x cells."""
    # eight bits are finer than any camera's noise, and twenty times as fast
    eight = cv2.convertScaleAbs(cv2.threshold(channels, 0, 0, cv2.THRESH_TOZERO)[1], alpha=255)
    lab = channels_of(cv2.cvtColor(cv2.merge(list(eight.reshape(3, 1, -1))), cv2.COLOR_BGR2Lab))
    return np.asarray((lab - MIDDLE[:, None]) * STEP[:, None], np.float32)


def compared_cells(shape: Shape, rim: float) -> Floats:
    """Return the compared cells of a card: 0 at its edge and in its rounded corners."""
    high, wide = shape
    x = (np.arange(wide, dtype=np.float32) + 0.5) / wide
    y = (np.arange(high, dtype=np.float32) + 0.5) / wide
    dx = np.minimum(x, 1 - x)[None, :]
    dy = np.minimum(y, high / wide - y)[:, None]
    return np.asarray((dx > rim) & (dy > rim) & (dx + dy > ROUND), np.float32).ravel()


def _symmetric_faces(names: tuple[str, ...], faces: NDArray[np.intp], grid: TemplateGrid) -> Iterator[str]:
    """Yield the faces whose upright and turned rows are alike."""
    inside = np.tile(grid.inside, 3)
    for i, name in enumerate(names):
        up, down = (grid.lab[np.flatnonzero(faces == i)[way::2]] for way in (0, 1))
        spread = up.reshape(len(up), 3, -1)
        power = float(np.square(spread - spread.mean(axis=2, keepdims=True)).sum() / len(up))
        apart = min(float(np.square(one - other) @ inside) for one in up for other in down)
        if apart < ALIKE * power:
            yield name
