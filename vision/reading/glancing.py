"""Settle at a glance what lies clearly: a whole card whose name the coarse cells tell beyond doubt.

That spares most cards the fine comparison. Faces that are hardly told apart by coarse cells, cards that are
covered, glared on or worn, and decks that weren't tried, are always compared finely.
"""

from math import isnan, log

import numpy as np

from vision.reading.certainty import probability
from vision.reading.deciding import Likeness
from vision.reading.templates import Templates

BEYOND_DOUBT = 0.998
"""How probably right a name must be that is told without a closer look."""
WHOLE = 0.99
"""The least visible share of such a card."""
COVERED = 0.97
"""A card of which less is visible counts as covered."""
CLOSE = 0.85
"""A patch that correlates less with every face isn't glanced at."""
MARGIN, SCORE, INDEX = 0.8, 0.95, 0.85
"""How clearly its face beats others, and how well its own features and its index fit, at least."""
STRANGE, NOISY, NOISIEST = 0.055, 2.2, 0.08
"""The most that one place of it may differ from the face; in noise so many times the misfit, up to a limit.

Strangers that differ in a few pips come to 0.06 and three times their misfit.
"""
APART = 0.004
"""The least distance of its face from the next one, squared, for each cell: nearer ones look alike so small."""
LIFTED = 0.1
"""A larger misfit tells no more: cameras lift strong colours, each by its own measure."""


def is_clear_at_a_glance(card: Likeness, deck: Templates) -> bool:
    """Tell whether a card that was compared by coarse cells needs no closer look."""
    return (
        card.visible >= WHOLE
        and card.margin >= MARGIN
        and card.score >= SCORE
        and (card.index >= INDEX or isnan(card.index))
        and card.strange <= min(NOISIEST, max(STRANGE, NOISY * card.misfit))
        and _differs_from_rivals(card, deck)
        and deck.certainty.at_a_glance is not None
        and probability(deck.certainty.at_a_glance, figures_of(card, card.margin)) >= BEYOND_DOUBT
    )


def _differs_from_rivals(card: Likeness, deck: Templates) -> bool:
    lab = deck.coarse.lab
    apart = np.square(lab[[row for row, _near in card.rivals]] - lab[card.row]).sum(axis=1)
    return bool((apart >= APART * lab.shape[1] / 3).all())


def figures_of(card: Likeness, margin: float) -> tuple[float, ...]:
    """List what tells whether a card's likeliest face, leading by a margin, is right."""
    has_index = not isnan(card.index)
    return (
        1.0,
        min(max(margin, -0.2), 1.2),
        log(min(max(margin, 0.0), 1.2) + 0.05),
        _lack(card.score),
        _lack(card.fit),
        log(min(card.misfit, LIFTED) + 0.01),
        log(card.foreign + 0.03),
        float(has_index),
        _lack(card.index) if has_index else 0.0,
        log(card.visible + 0.02),
    )


def _lack(fit: float) -> float:
    """Put on one scale what a correlation lacks of 1."""
    return log(max(0.0, 1 - fit) + 0.03)
