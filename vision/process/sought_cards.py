"""Search for new cards that the reader missed, where the picture has changed.

An unexplained change is a card without a visible outline, or with glare on its print. A card is tried where the
change has a card's size. Missing cards may have been moved: they, and guesses of unsure cards, are searched for
in the change and around it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.process.places import known_before, missing_cards
from vision.process.watching import STEP, spots_in
from vision.reading.looking import Seeing
from vision.reading.outlines import rigid_pose
from vision.reading.reader import read_places
from vision.reading.templates import BACK, Floats, Templates, picture_of
from vision.reading.views import Picture, Pose, area_of, common_share, grey_of, pyramid
from vision.sightings import Cards, Outline, Reading, Sighting
from vision.table.plane import Reals, inverse, map_points

Mask = NDArray[np.uint8]

CHANGED = 0.3  # changed share of a card's place from which on the card counts as new or gone
LEAST = 0.12  # unexplained change from which on a search begins, in card areas
CARD_SIZED = (0.75, 1.3)  # least and largest length and width of a card-sized change, relative to a card
TURNS = (-6.0, 0.0, 6.0)  # degrees added to the direction of a change's outline
IN_ITS_PLACE = 0.5  # common area of two cards in the same place, as a share of both
ROOM = 0.5  # margin around a change in which a moved card is searched for, in card sides
SOUGHT, GUESSES = 6, 3
"""Largest number of faces, and of changes, in a search; and of guesses per unsure card."""


def seek_unread_cards(seen: Reading, known: Cards, changed: Mask, seeing: Seeing, plane: Reals) -> Reading:
    """Add cards where no reading explains a change. `changed` marks pixels of the small picture."""
    size = seeing.deck.size
    named = [card for card in seen.cards if card.sure]
    missing = [card for card in missing_cards(known, known_before(known, seen.cards)) if card.sure]
    gone = [card for card in missing if _share_of(changed, card.outline) > CHANGED]
    unread = _without(changed, named)
    if cv2.countNonZero(_without(unread, gone)) < LEAST * _card_area(plane, size, changed.shape):
        return seen
    # cards that may have been moved, and guesses of unsure cards
    moved = (BACK if card.facing == "down" else card.face for card in gone)
    may_be = (guess.face for card in seen.cards if not card.sure for guess in card.runners_up[:GUESSES])
    names = [*dict.fromkeys(name for name in (*moved, *may_be) if name is not None)][:SOUGHT]
    poses = [*_poses_of_changes(unread, plane, size), *_poses_of_faces(unread, names, seeing, plane)]
    there = [*named, *(card for card in missing if card not in gone)]
    read = read_places(seeing, poses) if poses else ()
    found = [card for card in read if _is_new(card, unread, there, seeing.among)]
    left = (card for card in seen.cards if not any(_is_same_place(card, each) for each in found))
    return Reading((*left, *found), seen.unexplained) if found else seen


def _is_new(card: Sighting, unread: Mask, there: Cards, among: Mapping[str, int] | None) -> bool:
    """Return whether a card covers the change, takes no other card's place, and isn't already on the table."""
    many = sum(each.face == card.face for each in there)
    is_spare = among is None or card.face is None or many < among.get(card.face, 0)
    is_free = not any(_is_same_place(card, each) for each in there)
    return is_spare and is_free and _share_of(unread, card.outline) > CHANGED


def _is_same_place(one: Sighting, other: Sighting) -> bool:
    return common_share(one.outline, other.outline) > IN_ITS_PLACE


def _poses_of_changes(unread: Mask, plane: Reals, size: tuple[float, float]) -> Iterator[Pose]:
    """Yield card poses, both ways up, where a change has a card's shape."""
    # blurring has widened the change
    core = cv2.erode(unread, np.ones((3, 3), np.uint8))
    count, parts = cv2.connectedComponents(core, connectivity=4)
    for part in range(1, min(count, SOUGHT + 1)):
        spots = cv2.findNonZero(np.asarray(parts == part, np.uint8)).reshape(-1, 2)
        there = map_points(inverse(plane), (spots.astype(np.float64) + 0.5) * STEP)
        middle, (across, down), turn = cv2.minAreaRect(there.astype(np.float32))
        across, down, turn = (across, down, turn) if across < down else (down, across, turn + 90)
        if all(CARD_SIZED[0] < mm / its < CARD_SIZED[1] for mm, its in zip((across, down), size, strict=True)):
            for way in (0, 180):
                turns = np.radians([turn + way + off for off in TURNS]).tolist()
                yield from (plane @ rigid_pose((middle[0], middle[1]), each, size) for each in turns)


def _poses_of_faces(unread: Mask, names: Sequence[str], seeing: Seeing, plane: Reals) -> Iterator[Pose]:
    """Yield poses of faces in and around the change."""
    deck = seeing.deck
    room = round(ROOM * float(np.sqrt(_card_area(plane, deck.size, unread.shape)))) * STEP
    left, top, wide, high = (STEP * edge for edge in cv2.boundingRect(unread))
    right, bottom, left, top = left + wide + room, top + high + room, max(0, left - room), max(0, top - room)
    part = pyramid(np.ascontiguousarray(seeing.levels[0][top:bottom, left:right]))
    there = np.array([(1, 0, left), (0, 1, top), (0, 0, 1)], np.float64)
    for row in (deck.faces.tolist().index(deck.names.index(name)) for name in names if name in deck.names):
        yield from (there @ pose for pose in seek_face(part, row, deck, inverse(there) @ plane))


def _card_area(plane: Reals, size: tuple[float, float], shape: Sequence[int]) -> float:
    middle = map_points(inverse(plane), np.array([(shape[1] / 2, shape[0] / 2)]) * STEP)[0]
    return area_of(plane @ rigid_pose(middle, 0, size)) / STEP**2


def _share_of(mask: Mask, outline: Outline) -> float:
    place = spots_in(outline, mask.shape)
    return cv2.countNonZero(cv2.bitwise_and(mask, place)) / max(1, cv2.countNonZero(place))


def _without(mask: Mask, cards: Cards) -> Mask:
    """Remove the places of cards from a mask, with the margin that blurring adds."""
    out = mask.copy()
    for card in cards:
        out[cv2.dilate(spots_in(card.outline, mask.shape), np.ones((5, 5), np.uint8)) > 0] = 0
    return out


# search for a face in a part of a picture, at any angle
# Local contrast is compared at a small scale, so that light has little influence. Found places are proposals:
# the reader applies the same limits to them as to all others.

LEVEL = 2  # pyramid level of the search
TURN = 10  # degrees between tried angles
MIDDLE = 0.7  # side of the compared square in a card's middle, as a share of its width
LOCAL = 9  # side in pixels of the neighbourhood in which light counts as even
FAINT = 3.0  # grey levels of print that count as noise
LEAST_ALIKE = 0.5  # least correlation of a proposed place
BEST = 3  # largest number of proposed places
APART = 8  # least distance of two proposed places, in pixels
PAPER = 200  # the grey of a face's white

Found = tuple[float, int, float, float]  # correlation, angle in degrees, x and y of the middle


def seek_face(levels: Sequence[Picture], row: int, deck: Templates, plane: Reals) -> list[Pose]:
    """Return poses at which a row of the deck may lie in a picture of a table, the likeliest first."""
    level = min(LEVEL, len(levels) - 1)
    local = _local(grey_of(levels[level]).astype(np.float32))
    shrunk = np.diag((0.5**level, 0.5**level, 1.0)) @ plane
    # a card's width and length in the middle of the picture
    middle = map_points(inverse(shrunk), np.array([(local.shape[1] / 2, local.shape[0] / 2)]))[0]
    one, other = map_points(shrunk, np.array([middle, (middle[0], middle[1] + 1)]))
    pixels = float(np.linalg.norm(other - one))
    card = deck.size[0] * pixels, deck.size[1] * pixels
    side = round(MIDDLE * min(card))
    if side < LOCAL or side >= min(local.shape):
        return []
    drawn = np.clip(picture_of(deck.coarse.bgr[row], deck.coarse.shape) * PAPER, 0, 255).astype(np.uint8)
    poses, found = list[Pose](), _correlate(local, grey_of(drawn).astype(np.float32), card, side)
    for _fit, turn, x, y in _best_of(found):
        there = np.array([(x, y), (x + np.cos(np.deg2rad(turn)), y + np.sin(np.deg2rad(turn)))])
        middle, beside = map_points(inverse(shrunk), there)
        across = beside - middle
        poses.append(plane @ rigid_pose(middle, float(np.arctan2(across[1], across[0])), deck.size))
    return poses


def _correlate(local: Floats, face: Floats, card: tuple[float, float], side: int) -> Iterator[Found]:
    """Yield the best match of a face's middle in a picture for each angle."""
    high, wide = face.shape
    room, ground = round(float(np.hypot(*card))) + LOCAL, float(face.mean())
    scaled = np.diag((card[0] / wide, card[1] / high))
    first = (room - side) // 2
    for turn in range(0, 360, TURN):
        way = np.deg2rad(turn)
        turning = np.array(((np.cos(way), -np.sin(way)), (np.sin(way), np.cos(way)))) @ scaled
        there = np.column_stack((turning, room / 2 - turning @ (wide / 2, high / 2)))
        drawn = _local(np.asarray(cv2.warpAffine(face, there, (room, room), borderValue=ground), np.float32))
        middle = np.ascontiguousarray(drawn[first : first + side, first : first + side])
        fits = cv2.matchTemplate(local, middle, cv2.TM_CCOEFF_NORMED)
        _least, best, _where, (x, y) = cv2.minMaxLoc(fits)
        yield float(best), turn, x + side / 2, y + side / 2


def _local(grey: NDArray[np.float32]) -> Floats:
    """Return local contrast: brightness without its local mean, divided by its local strength."""
    print_ = grey - cv2.blur(grey, (LOCAL, LOCAL))
    # running sums may be slightly negative where nothing is printed
    power = np.maximum(cv2.blur(print_**2, (LOCAL, LOCAL)), 0)
    return np.asarray(print_ / (np.sqrt(power) + FAINT), np.float32)


def _best_of(found: Iterable[Found]) -> list[Found]:
    """Return the best places that are clearly apart."""
    chosen = list[Found]()
    for fit, turn, x, y in sorted(found, reverse=True):
        is_known = any(
            abs((turn - other + 180) % 360 - 180) <= TURN and np.hypot(x - left, y - top) < APART
            for _its, other, left, top in chosen
        )
        if fit > LEAST_ALIKE and not is_known:
            chosen.append((fit, turn, x, y))
    return chosen[:BEST]
