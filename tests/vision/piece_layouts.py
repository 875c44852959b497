"""How round pieces lie: apart, touching, partly on each other; anywhere, also on cards."""

from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace
from numpy.random import Generator

from hardware.twin.rendering.layouts import AREA, THICK
from hardware.twin.rendering.scene import SceneCard, piece_card

PieceLayout = Callable[[Generator, float], tuple[tuple[float, float], ...]]
"""Makes the places of one group of pieces, from its middle, by a generator and how large they are."""


def alone(_rng: Generator, _across: float) -> tuple[tuple[float, float], ...]:
    """Lay a piece alone."""
    return ((0.0, 0.0),)


def touching(rng: Generator, across: float) -> tuple[tuple[float, float], ...]:
    """Lay three pieces in a row, edge to edge."""
    return _row(rng, 3, across + 0.2)


def overlapping(rng: Generator, across: float) -> tuple[tuple[float, float], ...]:
    """Lay two pieces so that one covers up to two thirds of the other's width."""
    return _row(rng, 2, across * float(rng.uniform(0.34, 0.85)))


def leaning(rng: Generator, across: float) -> tuple[tuple[float, float], ...]:
    """Lay a small stack that isn't straight: each peeks out from below the next one."""
    return _row(rng, 2, across * float(rng.uniform(0.12, 0.34)))


def _row(rng: Generator, count: int, step: float) -> tuple[tuple[float, float], ...]:
    way = rng.uniform(0, 2 * np.pi)
    return tuple((float(i * step * np.cos(way)), float(i * step * np.sin(way))) for i in range(count))


PIECE_LAYOUTS: dict[str, PieceLayout] = {
    "alone": alone,
    "touching": touching,
    "overlapping": overlapping,
    "leaning": leaning,
}


def scatter_pieces(
    kind: str, sides: int, across: float, count: int, layout: PieceLayout, rng: Generator
) -> tuple[SceneCard, ...]:
    """Scatter groups of pieces until so many lie there: no group touches another."""
    pieces: list[SceneCard] = []
    middles: list[tuple[float, float]] = []
    while len(pieces) < count:
        x, y = (float(rng.uniform(-side, side)) / 2 * 0.9 for side in AREA)
        if all(np.hypot(x - left, y - top) > 4 * across for left, top in middles):
            middles.append((x, y))
            pieces += _group(kind, sides, across, layout(rng, across)[: count - len(pieces)], (x, y), rng)
        elif len(middles) * (4 * across) ** 2 > AREA[0] * AREA[1]:
            break
    return tuple(pieces)


def _group(
    kind: str,
    sides: int,
    across: float,
    places: tuple[tuple[float, float], ...],
    middle: tuple[float, float],
    rng: Generator,
) -> Iterator[SceneCard]:
    for number, (x, y) in enumerate(places):
        side, angle = int(rng.integers(sides)), float(rng.uniform(0, 360))
        piece = piece_card(kind, side, across, middle[0] + x, middle[1] + y, angle)
        yield replace(piece, height=THICK * (number + 2))
