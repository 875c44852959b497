"""Pieces unrolled, ring by ring, so that all their turns are compared at once.

Two things have to agree: all that is seen, and what is left of it without each ring's mean. A rim and an even
ground are alike on many pieces; what is printed within isn't.
"""

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.rims import AROUND, TURNS, Rim, rim_of, sample
from vision.reading.views import Floats, Picture
from vision.table.plane import Reals

Waves: TypeAlias = NDArray[np.complex64] | NDArray[np.complex128]

SCALE = 1.6
"""Pixels to a millimetre of the view in which pieces are sought."""
RINGS, INNER, OUTER = 16, 0.1, 0.93
"""How many rings of a piece are compared, and where they begin and end, as shares of its radius."""
SOFT = 0.8
"""Pixels by which a camera blurs."""
PRINT = 0.2
"""By how much what is printed may agree less than all of it: it is finer, and blurs more."""
PLAIN, BARE = 0.03, 0.1
"""The share of print in a look below which it is plain, and by how much better a plain look has to agree."""

_STEPS = np.linspace(INNER, OUTER, RINGS)
_WEIGHTS = (_STEPS / _STEPS.mean()).astype(np.float32)[:, None]
"""What each ring counts for: outer ones are longer."""


class Looks(Struct, frozen=True, eq=False):
    """Looks as waves along each ring: looks, rings, frequencies, colours; and those of their squares."""

    shapes: Waves
    powers: Waves


class PieceKind(Struct, frozen=True, eq=False):
    """A kind of piece: its radius in millimetres, its rims, and its looks, unrolled."""

    name: str
    radius: float
    rims: tuple[Rim, ...]
    whole: Looks
    prints: Looks
    """The same looks without the mean of each ring."""
    is_plain: NDArray[np.bool_]
    """Which of the looks have nothing printed on them but rings."""


def piece_kind(name: str, across: float, pictures: Sequence[Picture]) -> PieceKind:
    """Take the looks of a kind from square pictures, each filled by the piece."""
    looks = np.stack([_unroll_look(each, across) for each in pictures])
    prints = looks - looks.mean(axis=2, keepdims=True)
    spread = ((looks - looks.mean(axis=(1, 2), keepdims=True)) ** 2).sum(axis=(1, 2, 3))
    is_plain = (prints**2).sum(axis=(1, 2, 3)) < PLAIN * np.maximum(spread, 1e-6)
    return PieceKind(name, across / 2, rim_of(pictures, across), _waves(looks), _waves(prints), is_plain)


def _waves(looks: Floats) -> Looks:
    return Looks(np.conj(np.fft.rfft(looks, axis=2)), np.conj(np.fft.rfft((looks**2).sum(axis=3), axis=2)))


def _unroll_look(picture: Picture, across: float) -> Floats:
    """Unroll a picture as the camera would show it: no sharper than the view."""
    side = round(across * SCALE)
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), SOFT), np.uint8)
    rings = unroll(soft, np.array([[(side - 1) / 2, (side - 1) / 2]]), side / 2)
    return np.asarray(rings[0], np.float32)


def unroll(view: Picture, middles: Reals, radius: float) -> Floats:
    """Sample the rings round some middles: (n, rings, turns, colours)."""
    seen = sample(view, ring_places(middles, radius))
    return np.asarray(seen * np.float32(1 / 255), np.float32)


def ring_places(middles: Reals, radius: float) -> Reals:
    """List the places of the rings round some middles: (n, rings, turns, 2)."""
    places: Reals = middles[:, None, None] + _STEPS[None, :, None, None] * radius * AROUND
    return places


def agreements(rings: Floats, is_open: NDArray[np.bool_], kind: PieceKind) -> Floats:
    """Correlate rings with a kind's looks at every turn, where the rings lie open; the best for each (n)."""
    weights = is_open * _WEIGHTS
    all_ = _correlations(rings, weights, kind.whole)
    means = (weights[..., None] * rings).sum(axis=2) / np.maximum(weights.sum(axis=2), 1e-6)[..., None]
    prints = _correlations(rings - means[:, :, None], weights, kind.prints) + PRINT
    best = np.where(kind.is_plain[:, None], all_ - BARE, np.minimum(all_, prints))
    return np.asarray(best.max(axis=(1, 2)), np.float32)


def _correlations(rings: Floats, weights: Floats, looks: Looks) -> Floats:
    """Correlate weighted rings with looks: (n, looks, turns)."""
    total = np.maximum(weights.sum(axis=(1, 2)), 1e-6)[:, None]
    mask, seen = np.fft.rfft(weights, axis=2), np.fft.rfft(weights[..., None] * rings, axis=2)
    light = (weights[..., None] * rings).sum(axis=(1, 2))
    power = (weights[..., None] * rings**2).sum(axis=(1, 2, 3)) - (light**2).sum(axis=1) / total[:, 0]
    # the looks as they lie below the weights, at every turn
    means = np.fft.irfft(np.einsum("nrf,lrfc->nlcf", mask, looks.shapes), TURNS, axis=3)
    width = np.fft.irfft(np.einsum("nrf,lrf->nlf", mask, looks.powers), TURNS, axis=2)
    both = np.fft.irfft(np.einsum("nrfc,lrfc->nlf", seen, looks.shapes), TURNS, axis=2)
    shared = both - np.einsum("nc,nlcf->nlf", light, means) / total[..., None]
    spread = np.maximum(width - (means**2).sum(axis=2) / total[..., None], 1e-9) * power[:, None, None]
    return np.asarray(shared / np.sqrt(np.maximum(spread, 1e-9)), np.float32)
