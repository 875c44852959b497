"""The table by its cards during play: found, refined, carried along. Pure."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from vision.pictures import Picture
from vision.sightings import Cards, Outline, Point
from vision.table.calibration import to_pixels, to_table
from vision.table.card_plane import (
    WHOLE,
    CardFit,
    aligned,
    exact_outlines,
    fit_cards,
    middle_of,
    misfits,
    refine_table,
    with_light,
    with_middle,
    with_seat,
)
from vision.table.plates import Millimetres
from vision.table.values import Calibration, Optics
from vision.troubles import Problem

FEWEST = 2
"""Fewest cards that give a table: one card's perspective is off by a centimetre at the other side."""
ODD_CARD = 0.03  # median misfit from which on the cards no longer fit the table, as a share of their length
SHIFTED, TOGETHER = 4.0, 3.0
"""Millimetres from which on a resting card counts as moved, and within which all must follow one motion."""
FAR_APART = 100.0  # least millimetres between cards that show a motion
LAY_CARDS = Problem("lay cards")


def fit_known_cards(
    known: Cards, picture: Picture, card: Millimetres, optics: Optics | None, old: Calibration | None
) -> CardFit | None:
    """Fit a table to the cards; if there was one before, framed as that one was in the picture."""
    size = (picture.shape[1], picture.shape[0])
    outlines = exact_outlines(known, size)
    if len(outlines) < FEWEST:
        return None
    found = fit_cards(outlines, card, size, optics)
    if found is None:
        return None
    table = found.table if old is None else _framed_as_before(found, old)
    return CardFit(with_light(table, picture, found.outlines), found.outlines)


def places_of_named(table: Calibration, known: Cards) -> dict[str, Point]:
    """Return the middles, in millimetres, of cards with a sure face that no other card has."""
    faces = Counter(card.face for card in known if card.sure)
    return {
        card.face: _middle(table, card.outline)
        for card in known
        if card.sure and card.face is not None and faces[card.face] == 1
    }


def carried_by_cards(
    resting: Mapping[str, Point], known: Cards, table: Calibration, card: Millimetres, optics: Optics | None
) -> Calibration | None:
    """Return the table on which all named cards rest where they did; None if no one motion explains that.

    One card alone is no evidence, and neither are cards beside each other: a hand pushes them.
    """
    here = places_of_named(table, known)
    shared = [face for face in resting if face in here]
    was = np.array([resting[face] for face in shared]).reshape(-1, 2)
    now = np.array([here[face] for face in shared]).reshape(-1, 2)
    if len(shared) < FEWEST or np.ptp(was, axis=0).max() < FAR_APART:
        return None
    if (np.hypot(*(now - was).T) < SHIFTED).any():
        return None
    found = fit_cards(exact_outlines(known, table.size), card, table.size, optics)
    if found is None:
        return None
    pixels = to_pixels(table, now)
    moved = replace(aligned(found.table, pixels, was), white=table.white, light=table.light)
    return moved if (np.hypot(*(to_table(moved, pixels) - was).T) < TOGETHER).all() else None


def _framed_as_before(found: CardFit, old: Calibration) -> Calibration:
    if found.table.size != old.size:
        return with_middle(found.table, middle_of(found.outlines))
    middle, seat = to_pixels(old, np.array([(0.0, 0.0), (0.0, 100.0)])).tolist()
    return with_seat(with_middle(found.table, (middle[0], middle[1])), (seat[0], seat[1]))


def do_cards_fit(table: Calibration, known: Cards, card: Millimetres) -> bool:
    """Return whether the cards have their size on the table, as far as there are enough to judge."""
    outlines = exact_outlines(known, table.size)
    return len(outlines) < FEWEST or float(np.median(misfits(table, outlines, card))) < ODD_CARD


def refine_by_cards(
    table: Calibration, known: Cards, fitted: int, card: Millimetres, optics: Optics | None
) -> tuple[Calibration, int]:
    """Return a better table, and the number of cards it was fitted to, if there are more than before."""
    outlines = exact_outlines(known, table.size)
    if len(outlines) <= fitted:
        return table, fitted
    return refine_table(table, outlines, card, optics), len(outlines)


def _middle(table: Calibration, outline: Outline) -> Point:
    x, y = to_table(table, np.array(outline)).mean(axis=0).tolist()
    return x, y


# the camera's angle

STEEP, FLAT_PIXELS = 55.0, 45.0
"""Degrees off the vertical, and pixels across a foreshortened card, up to and from which names are sure.

`python -m tests.bench cameras`: all names are sure at 60 degrees with 50 pixels left, one in 16 isn't with
37, half of them aren't with 34. Rendered pictures are sharp from front to back, so the angle has a margin.
"""


def angle_of(table: Calibration) -> float:
    """Return how many degrees off the vertical the camera sees the middle of the table."""
    least, most = _scales(table)
    return float(np.degrees(np.arccos(np.clip(least / most, 0.0, 1.0))))


def _scales(table: Calibration) -> tuple[float, float]:
    """Return the least and the largest pixels per millimetre in the middle of the table, by direction."""
    middle, right, down = to_pixels(table, np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]))
    most, least = np.linalg.svd(np.stack((right - middle, down - middle)), compute_uv=False).tolist()
    return least, max(most, 1e-9)


def view_problems(table: Calibration, card: Millimetres, known: Cards) -> tuple[Problem, ...]:
    """Return the reasons why cards are unreadable from here: the camera looks too flat, or is too far.

    It is too far only if names show it: rendered cards of 57 pixels across all had sure names.
    """
    (least, most), angle = _scales(table), angle_of(table)
    limit = min(STEEP, float(np.degrees(np.arccos(min(1.0, FLAT_PIXELS / (most * min(card)))))))
    flat = Problem("too flat", {"angle": round(angle), "most": int(limit)})
    is_flat = angle > limit and most * min(card) > FLAT_PIXELS
    whole = [each for each in known if each.visible >= WHOLE and each.facing == "up"]
    is_unsure = sum(not each.sure for each in whole) >= UNSURE
    far = far_problems(least * min(card), FAR if len(whole) < JUDGED else FAR_UNSURE if is_unsure else 0.0)
    return (*((flat,) if is_flat else ()), *far)


def far_problems(across: float, needed: float) -> tuple[Problem, ...]:
    return (Problem("too far", {"pixels": round(across), "needed": round(needed)}),) if across < needed else ()


FAR, FAR_UNSURE = 48.0, 56.0
"""Pixels across a slanted card below which the camera is too far: before names show it, and if they do."""
JUDGED, UNSURE = 4, 2  # whole cards in view that show it, and those without a sure name
