"""Cards that lie on a table, anywhere in their pictures: which of many outlines is the card's."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from vision.reading.views import Picture
from vision.table.plane import Reals
from vision.teaching.lone_card import CardOutline, find_card_outlines, is_print, true_aspect


def upright(shape: float) -> float:
    return min(shape, 1 / shape)


class SeenTable(Struct, frozen=True, eq=False):
    """A picture's possible outlines of the card, the best first."""

    shape: tuple[int, ...]
    found: tuple[CardOutline, ...]


def outlines_in(picture: Picture) -> SeenTable:
    return SeenTable(picture.shape, tuple(each for each in find_card_outlines(picture) if each.score > _SURE))


_SURE = 0.3  # how well an outline must fit to be a card's


def count_tables(seen: Sequence[SeenTable]) -> int:
    """Count the pictures that show a card on a table: outlines of one shape, each where a hand has put it.

    What is printed on scans has outlines, too: frames, which are at the same place on each, and pips, which are
    small or have no card's shape.
    """
    outlined = [each for each in seen if each.found]
    places = np.array([(each.found[0].corners + 0.5) / each.shape[1::-1] for each in outlined])
    shapes = [
        (upright(true_aspect(each.found[0].corners, each.shape)), place)
        for each, place in zip(outlined, places, strict=True)
        if each.found[0].share >= _LEAST_SHARE
    ]
    here = np.log([
        slim
        for slim, place in shapes
        if _SLIMMEST < slim < _BROADEST and (np.abs(places - place).max(axis=(1, 2)) < _SAME_PLACE).sum() == 1
    ])  # fmt: skip
    return int((np.abs(here - np.median(here)) < _OFF).sum()) if len(here) else 0


_LEAST_SHARE, _SLIMMEST, _BROADEST = 0.02, 0.5, 0.86
"""The least share of a picture that a card takes in it, and between which shapes a card's is, upright."""
_SAME_PLACE = 0.015
"""How near to each other the corners of a frame are on scans, in shares of the picture."""


_OFF = 0.1  # how far off a card's shape may seem, as a logarithm: cameras differ


def choose_outline(seen: SeenTable, shape: float) -> Reals | None:
    """Take the best outline of the deck's shape; one that lies across only if no upright one is as good."""
    shapes = [(each, float(np.log(true_aspect(each.corners, seen.shape)))) for each in seen.found]
    stands = float(np.log(shape))
    fitting = [each for each, here in shapes if min(abs(here - stands), abs(here + stands)) < _OFF]
    least = _AS_WELL * max((each.score for each in fitting), default=0.0)
    for wanted in (stands, -stands):
        for each, here in shapes:
            if abs(here - wanted) < _OFF and each.score >= least:
                return _outermost_rim(each, [other for other, there in shapes if abs(there - wanted) < _EXACT])
    return None


_AS_WELL = 0.7
"""An upright outline is preferred if its score is at least this share of the best one's."""
_EXACT = 0.05
"""How far off the shape of a white card's rim may be: a frame inside it would be slimmer."""


def _outermost_rim(best: CardOutline, exact: list[CardOutline]) -> Reals:
    """Prefer a rim around the best outline if it has exactly a card's shape, though it stands out less."""
    rims = [each for each in exact if each.edge > _RIM and each.firm > _FIRM and is_print(best, each)]
    return max((best, *rims), key=lambda each: each.share).corners


_RIM, _FIRM = 0.6, 0.12
"""The rim's least share of edges, and of edges stronger than a cloth's grain."""
