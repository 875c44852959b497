"""Decide which of the likeliest faces a patch shows, and how certain that is.

The two best faces are compared in the cells in which they differ. The worse the whole card fits, the clearer
that difference must be. Lab arrays here are channels by cells.
"""

from collections.abc import Sequence
from functools import cache, partial
from math import log
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.focus import is_afar, soften_rows
from vision.reading.own_light import (
    Indices,
    Relit,
    across_and_down,
    contrast,
    mean_distance,
    misfit,
    relight,
    sampled,
    squares_apart,
    take_out_light,
    weight_of,
    without_glare,
)
from vision.reading.strangeness import EXPLAINED, strangeness, without_light
from vision.reading.templates import INDEX, Floats, Shape, TemplateGrid, Templates, lab_of, white_of
from vision.reading.thresholds import (
    COVERED_BELOW,
    DEPTH_CHANGE,
    DEPTH_RATIO,
    FAINT_CONTRAST,
    FAINT_DIFFERENCE,
    FAINT_MISFIT,
    FITS_NO_ROW,
    INDEX_SHARE,
    OWN_ROWS,
    PLAIN_MARGIN,
    PRINT_NOISE,
    PRINTED_SPREAD,
    RIVAL_ROWS,
    SMOOTH_PENALTY,
    SMOOTH_SHARE,
    SMOOTH_WAVES,
)
from vision.table.plane import Reals


class Likeness(Struct, frozen=True, eq=False):
    """The comparison of a card at a pose with the deck's rows (one picture of a face, one way up)."""

    pose: Reals
    row: int  # the row that fits best
    score: float
    """Correlation of the features that distinguish the face from the deck's mean card."""
    fit: float  # correlation of all visible cells with the row's
    misfit: float  # mean distance of the visible cells from the row's
    margin: float
    """Lead of the best row over rows of other faces: 1 is an exact match, 0 is undecided."""
    distinction: float
    """Match of the features that distinguish it from its likeliest rival: 1 is exact, -1 is the rival."""
    index: float  # correlation of the better visible index corner; nan if none is visible
    way: float  # lead of this way up over the card turned round
    strange: float  # largest local difference from the row: something else may be printed there
    foreign: float  # the same, without differences that light on the row's face could cause
    visible: float  # share of cells that are in the picture and uncovered
    rivals: tuple[tuple[int, float], ...]
    """The best rows of other faces, with their distances as shares of the best row's power."""
    at_a_glance: bool = False  # whether only coarse cells were compared
    most: float = 1.0
    """Largest probability of the name: what an earlier look at the same card, in the same picture, gave."""


class Leads(NamedTuple):
    """The lead of a row over each other row, and the match of the features that distinguish the two."""

    margins: Floats
    distinctions: Floats


class Compared(Struct, frozen=True, eq=False):
    """A patch and its likeliest rows."""

    pose: Reals
    flat: Floats  # the patch, balanced to white, in its own light
    seen: Floats  # cells that are compared
    rows: Indices
    grid: TemplateGrid  # only those rows, as blurred as the patch
    near: int  # position of the nearest row among them
    lab: Floats  # the patch as Lab, in the nearest row's light
    leads: Leads
    visible: float = 1.0
    is_softened: bool = False  # whether the rows were blurred for this patch


class Nearest(NamedTuple):
    """The nearest row of a patch, the patch as Lab in that row's light, and its lead over each row."""

    row: int
    lab: Floats
    leads: Leads


class Fits(Struct, frozen=True, eq=False):
    """The match of cards with their nearest rows: a number for each card, or an array."""

    score: Floats
    fit: Floats
    misfit: Floats
    index: Floats
    strange: Floats  # difference around each cell: cards x rows x columns


def likeness(
    shown: Floats, pose: Reals, deck: Templates, of: TemplateGrid, order: Indices, seen: Floats
) -> Likeness:
    """Compare a patch with the first rows of an order, in the cells of a grid."""
    visible, seen = float(seen.sum() / of.inside.sum()), without_glare(shown, seen)
    if of is deck.fine and visible >= COVERED_BELOW:
        of, seen = deck.whole, seen * deck.whole.inside
    flat, rows = balanced(shown), _rows_to_compare(order, deck)
    sharp = grid = _some_rows(of, rows)
    nearest = _find_nearest_row(flat, grid, seen)
    is_plain = (
        nearest.leads.margins[deck.faces[rows] != deck.faces[rows[nearest.row]]].min(initial=1) >= PLAIN_MARGIN
    )
    if not is_plain or is_afar(pose, of.shape):
        relit = partial(relight, flat, of.shape, seen)
        grid = soften_rows(grid, nearest.row, nearest.lab, pose, seen, relit)
        nearest = nearest if grid is sharp else _find_nearest_row(flat, grid, seen)
    card = Compared(pose, flat, seen, rows, grid, *nearest, visible, grid is not sharp)
    return _likenesses([card], deck, of)[0]


def _likenesses(cards: Sequence[Compared], deck: Templates, of: TemplateGrid) -> list[Likeness]:
    fits = _fits_to_nearest(cards, of)
    return [_likeness_to_nearest(card, i, fits, deck, of) for i, card in enumerate(cards)]


def _fits_to_nearest(cards: Sequence[Compared], of: TemplateGrid) -> Fits:
    labs, seen = np.stack([card.lab for card in cards]), np.stack([card.seen for card in cards])
    sharp = of.lab[[int(card.rows[card.near]) for card in cards]].reshape(labs.shape)
    is_softened = any(card.is_softened for card in cards)
    nearest = np.stack([_row(card.grid, card.near) for card in cards]) if is_softened else sharp
    apart = squares_apart(labs, nearest)
    is_faint = contrast(nearest, seen) < FAINT_CONTRAST
    own_light = labs if is_faint.all() else labs_of(np.stack([card.flat for card in cards]))
    return Fits(
        score=_own_correlation(labs, nearest, of.mean, seen),
        fit=_fit(np.where(is_faint[:, None, None], labs, own_light), nearest, seen),
        misfit=mean_distance(apart, seen),
        index=_index(labs, nearest, of, seen),
        strange=strangeness(labs, sharp, seen, of.shape, nearest if is_softened else None),
    )


def _likeness_to_nearest(card: Compared, i: int, fits: Fits, deck: Templates, of: TemplateGrid) -> Likeness:
    """Return the comparison of one of several patches with its nearest row and with the others."""
    rows, margins, best = card.rows, card.leads.margins, int(card.rows[card.near])
    other = deck.faces[rows] != deck.faces[best]
    rival = int(np.where(other, margins, np.inf).argmin())
    turned = ~other & (deck.turned[rows] != deck.turned[best])
    unlit = _without_light(fits.strange[i], card.lab, of, deck.faces, best, card.seen)
    return Likeness(
        pose=card.pose,
        row=best,
        score=float(fits.score[i] if other.any() else fits.fit[i]),
        fit=float(fits.fit[i]),
        misfit=float(fits.misfit[i]),
        margin=float(margins[rival]) if other.any() else 1.0,
        distinction=float(card.leads.distinctions[rival]) if other.any() else 1.0,
        index=float(fits.index[i]),
        way=float(margins[turned].min()) if turned.any() else 1.0,
        strange=float(fits.strange[i].max()),
        foreign=float(unlit.max()),
        visible=card.visible,
        rivals=tuple(
            (int(rows[k]), float(1 - margins[k])) for k in np.argsort(margins, kind="stable") if other[k]
        ),
        at_a_glance=of is deck.coarse,
    )


def plain_likenesses(
    flat: Floats, poses: Sequence[Reals], deck: Templates, of: TemplateGrid, orders: Sequence[Indices]
) -> list[Likeness | None]:
    """Compare balanced patches (n, channels, cells) of whole cards in one call.

    None where only `likeness` can decide, as in a blurred picture.
    """
    rows = _as_many_rows([_rows_to_compare(order, deck) for order in orders])
    colours = np.stack([of.bgr[row] for row in rows[:, 0]])
    even, _depths = take_out_light(flat, colours, of.inside, across_and_down(of.shape), sampled(of.shape))
    labs = labs_of(even)
    nearby = of.lab[rows]
    compared = _differences(labs, nearby, of.inside, _smooth_light(of.shape))
    leads = _leads(compared, 0, len(of.inside))
    is_rival = deck.faces[rows] != deck.faces[rows[:, :1]]
    is_plain = (
        (np.where(is_rival, leads.margins, 1).min(axis=1) >= PLAIN_MARGIN)
        & (compared.distances.argmin(axis=1) == 0)
        & ~np.array([is_afar(pose, of.shape) for pose in poses])
    )
    plain, lead = np.flatnonzero(is_plain).tolist(), [Leads(*each) for each in zip(*leads, strict=True)]
    cards = [
        Compared(poses[i], flat[i], of.inside, rows[i], _some_rows(of, rows[i]), 0, labs[i], lead[i])
        for i in plain
    ]
    found = dict(zip(plain, _likenesses(cards, deck, of) if cards else (), strict=True))
    return [found.get(i) for i in range(len(poses))]


def _as_many_rows(rows: Sequence[Indices]) -> Indices:
    """Pad shorter lists with their first row, which doesn't change the result."""
    most = max(map(len, rows))
    return np.array([[*each, *[each[0]] * (most - len(each))] for each in (some.tolist() for some in rows)])


def labs_of(patches: Floats) -> Floats:
    lab = lab_of(np.ascontiguousarray(patches.transpose(1, 0, 2)).reshape(3, -1))
    return np.ascontiguousarray(lab.reshape(3, len(patches), -1).transpose(1, 0, 2))


def balanced(shown: Floats) -> Floats:
    """Return patches (..., rows, columns, channels) as channels by cells; the brightest tenth becomes white."""
    cells = shown.reshape(*shown.shape[:-3], -1, 3)
    channels = np.ascontiguousarray(cells.swapaxes(-1, -2))
    channels /= white_of(channels)
    return channels


def _some_rows(grid: TemplateGrid, rows: Indices) -> TemplateGrid:
    return TemplateGrid(grid.shape, [grid.bgr[row] for row in rows], grid.lab[rows], grid.inside, grid.mean)


def _without_light(
    places: Floats, lab: Floats, of: TemplateGrid, faces: Indices, best: int, seen: Floats
) -> Floats:
    if places.max() < EXPLAINED:
        return places
    return without_light(places, lab, of, best, np.flatnonzero(faces != faces[best]), seen)


def _find_nearest_row(patch: Floats, grid: TemplateGrid, seen: Floats) -> Nearest:
    # compare visible cells only: of a card in a fan, that is a fifth
    some = np.flatnonzero(seen)
    rows = grid.lab.reshape(len(grid.lab), 3, -1)[..., some].reshape(len(grid.lab), -1)
    smooth = _smooth_light(grid.shape)[:, some]

    def compare(row: int) -> tuple[Relit, Differences]:
        lit = relight(patch, grid.shape, seen, grid.bgr[row])
        return lit, _differences(lit.lab[:, some], rows, seen[some], smooth)

    lit, compared = compare(0)
    near = int(compared.distances.argmin())
    if near != 0:
        lit, compared = compare(near)
        near = int(compared.distances.argmin())
    clear = np.zeros_like(seen)
    clear[some] = compared.clear
    if (plainer := _find_plainer_row(patch, grid, near, lit.depth, clear)) is not None:
        near, (lit, compared) = plainer, compare(plainer)
    leads = _leads(compared, near, len(seen))
    if leads.margins.min() < 0:
        near = int(leads.margins.argmin())
        leads = _leads(compared, near, len(seen))
    return Nearest(near, lit.lab, leads)


def _find_plainer_row(patch: Floats, grid: TemplateGrid, near: int, depth: float, seen: Floats) -> int | None:
    """Find a row that fits as well as the near one, with less change in depth from its taught picture.

    Otherwise a pale print would be read as the same print in a deep tone, seen by a camera that pales all: so
    were drawn signs, but none of 552 photographed cards.
    """
    # of most cards, the depth changes too little for any row to change it less
    if (most := abs(log(depth)) - DEPTH_CHANGE) <= 0:
        return None
    lit = [relight(patch, grid.shape, seen, colours) for colours in grid.bgr]
    fits = [float(misfit(each.lab, _row(grid, row), seen)) for row, each in enumerate(lit)]
    likely = [row for row, each in enumerate(lit) if abs(log(each.depth)) < most]
    best = min(likely, key=lambda row: fits[row], default=near)
    return best if best != near and fits[best] < DEPTH_RATIO * max(FAINT_MISFIT, fits[near]) else None


def _rows_to_compare(order: Indices, deck: Templates) -> Indices:
    mine = deck.faces[order] == deck.faces[order[0]]
    return np.concatenate((order[mine][:OWN_ROWS], order[~mine][:RIVAL_ROWS]))


def _row(grid: TemplateGrid, row: int) -> Floats:
    return np.asarray(grid.lab[row].reshape(3, -1))


def _correlation(one: Floats, other: Floats) -> Floats:
    """Correlate patches after subtracting their means."""
    power = _inner(one, one) * _inner(other, other)
    return np.asarray(_inner(one, other) / np.maximum(1e-6, np.sqrt(power)))


def _inner(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("nkc,nkc->n", one, other))


def _fit(labs: Floats, targets: Floats, seen: Floats) -> Floats:
    return _correlation(_spread(labs, seen), _spread(targets, seen))


def _spread(patches: Floats, seen: Floats) -> Floats:
    """Subtract the mean of the visible cells from patches (n, channels, cells); hidden cells become 0."""
    return (patches - patches @ weight_of(seen)) * seen[:, None]


def _own_correlation(labs: Floats, rows: Floats, mean: Floats, seen: Floats) -> Floats:
    shared = mean.reshape(3, -1)
    return _correlation(*((each - shared) * seen[:, None] for each in (labs, rows)))


def _index(labs: Floats, rows: Floats, of: TemplateGrid, seen: Floats) -> Floats:
    """Return the better correlation of the two index corners; nan if none is visible."""
    high, wide = of.shape
    side = max(3, round(INDEX * wide))
    shown, whole = seen.reshape(-1, high, wide), of.inside.reshape(high, wide)
    best = np.full(len(labs), np.nan, np.float32)
    for part in ((slice(side), slice(side)), (slice(high - side, high), slice(wide - side, wide))):
        here, there = (_part(each.reshape(-1, 3, high, wide), part) for each in (labs, rows))
        weight = shown[:, *part].reshape(len(labs), -1)
        is_visible = (weight.sum(axis=1) >= INDEX_SHARE * whole[part].sum()) & _is_printed(there, weight)
        best = np.fmax(best, np.where(is_visible, _fit(here, there, weight), np.nan))
    return best


def _part(patches: Floats, part: tuple[slice, slice]) -> Floats:
    """Cut a part out of patches (n, channels, rows, columns): channels by cells."""
    return patches[:, :, *part].reshape(len(patches), 3, -1)


def _is_printed(corners: Floats, seen: Floats) -> NDArray[np.bool_]:
    """Return for each corner whether it holds an index: whether its cells vary."""
    spread = _spread(corners, seen)
    return np.asarray(
        np.sqrt(_inner(spread, spread)) >= PRINTED_SPREAD * np.sqrt(np.maximum(1.0, seen.sum(axis=1)))
    )


# where rows differ


class Differences(NamedTuple):
    """Differences of rows from a patch, apart from light, and the cells in which it fits some row."""

    off: Floats
    squares: Floats  # rows and cells
    clear: Floats

    @property
    def distances(self) -> Floats:
        return (self.squares @ self.clear[..., None])[..., 0]


def _differences(lab: Floats, rows: Floats, seen: Floats, smooth: Floats) -> Differences:
    """Compare some cells of a patch with rows, without cells that fit none, such as glare, and smooth changes.

    Smooth changes may be light or dirt: each taught picture has its own.
    """
    off = rows - lab.reshape(*lab.shape[:-2], 1, -1)
    clear = seen * (_squares(off.copy()).min(axis=-2) < FITS_NO_ROW**2)
    off = _without_smooth(off, clear, smooth)
    return Differences(off, _squares(off.copy()), clear)


def _leads(compared: Differences, near: int, cells: int) -> Leads:
    """Return the lead of a row over each other, and its match where the two differ, for a patch of `cells`.

    Cells in which rows differ only by noise count little: they are many, and would outweigh a small sign.
    """
    mine, its = (each[..., near : near + 1, :] for each in (compared.off, compared.squares))
    power = _squares(mine - compared.off)
    weight = compared.clear[..., None, :] * (power / (power + PRINT_NOISE**2))
    size, lead, both = (
        (weight * each).sum(axis=-1) for each in (power, compared.squares - its, compared.squares + its)
    )
    margins = np.asarray(lead / np.maximum(size, FAINT_DIFFERENCE * cells), np.float32)
    margins[..., near] = np.inf
    # by the parallelogram law: the distance of the patch from the midpoint of the two rows
    beside = 2 * both - size
    return Leads(margins, np.asarray(lead / np.sqrt(np.maximum(size * beside, TINY)), np.float32))


TINY = 1e-9  # avoids a division by zero: a row doesn't differ from itself


def _without_smooth(off: Floats, clear: Floats, smooth: Floats) -> Floats:
    """Remove most of the slowly changing part from differences: it may be light."""
    shown = (off.reshape(*off.shape[:-1], 3, -1) * clear[..., None, None, :]) @ smooth.T
    shared = (smooth * clear[..., None, :]) @ smooth.T + SMOOTH_PENALTY * len(smooth.T) * np.eye(
        len(smooth), dtype=np.float32
    )
    fits = np.linalg.solve(shared[..., None, :, :], shown.swapaxes(-1, -2)).swapaxes(-1, -2)
    return np.asarray(off - (1 - SMOOTH_SHARE) * (fits @ smooth).reshape(off.shape), np.float32)


@cache
def _smooth_light(shape: Shape) -> Floats:
    """Return cosine waves over a card, of half a card's width and longer."""
    down, across = (
        np.cos(np.pi * np.outer(np.arange(waves), (np.arange(count) + 0.5) / count))
        for waves, count in zip(SMOOTH_WAVES, shape, strict=True)
    )
    return np.asarray(np.einsum("ir,jc->ijrc", down, across).reshape(-1, shape[0] * shape[1]), np.float32)


def _squares(off: Floats) -> Floats:
    each = np.square(off, out=off).reshape(*off.shape[:-1], 3, -1)
    total = each[..., 0, :] + each[..., 1, :]
    total += each[..., 2, :]
    return np.asarray(total)
