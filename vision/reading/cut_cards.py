"""Find cards that something without a name covers: what shows of them ends at a straight line.

Where the covering card has a name, `explaining.py` knows what it hides. Under a stranger, a thing, or a card
that glare keeps unnamed, a place is rated by each of its sides and moved onto the face that this side
resembles; then the line is found behind which the picture no longer shows the face.

A thing that lies on top shows its whole outline, and the next what is left of it: thing by thing, from above.
Whether a place has an outline is told by edges alone, never by how well a face would fit under it.
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

MOVED = 80  # the most places that are moved onto their faces
HOPEFUL, LIKELY = 0.4, 0.66
"""How well a side must resemble a face to be moved onto it, and then to be looked at."""
TRIED = 12  # the most places that are looked at


class Line(Struct, frozen=True):
    """A line across a card, in its own square: what lies beyond it, along its normal, is hidden."""

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
    """Name the cards of which one side shows, the largest sides first; `things` may be what covers them.

    A card of the `doubts` that lies free was looked at as a whole.
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
        told = _look_at(seeing, pose, row, _beyond_side(pose, side), covers, things)
        if told is not None:
            found.append(told)
    return tuple(found)


SAME_PLACE = 0.8
"""What a place and a card have in common, as a share of both together, where both are one."""


def _likely_sides(seeing: Seeing, pool: Pool, seen: Floats) -> Iterator[tuple[Pose, int, int]]:
    """Move places onto the row and the side that they resemble; list them, the best first."""
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
    """Align what shows of a card, find where it ends, and look closely only where it may end there."""
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
    # another card, whole, may share what is seen here
    is_borne_out = _is_borne_out(pose, line, things, seeing.deck.coarse.shape)
    is_clear = card.margin > CLEARLY and edge_along(seeing.deck.fine, card.row, line) < OWN_EDGE
    return card if (is_borne_out or is_clear) and card.visible > SHOWN else None


RESEMBLES = 0.8
"""How well what shows of such a card resembles its face at first: closer looks end where it fits badly."""
FITS = 0.9
"""How well what shows of such a card must fit: what fits badly counts as covered, so the rest was chosen."""
CLEARLY = 0.85
"""The least margin of a card under something unknown: what shows is that face and no other.

A stranger's box of text resembles that of some face a little.
"""


SHOWN = 0.33
"""The least that is seen of a card under something unknown: a corner or a frame may be any stranger's, too."""
OWN_EDGE = 0.25
"""Where a face has a stronger edge all along a line, its own print ends: a stranger may have that part, too."""


def edge_along(grid: TemplateGrid, row: int, line: Line) -> float:
    """Measure the strongest edge that a row has all along a line, or near it."""
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
"""Which quantile of an edge's strength counts: a row of signs isn't an edge all along."""
NEAR, STEP = 0.03, 0.01
"""How far from a line an edge may lie, and how closely edges are looked for, as shares of a card."""


def _colours_in(picture: Floats, spots: Reals) -> Floats:
    high, wide = picture.shape[:2]
    x, y = ((spots + 0.5) * (wide, high)).astype(np.intp).T
    return np.asarray(picture[np.clip(y, 0, high - 1), np.clip(x, 0, wide - 1)])


def _is_borne_out(pose: Pose, line: Line, things: Sequence[Pose], shape: Shape) -> bool:
    """Return whether the outline of a thing says, too, that it covers what lies beyond a line."""
    cells = cell_middles(shape)
    beyond = cells @ (line.x, line.y) > line.far
    spots = map_points(pose, cells).astype(np.float32)
    for thing in things:
        under = ~uncovered_places(spots, cover_of(thing))
        # what lies just here is the card itself
        if under.mean() < PART and (beyond & under).sum() > ALIKE * (beyond | under).sum():
            return True
    return False


ALIKE = 0.75  # how much of what a line or a thing hides both must hide
PART = 0.7  # the most of a card that a thing covers that is another one


def _goes_on(seeing: Seeing, pose: Pose, line: Line, covers: Sequence[Cover]) -> bool:
    """Return whether the same table lies round the hidden part as round the rest: then nothing covers it."""
    hidden, shown = list[Floats](), list[Floats]()
    for side in JUST_OUTSIDE:
        beyond = side @ (line.x, line.y) > line.far
        hidden.append(_colours_along(seeing, pose, side[beyond], covers))
        shown.append(_colours_along(seeing, pose, side[~beyond], covers))
    told, table = [each for each in hidden if len(each) >= FEWEST], np.concatenate(shown)
    if not told or not len(table):
        return False
    return all(_is_like(each, table) for each in told)


def _lies_free(seeing: Seeing, pose: Pose) -> bool:
    """Return whether the same table lies along all four sides of a card: then nothing covers it."""
    sides = [_colours_along(seeing, pose, side, ()) for side in JUST_OUTSIDE]
    return all(len(each) >= FEWEST and _is_like(each, np.concatenate(sides)) for each in sides)


def _is_like(side: Floats, table: Floats) -> bool:
    quartiles, usual = (np.quantile(each, QUARTILES, axis=0) for each in (side, table))
    return bool(np.abs(quartiles - usual).max() < SAME)


QUARTILES = (0.25, 0.5, 0.75)
"""What is compared of two sides' colours: a colourful print may have a table's colour on average."""


def _colours_along(seeing: Seeing, pose: Pose, side: Reals, covers: Sequence[Cover]) -> Floats:
    """Sample the colours along a part of the rim, where the picture has it and no named card lies."""
    spots = map_points(pose, side)
    free = are_inside(spots.astype(np.float32), seeing.shape)
    for cover in covers:
        free &= uncovered_places(spots.astype(np.float32), cover)
    if not free.any():
        return np.zeros((0, 3), np.float32)
    return np.asarray(sample_colours(seeing.levels[0], spots[None, free])[0], np.float32)


FEWEST, SAME = 6, 32.0
"""The fewest places along a side that tell, and how much a table's colour varies round a card."""


JUST_OUTSIDE = along_sides(0.535, 0.46, 24)


def _beyond_side(pose: Pose, side: int) -> list[Cover]:
    shown = SIDES[side]
    if shown.last - shown.first == 4:
        return []
    far = shown.last / 4 - 0.5 if shown.first == 0 else 0.5 - shown.first / 4
    sign = 1.0 if shown.first == 0 else -1.0
    return [_beyond(pose, Line(sign, 0.0, far) if shown.axis == 0 else Line(0.0, sign, far))]


def _beyond(pose: Pose, line: Line) -> Cover:
    """Cover what lies beyond a line, far over the card's edge."""
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
    """Find the line behind which the picture doesn't show the face."""
    grid = seeing.deck.coarse
    shown, free = (seen_cells(seeing, [pose], grid, each)[0] for each in (hidden, known))
    lab, face = labs_at(seeing.levels, [pose], grid.shape)[:, 0], grid.lab[row].reshape(3, -1)
    apart = np.square(_in_light_of(lab, face, shown) - face).sum(axis=0)
    off = np.minimum(apart, MOST)
    usual = float(off @ shown) / max(1.0, float(shown.sum()))
    least = min(max(ENOUGH, LOOSELY * usual), MOST / 2)
    return _best_line((off - least) * free, grid.shape)


ENOUGH, MOST = 0.1**2, 0.25**2
"""The squared distance at which a cell no longer shows the face, and the most that one cell counts."""
LOOSELY = 2.0
"""How many times as far off, squared, as what surely shows the face: streaks of light put that far off, too."""


def _in_light_of(lab: Floats, row: Floats, seen: Floats) -> Floats:
    """Give a patch the contrast and the tint that a row has in the visible cells."""
    weight = seen / max(1.0, float(seen.sum()))
    here, there = ((each @ weight)[:, None] for each in (lab, row))
    # what one of the two is off its middle is enough for what they have in common
    gain = (lab[0] * (row[0] - there[0])) @ weight / max(1e-4, float((lab[0] - here[0]) ** 2 @ weight))
    return np.asarray((lab - here) * np.clip(gain, 0.6, 1.7) + there, np.float32)


def _best_line(misses: Floats, shape: Shape) -> Line | None:
    """Choose the line beyond which most cells miss and fewest fit; None if hardly any miss."""
    ways, order, far = _directions(shape)
    beyond = np.cumsum(misses[order], axis=1)
    last = beyond.argmax(axis=1)
    way = int(beyond[np.arange(len(ways)), last].argmax())
    if beyond[way, last[way]] <= SOME * misses.size * (MOST - ENOUGH):
        return None
    return Line(*ways[way], float(far[way, last[way]]) - CLEARANCE)


SOME = 0.02  # the least share of a card that must miss for a line to be drawn
CLEARANCE = 0.02
"""How far before the line the covering thing's edge and shadow reach, as a share of the card."""


DIRECTIONS = 144
"""How many ways a line may run: one that lies askew shows some of what covers the card, or hides some of it."""


@cache
def _directions(shape: Shape) -> tuple[list[tuple[float, float]], Indices, Floats]:
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    ways = np.column_stack((np.cos(angles), np.sin(angles)))
    along = ways @ cell_middles(shape).T
    order = np.argsort(-along, axis=1, kind="stable")
    return (
        [(x, y) for x, y in ways.tolist()],
        order,
        np.take_along_axis(along, order, axis=1).astype(np.float32),
    )


# under things

THINGS = 6  # the most things whose outlines are taken for cards without a name
EACH_SIDE, ALL_SIDES = 0.7, 0.85
"""How much of each side, and of all, lies on edges where a card is known by its outline alone."""
IN_SIGHT = 0.6  # how much of an outline is seen
UNDER = 0.9  # the most that is seen of a card under a thing


class Searched(Struct, frozen=True, eq=False):
    """What a search for corners came to: places in a view, and what each looks like."""

    back: Reals  # maps the view's places to the picture's pixels
    card: tuple[float, float]
    bits: Picture
    places: tuple[Spot, ...]
    pool: Pool


def explain_under_things(
    seeing: Seeing, searched: Searched, sure: Sequence[Likeness]
) -> tuple[tuple[Likeness, ...], tuple[Pose, ...]]:
    """Name what lies under things that are known by their outlines alone; give the things, too."""
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
    """Find the place whose sides, as far as covers (of the view) leave them in sight, lie on edges most."""
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
    """Choose the places of which a thing covers some, but not so much that nothing can be told."""
    seen = pool.seen.copy()
    changed = cover_places(pool, seen, [cover_of(thing)])
    left = seen[changed].sum(axis=1) / seeing.deck.rough.inside.sum()
    some = changed[(left > LEAST_SHARE) & (left < UNDER)]
    poses = tuple(pool.poses[i] for i in some.tolist())
    return Pool(poses, pool.labs[:, some], pool.spots[some], pool.seen[some])
