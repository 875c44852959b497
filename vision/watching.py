"""Watching a table: wait until what changed is still, read only that, vote over frames, say what happened.

The gate looks at a small grey picture, cell by cell. A cell is busy while it moves; a reflection that never
rests may not hold the table up, so a cell is taken as it is after a while.
"""

from collections import Counter
from collections.abc import Callable
from typing import Literal

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.sightings import Reading, Sighting

Picture = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels of the picture."""
Read = Callable[[Picture, Box], Reading]
"""Reads one part of a picture; the sightings are in pixels of the whole."""

STEP = 8
"""The small picture has one pixel of so many, each way."""
CELL = 16
"""The side of a cell, in pixels of the small picture."""
STIR = 12
"""Grey levels by which a pixel has to differ before it counts."""
STIRRED = 4
"""Pixels of a cell that have to differ before the cell is busy."""
STILL_FRAMES = 3
"""Frames without motion after which a cell is still."""
PATIENCE = 30
"""Frames after which a cell that never rests is taken as it is."""
VOTES = 3
"""Readings of the same change; a face counts when most of them are sure of it."""
NEAR = 0.35
"""Share of a card's longer side by which it may shift and still be the same card in the same place."""


class Happening(Struct, frozen=True):
    """What happened to a card: laid, taken or moved; and the part of the picture that shows it."""

    what: Literal["laid", "taken", "moved"]
    card: Sighting
    box: Box
    before: Sighting | None = None


class Watch(Struct, frozen=True, eq=False):
    """What is known of the table so far; every frame gives the next."""

    settled: Picture
    """The small picture as it was when the table was read last."""
    last: Picture
    still: NDArray[np.int32]
    """For each cell, how many frames it has been still."""
    waiting: NDArray[np.int32]
    """For each cell, how many frames it has waited to be read."""
    known: tuple[Sighting, ...] = ()
    ballots: tuple[Reading, ...] = ()
    box: Box | None = None
    """The part that is being voted on."""

    @property
    def busy(self) -> bool:
        """Tell whether anything moves, or waits to be read."""
        return bool(self.waiting.any()) or bool(self.ballots)


def begun(picture: Picture, known: tuple[Sighting, ...] = ()) -> Watch:
    """Begin to watch a table as it is now."""
    small = gate_picture(picture)
    cells = np.zeros(_cells(np.zeros(small.shape, np.bool_)).shape, np.int32)
    return Watch(small, small, cells, cells, known)


def watched(watch: Watch, picture: Picture, read: Read) -> tuple[Watch, tuple[Happening, ...]]:
    """Look at the next frame; usually nothing happens, and nothing is read."""
    gated = stirred(watch, gate_picture(picture))
    ready = _ready(gated)
    if ready is None:
        return replace(gated, ballots=(), box=None), ()
    box = ready if watch.box is None else _around(watch.box, ready)
    ballots = (*gated.ballots, read(picture, box)) if box == watch.box else (read(picture, box),)
    if len(ballots) < VOTES:
        return replace(gated, ballots=ballots, box=box), ()
    seen = elected(ballots)
    happenings = _happenings(watch.known, seen, box)
    return replace(_accepted(gated, box), known=_now_known(watch.known, seen, box)), happenings


# The gate


def gate_picture(picture: Picture) -> Picture:
    """Make the small grey picture that the gate looks at; of green, which has the least noise."""
    half = STEP // 2
    channel = picture[::half, ::half, 1] if picture.ndim == 3 else picture[::half, ::half]
    small = cv2.resize(np.ascontiguousarray(channel), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (5, 5)), np.uint8)


def stirred(watch: Watch, small: Picture) -> Watch:
    """Note which cells move, and which have changed since the table was read last."""
    moving = _cells(_differs(watch.last, small))
    changed = _cells(_differs(watch.settled, small))
    still = np.where(moving, 0, watch.still + 1)
    waiting = np.where(changed | moving, watch.waiting + 1, 0)
    return replace(watch, last=small, still=still, waiting=waiting)


def _differs(before: Picture, after: Picture) -> NDArray[np.bool_]:
    """Compare two small pictures, whatever the light does to all of the table at once."""
    difference = cv2.subtract(after, before, dtype=cv2.CV_16S)
    everywhere = int(np.median(difference[::4, ::4]))
    return np.asarray(np.abs(difference - everywhere) > STIR)


def _cells(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell for each cell whether enough of its pixels differ."""
    rows, columns = (-(-side // CELL) * CELL for side in mask.shape)
    padded = np.zeros((rows, columns), np.bool_)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    counts = padded.reshape(rows // CELL, CELL, columns // CELL, CELL).sum(axis=(1, 3))
    return np.asarray(counts >= STIRRED)


def _ready(watch: Watch) -> Box | None:
    """Find a part to read: cells side by side that have changed, all of them still or out of patience."""
    waiting = watch.waiting > 0
    restless = waiting & (watch.still < STILL_FRAMES) & (watch.waiting < PATIENCE)
    count, parts = cv2.connectedComponents(waiting.astype(np.uint8), connectivity=8)
    for part in range(1, count):
        cells = parts == part
        if not (cells & restless).any():
            return _box_of(cells)
    return None


def _box_of(cells: NDArray[np.bool_]) -> Box:
    rows, columns = np.nonzero(cells)
    side = CELL * STEP
    left, top, right, bottom = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    return int(left * side), int(top * side), int(right * side), int(bottom * side)


def _around(one: Box, other: Box) -> Box:
    """Find the box around two boxes."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _accepted(watch: Watch, box: Box) -> Watch:
    """Take the part that was read for settled."""
    left, top, right, bottom = (edge // STEP for edge in box)
    settled, waiting = watch.settled.copy(), watch.waiting.copy()
    settled[top:bottom, left:right] = watch.last[top:bottom, left:right]
    waiting[top // CELL : bottom // CELL, left // CELL : right // CELL] = 0
    return replace(watch, settled=settled, waiting=waiting, ballots=(), box=None)


# The vote


def elected(ballots: tuple[Reading, ...]) -> tuple[Sighting, ...]:
    """Let readings of the same part vote: a card is sure when most of them are sure of one face."""
    places: list[list[Sighting]] = []
    for card in (card for ballot in ballots for card in ballot.cards):
        place = next((place for place in places if same_place(place[0], card)), None)
        if place is None:
            places.append([card])
        else:
            place.append(card)
    return tuple(_winner(place, len(ballots)) for place in places if 2 * len(place) > len(ballots))


def _winner(place: list[Sighting], voters: int) -> Sighting:
    sure = Counter(card.face for card in place if card.sure)
    face, votes = sure.most_common(1)[0] if sure else (None, 0)
    best = max(place, key=lambda card: card.score)
    if 2 * votes > voters and len(sure) == 1:
        return max((card for card in place if card.face == face), key=lambda card: card.score)
    return replace(best, face=None, sure=False)


# What happened


def same_place(one: Sighting, other: Sighting) -> bool:
    """Tell whether two sightings lie in the same place."""
    corners = np.array(one.outline)
    side = max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[1]))
    return bool(np.linalg.norm(_middle(one) - _middle(other)) < NEAR * side)


def _middle(card: Sighting) -> NDArray[np.float64]:
    return np.asarray(np.mean(np.array(card.outline, np.float64), axis=0))


def _inside(card: Sighting, box: Box) -> bool:
    x, y = _middle(card)
    return bool(box[0] <= x < box[2] and box[1] <= y < box[3])


def _now_known(known: tuple[Sighting, ...], seen: tuple[Sighting, ...], box: Box) -> tuple[Sighting, ...]:
    """Keep what lies outside the part that was read; inside it, what was seen is what is there."""
    inside = [next((was for was in known if _same(was, card)), card) for card in seen if _inside(card, box)]
    return (*(card for card in known if not _inside(card, box)), *inside)


def _happenings(known: tuple[Sighting, ...], seen: tuple[Sighting, ...], box: Box) -> tuple[Happening, ...]:
    """Compare what was known of a part with what is seen there now."""
    before = [card for card in known if _inside(card, box)]
    after = [card for card in seen if _inside(card, box)]
    gone = [card for card in before if not any(_same(card, other) for other in after)]
    new = [card for card in after if not any(_same(other, card) for other in before)]
    moved = _pairs(gone, new)
    return (
        *(Happening("moved", now, box, was) for was, now in moved),
        *(Happening("taken", card, box) for card in gone if all(card is not was for was, _now in moved)),
        *(Happening("laid", card, box) for card in new if all(card is not now for _was, now in moved)),
    )


def _same(was: Sighting, now: Sighting) -> bool:
    """Tell whether a card lies where it lay; half covered by another it may be unsure, but not be denied."""
    if not same_place(was, now):
        return False
    could_be = now.face is None and any(other.face == was.face for other in now.runners_up)
    return (was.face == now.face and was.facing == now.facing) or could_be


def _pairs(gone: list[Sighting], new: list[Sighting]) -> list[tuple[Sighting, Sighting]]:
    """Pair what is gone with what is new where the same face must have been moved."""
    left, pairs = list(new), []
    for card in gone:
        found = next((other for other in left if card.face is not None and other.face == card.face), None)
        if found is not None:
            left.remove(found)
            pairs.append((card, found))
    return pairs
