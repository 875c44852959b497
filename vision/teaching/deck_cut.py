"""Find card edges in pictures cropped around the cards, by hand or by a program.

A deck has one card size, one corner radius and one frame, so all its pictures are evaluated together. The steps
are: the outline found in most pictures; edges at a constant distance from it, which belong to the same card;
whether the surroundings are ground or print. The usual shapes of cards decide only when nothing else does.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.reading.templates import channels_of, white_of
from vision.table.plane import Reals, lengths_of, sample_colours
from vision.teaching import card_edges as edges
from vision.teaching.kept_cuts import GroundKind
from vision.teaching.lone_card import aspect


class LaidPicture(Struct, frozen=True, eq=False):
    """A picture filled mostly by a card, and the card's candidate outlines."""

    patch: Picture
    shape: tuple[int, ...]
    """The picture's shape. The picture itself isn't stored: a hundred would fill a small computer's memory."""
    lines: Sequence[Sequence[edges.SideLine]]
    outlines: edges.Outlines | None


class CardCut(Struct, frozen=True, eq=False):
    """The position of a card in its picture."""

    corners: Reals
    shape: float  # width / height
    sure: bool = True
    """Whether its own edges or those of all other pictures were visible, or it fills the picture."""
    rim: float = 0.0  # mean width of the surroundings on each side, in card widths
    kind: GroundKind = "ground"


def cut_at(laid: LaidPicture, corners: Reals, *, sure: bool = True) -> CardCut:
    """Return the cut with these corners in the patch."""
    (high, wide), (short, narrow) = laid.shape[:2], laid.patch.shape[:2]
    there = corners * (wide / narrow, high / short)
    return CardCut(there - 0.5, aspect(there), sure, float(insets_of(laid.patch, corners).mean()))


Chosen = Mapping[LaidPicture, Reals]  # corners in some of a deck's patches


def look_along_sides(picture: Picture) -> LaidPicture:
    patch = edges.as_patch(picture)
    lines = edges.side_lines(patch)
    return LaidPicture(patch, picture.shape, lines, edges.outlines_of(lines, patch.shape))


def cut_on_ground(
    deck: Sequence[LaidPicture], shape: float | None, usual: Sequence[float]
) -> list[CardCut] | None:
    """Find the cards on the ground; None if the pictures show no ground.

    `shape` is the cards' width / height, if known; `usual` lists those of common cards.
    """
    size = _agreed_size(deck, shape) if deck else None
    if size is None:
        return None
    chosen: Chosen = {each: corners for each in deck if (corners := _outline_of(each, size)) is not None}
    if len(chosen) < AGREE * len(deck):
        return None
    chosen = _grown(_grown(chosen))
    if _is_print(deck, chosen, usual):
        return None
    return cut_like(deck, chosen)


AGREE = 0.6  # smallest share of a deck's pictures with the same outline


# the outline in most pictures

SIZES = np.arange(0.0, 0.85, 0.01)
"""Shapes tried, as logarithms: from a square to cards half as wide as long."""
NEAR = 0.02  # largest difference of an outline's shape, as a logarithm
LEAST_WORTH = 0.3


def _agreed_size(deck: Sequence[LaidPicture], shape: float | None) -> float | None:
    """Return the log shape of the largest outline that occurs in most pictures."""
    sizes = SIZES if shape is None else abs(np.log(shape)) + np.arange(-0.03, 0.035, 0.01)
    rated = np.array([[_best(each.outlines, size)[1:] for size in sizes] for each in deck])
    worth = rated[..., 0].mean(axis=0)
    if not worth.max() > 0:
        return None
    share = [np.median(rated[rated[:, i, 0] > 0, i, 1]) if each > 0 else 1.0 for i, each in enumerate(worth)]
    value = np.where(worth > 0.7 * worth.max(), worth + 0.5 * np.log(share), -9.0)
    return float(sizes[int(value.argmax())])


def _best(outlines: edges.Outlines | None, size: float) -> tuple[int, float, float]:
    """Return the best outline of a shape: its number, its worth and its share of the patch."""
    if outlines is None:
        return -1, 0.0, 0.0
    off = np.abs(np.abs(outlines.shape) - size)
    worth = np.where(off < NEAR, outlines.worth * (1 - 0.15 * off / NEAR), 0.0)
    # of two equally clear outlines, prefer the outer one
    best = int((worth * (1 + 0.3 * outlines.share)).argmax())
    return (
        (best, float(worth[best]), float(outlines.share[best])) if worth[best] > LEAST_WORTH else (-1, 0.0, 0.0)
    )


def _outline_of(laid: LaidPicture, size: float) -> Reals | None:
    best = _best(laid.outlines, size)[0]
    return laid.outlines.corners[best] if laid.outlines is not None and best >= 0 else None


# edges at a constant distance from the outline

RISE = 0.3
"""Smallest log ratio of a step around the outline to the median one, for it to be part of the card."""
EVEN = 0.025  # largest difference between the borders of a card, as a share of its width
NEXT = 0.02  # smallest distance between two edges, as a share of the card's width


def _grown(chosen: Chosen) -> Chosen:
    """Replace the outlines by an edge at a constant distance around all of them, if there is one."""
    borders = _borders(np.stack([edges.steps_round(laid.patch, corners) for laid, corners in chosen.items()]))
    if borders is None:
        return chosen
    return {laid: _snapped(laid, edges.widened(corners, borders)) for laid, corners in chosen.items()}


def _borders(steps: Reals) -> Reals | None:
    """Find depths with a step on all sides of pictures (n, 4, depths), in widths; None if there are none."""
    unknown = np.isnan(steps)
    usual = np.nanmedian(np.where(unknown.all(axis=2, keepdims=True), 0.0, steps), axis=2, keepdims=True)
    rise = np.where(unknown, -1.0, np.log((steps + 2) / (usual + 2)))
    common = np.where(unknown.mean(axis=0) < 1 - AGREE, np.median(rise, axis=0), -1.0)
    depth = (common.shape[1] - 1 - np.arange(common.shape[1])) / (2 * edges.AROUND)
    beside = np.pad(common, ((0, 0), (1, 1)), mode="edge")
    common[(common < np.maximum(beside[:, :-2], beside[:, 2:])) | (depth < NEXT)] = -1.0
    at = common.argmax(axis=1)
    clear = common[np.arange(4), at] > RISE
    if clear.sum() < 3:
        return None
    middle = float(np.median(depth[at][clear]))
    even = clear & (np.abs(depth[at] - middle) < EVEN)
    return np.where(even, depth[at], middle) if even.sum() >= 3 else None


SNAP = 0.012  # largest move of an outline onto visible lines, as a share of its width


def _snapped(laid: LaidPicture, corners: Reals) -> Reals:
    if laid.outlines is None:
        return corners
    off = np.abs(laid.outlines.corners - corners).max(axis=(1, 2))
    best = int(off.argmin())
    return laid.outlines.corners[best] if off[best] < SNAP * laid.outlines.width[best] else corners


# ground or print

EXACT = 0.0005  # largest movement of a frame between scans, in card widths
WIDEST_BORDER = 0.1  # widest printed border, as a share of a card's width
ODD_CORNERS = 0.25
"""Share of odd corners from which the cards fill their pictures."""
ROUND = 0.4
"""Smallest share of an outline's corners that show the ground, if the card's corners are round."""
UNUSUAL = 0.015  # difference between two shapes' distances to common cards that decides, as a logarithm


def _is_print(deck: Sequence[LaidPicture], chosen: Chosen, usual: Sequence[float]) -> bool:
    """Return whether outlines are frames printed on cards that fill their pictures."""
    if _is_frame_steady(chosen):
        return False
    insets = np.stack([insets_of(laid.patch, corners) for laid, corners in chosen.items()])
    border = float(np.median(insets.min(axis=1)))
    moved = np.median(np.abs(insets - np.median(insets, axis=0)), axis=0).max()
    if len(chosen) > 2 and moved < EXACT:
        # too regular for pictures cropped by hand
        return border < WIDEST_BORDER
    if np.mean([edges.odd_corners(each.patch)[0].mean() for each in deck]) > ODD_CORNERS:
        return True
    if _rounded_share(chosen) > ROUND:
        return False
    inner, whole = (
        min(abs(abs(float(np.median(each))) - abs(float(np.log(shape)))) for shape in usual)
        for each in (
            [np.log(aspect(corners)) for corners in chosen.values()],
            [np.log(each.patch.shape[1] / each.patch.shape[0]) for each in deck],
        )
    )
    return whole < inner - UNUSUAL


STEADY = 0.3
"""Largest change of a frame's colour from picture to picture, as a share of the paper's: light changes both."""
LEAST_CHANGE = 2.0  # smallest change of paper that shows in pictures, in grey levels


def _is_frame_steady(chosen: Chosen) -> bool:
    """Return whether the frame around the outlines keeps its colour while the paper in them changes.

    Print changes with the light on its paper, so such a frame was added to the pictures.
    """
    frames, papers = (
        np.stack([_colour_along(laid.patch, corners, beyond) for laid, corners in chosen.items()])
        for beyond in (BAND, -BAND)
    )
    frame, paper = (float(np.median(np.abs(each - np.median(each, axis=0)))) for each in (frames, papers))
    return paper > LEAST_CHANGE and frame < STEADY * paper


def _colour_along(patch: Picture, corners: Reals, beyond: float) -> Reals:
    """Return the median colour along an outline's sides, some widths beyond it."""
    return np.asarray(np.median(_along(patch, corners, beyond), axis=(0, 1)), np.float64)


def shares_along(patch: Picture, corners: Reals, beyond: float) -> Reals:
    """Return the median colour along each side of an outline, some widths beyond it, as shares of white."""
    return np.asarray(np.median(_along(patch, corners, beyond), axis=1) / _white(patch), np.float64)


def _along(patch: Picture, corners: Reals, beyond: float) -> Reals:
    line = edges.widened(corners, np.full(4, beyond))
    ends = np.stack([line, np.roll(line, -1, axis=0)], axis=1)
    along = np.linspace(0.2, 0.8, 24)[:, None]
    spots = np.concatenate([first + along * (last - first) for first, last in ends])
    return np.asarray(sample_colours(patch, spots - 0.5).reshape(4, 24, 3), np.float64)


def _white(patch: Picture) -> Reals:
    return np.asarray(white_of(channels_of(patch))[:, 0], np.float64)


def insets_of(patch: Picture, corners: Reals) -> Reals:
    high, wide = patch.shape[:2]
    x, y = corners.T
    across = float(lengths_of(corners)[[0, 2]].mean())
    sides = (y[:2].mean(), wide - x[1:3].mean(), high - y[2:].mean(), x[[0, 3]].mean())
    return np.asarray(sides, np.float64) / across


def _rounded_share(chosen: Chosen) -> float:
    corners_rounded = [edges.rounded(laid.patch, corners) for laid, corners in chosen.items()]
    ground, clear = (np.concatenate(each) for each in zip(*corners_rounded, strict=True))
    return float((clear * (ground > 0.5)).sum() / max(1e-9, clear.sum()))


# each card like the others


class _Common(Struct, frozen=True, eq=False):
    """Properties shared by most cards of a deck."""

    shape: float
    insets: Reals
    across: Reals  # brightness across each side, from the ground into the card
    alike: float  # typical correlation of these profiles; low if pictures end at the card's rim

    @classmethod
    def of(cls, chosen: Chosen) -> "_Common":
        shape = float(np.median([np.log(aspect(corners)) for corners in chosen.values()]))
        insets = np.median([insets_of(laid.patch, corners) for laid, corners in chosen.items()], axis=0)
        light = [edges.light_across(laid.patch, corners[None]) for laid, corners in chosen.items()]
        each = np.concatenate(light)
        across = np.median(each, axis=0)
        return cls(shape, insets, across, max(0.1, float(np.median(_correlation(each, across)))))


def cut_like(deck: Sequence[LaidPicture], chosen: Chosen) -> list[CardCut]:
    """Cut cards like those in pictures with a chosen outline."""
    common = _Common.of(chosen)
    return [_cut_like(each, chosen.get(each), common) for each in deck]


CHOSEN = 0.75  # worth of an outline selected before, whose lines may be invisible
PLACED = 0.5  # factor on an outline's worth if one side was inferred
LIKE, TRIED = 0.1, 160  # smallest fit of an outline to the deck, and most outlines compared
ODD = 0.14  # largest log difference from the deck's shape: hand-held cameras are tilted


def _cut_like(laid: LaidPicture, known: Reals | None, common: _Common) -> CardCut:
    """Cut a card like the others: by four edges, by three and the deck's shape, or at the usual position."""
    high, wide = laid.patch.shape[:2]
    three = [_three_sided(laid, side, float(np.exp(common.shape))) for side in range(4)]
    ends, worth = (np.concatenate(each) for each in zip(*three, strict=True))
    here = (ends > -0.04 * wide).all(axis=(1, 2))
    some = [] if laid.outlines is None else [(laid.outlines.corners, laid.outlines.worth)]
    some += [] if known is None else [(known[None], np.array([CHOSEN]))]
    some += [(edges.corners_of(ends[here], (high, wide)), PLACED * worth[here])]
    every, worth = (np.concatenate(each) for each in zip(*some, strict=True))
    corners = _most_alike(laid, every, worth, common)
    if corners is not None:
        return cut_at(laid, corners)
    across = wide / (1 + common.insets[1] + common.insets[3])
    usual = np.repeat(common.insets[:, None] * across, 2, axis=1)
    return cut_at(laid, edges.corners_of(usual, (high, wide)), sure=False)


def _most_alike(laid: LaidPicture, corners: Reals, worth: Reals, common: _Common) -> Reals | None:
    """Return the outline with the brightness profiles most similar to other cards'."""
    if not len(corners):
        return None
    top, right, low, left = lengths_of(corners).T
    off = np.abs(np.log((top + low) / (right + left)) - common.shape)
    doubt = 0.25 * np.minimum(1, off / NEAR) ** 2 + 0.2 * (off / ODD) ** 2
    rated = np.where(off < ODD, worth * (1 - doubt), 0)
    first = np.argsort(-rated)[:TRIED]
    alike = _correlation(edges.light_across(laid.patch, corners[first]), common.across) / common.alike
    fit = rated[first] * np.minimum(1, alike) ** 2
    return corners[first[int(fit.argmax())]] if fit.max() > LIKE else None


def _correlation(one: Reals, other: Reals) -> Reals:
    a, b = (each - each.mean(axis=-1, keepdims=True) for each in (one, other))
    far = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    sides = np.maximum(0, (a * b).sum(axis=-1) / np.maximum(far, 1e-6))
    return np.asarray((sides.mean(axis=-1) + sides.min(axis=-1)) / 2, np.float64)


def _three_sided(laid: LaidPicture, missing: int, shape: float) -> tuple[Reals, Reals]:
    """Return outlines of three lines and one side inferred from the deck's shape: their ends and worth."""
    lines = [[(each.ends, edges.clearness(each)) for each in some] for some in (*laid.lines, *laid.lines)]
    three = list(product(*lines[missing + 1 : missing + 4]))
    if not three:
        return np.zeros((0, 4, 2)), np.zeros(0)
    after, opposite, before = np.array([[ends for ends, _clear in each] for each in three]).swapaxes(0, 1)
    across, along = laid.patch.shape[1::-1] if missing % 2 == 0 else laid.patch.shape[:2]
    long = (across - (before + after).mean(axis=1)) * (1 / shape if missing % 2 == 0 else shape)
    tilt = (opposite[:, 1] - opposite[:, 0]) / 2
    middle = along - opposite.mean(axis=1) - long
    placed = np.column_stack((middle - tilt, middle + tilt))
    ends = np.roll(np.stack((placed, after, opposite, before), axis=1), missing, axis=1)
    return ends, np.array([min(clear for _ends, clear in each) for each in three])


# cards that fill their pictures


def cut_by(laid: LaidPicture, margin: float) -> CardCut:
    """Cut `margin` off each side, in card widths."""
    across = laid.patch.shape[1] / (1 + 2 * margin)
    return cut_at(laid, edges.corners_of(np.full((4, 2), margin * across), laid.patch.shape))


BAND = 0.02
"""Width of the band along each side whose median colour is measured, as a share of the picture's width."""
PAPER, ELSE = 0.15, 0.12
"""Largest colour difference within one paper, and smallest one to the ground, as shares of white."""
SLIVER = 0.15
"""Largest width of ground at a side of a picture, as a share of the picture's width."""
STRAIGHT = 0.4  # smallest clearness of the line where the ground ends


def cut_whole(deck: Sequence[LaidPicture]) -> list[CardCut]:
    """Cut cards that fill their pictures, except for slivers of ground; most sides show the same paper."""
    bands = [shares_at_rim(each.patch) for each in deck]
    paper = np.median(np.concatenate(bands), axis=0)
    off = [np.abs(each - paper).max(axis=1) for each in bands]
    if np.mean(np.concatenate(off) < PAPER) < AGREE:
        off = [np.zeros(4)] * len(deck)
    return [
        cut_at(each, edges.corners_of(_slivers(each, paper, other > ELSE), each.patch.shape))
        for each, other in zip(deck, off, strict=True)
    ]


def shares_at_rim(patch: Picture) -> Reals:
    """Return the median colour along each side, as shares of white."""
    band = max(2, round(BAND * min(patch.shape[:2])))
    sides = (np.rot90(patch, side)[:band] for side in range(4))
    usual = [np.median(each[:, each.shape[1] // 5 : -each.shape[1] // 5], axis=(0, 1)) for each in sides]
    return np.asarray(usual / _white(patch), np.float64)


def _apart(colour: NDArray[np.floating], other: Reals) -> float:
    return float(np.abs(colour - other).max())


def _slivers(laid: LaidPicture, paper: Reals, other: NDArray[np.bool_]) -> Reals:
    """Return the ends of the lines where paper begins on the sides marked in `other`; 0 for the rest."""
    wide, white = min(laid.patch.shape[:2]), _white(laid.patch)
    ends = np.zeros((4, 2))
    for side in np.flatnonzero(other).tolist():
        near = [
            line
            for line in laid.lines[side]
            if sum(line.ends) < 2 * SLIVER * wide
            and edges.clearness(line) > STRAIGHT
            and max(ELSE, 2 * _apart(line.inside / white, paper)) < _apart(line.outside / white, paper)
        ]
        if near:
            ends[side] = max(near, key=lambda line: line.step).ends
    return ends
