"""Find cards of a deck that may be badly cut, for people to check first.

A deck has one size and usually one ground, so each outline is compared with the others. An unusual one is a
reason to check.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeVar

import numpy as np
from msgspec import Struct

from vision.table.plane import Reals, lengths_of
from vision.teaching.kept_cuts import GroundKind, KeptCut

Name = TypeVar("Name")
Why = Literal["no edge", "picture ends", "side without edge", "other ground", "other shape", "askew"]

FEWEST = 4  # fewest cards for a comparison
UNLIKE = 4.0  # largest ratio of a card's deviation to the usual one
NEVER_ODD: Mapping[Why, float] = {
    "other shape": 0.12,
    "askew": 0.25,
    "other ground": 60.0,
    "side without edge": 0.7,
}
"""Deviation that is always acceptable, because hand-held cameras are tilted.

The units are: log shape; cosine of a corner; grey levels; share of the edge that is missing.
"""
FAINT = 12
"""Smallest median grey step across a side for a comparison to be meaningful."""
WITHOUT_EDGE = 1.5  # oddness of a card without a visible edge; 1 is the limit
ENDS, HAS_ROOM = 0.01, 0.04
"""Largest distance of a line from the picture's end to count as there, and smallest usual distance, in widths.
"""


class CutsSum(Struct, frozen=True):
    """Summary of a deck's cuts."""

    count: int
    odd: int
    kind: GroundKind
    ground: Literal["dark", "light", ""]
    millimetres: int  # width on each side


def odd_cuts(cuts: Mapping[Name, KeptCut]) -> Mapping[Name, Why]:
    """Return the cards that people should check with the reason, the oddest first.

    Cards that fill their pictures are compared with each other, and cards on any ground with each other.
    """
    alike = (
        {name: cut for name, cut in cuts.items() if (cut.kind == "nothing") is fills} for fills in (False, True)
    )
    rated = [each for some in alike for each in _rated(some)]
    return {name: why for name, off, why in sorted(rated, key=lambda each: -each[1]) if off > 1}


def _rated(cuts: Mapping[Name, KeptCut]) -> Iterator[tuple[Name, float, Why]]:
    odd = _oddness(list(cuts.values()))
    for place, name in enumerate(cuts):
        yield (name, *max((float(each[place]), why) for why, each in odd.items()))


def _oddness(cuts: Sequence[KeptCut]) -> Mapping[Why, Reals]:
    """Return each card's oddness for each reason; up to 1 is acceptable."""
    sizes = np.array([cut.size for cut in cuts]).reshape(-1, 1, 2)
    quads = np.array([cut.corners for cut in cuts]).reshape(-1, 4, 2) * sizes
    lengths = lengths_of(quads)
    shape = np.log(lengths[:, 0] + lengths[:, 2]) - np.log(lengths[:, 1] + lengths[:, 3])
    light = np.array([np.nan if cut.light is None else cut.light for cut in cuts])
    askew = _unlike(_slant(quads), NEVER_ODD["askew"])
    # the shape of a slanted outline is meaningless
    shape_off = np.where(askew > 1, 0.0, _unlike(shape, NEVER_ODD["other shape"]))
    return {
        "askew": askew,
        "other shape": shape_off,
        "other ground": _unlike(light, NEVER_ODD["other ground"]),
        "side without edge": _without_edge(cuts, shape_off),
        "picture ends": 2.0 * _is_at_end(quads, sizes),
        "no edge": np.array([0.0 if cut.is_sure else WITHOUT_EDGE for cut in cuts]),
    }


def _unlike(values: Reals, least: float) -> Reals:
    """Return how far each value is from most others, relative to the acceptable deviation."""
    known = values[~np.isnan(values)]
    if len(known) < FEWEST:
        return np.zeros(len(values))
    far = np.abs(values - np.median(known))
    return np.nan_to_num(far / max(least, UNLIKE * float(np.nanmedian(far))))


def _without_edge(cuts: Sequence[KeptCut], shape_off: Reals) -> Reals:
    """Return how odd the share of the usual edge is that is missing on two sides.

    One side alone may have print at its edge, or lie beside something as light. The shape shows whether it is
    right, so it may be half as unusual then.
    """
    steps = np.array([cut.steps or (np.nan,) * 4 for cut in cuts], np.float64).reshape(-1, 4)
    known = steps[~np.isnan(steps[:, 0])]
    usual = np.median(known, axis=0) if len(known) else np.zeros(4)
    clear = np.abs(usual) > FAINT
    if len(known) < FEWEST or clear.sum() < 2:
        return np.zeros(len(cuts))
    own, usual = steps[:, clear] * np.sign(usual[clear]), np.abs(usual[clear])
    second, worst = np.sort(np.where(own > FAINT, 0, 1 - own / usual), axis=1)[:, -2:].T
    may = max(NEVER_ODD["side without edge"], UNLIKE * float(np.nanmedian(second)))
    odd = np.nan_to_num(second / may)
    return np.asarray(np.maximum(odd, np.where(worst > may, 2 * shape_off, 0)), np.float64)


def _slant(quads: Reals) -> Reals:
    after, before = (np.roll(quads, by, axis=1) - quads for by in (-1, 1))
    along = (after * before).sum(axis=2) / np.linalg.norm(after, axis=2) / np.linalg.norm(before, axis=2)
    return np.asarray(np.abs(along).max(axis=1), np.float64)


def _is_at_end(quads: Reals, sizes: Reals) -> Reals:
    """Return whether an outline ends at its picture's rim, if most don't."""
    room = np.minimum(quads, sizes - quads).min(axis=(1, 2))
    room = room / lengths_of(quads)[:, [0, 2]].mean(axis=1)
    if len(room) < FEWEST or np.median(room) < HAS_ROOM:
        return np.zeros(len(room))
    return np.asarray(room < ENDS, np.float64)


def sum_up(cuts: Sequence[KeptCut], odd: int, width: float) -> CutsSum:
    """Summarize a deck's cuts; `width` is the cards' width in millimetres."""
    kinds = [cut.kind for cut in cuts]
    nothing: GroundKind = "nothing"
    kind = max(kinds, key=kinds.count, default=nothing)
    light = float(np.median([cut.light for cut in cuts if cut.light is not None] or [128]))
    rim = float(np.median([cut.rim for cut in cuts if cut.kind == kind] or [0.0]))
    ground: Literal["dark", "light", ""] = "dark" if light < DARK else "light" if light > LIGHT else ""
    return CutsSum(len(cuts), odd, kind, ground, round(rim * width))


DARK, LIGHT = 90, 170  # grey levels up to which ground is dark, and from which it is light
