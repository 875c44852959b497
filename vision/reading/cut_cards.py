"""Find cards partly covered by an unidentified object; their visible part ends at a straight line.

If the covering card is identified, `explaining.py` knows which part it hides. Otherwise it is a card of another
deck, an object, or a card hidden by glare. Then a position is rated by each of its sides and moved to match the
face that the best side resembles. The cut is the line beyond which the picture no longer matches that face.

The topmost object shows its whole outline, and the next one shows the rest of its own. Objects are therefore
processed from the top down. An outline is detected by edges alone, never by how well a face would fit below it.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from msgspec import Struct

from vision.reading.corners import STEPS, Spot, on_edges
from vision.reading.deciding import Likeness
from vision.reading.explaining import (
    Pool,
    cover_places,
    explain_places,
    hide_places,
    is_card,
    is_certain,
    poses_of,
)
from vision.reading.identifying import Cover, are_inside, cover_of, labs_at, uncovered_places
from vision.reading.looking import Seeing, compare_card, glimpse_all, seen_cells
from vision.reading.moved_places import SIDES, cells_of_side, first_of_each, move_onto_rows, rate_sides
from vision.reading.outlines import rigid_pose
from vision.reading.own_light import Indices, cell_middles
from vision.reading.templates import Floats, Shape, TemplateGrid, picture_of
from vision.reading.thresholds import LEAST_SHARE
from vision.reading.views import Picture, Pose, along_sides, common_share, outline_of
from vision.table.plane import Reals, inverse, map_points, sample_colours

MOVED = 80  # most positions aligned with faces
HOPEFUL, LIKELY = 0.4, 0.66
"""Smallest resemblance of a side to a face, first to align it and then to compare it."""
TRIED = 12  # most positions compared


class Line(Struct, frozen=True):
    """A line across a card in card coordinates; the part beyond it, along its normal, is hidden."""

    x: float
    y: float
    far: float


def explain_cut_cards(
    seeing: Seeing,
    pool: Pool,
    above: Sequence[Likeness],
    things: Sequence[Pose] = (),
    doubts: Sequence[Likeness] = (),
) -> tuple[Likeness, ...]:
    """Identify cards with one visible side, the largest sides first.

    `things` may be objects that cover cards. `doubts` are uncertain cards; those that nothing covers were
    already compared whole.
    """
    found: list[Likeness] = []
    seen = hide_places(pool, poses_of(above))
    free = [outline_of(each.pose) for each in doubts if _lies_free(seeing, each.pose)]
    for pose, row, side in _likely_sides(seeing, pool, seen):
        covers = [cover_of(each.pose) for each in (*above, *found)]
        if _is_hidden(pose, seeing, covers):
            continue
        if any(common_share(outline_of(pose), whole) > SAME_PLACE for whole in free):
            continue
        card = _look_at(seeing, pose, row, _beyond_side(pose, side), covers, things)
        if card is not None:
            found.append(card)
    return tuple(found)


SAME_PLACE = 0.8
"""Overlap of a position and a card, as a share of their union, from which they are the same."""


def _likely_sides(seeing: Seeing, pool: Pool, seen: Floats) -> Iterator[tuple[Pose, int, int]]:
    """Align positions with the row and side they resemble; yield them, the best first."""
    grid = seeing.deck.rough
    enough = np.flatnonzero(seen.sum(axis=1) > LEAST_SHARE * grid.inside.sum())
    if not len(enough):
        return
    rated = rate_sides(grid, pool.labs[:, enough], seen[enough])
    best = np.argsort(-rated.fits, kind="stable")[:MOVED]
    best = best[rated.fits[best] > HOPEFUL]
    if not len(best):
        return
    which = enough[best]
    weights = seen[which] * np.stack([cells_of_side(grid.shape, side) for side in rated.sides[best].tolist()])
    near = [pool.poses[i] for i in which]
    poses = move_onto_rows(seeing.levels, near, weights, seeing.deck, rated.rows[best])
    again = rate_sides(grid, labs_at(seeing.levels, poses, grid.shape), seen[which])
    order = [i for i in np.argsort(-again.fits, kind="stable").tolist() if again.fits[i] > LIKELY]
    for k in first_of_each([poses[i] for i in order])[:TRIED]:
        yield poses[order[k]], int(again.rows[order[k]]), int(again.sides[order[k]])


def _is_hidden(pose: Pose, seeing: Seeing, covers: Sequence[Cover]) -> bool:
    grid = seeing.deck.rough
    return bool(seen_cells(seeing, [pose], grid, covers).sum() < LEAST_SHARE * grid.inside.sum())


def _look_at(
    seeing: Seeing,
    pose: Pose,
    row: int,
    unknown: Sequence[Cover],
    covers: Sequence[Cover],
    things: Sequence[Pose],
) -> Likeness | None:
    """Align the visible part of a card and find where it ends; compare it only if the cut is plausible."""
    above = [*covers, *unknown]
    first = glimpse_all(seeing, [pose], [row], above)[0]
    if first is None or first.fits.max() < RESEMBLES:
        return None
    pose, row = first.pose, int(first.fits.argmax())
    line = _line_of_cut(seeing, pose, row, above, covers)
    if line is not None and _goes_on(seeing, pose, line, covers):
        return None
    hiding = [] if line is None else [_beyond(pose, line)]
    card = compare_card(seeing, pose, row, [*covers, *hiding])
    if card is None or card.fit < FITS or not is_card(seeing, card):
        return None
    if not is_certain(seeing, card):
        return None
    if line is None:
        return card
    # a fully visible card may look the same in this part
    is_borne_out = _is_borne_out(pose, line, things, seeing.deck.coarse.shape)
    is_clear = card.margin > CLEARLY and edge_along(seeing.deck.fine, card.row, line) < OWN_EDGE
    return card if (is_borne_out or is_clear) and card.visible > SHOWN else None


RESEMBLES = 0.8
"""Smallest correlation of the visible part with the face at first; an inner comparison excludes bad cells."""
FITS = 0.9
"""Smallest final fit. Cells that fit badly count as covered, so the remaining ones are already selected."""
CLEARLY = 0.85
"""Smallest margin of a card under an unidentified object.

It must match this face and no other. The text box of another deck's card resembles some face a little.
"""


SHOWN = 0.33
"""Smallest visible share under an unidentified object. Other decks may have the same corner or frame."""
OWN_EDGE = 0.25
"""Edge strength along the cut from which the face's own print ends there, so another deck may match it."""


def edge_along(grid: TemplateGrid, row: int, line: Line) -> float:
    """Return the strongest edge of a row that runs all along a line or near it."""
    picture = picture_of(grid.lab[row], grid.shape)
    across, along = np.array((line.x, line.y)), np.array((-line.y, line.x))
    best = 0.0
    for far in np.arange(line.far - NEAR, line.far + CLEARANCE + NEAR, STEP):
        spots = far * across + np.linspace(-0.7, 0.7, 100)[:, None] * along
        spots = spots[(np.abs(spots) < 0.46).all(axis=1)]
        if len(spots) > FEWEST:
            before, after = (_colours_in(picture, spots + way * across) for way in (-1.5 * STEP, 1.5 * STEP))
            steep = np.sqrt(np.square(after - before).sum(axis=1))
            best = max(best, float(np.quantile(steep, HARDLY_BROKEN)))
    return best


HARDLY_BROKEN = 0.3
"""Quantile of the edge strength along a line; a row of symbols is not a continuous edge."""
NEAR, STEP = 0.03, 0.01
"""Largest distance of an edge from the line, and the search step, as shares of a card."""


def _colours_in(picture: Floats, spots: Reals) -> Floats:
    high, wide = picture.shape[:2]
    x, y = ((spots + 0.5) * (wide, high)).astype(np.intp).T
    return np.asarray(picture[np.clip(y, 0, high - 1), np.clip(x, 0, wide - 1)])


def _is_borne_out(pose: Pose, line: Line, things: Sequence[Pose], shape: Shape) -> bool:
    """Return whether an object's outline confirms that it covers the part beyond a line."""
    cells = cell_middles(shape)
    beyond = cells @ (line.x, line.y) > line.far
    spots = map_points(pose, cells).astype(np.float32)
    for thing in things:
        under = ~uncovered_places(spots, cover_of(thing))
        # an object at this position is the card itself
        if under.mean() < PART and (beyond & under).sum() > ALIKE * (beyond | under).sum():
            return True
    return False


ALIKE = 0.75  # smallest overlap of the areas hidden by the line and by the object, as a share of their union
PART = 0.7  # largest share of a card that an object covers before the two count as the same


def _goes_on(seeing: Seeing, pose: Pose, line: Line, covers: Sequence[Cover]) -> bool:
    """Return whether the same table surrounds the hidden and the visible part, so that nothing covers it."""
    hidden, shown = list[Floats](), list[Floats]()
    for side in JUST_OUTSIDE:
        beyond = side @ (line.x, line.y) > line.far
        hidden.append(_colours_along(seeing, pose, side[beyond], covers))
        shown.append(_colours_along(seeing, pose, side[~beyond], covers))
    usable, table = [each for each in hidden if len(each) >= FEWEST], np.concatenate(shown)
    if not usable or not len(table):
        return False
    return all(_is_like(each, table) for each in usable)


def _lies_free(seeing: Seeing, pose: Pose) -> bool:
    """Return whether the same table surrounds all four sides of a card, so that nothing covers it."""
    sides = [_colours_along(seeing, pose, side, ()) for side in JUST_OUTSIDE]
    return all(len(each) >= FEWEST and _is_like(each, np.concatenate(sides)) for each in sides)


def _is_like(side: Floats, table: Floats) -> bool:
    quartiles, usual = (np.quantile(each, QUARTILES, axis=0) for each in (side, table))
    return bool(np.abs(quartiles - usual).max() < SAME)


QUARTILES = (0.25, 0.5, 0.75)
"""Quantiles compared between the colours of two sides; the mean of colourful print may match the table."""


def _colours_along(seeing: Seeing, pose: Pose, side: Reals, covers: Sequence[Cover]) -> Floats:
    """Sample colours along a part of the rim, inside the picture and outside identified cards."""
    spots = map_points(pose, side)
    free = are_inside(spots.astype(np.float32), seeing.shape)
    for cover in covers:
        free &= uncovered_places(spots.astype(np.float32), cover)
    if not free.any():
        return np.zeros((0, 3), np.float32)
    return np.asarray(sample_colours(seeing.levels[0], spots[None, free])[0], np.float32)


FEWEST, SAME = 6, 32.0
"""Fewest usable samples along a side, and the colour variation of a table around a card."""


JUST_OUTSIDE = along_sides(0.535, 0.46, 24)


def _beyond_side(pose: Pose, side: int) -> list[Cover]:
    shown = SIDES[side]
    if shown.last - shown.first == 4:
        return []
    far = shown.last / 4 - 0.5 if shown.first == 0 else 0.5 - shown.first / 4
    sign = 1.0 if shown.first == 0 else -1.0
    return [_beyond(pose, Line(sign, 0.0, far) if shown.axis == 0 else Line(0.0, sign, far))]


def _beyond(pose: Pose, line: Line) -> Cover:
    """Return a cover for everything beyond a line, extending far past the card's edge."""
    middle = line.far + FAR / 2
    turned = np.array([
        (line.x * FAR, -line.y * 2 * FAR, line.x * middle),
        (line.y * FAR, line.x * 2 * FAR, line.y * middle),
        (0, 0, 1),
    ])  # fmt: skip
    return cover_of(pose @ turned)


FAR = 1.2


def _line_of_cut(
    seeing: Seeing, pose: Pose, row: int, hidden: Sequence[Cover], known: Sequence[Cover]
) -> Line | None:
    """Find the line beyond which the picture doesn't show the face."""
    grid = seeing.deck.coarse
    shown, free = (seen_cells(seeing, [pose], grid, each)[0] for each in (hidden, known))
    lab, face = labs_at(seeing.levels, [pose], grid.shape)[:, 0], grid.lab[row].reshape(3, -1)
    apart = np.square(_in_light_of(lab, face, shown) - face).sum(axis=0)
    off = np.minimum(apart, MOST)
    usual = float(off @ shown) / max(1.0, float(shown.sum()))
    least = min(max(ENOUGH, LOOSELY * usual), MOST / 2)
    return _best_line((off - least) * free, grid.shape)


ENOUGH, MOST = 0.1**2, 0.25**2
"""Squared distance from which a cell doesn't match the face, and the limit for one cell."""
LOOSELY = 2.0
"""Factor on the squared distance of clearly matching cells, which tolerates streaks of light."""


def _in_light_of(lab: Floats, row: Floats, seen: Floats) -> Floats:
    """Return a patch with the contrast and tint of a row, fitted over the visible cells."""
    weight = seen / max(1.0, float(seen.sum()))
    here, there = ((each @ weight)[:, None] for each in (lab, row))
    # centring one of the two is enough for a covariance
    gain = (lab[0] * (row[0] - there[0])) @ weight / max(1e-4, float((lab[0] - here[0]) ** 2 @ weight))
    return np.asarray((lab - here) * np.clip(gain, 0.6, 1.7) + there, np.float32)


def _best_line(misses: Floats, shape: Shape) -> Line | None:
    """Return the line that best separates matching from missing cells; None if hardly any are missing."""
    directions, order, far = _directions(shape)
    beyond = np.cumsum(misses[order], axis=1)
    last = beyond.argmax(axis=1)
    best = int(beyond[np.arange(len(directions)), last].argmax())
    if beyond[best, last[best]] <= SOME * misses.size * (MOST - ENOUGH):
        return None
    return Line(*directions[best], float(far[best, last[best]]) - CLEARANCE)


SOME = 0.02  # smallest share of a card's cells that must be missing
CLEARANCE = 0.02
"""Margin before the line for the covering object's edge and shadow, as a share of the card."""


DIRECTIONS = 144
"""Directions tried for a line. An inaccurate one shows part of the cover or hides part of the card."""


@cache
def _directions(shape: Shape) -> tuple[list[tuple[float, float]], Indices, Floats]:
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    directions = np.column_stack((np.cos(angles), np.sin(angles)))
    along = directions @ cell_middles(shape).T
    order = np.argsort(-along, axis=1, kind="stable")
    return (
        [(x, y) for x, y in directions.tolist()],
        order,
        np.take_along_axis(along, order, axis=1).astype(np.float32),
    )


# under objects

THINGS = 6  # most outlines treated as unidentified objects
EACH_SIDE, ALL_SIDES = 0.7, 0.85
"""Smallest share of each side, and of all four, on edges for a card detected by its outline alone."""
IN_SIGHT = 0.6  # smallest visible share of an outline
UNDER = 0.9  # largest visible share of a card under an object


class Searched(Struct, frozen=True, eq=False):
    """Result of a corner search: positions in a view and their patches."""

    back: Reals  # maps view positions to picture pixels
    card: tuple[float, float]
    bits: Picture
    places: tuple[Spot, ...]
    pool: Pool


def explain_under_things(
    seeing: Seeing, searched: Searched, sure: Sequence[Likeness]
) -> tuple[tuple[Likeness, ...], tuple[Pose, ...]]:
    """Identify cards under objects detected by outline alone; also return those objects."""
    found, things = list[Likeness](), list[Pose]()
    forward = inverse(searched.back)
    for _thing in range(THINGS):
        covers = [cover_of(forward @ pose) for pose in (*poses_of((*sure, *found)), *things)]
        spot = find_outlined(searched, covers)
        if spot is None:
            break
        things.append(searched.back @ rigid_pose(*spot, searched.card))
        above = (*poses_of((*sure, *found)), *things)
        named = explain_places(seeing, _part_under(seeing, searched.pool, things[-1]), above)
        found += [each for each in named if each.visible > SHOWN and is_certain(seeing, each)]
    return tuple(found), tuple(things)


def find_outlined(searched: Searched, covers: Sequence[Cover]) -> Spot | None:
    """Return the position whose visible sides follow edges best; `covers` use view coordinates."""
    if not searched.places:
        return None
    spots = np.array([(x, y, turn) for (x, y), turn in searched.places], np.float32)
    hits, where = on_edges(searched.bits, spots, searched.card)
    free = np.ones(hits.shape, np.bool_)
    for cover in covers:
        free &= uncovered_places(where, cover)
    in_sight = free.sum(axis=2)
    borne, some = (hits & free).sum(axis=2), in_sight >= STEPS / 3
    each = np.where(some, borne / np.maximum(1, in_sight), 1).min(axis=1)
    all_ = borne.sum(axis=1) / np.maximum(1, in_sight.sum(axis=1))
    good = (each > EACH_SIDE) & (all_ > ALL_SIDES) & (free.mean(axis=(1, 2)) > IN_SIGHT)
    best = int(np.where(good, all_, 0).argmax())
    return searched.places[best] if good[best] else None


def _part_under(seeing: Seeing, pool: Pool, thing: Pose) -> Pool:
    """Select positions that an object covers in part, with enough left to compare."""
    seen = pool.seen.copy()
    changed = cover_places(pool, seen, [cover_of(thing)])
    left = seen[changed].sum(axis=1) / seeing.deck.rough.inside.sum()
    some = changed[(left > LEAST_SHARE) & (left < UNDER)]
    poses = tuple(pool.poses[i] for i in some.tolist())
    return Pool(poses, pool.labs[:, some], pool.spots[some], pool.seen[some])
