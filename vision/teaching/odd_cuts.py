"""Which of a deck's cards may have been cut out wrongly: people look at those first.

A deck has one size and mostly lies on one ground, so that each line is compared with the others': what nobody
else's line has is a reason to look. What a person has looked at is right.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

import numpy as np
from msgspec import Struct

from vision.card_cuts import GroundKind, KeptCut
from vision.table.plane import Reals
from vision.teaching.card_edges import lengths_of

Name = TypeVar("Name")
Why = Literal["no edge", "picture ends", "side without edge", "other ground", "other shape", "askew"]

FEWEST = 4  # from so many cards on, one is compared with the others
UNLIKE = 4.0  # how many times the usual difference a card may have
NEVER_ODD: Mapping[Why, float] = {
    "other shape": 0.12,
    "askew": 0.25,
    "other ground": 60.0,
    "side without edge": 0.7,
}
"""By how much a card may always differ, as hands hold cameras aslant: the logarithm of its shape, the cosine of
a corner; levels of grey; the share of an edge that is lacking."""
FAINT = 12
"""Levels of grey by which it usually gets lighter or darker across a side, if that is to tell anything."""
WITHOUT_EDGE = 1.5  # how odd a card is whose edge wasn't seen, if 1 is what is odd at all
ENDS, HAS_ROOM = 0.01, 0.04
"""How near to the picture's end a line runs there, in widths, and how far most lines run from it."""


class CutsSum(Struct, frozen=True):
    """How the cards of a deck were cut out."""

    count: int
    odd: int
    kind: GroundKind
    ground: Literal["dark", "light", ""]
    millimetres: int  # how much of it was at each side


def odd_cuts(cuts: Mapping[Name, KeptCut]) -> Mapping[Name, Why]:
    """Find the cards that people should look at, the oddest first, each with a reason."""
    odd = _oddness(list(cuts.values()))
    rated = [
        (name, max((float(each[place]), why) for why, each in odd.items()))
        for place, (name, cut) in enumerate(cuts.items())
        if not cut.by_hand
    ]
    return {name: why for name, (off, why) in sorted(rated, key=lambda each: -each[1][0]) if off > 1}


def _oddness(cuts: Sequence[KeptCut]) -> Mapping[Why, Reals]:
    """Tell for each reason how odd each card is, 1 where it may pass."""
    sizes = np.array([cut.size for cut in cuts]).reshape(-1, 1, 2)
    quads = np.array([cut.corners for cut in cuts]).reshape(-1, 4, 2) * sizes
    lengths = lengths_of(quads)
    shape = np.log(lengths[:, 0] + lengths[:, 2]) - np.log(lengths[:, 1] + lengths[:, 3])
    light = np.array([np.nan if cut.light is None else cut.light for cut in cuts])
    askew = _unlike(_slant(quads), NEVER_ODD["askew"])
    return {
        "askew": askew,
        # what is askew has no shape to speak of
        "other shape": np.where(askew > 1, 0.0, _unlike(shape, NEVER_ODD["other shape"])),
        "other ground": _unlike(light, NEVER_ODD["other ground"]),
        "side without edge": _without_edge(cuts),
        "picture ends": 2.0 * _is_at_end(quads, sizes),
        "no edge": np.array([0.0 if cut.is_sure else WITHOUT_EDGE for cut in cuts]),
    }


def _unlike(values: Reals, least: float) -> Reals:
    """Measure how far each is from most others, in what may pass."""
    known = values[~np.isnan(values)]
    if len(known) < FEWEST:
        return np.zeros(len(values))
    far = np.abs(values - np.median(known))
    return np.nan_to_num(far / max(least, UNLIKE * float(np.nanmedian(far))))


def _without_edge(cuts: Sequence[KeptCut]) -> Reals:
    """Measure how much of the edge that most cards have is lacking, at the worst side."""
    steps = np.array([cut.steps or (np.nan,) * 4 for cut in cuts], np.float64).reshape(-1, 4)
    known = steps[~np.isnan(steps[:, 0])]
    usual = np.median(known, axis=0) if len(known) else np.zeros(4)
    clear = np.abs(usual) > FAINT
    if len(known) < FEWEST or not clear.any():
        return np.zeros(len(cuts))
    lacks = np.maximum(0, 1 - steps[:, clear] / usual[clear]).max(axis=1)
    may = max(NEVER_ODD["side without edge"], UNLIKE * float(np.nanmedian(lacks)))
    return np.asarray(np.nan_to_num(lacks / may), np.float64)


def _slant(quads: Reals) -> Reals:
    after, before = (np.roll(quads, by, axis=1) - quads for by in (-1, 1))
    along = (after * before).sum(axis=2) / np.linalg.norm(after, axis=2) / np.linalg.norm(before, axis=2)
    return np.asarray(np.abs(along).max(axis=1), np.float64)


def _is_at_end(quads: Reals, sizes: Reals) -> Reals:
    """Return where a line runs along the end of its picture, as most of them don't."""
    room = np.minimum(quads, sizes - quads).min(axis=(1, 2))
    room = room / lengths_of(quads)[:, [0, 2]].mean(axis=1)
    if len(room) < FEWEST or np.median(room) < HAS_ROOM:
        return np.zeros(len(room))
    return np.asarray(room < ENDS, np.float64)


def sum_up(cuts: Sequence[KeptCut], odd: int, width: float) -> CutsSum:
    """Sum up how a deck's cards, of so many millimetres' width, were cut out: as most of them were."""
    kinds = [cut.kind for cut in cuts]
    before: GroundKind = "before"
    kind = max(kinds, key=kinds.count, default=before)
    light = float(np.median([cut.light for cut in cuts if cut.light is not None] or [128]))
    rim = float(np.median([cut.rim for cut in cuts if cut.kind == kind] or [0.0]))
    ground: Literal["dark", "light", ""] = "dark" if light < DARK else "light" if light > LIGHT else ""
    return CutsSum(len(cuts), odd, kind, ground, round(rim * width))


DARK, LIGHT = 90, 170  # levels of grey from which on a ground is called so
