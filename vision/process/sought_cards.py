"""Cards that have come since the last reading, and that the reader hasn't found, sought where they must be.

Where nothing that was read explains what has changed, something lies: a card whose outline can't be seen, or
whose print is in glare. It is sought where the change has a card's size. In and round it are sought, too,
the cards that are gone, since they may have been moved, and what an unsure card may be.
"""

from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.process.places import known_before, missing_cards
from vision.process.watching import CHANGED, STEP, spots_in
from vision.reading.explaining import Seeing
from vision.reading.reader import read_places
from vision.reading.seeking import pose_on_table, seek_face
from vision.reading.templates import BACK
from vision.reading.views import Pose, area_of, common_share, pyramid
from vision.sightings import Outline, Reading, Sighting
from vision.table.plane import Reals, inverse, map_points

Mask = NDArray[np.uint8]

LEAST = 0.12
"""The least part of a card that must have changed for anything to be sought."""
CARD_SIZED = (0.75, 1.3)
"""How long, and how wide, a change is that may be a card's, as a share of it."""
TURNS = (-6.0, 0.0, 6.0)
"""Degrees by which a change's outline may be turned against the card's."""
IN_ITS_PLACE = 0.5
"""What an unsure card has in common with a sure one that it is, as a share of both."""
ROOM = 0.5
"""How far round a change a card that was moved is sought, as a share of its side."""
SOUGHT, GUESSES = 6, 3
"""The most faces that are sought, and changes that are looked at; and what each unsure card may be."""


def seek_unread_cards(
    seen: Reading, known: Sequence[Sighting], changed: Mask, seeing: Seeing, plane: Reals
) -> Reading:
    """Add cards where something has changed that no reading explains; changes are pixels of a small picture."""
    size = seeing.deck.size
    named = [card for card in seen.cards if card.sure]
    missing = [card for card in missing_cards(known, known_before(known, seen.cards)) if card.sure]
    gone = [card for card in missing if _share_of(changed, card.outline) > CHANGED]
    unread = _without(changed, named)
    if cv2.countNonZero(_without(unread, gone)) < LEAST * _card_area(plane, size, changed.shape):
        return seen
    names = _names_to_seek(gone, seen.cards)
    poses = [*_poses_of_changes(unread, plane, size), *_poses_of_faces(unread, names, seeing, plane)]
    told = read_places(seeing, poses) if poses else ()
    there = [*named, *(card for card in missing if card not in gone)]
    found = [card for card in told if _is_new(card, unread, there, seeing.among)]
    left = (card for card in seen.cards if not any(_is_same_place(card, each) for each in found))
    return Reading((*left, *found), seen.unexplained) if found else seen


def _names_to_seek(gone: Sequence[Sighting], seen: Sequence[Sighting]) -> list[str]:
    """List what may have been moved, and what cards that aren't sure may be."""
    moved = [BACK if card.facing == "down" else card.face for card in gone]
    may_be = [guess.face for card in seen if not card.sure for guess in card.runners_up[:GUESSES]]
    return [*dict.fromkeys(name for name in (*moved, *may_be) if name is not None)][:SOUGHT]


def _is_new(card: Sighting, unread: Mask, there: Sequence[Sighting], among: Mapping[str, int] | None) -> bool:
    """Tell whether a card lies where the change is, on no other card's place, and isn't known elsewhere."""
    many = sum(each.face == card.face for each in there)
    is_spare = among is None or card.face is None or many < among.get(card.face, 0)
    is_free = not any(_is_same_place(card, each) for each in there)
    return is_spare and is_free and _share_of(unread, card.outline) > CHANGED


def _is_same_place(one: Sighting, other: Sighting) -> bool:
    return common_share(one.outline, other.outline) > IN_ITS_PLACE


def _poses_of_changes(unread: Mask, plane: Reals, size: tuple[float, float]) -> Iterator[Pose]:
    """Propose a card, both ways up, where a change has a card's shape."""
    # blurring has made what has changed wider
    core = cv2.erode(unread, np.ones((3, 3), np.uint8))
    count, parts = cv2.connectedComponents(core, connectivity=4)
    for part in range(1, min(count, SOUGHT + 1)):
        spots = cv2.findNonZero(np.asarray(parts == part, np.uint8)).reshape(-1, 2)
        there = map_points(inverse(plane), (spots.astype(np.float64) + 0.5) * STEP)
        middle, (across, down), turn = cv2.minAreaRect(there.astype(np.float32))
        across, down, turn = (across, down, turn) if across < down else (down, across, turn + 90)
        if all(CARD_SIZED[0] < mm / its < CARD_SIZED[1] for mm, its in zip((across, down), size, strict=True)):
            for way in (0, 180):
                yield from (pose_on_table(np.array(middle), turn + way + off, plane, size) for off in TURNS)


def _poses_of_faces(unread: Mask, names: Sequence[str], seeing: Seeing, plane: Reals) -> Iterator[Pose]:
    """Propose where faces may lie, in and round what has changed."""
    deck = seeing.deck
    room = round(ROOM * float(np.sqrt(_card_area(plane, deck.size, unread.shape)))) * STEP
    left, top, wide, high = (STEP * edge for edge in cv2.boundingRect(unread))
    left, top, right, bottom = max(0, left - room), max(0, top - room), left + wide + room, top + high + room
    part = pyramid(np.ascontiguousarray(seeing.levels[0][top:bottom, left:right]))
    there = np.array([(1, 0, left), (0, 1, top), (0, 0, 1)], np.float64)
    for row in (deck.faces.tolist().index(deck.names.index(name)) for name in names if name in deck.names):
        yield from (there @ pose for pose in seek_face(part, row, deck, inverse(there) @ plane))


def _card_area(plane: Reals, size: tuple[float, float], shape: Sequence[int]) -> float:
    """Measure a card in the middle of the small picture."""
    middle = map_points(inverse(plane), np.array([(shape[1] / 2, shape[0] / 2)]) * STEP)[0]
    return area_of(pose_on_table(middle, 0, plane, size)) / STEP**2


def _share_of(mask: Mask, outline: Outline) -> float:
    """Measure the share of a place that a mask marks."""
    place = spots_in(outline, mask.shape)
    return cv2.countNonZero(cv2.bitwise_and(mask, place)) / max(1, cv2.countNonZero(place))


def _without(mask: Mask, cards: Sequence[Sighting]) -> Mask:
    """Take the places of cards, and what blurring adds to them, out of a mask."""
    out = mask.copy()
    for card in cards:
        out[cv2.dilate(spots_in(card.outline, mask.shape), np.ones((5, 5), np.uint8)) > 0] = 0
    return out
