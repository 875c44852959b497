"""Identify the face at a pose: shortlist faces, then align the best one exactly with the picture.

One matrix product compares a patch with all rows of the deck.

A fully visible card is identified at a glance if the coarse cells are conclusive. This avoids the fine
comparison for most cards. Cards are always compared finely if they are covered, glared on or worn. So are faces
that look alike in coarse cells, and decks without trials.
"""

from collections.abc import Sequence
from functools import cache
from math import dist, isnan, log, log2
from typing import TypeAlias
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.deciding import Likeness
from vision.reading.focus import AXES_OF_ONE, cell_size
from vision.reading.own_light import Indices, Mask, across_and_down, cell_middles
from vision.reading.templates import (
    CERTAIN,
    STRANGERS,
    Certainty,
    Extent,
    Floats,
    Picture,
    QuickGrid,
    Shape,
    TemplateGrid,
    Templates,
    channels_of,
    flat_rows,
    lab_of,
    probability,
    soften_patch,
    white_of,
)
from vision.reading.thresholds import BEYOND_TRIALS, COVERED_BELOW, LEAST_CELL
from vision.reading.views import CORNER_SPOTS, Pose, map_each, to_level
from vision.table.plane import Reals, inverse, sample_colours

BEYOND_DOUBT = 0.998  # probability from which a name is accepted without a fine comparison
WHOLE = 0.99  # smallest visible share of such a card
CLOSE = 0.85  # smallest correlation with any face for a comparison at a glance
MARGIN, SCORE, INDEX = 0.8, 0.95, 0.85
"""Smallest margin over other faces, and smallest fits of the face's own features and of its index."""
STRANGE, NOISY, NOISIEST = 0.055, 2.2, 0.08
"""Largest local difference from the face; in noise, a multiple of the misfit up to a limit.

Cards of other decks with a few different pips reach 0.06, and three times their misfit.
"""
APART = 0.004
"""Smallest squared distance per cell to the next face; closer faces look alike at this resolution."""
LIFTED = 0.1  # misfit cap: cameras boost strong colours differently, so larger misfits carry no information


def is_clear_at_a_glance(card: Likeness, deck: Templates, strangers: float = STRANGERS) -> bool:
    """Return whether a card compared by coarse cells needs no fine comparison."""
    name = deck.name_of(card.row)
    doubt = doubt_of(card, deck, strangers)
    return (
        card.visible >= WHOLE
        and cell_size(card.pose, deck.fine.shape) >= LEAST_CELL
        and name not in deck.untaught
        and card.margin >= MARGIN
        and card.score >= SCORE
        and (card.index >= INDEX or isnan(card.index))
        and card.strange <= min(NOISIEST, max(STRANGE, NOISY * card.misfit))
        and _differs_from_rivals(card, deck)
        and deck.certainty.at_a_glance is not None
        and probability(deck.certainty.at_a_glance, figures_of(card, card.margin), doubt) >= BEYOND_DOUBT
    )


def doubt_of(card: Likeness, deck: Templates, strangers: float) -> float:
    """Return how much less certain a name is, in log odds, if so many cards per taught one are untaught.

    A badly cut face is as good as untaught.
    """
    name = deck.name_of(card.row)
    expected = max(strangers, STRANGERS) + (BADLY_CUT if name in deck.doubtful else 0.0)
    beside_untaught = deck.certainty.doubts.get(extent_of(card), {}).get(name, 0.0)
    return beside_untaught + log(expected / STRANGERS)


BADLY_CUT = 0.1
"""Share of doubtful cuts that are wrong: of seven in a photographed deck, none was.

Of 252 certain whole cards in photographs, 215 stay certain if their face is doubtful.
"""


def _differs_from_rivals(card: Likeness, deck: Templates) -> bool:
    lab = deck.coarse.lab
    apart = np.square(lab[[row for row, _near in card.rivals]] - lab[card.row]).sum(axis=1)
    return bool((apart >= APART * lab.shape[1] / 3).all())


def chance_of(card: Likeness, margin: float, certainty: Certainty, doubt: float = 0.0) -> float:
    """Return the probability that a card is its likeliest face, given the margin, and from this deck."""
    return 1 / (
        1 + _odds_of_rivals(card, margin, certainty) + _odds_of_strangers(card, margin, certainty, doubt)
    )


def doubt_until_unsure(card: Likeness, margin: float, certainty: Certainty) -> float:
    """Return the doubt, in log odds, from which a card's name is no longer certain."""
    allowed = 1 / CERTAIN - 1 - _odds_of_rivals(card, margin, certainty)
    return max(0.0, log(allowed / _odds_of_strangers(card, margin, certainty, 0.0))) if allowed > 0 else 0.0


def _odds_of_rivals(card: Likeness, margin: float, certainty: Certainty) -> float:
    return 1 / probability(certainty.rivals, leads_of(card, margin)) - 1


def _odds_of_strangers(card: Likeness, margin: float, certainty: Certainty, doubt: float) -> float:
    return 1 / probability(certainty.weights, figures_of(card, margin), doubt) - 1


def leads_of(card: Likeness, margin: float) -> tuple[float, ...]:
    """Return the features that separate a card's likeliest face from other faces, given its margin."""
    return 1.0, _lead(margin), log(max(_lead(margin), 0.0) + 0.05), log(card.visible + 0.02)


def figures_of(card: Likeness, margin: float) -> tuple[float, ...]:
    """Return the features that separate a card's likeliest face from other decks' cards, given its margin."""
    has_index = not isnan(card.index)
    return (
        1.0,
        _lead(margin),
        _lack(card.score),
        _lack(card.fit),
        card.distinction,
        log(min(card.misfit, LIFTED) + 0.01),
        log(card.foreign + 0.03),
        float(has_index),
        _lack(card.index) if has_index else 0.0,
        log(card.visible + 0.02),
    )


def shortfalls_of(card: Likeness) -> tuple[float, ...]:
    """Return how far a card is from its likeliest face, figure by figure; 0 is an exact match."""
    index = 0.0 if isnan(card.index) else 1 - card.index
    return 1 - card.fit, 1 - card.score, 1 - card.distinction, card.misfit, card.foreign, index


def extent_of(card: Likeness) -> Extent:
    return "covered" if card.visible < COVERED_BELOW else "whole"


def is_supported(card: Likeness, certainty: Certainty) -> bool:
    """Return whether each figure is about as good as the deck's own cards in its trials.

    The figures of a card that isn't in the deck may add up to a probable name, but one of them stands out. At a
    glance, stricter limits apply, and the trials' figures are those of fine cells.
    """
    worst = certainty.worst.get(extent_of(card), ())
    return card.at_a_glance or all(
        mine <= BEYOND_TRIALS * limit for mine, limit in zip(shortfalls_of(card), worst, strict=False)
    )


def _lead(margin: float) -> float:
    return min(max(margin, -0.2), 1.2)


def _lack(fit: float) -> float:
    return log(max(0.0, 1 - fit) + 0.03)


Box: TypeAlias = tuple[float, float, float, float]

COVER = 0.012  # margin covered around a card by its shadow, as a share of the card


# patches


def patches_of(levels: Sequence[Picture], poses: Sequence[Pose], shape: Shape, least: float = 1.1) -> Floats:
    """Rectify posed cards into cells: n x rows x columns x channels.

    Each patch comes from the coarsest level with at least `least` pixels per cell.
    """
    sharp = np.concatenate([_sharp_patch(levels, pose, shape, least) for pose in poses])
    # blurring mixes neighbouring patches only in their edge cells, which aren't compared
    return soften_patch(np.asarray(sharp, np.float32)).reshape(len(poses), *shape, 3)


def _sharp_patch(levels: Sequence[Picture], pose: Pose, shape: Shape, least: float) -> Picture:
    high, wide = shape
    cell = cell_size(pose, shape)
    level = min(len(levels) - 1, int(log2(max(1.0, cell / least))))
    twice = 2 if cell / 2**level > 1.2 else 1
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(
        levels[level],
        to_level(level) @ pose @ _from_cells((high * twice, wide * twice)),
        (wide * twice, high * twice),
        flags=how,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if twice > 1:
        warped = cv2.resize(warped, (wide, high), interpolation=cv2.INTER_AREA)
    return np.asarray(warped, np.uint8)


def _levels(levels: Sequence[Picture], poses: Reals, shape: Shape, least: float) -> Indices:
    finer = np.log2(np.maximum(least, _cell(poses, shape)) / least)
    return np.minimum(len(levels) - 1, finer.astype(np.intp))


def _cell(poses: Reals, shape: Shape) -> Reals:
    left, right, top, bottom = map_points_by_all(poses, AXES).transpose(1, 0, 2)
    across, down = np.hypot(*(right - left).T) / shape[1], np.hypot(*(bottom - top).T) / shape[0]
    return np.asarray(np.minimum(across, down), np.float64)


AXES = np.array(AXES_OF_ONE)


@cache
def _from_cells(shape: Shape) -> NDArray[np.float64]:
    high, wide = shape
    return np.array([(1 / wide, 0, 0.5 / wide - 0.5), (0, 1 / high, 0.5 / high - 0.5), (0, 0, 1)])


class Cover(Struct, frozen=True, eq=False):
    """A card on top of others: its bounding box, and the map from the picture to card coordinates."""

    box: Box
    inverse: NDArray[np.float64]


def cover_of(pose: Pose) -> Cover:
    return Cover(box_of(pose), inverse(pose))


def box_of(pose: Pose) -> Box:
    """Return a posed card's bounding box: left, top, right, bottom."""
    across, down = zip(*map_each(pose, CORNER_SPOTS), strict=True)
    return min(across), min(down), max(across), max(down)


def visible_cells(
    poses: Sequence[Pose], shape: Shape, picture: tuple[int, int], above: Sequence[Cover]
) -> Mask:
    """Return which cells of posed cards are in the picture and not under a card above: n x cells."""
    boxes, (high, wide) = [box_of(pose) for pose in poses], picture
    covering = [card for card in above if any(_meets(card.box, box) for box in boxes)]
    seen = np.ones((len(poses), shape[0] * shape[1]), np.bool_)
    if covering:
        seen = ~_is_under(covering, np.stack(poses), shape)
    if any(box[0] < 2 or box[1] < 2 or box[2] > wide - 3 or box[3] > high - 3 for box in boxes):
        seen &= are_inside(spots_at(poses, shape), picture)
    return seen


def _meets(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def are_inside(spots: Floats, picture: tuple[int, int]) -> Mask:
    """Return which positions (..., 2) are inside the picture, a little away from its rim."""
    (high, wide), x, y = picture, spots[..., 0], spots[..., 1]
    return np.asarray((x > 1) & (y > 1) & (x < wide - 2) & (y < high - 2))


def _is_under(cards: Sequence[Cover], poses: Reals, shape: Shape) -> Mask:
    """Return the covered cells, n x cells; in each row of cells they form one range of columns."""
    u, v = ((np.arange(count) + 0.5) / count - 0.5 for count in (shape[1], shape[0]))
    there = np.stack([card.inverse for card in cards]) @ poses[:, None]
    # a cell is covered if it is inside all four sides: a * u + b * v + c > 0 for each
    a, b, c = np.moveaxis(SIDE_DISTANCES @ there, -1, 0)[..., None]
    slant = np.where(np.abs(a) < PARALLEL, PARALLEL, a)
    ends = (b * v + c) / -slant
    first = np.where(slant > 0, ends, -np.inf).max(axis=2)
    last = np.where(slant > 0, np.inf, ends).min(axis=2)
    under = ((u > first[..., None]) & (u < last[..., None])).any(axis=1)
    return np.asarray(under.reshape(len(poses), -1))


SIDE_DISTANCES = np.array(
    [(sign, 0, 0.5 + COVER) for sign in (1, -1)] + [(0, sign, 0.5 + COVER) for sign in (1, -1)]
)
"""Map card coordinates to distances inside each of the four sides, with the shadow's margin."""
PARALLEL = 1e-12
"""Smallest slope of a side against the rows. For a smaller one, a whole row is on one side."""


def uncovered_places(spots: Floats, card: Cover) -> Mask:
    """Return which positions (..., 2) of the picture a card leaves uncovered."""
    if not spots.size:
        return np.ones(spots.shape[:-1], np.bool_)
    own = cv2.perspectiveTransform(spots.reshape(1, -1, 2), card.inverse)
    return np.asarray(cv2.inRange(own, (-0.5 - COVER,) * 2, (0.5 + COVER,) * 2) == 0).reshape(spots.shape[:-1])


# comparison with all rows at once


def correlations(grid: QuickGrid, labs: Floats, seen: Floats) -> Floats:
    """Correlate patches (channels, n, cells) with all rows over visible cells (n, cells): n x rows."""
    count = np.maximum(seen.sum(axis=1, keepdims=True), 1)
    power, sums = _sums_of_rows(grid, seen)
    shared = np.zeros((len(seen), power.shape[1]), np.float32)
    own = np.zeros_like(count)
    for lab, plane, there in zip(labs, grid.planes, sums, strict=True):
        shown = lab * seen
        mean = shown.sum(axis=1, keepdims=True) / count
        shared += shown @ plane - mean * there
        power = power - there**2 / count
        own += np.einsum("nc,nc->n", shown, shown)[:, None] - count * mean**2
    return np.asarray(shared / np.sqrt(np.maximum(power, 1e-6) * np.maximum(own, 1e-6)), np.float32)


def resemblances(grid: QuickGrid, labs: Floats, seen: Floats) -> Floats:
    """Correlate patches with all rows: in flat light for fully visible cards, else as they are."""
    whole = (seen == grid.inside).all(axis=1)
    fits = np.empty((len(seen), len(grid.lab)), np.float32)
    if whole.any():
        fits[whole] = FLATTER * (flat_rows(labs[:, whole], grid.shape, grid.inside) @ grid.flat.T)
    if not whole.all():
        fits[~whole] = correlations(grid, labs[:, ~whole], seen[~whole])
    return fits


FLATTER = 1.2
"""Weight of a correlation in flat light: without the light, only print is left to correlate."""


def _sums_of_rows(grid: QuickGrid, seen: Floats) -> tuple[Floats, Floats]:
    """Sum power (n x rows) and Lab (channels, n x rows) of all rows over visible cells."""
    if len(seen) < FEW and (seen == grid.inside).all():
        return grid.powers[None], grid.sums[:, None]
    return np.asarray(seen @ grid.power.T), np.asarray(seen @ grid.planes)


FEW = 50  # only for fewer poses is it likely that all are fully visible, which needs no sums


def spots_at(poses: Sequence[Pose], shape: Shape) -> Floats:
    """Map the centres of posed cards' cells to the picture: n x cells x 2."""
    cells = cell_middles(shape)
    return map_points_by_all(np.stack(poses), cells) if len(poses) else np.zeros((0, len(cells), 2), np.float32)


def labs_at(levels: Sequence[Picture], poses: Sequence[Pose], shape: Shape) -> Floats:
    return labs_of_spots(levels, poses, spots_at(poses, shape), shape)


def labs_of_spots(levels: Sequence[Picture], poses: Sequence[Pose], spots: Floats, shape: Shape) -> Floats:
    """Rectify posed cards, given the picture positions of their cell centres."""
    labs = np.zeros((3, len(poses), shape[0] * shape[1]), np.float32)
    if not len(poses):
        return labs
    level_of = _levels(levels, np.stack(poses), shape, 1.1)
    for level in set(level_of.tolist()):
        which = np.flatnonzero(level_of == level)
        share = np.float32(0.5**level)
        near = spots[which] * share + (share - 1) / 2
        # resampling mixes neighbouring patches only in their edge cells, which aren't compared
        soft = soften_patch(sample_colours(levels[level], near).reshape(-1, shape[1], 3))
        channels = channels_of(soft).reshape(3, len(which), -1)
        channels /= white_of(channels)
        labs[:, which] = lab_of(channels.reshape(3, -1)).reshape(3, len(which), -1)
    return labs


def map_points_by_all(matrices: Reals, spots: Reals) -> Floats:
    # one product for all matrices is several times as fast as one for each
    every = np.concatenate((np.asarray(spots).T, np.ones((1, len(spots)))))
    sent = (matrices.reshape(-1, 3) @ every).reshape(-1, 3, len(spots))
    out = np.empty((len(matrices), len(spots), 2), np.float32)
    np.divide(sent[:, :2], sent[:, 2:], out=out.transpose(0, 2, 1), casting="same_kind")
    return out


# exact alignment


THIRDS = np.full((1, 3), 1 / 3, np.float32)  # weights of the colours in grey


class Target(Struct, frozen=True, eq=False):
    """A row to align with: its grey values and their derivatives by each motion and by the light."""

    grey: Floats
    columns: Floats
    shape: Shape
    freedom: int


def target_of(deck: Templates, grid: TemplateGrid, row: int, freedom: int) -> Target:
    """Prepare a row for alignment; the result is cached as long as the deck is in use."""
    kept, which = _TARGETS.setdefault(deck, {}), (grid.shape, row, freedom)
    target = kept.get(which)
    if target is None:
        if len(kept) >= MOST_TARGETS:
            kept.clear()
        target = kept[which] = _new_target(deck, grid, row, freedom)
    return target


MOST_TARGETS = 64  # most cached rows per deck, 200 kB each
_TARGETS: WeakKeyDictionary[Templates, dict[tuple[Shape, int, int], Target]] = WeakKeyDictionary()


def _new_target(deck: Templates, grid: TemplateGrid, row: int, freedom: int) -> Target:
    grey = THIRDS[0] @ grid.bgr[row]
    return Target(grey, columns_of(grey.reshape(grid.shape), deck.size, freedom), grid.shape, freedom)


def align_all(
    levels: Sequence[Picture],
    poses: Sequence[Pose],
    targets: Sequence[Target],
    seen: Floats,
    size: tuple[float, float],
    steps: int,
) -> list[Pose]:
    """Align each card with its row, up to `steps` steps or until it stops moving."""
    aligned, going = list(poses), list(range(len(poses)))
    moved = np.zeros((len(poses), targets[0].freedom))
    for _step in range(steps):
        before = [aligned[i] for i in going]
        changes = _step_all(levels, before, [targets[i] for i in going], seen[going], moved[going])
        moved[going] += changes
        for i, change in zip(going, changes, strict=True):
            aligned[i] = moved_by(aligned[i], change, size)
        going = [i for i, pose in zip(going, before, strict=True) if distance_moved(pose, aligned[i]) >= STILL]
        if not going:
            break
    return aligned


STILL = 0.002  # movement below which a card has settled, as a share of its diagonal


def _step_all(
    levels: Sequence[Picture], poses: Sequence[Pose], targets: Sequence[Target], seen: Floats, moved: Reals
) -> Reals:
    """Return each card's next motion towards its row; `moved` is its motion so far."""
    shape = targets[0].shape
    shown = patches_of(levels, poses, shape, ENOUGH_TO_ALIGN)
    grey = np.asarray(cv2.transform(shown.reshape(-1, 1, 3), THIRDS), np.float32).reshape(len(poses), -1)
    off = grey / white_of(grey) - np.stack([target.grey for target in targets])
    columns = np.stack([target.columns for target in targets])
    near = np.array([share_of_near(pose, shape) for pose in poses])
    return step_towards(off, columns, seen, moved, near)


def distance_moved(before: Pose, after: Pose) -> float:
    """Return how far a card moved, as a share of its diagonal."""
    here, there = map_each(before, CORNER_SPOTS), map_each(after, CORNER_SPOTS)
    most = max(max(abs(x - u), abs(y - v)) for (x, y), (u, v) in zip(here, there, strict=True))
    return most / max(1e-6, dist(here[0], here[2]))


def step_towards(off: Floats, columns: Floats, seen: Floats, moved: Reals, near: Reals) -> Reals:
    """Solve for the motions that explain the difference `off` between patches and rows."""
    freedom = moved.shape[-1]
    squares = columns * (seen / (1 + (off / 0.12) ** 2))[..., None, :]
    stay = np.full(columns.shape[:-1], 1e-3)
    stay[..., :freedom] = STAY[:freedom] * near[..., None]
    wanted = (squares @ off[..., None])[..., 0].astype(np.float64)
    wanted[..., :freedom] -= stay[..., :freedom] * moved
    there = (squares @ columns.swapaxes(-1, -2)).astype(np.float64) + stay[..., None] * np.eye(
        columns.shape[-2]
    )
    return np.asarray(np.clip(np.linalg.solve(there, wanted[..., None])[..., :freedom, 0], -0.06, 0.06))


STAY = np.array([4.0, 4, 4, 50, 50, 50, 100, 100])
"""Resistance of a near card to each motion away from its outline, in the order of `columns_of`.

One symbol on a white card defines its corners poorly.
"""


def share_of_near(pose: Pose, shape: Shape) -> float:
    """Return how near a card is; 1 is near.

    Outlines are accurate to a pixel, so a distant card's outline is less reliable.
    """
    return min(1.0, cell_size(pose, shape) * shape[1] / NEAR) ** 2


NEAR = 120.0  # width in pixels from which a card is near
ENOUGH_TO_ALIGN = 0.9
"""Smallest cell during alignment, in pixels; identification uses finer cells."""


def moved_by(pose: Pose, change: Reals, size: tuple[float, float]) -> Pose:
    return np.asarray(pose @ inverse(_motion_matrix(change, size)))


def columns_of(target: Floats, size: tuple[float, float], freedom: int) -> Floats:
    """Return each cell's derivatives by each motion, then by the light."""
    high, wide = target.shape
    gx = cv2.Sobel(target, cv2.CV_32F, 1, 0, ksize=1, scale=wide / 2).ravel()
    gy = cv2.Sobel(target, cv2.CV_32F, 0, 1, ksize=1, scale=high / 2).ravel()
    u, v = across_and_down((high, wide))
    aspect = np.float32(size[1] / size[0])
    ugx, vgy, vgx, ugy = u * gx, v * gy, v * gx * aspect, u * gy / aspect
    motions = [gx, gy, ugy - vgx, ugx + vgy, ugx - vgy, vgx + ugy]
    if freedom > len(motions):
        slant = ugx + vgy
        motions += [u * slant, v * slant]
    return np.stack([*motions[:freedom], target.ravel(), np.ones_like(u), u, v])


def _motion_matrix(change: NDArray[np.float64], size: tuple[float, float]) -> NDArray[np.float64]:
    """Return a homography from shifts across and down, turn, scale, two shears and two slants."""
    x, y, turn, scale, stretch, shear, p, q = [*map(float, change), *[0.0] * (8 - len(change))]
    aspect = size[1] / size[0]
    return np.array([
        (1 + scale + stretch, (shear - turn) * aspect, x),
        ((shear + turn) / aspect, 1 + scale - stretch, y),
        (-p, -q, 1),
    ])  # fmt: skip
