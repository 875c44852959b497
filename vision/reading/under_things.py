"""Name the cards under things that have an outline and no name, such as cards of other decks.

What lies on top shows its whole outline, and the next what is left of it: thing by thing, from above. Whether a
place has an outline is told by edges alone, never by how well a face would fit under it.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from vision.reading.corners import STEPS, Spot, on_edges
from vision.reading.cut_cards import SHOWN
from vision.reading.deciding import Likeness
from vision.reading.explaining import LEAST, Pool, Seeing, cover_places, explain_places, is_certain, poses_of
from vision.reading.identifying import Cover, cover_of, uncovered_places
from vision.reading.outlines import rigid_pose
from vision.reading.views import Picture, Pose
from vision.table.plane import Reals, inverse

THINGS = 6
"""The most things whose outlines are taken for cards without a name."""
EACH_SIDE, ALL_SIDES = 0.7, 0.85
"""How much of each side, and of all, lies on edges where a card is known by its outline alone."""
IN_SIGHT = 0.6
"""How much of an outline is seen."""
UNDER = 0.9
"""The most that is seen of a card under a thing."""


class Searched(Struct, frozen=True, eq=False):
    """What a search for corners came to: places in a view, and what each looks like."""

    back: Reals
    """Maps the view's places to the picture's pixels."""
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
        found += [
            each for each in named if each.visible > SHOWN and is_certain(each, seeing.deck, seeing.among)
        ]
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
    some = changed[(left > LEAST) & (left < UNDER)]
    poses = tuple(pool.poses[i] for i in some.tolist())
    return Pool(poses, pool.labs[:, some], pool.spots[some], pool.seen[some])
