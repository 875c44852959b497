"""Find the table by cards of any deck: their edges are enough, so it needs neither names nor a taught deck."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from vision.pictures import Picture
from vision.table.card_plane import FOUR, CardFit, Millimetres, fit_cards, with_light
from vision.table.plane import as_outline
from vision.table.values import Optics
from vision.teaching.lone_card import CardOutline, find_every_outline

CLEAR = 0.9  # least share of a free card's sides that are edges
ALIKE = 2.5  # largest ratio of the areas of two cards in one picture: a slanted view shrinks the far ones


def fit_free_cards(picture: Picture, card: Millimetres, optics: Optics | None) -> CardFit | None:
    """Fit a table to cards that lie free, whatever they show; None with fewer than FOUR that fit together."""
    size, shape = (picture.shape[1], picture.shape[0]), card[0] / card[1]
    upright = _clear(find_every_outline(picture, shape))
    across = [_turned(each) for each in _clear(find_every_outline(picture, 1 / shape))]
    outlines = [as_outline(each.corners) for each in _cards_among([*upright, *across])]
    found = fit_cards(outlines, card, size, optics)
    if found is None or len(found.outlines) < FOUR:
        return None
    return CardFit(with_light(found.table, picture, found.outlines), found.outlines)


def _clear(outlines: Sequence[CardOutline]) -> list[CardOutline]:
    return [each for each in outlines if each.edge >= CLEAR]


def _turned(outline: CardOutline) -> CardOutline:
    """Return the outline of a card that lies across, beginning with a short side."""
    return replace(outline, corners=np.roll(outline.corners, 1, axis=0))


def _cards_among(outlines: Sequence[CardOutline]) -> list[CardOutline]:
    """Return the largest group of outlines that are about as large as each other, one for each place."""
    groups = [_each_once(_as_large(each, outlines)) for each in outlines]
    return max(groups, key=lambda group: (len(group), sum(each.share for each in group)), default=[])


def _as_large(largest: CardOutline, outlines: Sequence[CardOutline]) -> list[CardOutline]:
    return [each for each in outlines if largest.share / ALIKE <= each.share <= largest.share]


def _each_once(outlines: Sequence[CardOutline]) -> list[CardOutline]:
    """Return the outermost outline at each place: the frames printed on a card lie inside."""
    kept = list[CardOutline]()
    for each in sorted(outlines, key=lambda outline: -outline.share):
        middle = each.corners.mean(axis=0)
        if all(np.hypot(*(middle - one.corners.mean(axis=0))) > _reach(one) for one in kept):
            kept.append(each)
    return kept


def _reach(outline: CardOutline) -> float:
    """Return half the length of the outline's shortest side."""
    return float(np.hypot(*(outline.corners - np.roll(outline.corners, 1, axis=0)).T).min()) / 2
