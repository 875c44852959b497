"""Cut out pictures whose surroundings differ from those of most pictures in a folder.

Most pictures show the deck's shape and the colour of its paper. With these, one picture alone shows whether its
card fills it, has a rim of ground, or neither: then the card lies on a table, or its edge stays doubtful.
Without a common paper, as of cards printed to the edge, all pictures count as alike.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.table.plane import Reals
from vision.teaching.deck_cut import (
    AGREE,
    BAND,
    ELSE,
    LEAST_WORTH,
    NEAR,
    PAPER,
    CardCut,
    LaidPicture,
    cut_at,
    cut_by,
    cut_like,
    cut_whole,
    insets_of,
    shares_along,
    shares_at_rim,
)
from vision.teaching.kept_cuts import GroundKind

FILLS = 0.03
"""Largest log difference of a picture's shape from its card's, if the card fills it. Cameras' differ more."""
MOST_OF_IT = 0.4  # smallest share of a picture that a card with a rim takes
LEAST_RIM = (
    0.02  # smallest mean width of a rim, in card widths; less is slivers at a card that fills its picture
)
OWN_SIDES = 2  # fewest sides that show the paper's edge, or paper; court cards have print at the others
ODD_SHAPE = 0.08  # log difference of a picture's shape from most others'
FEWEST = 3  # fewest pictures that show a common paper


class DeckLook(Struct, frozen=True, eq=False):
    """What a deck's cards have in common."""

    shape: float  # logarithm of width / height
    paper: Reals  # colour of its paper, as shares of white


def look_of(laid: Mapping[Path, LaidPicture], found: Mapping[Path, CardCut], shape: float) -> DeckLook | None:
    """Return the look of a deck, some of whose cards have been found; None if they have no common paper."""
    inside = [
        shares_along(laid[file].patch, _in_patch(laid[file], cut.corners), -BAND) for file, cut in found.items()
    ]
    paper = _common(np.concatenate(inside)) if len(inside) >= FEWEST else None
    return None if paper is None else DeckLook(float(np.log(shape)), paper)


def shaped_like_card(laid: Mapping[Path, LaidPicture], shape: float) -> Mapping[Path, CardCut]:
    """Return the pictures with a card's shape, each whole."""
    return {
        file: cut_by(each, 0.0) for file, each in laid.items() if _is_card_shaped(each, float(np.log(shape)))
    }


def _common(colours: Reals) -> Reals | None:
    """Return the colour near most of the others; None if fewer than AGREE are near it."""
    near = np.abs(colours[:, None] - colours[None]).max(axis=2) < PAPER
    best = int(near.sum(axis=1).argmax())
    return np.asarray(colours[near[best]].mean(axis=0), np.float64) if near[best].mean() >= AGREE else None


def _in_patch(laid: LaidPicture, corners: Reals) -> Reals:
    return np.asarray((corners + 0.5) * np.divide(laid.patch.shape[1::-1], laid.shape[1::-1]), np.float64)


def cut_alone(laid: Mapping[Path, LaidPicture], look: DeckLook) -> Mapping[Path, CardCut]:
    """Cut the cards that fill their pictures or have a rim of ground; other pictures are left out."""
    rimmed = {file: corners for file, each in laid.items() if (corners := _with_rim(each, look)) is not None}
    cuts = {file: cut_at(laid[file], corners) for file, corners in rimmed.items()}
    for file, each in laid.items():
        if file not in cuts and (cut := _filling(each, look)) is not None:
            cuts[file] = cut
    if len(rimmed) < FEWEST:
        return cuts
    usual = np.median([_log_shape(laid[file]) for file in rimmed])
    alike = [each for each in laid if each not in cuts and abs(_log_shape(laid[each]) - usual) < FILLS]
    common = cut_like([laid[file] for file in alike], {laid[file]: each for file, each in rimmed.items()})
    return {**cuts, **dict(zip(alike, common, strict=True))}


def _filling(laid: LaidPicture, look: DeckLook) -> CardCut | None:
    paper = int(_is_paper(shares_at_rim(laid.patch), look).sum()) if _is_card_shaped(laid, look.shape) else 0
    if paper < OWN_SIDES:
        return None
    (cut,) = cut_whole([laid])
    edge = shares_along(laid.patch, _in_patch(laid, cut.corners), -BAND)
    return replace(cut, kind="nothing", sure=bool(_is_paper(edge, look).all()))


def _log_shape(laid: LaidPicture) -> float:
    return float(np.log(laid.shape[1] / laid.shape[0]))


def _is_card_shaped(laid: LaidPicture, shape: float) -> bool:
    return bool(abs(abs(_log_shape(laid)) - abs(shape)) < FILLS)


def _is_paper(colours: Reals, look: DeckLook) -> NDArray[np.bool_]:
    return np.asarray(np.abs(colours - look.paper).max(axis=1) < PAPER, np.bool_)


def _sides_on_ground(laid: LaidPicture, corners: Reals, look: DeckLook) -> int:
    """Count the sides of an outline with paper inside and something else outside."""
    inside, outside = (shares_along(laid.patch, corners, beyond) for beyond in (-BAND, BAND))
    is_else = np.abs(outside - look.paper).max(axis=1) > ELSE
    return int((_is_paper(inside, look) & is_else).sum())


def _with_rim(laid: LaidPicture, look: DeckLook) -> Reals | None:
    """Return the clearest outline of the deck's shape with paper inside and ground outside."""
    seen = laid.outlines
    if seen is None:
        return None
    off = np.abs(np.abs(seen.shape) - abs(look.shape))
    fitting = np.flatnonzero((off < NEAR) & (seen.worth > LEAST_WORTH) & (seen.share > MOST_OF_IT))
    by_worth = sorted(fitting.tolist(), key=lambda i: -seen.worth[i] * (1 + 0.3 * seen.share[i]))
    every = (each for each in seen.corners[by_worth] if insets_of(laid.patch, each).mean() > LEAST_RIM)
    return next((each for each in every if _sides_on_ground(laid, each, look) == 4), None)


def cut_otherwise(
    laid: Mapping[Path, LaidPicture], found: Mapping[Path, CardCut], kind: GroundKind, look: DeckLook
) -> Mapping[Path, CardCut | None]:
    """Return the cuts of pictures with other surroundings than most; None: the card may lie on a table."""
    usual = np.median([_log_shape(each) for each in laid.values()])
    sides = {
        file: _sides_on_ground(laid[file], _in_patch(laid[file], found[file].corners), look) for file in laid
    }
    # on ground as light as the paper, no side shows where the paper ends
    is_ground = kind == "ground" and np.mean([count >= OWN_SIDES for count in sides.values()]) >= AGREE
    alone, changed = cut_alone(laid, look), dict[Path, CardCut | None]()
    for file, each in laid.items():
        is_odd = abs(_log_shape(each) - usual) > (ODD_SHAPE if is_ground else FILLS)
        if (own := alone.get(file)) is not None and own.kind != kind:
            changed[file] = own
        elif own is None and (is_odd or (is_ground and sides[file] < OWN_SIDES)):
            changed[file] = None
    return changed
