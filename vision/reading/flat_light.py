"""Compare places in flat light: each cell less the mean around it, so that shadows, soil or lamps tell little.

Thin lines on a white card differ less from paper than light differs over a card. Only whole cards are
flattened: what covers a part of a card would be smeared over the rest.
"""

from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]

AROUND = 0.15
"""How far round each cell its surroundings reach, as a standard deviation in shares of a card's width."""


def flat_rows(labs: Floats, shape: tuple[int, int], inside: Floats) -> Floats:
    """Flatten patches (channels, n, cells); lay each out as one row of length one."""
    flat = (labs - _around(labs * inside, shape) / _around(inside, shape).clip(0.05)) * inside
    flat -= inside * (flat.sum(axis=2, keepdims=True) / inside.sum())
    rows = np.ascontiguousarray(flat.transpose(1, 0, 2)).reshape(labs.shape[1], 3 * len(inside))
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-3), np.float32)


def _around(patches: Floats, shape: tuple[int, int]) -> Floats:
    """Blur patches (..., cells), each for itself."""
    high, wide = shape
    down, across = (_blur(count, AROUND * wide) for count in shape)
    blurred = down @ patches.reshape(*patches.shape[:-1], high, wide) @ across
    return np.asarray(blurred.reshape(patches.shape), np.float32)


@cache
def _blur(count: int, spread: float) -> Floats:
    """Make the matrix that blurs a line of cells; nothing comes from beyond its ends."""
    apart = np.subtract.outer(np.arange(count), np.arange(count)) / spread
    kernel = np.exp(-0.5 * apart**2)
    return np.asarray(kernel / kernel.sum(axis=1).max(), np.float32)
