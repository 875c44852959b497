"""Cards that lie alone on the table, with the ground round them: a few of each face show where they end.

They are shown once for each place in which a card of that face lies, until there are enough of them. A deck may
be cut so wrongly that no name is sure: what is as large as a card is shown without one.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.card_cuts import CardAlone
from vision.pictures import Picture
from vision.process.places import longer_side
from vision.reading.identifying import WHOLE
from vision.sightings import Cards, Sighting, UnexplainedThing
from vision.table.plane import Reals, as_outline
from vision.teaching.card_edges import widened
from vision.teaching.kept_cuts import ROOM, keep_ground
from vision.teaching.table_edges import FACES, OF_EACH

CARD_SIZED = (0.7, 1.3)  # the area, in cards, of a thing that may be one
MOST = 8 * FACES  # how many cards are shown at most: more tell no more
BARE = 0.15  # how far round a card nothing else may lie, in widths: no edge of it is looked for farther out
MOVED = 0.15  # how far a corner has moved, in sides, if a card lies elsewhere
Shown = Mapping[str, tuple[Sighting, ...]]
"""Where cards of each face lay that were shown; those without a name under an empty one."""


def show_lone_cards(
    picture: Picture, known: Cards, strange: Sequence[UnexplainedThing], shown: Shown
) -> tuple[Shown, tuple[CardAlone, ...]]:
    """Cut those out that lie alone, of faces and in places of which not enough were shown."""
    cards = [*known, *map(_as_card, strange)]
    new = [
        card
        for card in cards
        if _is_wanted(card, shown) and _is_alone(card, [each for each in cards if each is not card], picture)
    ]
    for card in new:
        shown = {**shown, _name(card): (*shown.get(_name(card), ()), card)}
    return shown, tuple(CardAlone(_name(card), keep_ground(picture, _upright(card))) for card in new)


def _as_card(thing: UnexplainedThing) -> Sighting:
    """Take a thing for a card without a name; one of another size isn't seen as one."""
    is_card = CARD_SIZED[0] < thing.area < CARD_SIZED[1]
    around = cv2.boxPoints(cv2.minAreaRect(np.array(thing.outline, np.float32)))
    return Sighting(None, False, 0.0, (), as_outline(np.asarray(around, np.float64)), "up", float(is_card))


def _name(card: Sighting) -> str:
    return card.face if card.sure and card.face is not None else ""


def _is_wanted(card: Sighting, shown: Shown) -> bool:
    if card.facing == "down" or card.visible < WHOLE or sum(map(len, shown.values())) >= MOST:
        return False
    before = shown.get(_name(card), ())
    off = (np.linalg.norm(np.subtract(card.outline, each.outline), axis=1).max() for each in before)
    is_enough = len(before) >= OF_EACH and card.sure
    return not is_enough and not any(far < MOVED * longer_side(card) for far in off)


def _is_alone(card: Sighting, others: Cards, picture: Picture) -> bool:
    """Return whether only the table is seen round a card, and all of that."""
    ground, around = (widened(_upright(card), np.full(4, far)).astype(np.float32) for far in (ROOM, BARE))
    if (ground < 0).any() or (ground > picture.shape[1::-1]).any():
        return False
    outlines = (cv2.convexHull(np.array(each.outline, np.float32)) for each in others)
    return not any(cv2.intersectConvexConvex(around, other)[0] > 0 for other in outlines)


def _upright(card: Sighting) -> Reals:
    """Give a card's corners from its upper left on; those of a thing begin anywhere."""
    corners = np.array(card.outline, np.float64)
    across, down = np.linalg.norm(corners[1:3] - corners[:2], axis=1)
    return np.roll(corners, 1, axis=0) if card.face is None and across > down else corners
