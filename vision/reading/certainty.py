"""How sure a name is, as a probability: learned for each deck from trials of its faces and of strangers.

A name can be wrong in two ways: the card is another face that looks alike, or a stranger that is no face of the
deck. Both show in how well the card fits its face, and how far that leads. What each figure tells is learned by
logistic regression: over many decks first, then from the deck's own trials, which weigh the more the more they
are. So faces that look alike must lead clearly, and a face without rivals may be seen badly.
"""

from collections.abc import Sequence
from math import isfinite

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Column = NDArray[np.float64]

CERTAIN = 0.9
"""A name is told only if it is right with this probability: trials are harder than tables, and of names told
by it more than 99 in 100 are right."""


class Certainty(Struct, frozen=True, forbid_unknown_fields=True):
    """How much each figure of a card's likeness tells, as `figures_of` lists them; all are added up."""

    weights: tuple[float, ...]
    at_a_glance: tuple[float, ...] | None = None
    """The same of cards compared by coarse cells alone; None if that wasn't tried."""


UNTRIED = Certainty((-3.122, 3.264, 0.571, -1.265, -0.367, 2.807, -4.108, -1.342, -0.522, 0.303))
"""What many decks' trials come to together: `python -m tests.long.usual_certainty` learns it."""
GLANCED = (-1.276, 0.014, 1.789, -1.467, -1.84, 3.457, -4.05, -1.452, -0.243, -0.025)
"""The same of cards compared by coarse cells."""


def is_usable(certainty: Certainty) -> bool:
    """Tell whether all figures can be reckoned with."""
    return all(
        len(weights) == len(GLANCED) and all(isfinite(each) for each in weights)
        for weights in (certainty.weights, certainty.at_a_glance or GLANCED)
    )


def probability(weights: Sequence[float], figures: Sequence[float]) -> float:
    """Give the probability that a name is right."""
    return float(_logistic(np.dot(weights, figures)))


def learn_weights(
    figures: Sequence[Sequence[float]],
    right: Sequence[bool],
    counts: Sequence[float],
    usual: Sequence[float],
    loyal: float,
) -> tuple[float, ...]:
    """Learn how much figures tell from trials; the fewer there are, the more is thought to be as usual.

    What is most probable is found by Newton's method, in short steps where trials are few.
    """
    rows, truth, count, before = (np.asarray(each, np.float64) for each in (figures, right, counts, usual))
    weights = before
    for _step in range(STEPS):
        told = _logistic(rows @ weights)
        slope = rows.T @ (count * (truth - told)) - loyal * (weights - before)
        bend = (rows * (count * told * (1 - told))[:, None]).T @ rows + loyal * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights + step * min(1.0, LONGEST / max(1e-9, float(np.abs(step).max())))
    return tuple(round(float(each), 3) for each in weights)


STEPS, LONGEST = 30, 3.0


def _logistic(odds: Column) -> Column:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
