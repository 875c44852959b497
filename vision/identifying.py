"""Which face lies at a pose: lay it exactly upon the templates, compare what is visible, and doubt.

Every comparison is one matrix product over all rows of the deck. A face is accepted when, of the two best, the
picture is clearly the one and not the other in those cells in which the two differ; the worse the whole fits,
the clearer that must be.
"""

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.finding import CORNERS, Pose, through
from vision.templates import INDEX, Floats, Grid, Picture, Shape, Templates, balanced, lab_of, softened

Mask: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]

RIVALS = 5
"""So many rows are compared exactly."""
CLIP = 0.3
"""A cell can't differ by more than this: glare counts no more than a wrong colour."""
COVER = 0.012
"""A card covers a little more than itself: its shadow."""


class Likeness(Struct, frozen=True, eq=False):
    """How a card at a pose compares with the deck."""

    pose: Pose
    row: int
    """The row that fits best."""
    score: float
    """How well what sets the face apart from the deck's mean card is found in the picture: 1 is exactly."""
    fit: float
    """How well all visible cells correlate with the row's."""
    misfit: float
    """The mean distance of the visible cells from the row's."""
    margin: float
    """How clearly the best row fits better than any of another face: 1 is exactly the best, 0 is undecided."""
    index: float
    """How well the better of the visible index corners fits; nan where none is visible."""
    way: float
    """How clearly it lies this way up and not turned round."""
    visible: float
    """The share of its cells that are in the picture and not covered."""
    rivals: tuple[tuple[int, float], ...]
    """The best rows of other faces, and their distances as shares of the best row's power."""


# patches


def pyramid(picture: Picture) -> tuple[Picture, ...]:
    """Halve a picture again and again."""
    levels = [picture]
    while min(levels[-1].shape[:2]) >= 240:
        high, wide = levels[-1].shape[:2]
        half = cv2.resize(levels[-1], (wide // 2, high // 2), interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return tuple(levels)


def patch_of(levels: Sequence[Picture], pose: Pose, shape: Shape) -> Floats:
    """Rectify a posed card into cells, from the level of the picture that is just fine enough."""
    high, wide = shape
    across, down = _lengths(pose)
    finer = max(0.0, np.log2(max(1e-6, min(across / wide, down / high) / 1.1)))
    level = min(len(levels) - 1, int(finer))
    twice = 2 if min(across / wide, down / high) / 2**level > 1.2 else 1
    share = 0.5**level
    shrink = np.array([(share, 0, (share - 1) / 2), (0, share, (share - 1) / 2), (0, 0, 1)])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(
        levels[level],
        shrink @ pose @ _from_cells((high * twice, wide * twice)),
        (wide * twice, high * twice),
        flags=how,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if twice > 1:
        warped = cv2.resize(warped, (wide, high), interpolation=cv2.INTER_AREA)
    return softened(np.asarray(warped, np.float32))


def _lengths(pose: Pose) -> tuple[float, float]:
    """Measure a posed card's two sides in pixels, through its middle."""
    left, right, top, bottom = through(pose, np.array([(-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)]))
    return float(np.hypot(*(right - left))), float(np.hypot(*(bottom - top)))


def _from_cells(shape: Shape) -> NDArray[np.float64]:
    """Bring cell numbers to the card's own square."""
    high, wide = shape
    return np.array([(1 / wide, 0, 0.5 / wide - 0.5), (0, 1 / high, 0.5 / high - 0.5), (0, 0, 1)])


def places(shape: Shape) -> NDArray[np.float64]:
    """List the cells' middles in the card's own square."""
    high, wide = shape
    across, down = (np.arange(wide) + 0.5) / wide - 0.5, (np.arange(high) + 0.5) / high - 0.5
    return np.column_stack((np.tile(across, high), np.repeat(down, wide)))


def visible_cells(pose: Pose, shape: Shape, picture: tuple[int, int], above: Sequence[Pose]) -> Mask:
    """Tell which cells are in the picture and under none of the cards above."""
    four = through(pose, CORNERS)
    high, wide = picture
    covering = [card for card in above if _meet(four, through(card, CORNERS))]
    outside = bool((four < 2).any() or (four > np.array((wide - 3, high - 3))).any())
    if not covering and not outside:
        return np.ones(shape[0] * shape[1], np.bool_)
    spots = through(pose, places(shape))
    x, y = spots.T
    seen = (x > 1) & (y > 1) & (x < wide - 2) & (y < high - 2)
    for card in covering:
        across, down = np.abs(through(np.asarray(np.linalg.inv(card), np.float64), spots)).T
        seen &= (across >= 0.5 + COVER) | (down >= 0.5 + COVER)
    return np.asarray(seen)


def uncovered(spots: Floats, card: Pose) -> Mask:
    """Tell which places (..., 2) of the picture a card leaves free."""
    inverse = np.linalg.inv(card).astype(np.float32)
    x, y = spots[..., 0], spots[..., 1]
    depth = np.abs(inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]) * np.float32(0.5 + COVER)
    across = np.abs(inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2])
    down = np.abs(inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2])
    return np.asarray((across >= depth) | (down >= depth))


def _meet(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Tell whether the boxes round two quads meet."""
    return bool((one.min(axis=0) <= other.max(axis=0)).all() and (other.min(axis=0) <= one.max(axis=0)).all())


# comparing with all rows at once


def correlations(grid: Grid, labs: Floats, seen: Floats) -> Floats:
    """Correlate patches (n, cells, 3) with all rows where they are seen (n, cells): n x rows."""
    weight = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    mean = np.einsum("nc,nck->nk", weight, labs)
    off = (labs - mean[:, None]) * seen[..., None]
    power = weight @ grid.power.T
    shared = np.zeros_like(power)
    for channel, plane in enumerate(grid.planes):
        shared += np.ascontiguousarray(off[..., channel]) @ plane
        power -= (weight @ plane) ** 2
    spread = np.maximum(power, 1e-6) * np.maximum(seen.sum(axis=1), 1)[:, None]
    own = np.maximum((off**2).sum(axis=(1, 2)), 1e-6)[:, None]
    return np.asarray(shared / np.sqrt(spread * own), np.float32)


def coarse_labs(levels: Sequence[Picture], poses: Sequence[Pose], shape: Shape) -> Floats:
    """Rectify many posed cards into coarse Lab patches."""
    labs = [lab_of(balanced(patch_of(levels, pose, shape))).reshape(-1, 3) for pose in poses]
    return np.stack(labs) if labs else np.zeros((0, shape[0] * shape[1], 3), np.float32)


# laying it exactly upon a template


def aligned(  # noqa: PLR0917
    levels: Sequence[Picture],
    pose: Pose,
    deck: Templates,
    grid: Grid,
    row: int,
    seen: Floats,
    freedom: int,
) -> Pose:
    """Take one step that lays the picture upon a row: by shift, turn and scale, or more freely."""
    patch = balanced(patch_of(levels, pose, grid.shape)) @ THIRDS
    target = (grid.bgr[row] @ THIRDS).reshape(grid.shape)
    columns = _columns(target, deck.size, freedom)
    off = patch.ravel() - target.ravel()
    weight = seen / (1 + (off / 0.12) ** 2)
    squares = columns * weight
    solved = np.linalg.solve(
        (squares @ columns.T).astype(np.float64) + np.eye(len(columns)) * 1e-3,
        (squares @ off).astype(np.float64),
    )
    change = np.clip(solved[:freedom], -0.06, 0.06)
    return np.asarray(pose @ np.linalg.inv(_moved_by(change, deck.size)))


THIRDS = np.full(3, 1 / 3, np.float32)


def _columns(target: Floats, size: tuple[float, float], freedom: int) -> Floats:
    """Tell how each cell changes with each way to move, and then with the light."""
    high, wide = target.shape
    down, across = np.gradient(target)
    gx, gy = across.ravel() * np.float32(wide), down.ravel() * np.float32(high)
    u, v = places((high, wide)).astype(np.float32).T
    aspect = np.float32(size[1] / size[0])
    ugx, vgy, vgx, ugy = u * gx, v * gy, v * gx * aspect, u * gy / aspect
    ways = [gx, gy, ugy - vgx, ugx + vgy, ugx - vgy, vgx + ugy]
    if freedom > len(ways):
        slant = ugx + vgy
        ways += [u * slant, v * slant]
    return np.stack([*ways[:freedom], target.ravel(), np.ones_like(u), u, v])


def _moved_by(change: NDArray[np.float64], size: tuple[float, float]) -> NDArray[np.float64]:
    """Make a homography of amounts of shift across and down, turn, scale, two shears and two slants."""
    x, y, turn, scale, stretch, shear, p, q = (float(each) for each in np.pad(change, (0, 8 - len(change))))
    aspect = size[1] / size[0]
    return np.array([
        (1 + scale + stretch, (shear - turn) * aspect, x),
        ((shear + turn) / aspect, 1 + scale - stretch, y),
        (-p, -q, 1),
    ])  # fmt: skip


# deciding


def compared(
    levels: Sequence[Picture],
    pose: Pose,
    deck: Templates,
    above: Sequence[Pose] = (),
    plane: bool = False,
) -> Likeness | None:
    """Align a card with what it seems to be, and compare it with the deck; none if too little is visible."""
    picture = levels[0].shape[0], levels[0].shape[1]
    order, seen = _ranked(levels, pose, deck, above)
    visible = float(seen.sum() / deck.coarse.inside.sum())
    if visible < 0.08:
        return None
    for _step in range(2):
        freedom = 3 if visible < 0.5 else 4
        pose = aligned(levels, pose, deck, deck.coarse, int(order[0]), seen, freedom)
        order, seen = _ranked(levels, pose, deck, above)
    cells = np.asarray(visible_cells(pose, deck.fine.shape, picture, above) * deck.fine.inside, np.float32)
    freedom = 3 if visible < 0.35 else 6 if plane or visible < 0.8 else 8
    for _step in range(2):
        pose = aligned(levels, pose, deck, deck.fine, int(order[0]), cells, freedom)
    cells = np.asarray(visible_cells(pose, deck.fine.shape, picture, above) * deck.fine.inside, np.float32)
    return _likeness(levels, pose, deck, order, cells) if cells.any() else None


def _ranked(
    levels: Sequence[Picture], pose: Pose, deck: Templates, above: Sequence[Pose]
) -> tuple[Indices, Floats]:
    """Put the rows in order of how well they fit, coarsely; tell which cells are visible."""
    grid = deck.coarse
    seen = visible_cells(pose, grid.shape, (levels[0].shape[0], levels[0].shape[1]), above) * grid.inside
    fits = correlations(grid, coarse_labs(levels, [pose], grid.shape), seen[None])[0]
    return np.argsort(-fits, kind="stable"), np.asarray(seen, np.float32)


def _likeness(levels: Sequence[Picture], pose: Pose, deck: Templates, order: Indices, seen: Floats) -> Likeness:
    """Compare exactly with the rows that come first in an order."""
    grid = deck.fine
    patch = balanced(patch_of(levels, pose, grid.shape)).reshape(-1, 3)
    rows = _to_compare(order, deck)
    plain = lab_of(patch.reshape(*grid.shape, 3)).reshape(-1, 3)
    best = int(rows[0])
    lab = _lit_like(patch, grid, best, seen)
    clear, distances = _where_it_fits(lab, grid, rows, seen)
    nearest = int(rows[distances.argmin()])
    if nearest != best:
        lab = _lit_like(patch, grid, nearest, seen)
        clear, distances = _where_it_fits(lab, grid, rows, seen)
        best = int(rows[distances.argmin()])
    fit = _fit(plain, grid.lab[best].reshape(-1, 3), seen)
    sooner = np.argsort(rows != best, kind="stable")
    first, distances = rows[sooner], distances[sooner]
    margins = np.concatenate(([np.inf], _margins(grid, first, clear, distances)))
    other = deck.faces[first] != deck.faces[best]
    turned = ~other & (deck.turned[first] != deck.turned[best])
    return Likeness(
        pose=pose,
        row=best,
        score=_own(lab, grid.lab[best], deck.mean, seen) if other.any() else fit,
        fit=fit,
        misfit=_misfit(lab, grid.lab[best], seen),
        margin=float(margins[other].min()) if other.any() else 1.0,
        index=_index(lab, grid, best, seen),
        way=float(margins[turned].min()) if turned.any() else 1.0,
        visible=float(seen.sum() / grid.inside.sum()),
        rivals=tuple(
            (int(first[i]), float(1 - margins[i])) for i in np.argsort(margins, kind="stable") if other[i]
        ),
    )


def _to_compare(order: Indices, deck: Templates) -> Indices:
    """Choose the best rows, rows of other faces than the best, and the best face both ways up."""
    face = deck.faces[order[0]]
    mine = order[deck.faces[order] == face]
    return np.concatenate((mine[:3], order[deck.faces[order] != face][:RIVALS])).astype(np.intp)


def _fit(lab: Floats, target: Floats, seen: Floats) -> float:
    """Correlate a patch with a row."""
    weight = (seen / max(1.0, float(seen.sum())))[:, None]
    here, there = ((each - (each * weight).sum(axis=0)) * seen[:, None] for each in (lab, target))
    return float((here * there).sum() / max(1e-6, float(np.linalg.norm(here) * np.linalg.norm(there))))


def _lit_like(patch: Floats, grid: Grid, row: int, seen: Floats) -> Floats:
    """Turn a patch into Lab, in a row's light; if that fits badly, place by place, as for shadows."""
    even = _in_its_light(patch, grid.bgr[row], seen, grid.shape)
    lab = lab_of(even.reshape(*grid.shape, 3)).reshape(-1, 3)
    if _misfit(lab, grid.lab[row], seen) < UNEVEN:
        return lab
    local = _place_by_place(even, grid.bgr[row], seen, grid.shape)
    again = lab_of(local.reshape(*grid.shape, 3)).reshape(-1, 3)
    return again if _misfit(again, grid.lab[row], seen) < _misfit(lab, grid.lab[row], seen) else lab


UNEVEN = 0.07
"""What misfits more may lie in uneven light."""


def _misfit(lab: Floats, target: Floats, seen: Floats) -> float:
    """Give the mean distance of the visible cells, none of which counts more than CLIP."""
    apart = lab - target.reshape(-1, 3)
    off = np.sqrt(np.minimum(np.einsum("ck,ck->c", apart, apart), CLIP**2))
    return float((off * seen).sum() / max(1.0, float(seen.sum())))


def _place_by_place(patch: Floats, target: Floats, seen: Floats, shape: Shape) -> Floats:
    """Even out how bright a patch is, place by place; its colours stay as they are."""
    bright, wanted = patch @ THIRDS, target @ THIRDS
    weight = seen * wanted * (wanted > 0.25)
    spread = 0.08 * shape[1]
    above, below = (
        cv2.GaussianBlur(each.reshape(shape).astype(np.float32), (0, 0), spread)
        for each in (bright * weight, wanted * weight)
    )
    gain = np.clip((above + 0.02) / (below + 0.02), 0.3, 2.5).reshape(-1, 1)
    return np.asarray(patch / gain, np.float32)


def _in_its_light(patch: Floats, target: Floats, seen: Floats, shape: Shape) -> Floats:
    """Take the light out of a patch, as if it were the target: for each colour a leaning gain, and a veil."""
    spots = places(shape).astype(np.float32)
    light = np.column_stack((np.ones(len(spots), np.float32), spots))
    done = np.empty_like(patch)
    for channel in range(3):
        wanted = target[:, channel]
        columns = np.column_stack((light * wanted[:, None], np.ones(len(spots), np.float32)))
        weight = seen
        fit = np.array([1, 0, 0, 0], np.float64)
        for _again in range(2):
            off = patch[:, channel] - (columns @ fit).astype(np.float32)
            weight = seen / (1 + (off / 0.1) ** 2)
            squares = (columns * weight[:, None]).T
            fit = np.linalg.solve(
                squares @ columns + np.diag([1, 3, 3, 30]), squares @ patch[:, channel] + np.array([1, 0, 0, 0])
            )
        gain = np.clip(light @ fit[:3], 0.15, 1.6)
        done[:, channel] = (patch[:, channel] - np.clip(fit[3], -0.1, 0.3)) / gain
    return done


def _where_it_fits(lab: Floats, grid: Grid, rows: Indices, seen: Floats) -> tuple[Floats, Floats]:
    """Leave out the cells that fit none of the rows, as glare does; give each row's distance on the others."""
    off = grid.lab[rows].reshape(len(rows), -1, 3) - lab
    squares = np.einsum("rck,rck->rc", off, off)
    clear = seen * (squares.min(axis=0) < 0.2**2)
    return np.asarray(clear, np.float32), np.asarray(squares @ clear, np.float32)


def _margins(grid: Grid, rows: Indices, clear: Floats, distances: Floats) -> Floats:
    """Tell how far the picture is from the middle between the first row and each other, where they differ."""
    apart = grid.lab[rows[1:]].reshape(len(rows) - 1, -1, 3) - grid.lab[rows[0]].reshape(-1, 3)
    size = np.einsum("rck,rck->rc", apart, apart) @ clear
    return np.asarray((distances[1:] - distances[0]) / np.maximum(size, 0.15), np.float32)


def _own(lab: Floats, row: Floats, mean: Floats, seen: Floats) -> float:
    """Correlate what sets a row apart from the mean card with what sets the picture apart from it."""
    shared = mean.reshape(-1, 3)
    here, there = (((each.reshape(-1, 3) - shared) * seen[:, None]) for each in (lab, row))
    lengths = np.linalg.norm(here) * np.linalg.norm(there)
    return float((here * there).sum() / max(1e-6, float(lengths)))


def _index(lab: Floats, grid: Grid, row: int, seen: Floats) -> float:
    """Correlate the corners that hold an index; give the better one."""
    high, wide = grid.shape
    side = max(3, round(INDEX * wide))
    best = np.nan
    spread, target = lab.reshape(high, wide, 3), grid.lab[row].reshape(high, wide, 3)
    shown, whole = seen.reshape(high, wide), grid.inside.reshape(high, wide)
    for part in ((slice(0, side), slice(0, side)), (slice(high - side, high), slice(wide - side, wide))):
        if shown[part].sum() < 0.85 * whole[part].sum():
            continue
        weight = shown[part][..., None]
        here, there = (
            (each[part] - (each[part] * weight).sum((0, 1)) / weight.sum()) * weight
            for each in (spread, target)
        )
        fits = float((here * there).sum() / max(1e-6, float(np.linalg.norm(here) * np.linalg.norm(there))))
        best = np.nanmax([best, fits])
    return float(best)
