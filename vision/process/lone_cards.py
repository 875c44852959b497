"""Cards alone on the table, cut out with the ground around them: a few of each face show a deck's edges.

A card is reported once for each place, until its face has enough pictures. In a badly cut deck no name may be
sure, so card-sized things are reported without a name.
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

CARD_SIZED = (0.7, 1.3)  # least and largest area of a thing that may be a card, in card areas
MOST = 8 * FACES  # limit of reported cards: more add nothing
BARE = 0.15  # empty ground needed around a card, in card widths: edges aren't searched farther out
MOVED = 0.15  # shift of a corner that makes a new place, in card sides
Shown = Mapping[str, tuple[Sighting, ...]]
"""The reported cards of each face; unnamed cards are under an empty string."""


def show_lone_cards(
    picture: Picture, known: Cards, strange: Sequence[UnexplainedThing], shown: Shown
) -> tuple[Shown, tuple[CardAlone, ...]]:
    """Cut out lone cards that are new: of a face or in a place without enough pictures."""
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
    """Return a thing as an unnamed card; one of another size gets a visible share of 0."""
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
    """Return whether the card's surroundings are inside the picture and bare."""
    ground, around = (widened(_upright(card), np.full(4, far)).astype(np.float32) for far in (ROOM, BARE))
    if (ground < 0).any() or (ground > picture.shape[1::-1]).any():
        return False
    outlines = (cv2.convexHull(np.array(each.outline, np.float32)) for each in others)
    return not any(cv2.intersectConvexConvex(around, other)[0] > 0 for other in outlines)


def _upright(card: Sighting) -> Reals:
    """Return a card's corners, beginning at its upper left; those of a thing begin at any corner."""
    corners = np.array(card.outline, np.float64)
    across, down = np.linalg.norm(corners[1:3] - corners[:2], axis=1)
    return np.roll(corners, 1, axis=0) if card.face is None and across > down else corners
