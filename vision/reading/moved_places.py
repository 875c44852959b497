"""Name covered cards whose places were found too roughly: the likeliest are moved onto what they resemble.

What is named covers what lies below it. So does a card whose place is beyond doubt though its name isn't, as
that of a back of which little shows: a fan goes on below it.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from msgspec import Struct

from vision.reading.deciding import Indices, Likeness
from vision.reading.distinct import first_of_each
from vision.reading.explaining import (
    COVERED_INDEX,
    LEAST,
    Pool,
    Seeing,
    cover_places,
    hide_places,
    is_card,
    is_certain,
    join_pools,
    pool_of,
    rate_places,
)
from vision.reading.identifying import compare_card, cover_of, resemblances
from vision.reading.rough_alignment import move_onto_rows
from vision.reading.templates import Floats
from vision.reading.views import Pose, outline_of
from vision.table.plane import inverse

MOVED, ROWS = 60, 4
"""The most places that are moved at a time, and onto how many rows each."""
HOPEFUL, CLOSE = 0.35, 0.8
"""How well a place must resemble a row to be moved onto it, and then to be looked at."""
LOOKED = 8
"""The most places that are looked at for one card."""
PLACED, OWN, STRANGE = 0.9, 0.88, 0.15
"""How well a card without a name, and what sets it apart, must fit so that its place is beyond doubt, and
the most that one spot of it may differ."""
FANNED = 0.6
"""How far apart the middles of two cards of a fan are at most, in widths of a card."""
MOST = 16
"""The most cards that are named in this way."""


class MovedPlace(Struct, frozen=True, eq=False):
    """A place on the row that it resembles, and how likely a card lies there."""

    pose: Pose
    row: int
    value: float


def explain_moved_places(
    seeing: Seeing, pool: Pool, above: Sequence[Pose]
) -> tuple[tuple[Likeness, ...], tuple[Likeness, ...]]:
    """Name what lies under other cards, from above; give the cards, too, that are only placed."""
    found, covers = list[Likeness](), list(above)
    pool = join_pools([pool, pool_of(seeing, _go_on(covers, covers))])
    seen, waiting = hide_places(pool, covers), dict[int, tuple[MovedPlace, ...]]()
    # whole cards are found by their outlines: what isn't may well be another deck's
    changed: Indices = np.flatnonzero((seen != pool.seen).any(axis=1))
    while len(found) < MOST:
        waiting |= _move_places(seeing, pool, seen, changed, covers)
        card = _look_at(seeing, waiting, covers)
        if card is None:
            break
        more = pool_of(seeing, _go_on(covers, [card.pose]))
        pool, seen = join_pools([pool, more]), np.concatenate([seen, hide_places(more, covers)])
        changed = cover_places(pool, seen, [cover_of(card.pose)])
        found.append(card)
        covers.append(card.pose)
    named, placed = (tuple(each for each in found if _is_named(each, seeing) == way) for way in (True, False))
    return named, placed


def _is_named(card: Likeness, seeing: Seeing) -> bool:
    return is_card(card, seeing) and is_certain(card, seeing.deck, seeing.among)


def _go_on(covers: Sequence[Pose], newest: Sequence[Pose]) -> list[Pose]:
    """Propose where the next card of a fan lies: from the last one as that lies from the one on it."""
    return [
        under @ inverse(over) @ under
        for under in newest
        for over in covers
        if over is not under and _overlap(over, under)
    ]


def _overlap(one: Pose, other: Pose) -> bool:
    """Tell whether two cards lie so that much of one is under the other."""
    corners, others = np.array(outline_of(one)), np.array(outline_of(other))
    apart = np.hypot(*(corners.mean(axis=0) - others.mean(axis=0)))
    return bool(apart < FANNED * np.hypot(*(corners[0] - corners[1])))


def _move_places(
    seeing: Seeing, pool: Pool, seen: Floats, places: Indices, covers: Sequence[Pose]
) -> dict[int, tuple[MovedPlace, ...]]:
    """Move some places onto the rows that their visible parts resemble."""
    grid, moved = seeing.deck.rough, dict.fromkeys(places.tolist(), tuple[MovedPlace, ...]())
    some = places[seen[places].sum(axis=1) > LEAST * grid.inside.sum()]
    if not len(some):
        return moved
    fits = resemblances(grid, pool.labs[:, some], seen[some])
    best = np.argsort(-fits.max(axis=1), kind="stable")[:MOVED]
    best = np.repeat(best[fits[best].max(axis=1) > HOPEFUL], ROWS)
    if not len(best):
        return moved
    rows = np.argsort(-fits[best[::ROWS]], axis=1, kind="stable")[:, :ROWS].ravel()
    near = [pool.poses[i] for i in some[best]]
    poses = move_onto_rows(seeing.levels, near, seen[some[best]], seeing.deck, rows)
    for place, offer in zip(some[best].tolist(), _rate(seeing, poses, covers), strict=True):
        if offer is not None:
            moved[place] = (*moved[place], offer)
    return moved


def _rate(seeing: Seeing, poses: Sequence[Pose], covers: Sequence[Pose]) -> Iterator[MovedPlace | None]:
    """Rate how likely a card lies at each place; None where none could."""
    there = pool_of(seeing, poses)
    values, rows = rate_places(
        seeing.deck, there, hide_places(there, covers), np.arange(len(poses)), least=CLOSE
    )
    for pose, value, row in zip(poses, values.tolist(), rows.tolist(), strict=True):
        yield MovedPlace(pose, row, value) if value > 0 else None


def _look_at(
    seeing: Seeing, waiting: dict[int, tuple[MovedPlace, ...]], above: Sequence[Pose]
) -> Likeness | None:
    """Look at the likeliest places until one has a name; else give the best that is placed."""
    every = sorted((place for places in waiting.values() for place in places), key=lambda each: -each.value)
    every = every[:MOVED]
    covers, placed, looked = [cover_of(pose) for pose in above], list[Likeness](), set[int]()
    named = None
    for k in islice(first_of_each([each.pose for each in every]), LOOKED):
        looked.add(id(every[k]))
        card = compare_card(seeing.levels, every[k].pose, every[k].row, seeing.deck, covers, plane=seeing.plane)
        if card is not None and _is_named(card, seeing):
            named = card
            break
        if card is not None and _is_placed(card):
            placed.append(card)
    for place, offers in waiting.items():
        waiting[place] = tuple(each for each in offers if id(each) not in looked)
    return named or max(placed, key=lambda each: each.fit, default=None)


def _is_placed(card: Likeness) -> bool:
    """Tell whether a card lies here without doubt, whichever it is."""
    return (
        card.visible > LEAST
        and card.fit > PLACED
        and card.score > OWN
        and card.strange < STRANGE
        and card.index > COVERED_INDEX
    )
