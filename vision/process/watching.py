"""Watch a table: wait until a change is still, read only that part, vote over frames, report what happened.

The gate compares small grey pictures, cell by cell. A cell is busy while it moves; since a reflection may never
rest, a busy cell is accepted after a while. Something that reaches in from the picture's edge is an arm, even
if it rests: cards under it aren't gone.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.process.looks import Look, cards_still_in_sight, keep_names, remember_looks
from vision.process.places import (
    KnownBefore,
    add_look,
    carry_names,
    distance_between,
    is_same_place,
    known_before,
    longer_side,
    middle_of,
    missing_cards,
    pair_nearest,
    partners_of,
    settles,
)
from vision.sightings import Point, Reading, Sighting, UnexplainedThing, best_face, guesses, likely_face

Picture = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels of the picture."""
ReadPart = Callable[[Picture, Box], Reading]
"""Reads one part of a picture; sightings are in pixels of the whole."""

STEP = 8
"""How many times smaller the small picture is, each way."""
CELL = 16
"""The side of a cell, in pixels of the small picture."""
STIR = 12
"""Grey levels by which a pixel must differ to count."""
STIRRED = 4
"""Pixels of a cell that must differ for the cell to be busy."""
STILL_FRAMES = 3
"""Frames without motion after which a cell is still."""
PATIENCE = 30
"""Frames after which a cell that never rests is accepted."""
ARM = 3 * PATIENCE
"""Frames after which a part that something reaches into is read all the same."""
GROUND = 10 * ARM
"""Frames after which what rests at the rim is part of the table, and what it hides is gone."""
RIM = 1
"""The width, in pixels of the small picture, of the border that an arm comes through."""
VOTES = 3
"""Readings of one change; a face counts if most of them are sure of it."""
NUDGED = 0.03
"""How far it must have shifted for a look at it to be another one than before."""


class CardChange(Struct, frozen=True):
    """A card was laid, taken or moved."""

    what: Literal["laid", "taken", "moved"]
    card: Sighting
    before: Sighting | None = None


class Watch(Struct, frozen=True, eq=False):
    """What is known of the table; each frame gives the next state."""

    settled: Picture | None
    """The small picture at the last reading of the table, without arms; None if there was none."""
    last: Picture
    still: NDArray[np.int32]
    """How many frames each cell has been still."""
    waiting: NDArray[np.int32]
    """How many frames each cell has waited to be read."""
    reached: NDArray[np.int32]
    """For how many frames something has reached in through each cell at the picture's edge."""
    bare: Picture | None = None
    """The small picture before anything that rests at the rim was taken for a part of the table."""
    known: tuple[Sighting, ...] = ()
    looks: tuple[Look, ...] = ()
    """How the known cards looked when nothing lay on them."""
    strange: tuple[UnexplainedThing, ...] = ()
    """Things that aren't cards, by the last reading of their part."""
    ballots: tuple[Reading, ...] = ()
    boxes: tuple[Box, ...] = ()
    """The parts being voted on."""
    whole: bool = False
    """The whole table is to be read, whatever has changed."""

    @property
    def is_busy(self) -> bool:
        """Return whether anything moves, or waits to be read."""
        return bool(self.waiting.any()) or bool(self.ballots)

    @property
    def calm(self) -> int:
        """Count the frames since anything moved anywhere."""
        return int(self.still.min())

    @property
    def is_held_up(self) -> bool:
        """Return whether something has reached into the picture for a long time."""
        return bool((self.reached >= PATIENCE).any())


def begin_watch(picture: Picture, known: tuple[Sighting, ...] = ()) -> Watch:
    """Begin to watch a table, with the known cards on it as it looks now."""
    fresh = begin_unread_watch(picture)
    looks = remember_looks((), picture, known, known)
    return replace(fresh, settled=fresh.last, bare=fresh.last, known=known, looks=looks, whole=False)


def begin_unread_watch(picture: Picture) -> Watch:
    """Begin to watch an unknown table: all of it is read as soon as it is still."""
    small = gate_picture(picture)
    cells = np.zeros(_changed_cells(np.zeros(small.shape, np.bool_)).shape, np.int32)
    return Watch(None, small, cells, cells, cells, whole=True)


def schedule_reading(watch: Watch) -> Watch:
    """Have the whole table read again once it is still and clear of arms; until then it stays known.

    What has waited goes on waiting: else asking again and again would never let an arm be accepted.
    """
    return replace(watch, ballots=(), boxes=(), whole=True)


def watch_frame(watch: Watch, picture: Picture, read: ReadPart) -> tuple[Watch, tuple[CardChange, ...]]:
    """Look at the next frame; usually nothing happens, and nothing is read."""
    gated = note_motion(watch, gate_picture(picture))
    ready = ready_parts(gated)
    boxes = _join_parts(watch.boxes, [*ready, *_parts_at_rest(gated)] if ready else [])
    if not boxes:
        return replace(gated, ballots=(), boxes=()), ()
    ballot = _merge_readings([(box, read(picture, box)) for box in boxes])
    ballots = (*gated.ballots, ballot) if boxes == watch.boxes else (ballot,)
    if len(ballots) < VOTES:
        return replace(gated, ballots=ballots, boxes=boxes), ()
    clear = _with_kept_names(gated, picture, elect_cards(ballots), boxes)
    hidden = _hidden_by_arms(gated, clear, boxes)
    # what an arm may hide hasn't moved
    clear = clear if hidden else _with_carried_names(watch.known, clear, boxes)
    unseen = () if watch.whole else _unseen_but_there(gated, picture, (*clear, *hidden), boxes)
    seen = (*clear, *hidden, *unseen)
    was = known_before(watch.known, seen)
    known = (
        _cards_after_whole(watch.known, seen, was)
        if watch.whole
        else _cards_after_parts(watch.known, seen, was, boxes)
    )
    strange = (
        *(each for each in watch.strange if not _is_inside(each, boxes)),
        *(each for each in ballot.unexplained if _is_inside(each, boxes)),
    )
    happenings = _card_changes(watch.known, seen, was, boxes)
    looks = remember_looks(watch.looks, picture, known, _read_again(known, clear))
    return replace(_settle_parts(gated, boxes), known=known, looks=looks, strange=strange), happenings


# The gate


def gate_picture(picture: Picture) -> Picture:
    """Make the gate's small grey picture, from green, which has the least noise."""
    half = STEP // 2
    channel = picture[::half, ::half, 1] if picture.ndim == 3 else picture[::half, ::half]
    small = cv2.resize(np.ascontiguousarray(channel), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (5, 5)), np.uint8)


def note_motion(watch: Watch, small: Picture) -> Watch:
    """Note which cells move, which have changed since the last reading, and where something reaches in.

    A rim that looks as it did before has nothing in it, whatever has rested there meanwhile.
    """
    moving = _changed_cells(_difference_mask(watch.last, small))
    still = np.where(moving, 0, watch.still + 1)
    if watch.settled is None or watch.bare is None:
        return replace(watch, last=small, still=still, waiting=watch.waiting + 1)
    differs = _difference_mask(watch.settled, small)
    waiting = np.where(_changed_cells(differs) | moving | watch.whole, watch.waiting + 1, 0)
    differs &= _difference_mask(watch.bare, small)
    differs[RIM:-RIM, RIM:-RIM] = False
    reached = np.where(_changed_cells(differs), watch.reached + 1, 0)
    return replace(watch, last=small, still=still, waiting=waiting, reached=reached)


def _difference_mask(before: Picture, after: Picture, least: int = STIR) -> NDArray[np.bool_]:
    """Compare two small pictures; ignore changes of light over the whole table."""
    difference = cv2.subtract(after, before, dtype=cv2.CV_16S)
    everywhere = int(np.median(difference[::4, ::4]))
    return np.asarray(np.abs(difference - everywhere) > least)


def _changed_cells(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    rows, columns = (-(-side // CELL) * CELL for side in mask.shape)
    padded = np.zeros((rows, columns), np.bool_)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    counts = padded.reshape(rows // CELL, CELL, columns // CELL, CELL).sum(axis=(1, 3))
    return np.asarray(counts >= STIRRED)


def ready_parts(watch: Watch) -> list[Box]:
    """Find the parts to read: adjacent changed cells, all of them still or out of patience."""
    restless = _restless_cells(watch)
    count, parts = cv2.connectedComponents((watch.waiting > 0).astype(np.uint8), connectivity=8)
    numbers = [part for part in range(1, count) if not restless[parts == part].any()]
    return [_box_of(parts == part) for part in numbers]


def _parts_at_rest(watch: Watch) -> list[Box]:
    """List the parts being voted on that nothing stirs in: one may seem changed in every other picture."""
    restless = _restless_cells(watch)
    return [box for box in watch.boxes if not restless[_cells_in(box)].any()]


def is_at_rest(watch: Watch) -> bool:
    """Return whether something has changed, and all of it is still."""
    return bool(watch.waiting.any()) and not _restless_cells(watch).any()


def _restless_cells(watch: Watch) -> NDArray[np.bool_]:
    """Find the cells that aren't to be read yet."""
    moving = (watch.waiting > 0) & (watch.still < STILL_FRAMES) & (watch.waiting < PATIENCE)
    return np.asarray(moving | ((watch.reached > 0) & (watch.waiting < ARM)))


def _box_of(cells: NDArray[np.bool_]) -> Box:
    rows, columns = np.nonzero(cells)
    side = CELL * STEP
    left, top, right, bottom = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    return int(left * side), int(top * side), int(right * side), int(bottom * side)


def _join_parts(before: tuple[Box, ...], ready: list[Box]) -> tuple[Box, ...]:
    """Keep the parts being voted on at their size, unless what is ready now is larger."""
    grown: list[Box] = []
    for box in ready:
        for other in (*before, *grown):
            if _has_overlap(box, other):
                box = _box_around(box, other)  # noqa: PLW2901 - it grows over what it meets
        grown = [*(other for other in grown if not _has_overlap(box, other)), box]
    return tuple(sorted(grown))


def _has_overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _box_around(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _settle_parts(watch: Watch, boxes: tuple[Box, ...]) -> Watch:
    """Mark the parts that were read as settled; where something reaches in they will be read again."""
    settled = (watch.last if watch.settled is None else watch.settled).copy()
    bare, waiting = (settled if watch.bare is None else watch.bare).copy(), watch.waiting.copy()
    for box in boxes:
        waiting[_cells_in(box)] = 0
        left, top, right, bottom = (edge // STEP for edge in box)
        place, reached = np.s_[top:bottom, left:right], watch.reached[_cells_in(box)].max()
        if not 0 < reached < GROUND:
            settled[place] = watch.last[place]
        if not reached:
            bare[place] = watch.last[place]
    return replace(watch, settled=settled, bare=bare, waiting=waiting, ballots=(), boxes=(), whole=False)


def _cells_in(box: Box) -> tuple[slice, slice]:
    left, top, right, bottom = (edge // (CELL * STEP) for edge in box)
    return np.s_[top:bottom, left:right]


def _hidden_by_arms(watch: Watch, seen: tuple[Sighting, ...], boxes: tuple[Box, ...]) -> tuple[Sighting, ...]:
    """List the known cards that are out of sight where something reaches in: hidden isn't gone, for a while."""
    arms = tuple(box for box in boxes if 0 < watch.reached[_cells_in(box)].max() < GROUND)
    missing = missing_cards(watch.known, known_before(watch.known, seen))
    return tuple(card for card in missing if _is_inside(card, arms))


# The vote


def _merge_readings(readings: list[tuple[Box, Reading]]) -> Reading:
    """Merge the readings of several parts; drop from each what lies outside its part."""
    return Reading(
        tuple(card for box, reading in readings for card in reading.cards if _is_inside(card, (box,))),
        tuple(each for box, reading in readings for each in reading.unexplained if _is_inside(each, (box,))),
    )


def elect_cards(ballots: tuple[Reading, ...]) -> tuple[Sighting, ...]:
    """Let readings of one part vote: a card is sure if most of them are sure of one face."""
    places: list[list[Sighting]] = []
    for ballot in ballots:
        pairs = pair_nearest([place[0] for place in places], ballot.cards, _preference)
        for card, place in zip(ballot.cards, partners_of(pairs, len(ballot.cards)), strict=True):
            if place is None:
                places.append([card])
            else:
                places[place].append(card)
    return tuple(_winner(place, len(ballots)) for place in places if 2 * len(place) > len(ballots))


def _preference(one: Sighting, other: Sighting) -> float | None:
    """Measure how far two sightings are apart, another face as farther; None in another place."""
    if not is_same_place(one, other):
        return None
    return distance_between(one, other) + (0 if one.face == other.face else longer_side(one))


def _winner(place: list[Sighting], voters: int) -> Sighting:
    sure = Counter(card.face for card in place if card.sure)
    face, votes = sure.most_common(1)[0] if sure else (None, 0)
    best = max(place, key=lambda card: card.score)
    if 2 * votes > voters and len(sure) == 1:
        return max((card for card in place if card.face == face), key=lambda card: card.score)
    return replace(best, face=None, sure=False, runners_up=guesses(best), chance=_lowest_chance(place))


def _lowest_chance(place: list[Sighting]) -> float | None:
    """Give how probable a card's best face is by all readings; None if one names another, or can't tell."""
    chances = [card.chance for card in place if card.chance is not None]
    is_agreed = len(chances) == len(place) and len({best_face(card) for card in place}) == 1
    return min(chances) if is_agreed else None


# What happened


def _with_carried_names(
    known: tuple[Sighting, ...], seen: tuple[Sighting, ...], boxes: tuple[Box, ...]
) -> tuple[Sighting, ...]:
    """Name what has come after what has gone from the same parts, where it was most likely moved."""
    was = known_before(known, seen)
    named = iter(carry_names(_gone_from(known, was, boxes), _new_cards(seen, was)))
    return tuple(
        next(named) if before is None else _with_name_of(before, card)
        for card, before in zip(seen, was, strict=True)
    )


def _with_kept_names(
    watch: Watch, picture: Picture, seen: tuple[Sighting, ...], boxes: tuple[Box, ...]
) -> tuple[Sighting, ...]:
    """Let what is seen of covered cards keep their names where it looks as before."""
    gone = _gone_from(watch.known, known_before(watch.known, seen), boxes)
    return seen if watch.whole or not gone else keep_names(gone, watch.looks, picture, seen)


def _with_name_of(before: Sighting, card: Sighting) -> Sighting:
    """Name a card that was likely before, if what can be seen of it now says the same."""
    return add_look(before, card, is_separate=distance_between(before, card) > NUDGED * longer_side(card))


def _unseen_but_there(
    watch: Watch, picture: Picture, seen: tuple[Sighting, ...], boxes: tuple[Box, ...]
) -> tuple[Sighting, ...]:
    """List the known cards that weren't read again though they look as before, or a part of them does."""
    gone = _gone_from(watch.known, known_before(watch.known, seen), boxes)
    return tuple(cards_still_in_sight(gone, watch.looks, picture, seen))


def _read_again(known: Sequence[Sighting], read: Sequence[Sighting]) -> list[Sighting | None]:
    """Give each known card as it was read; None if it wasn't."""
    was = known_before(known, read)
    return [next((now for now, each in zip(read, was, strict=True) if each is card), None) for card in known]


def spots_in(outline: Sequence[Point], shape: Sequence[int]) -> NDArray[np.uint8]:
    """Mark the pixels of a small picture that lie in an outline."""
    place = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(place, (np.array(outline) / STEP).round().astype(np.int32), 1)
    return place


def changed_spots(watch: Watch) -> NDArray[np.uint8]:
    """Mark the pixels of the small picture that look different from what was read last; none if nothing was."""
    if watch.settled is None:
        return np.zeros(watch.last.shape, np.uint8)
    return np.asarray(_difference_mask(watch.settled, watch.last, STIR // 2), np.uint8)


def _is_inside(seen: Sighting | UnexplainedThing, boxes: tuple[Box, ...]) -> bool:
    """Return whether the middle of a card or a thing lies in one of these parts."""
    x, y = middle_of(seen)
    return any(left <= x < right and top <= y < bottom for left, top, right, bottom in boxes)


def _cards_after_parts(
    known: tuple[Sighting, ...], seen: tuple[Sighting, ...], was: KnownBefore, boxes: tuple[Box, ...]
) -> tuple[Sighting, ...]:
    """Keep the known cards outside the parts that were read, and those seen again; then come the new ones."""
    gone = _gone_from(known, was, boxes)
    pairs = list(zip(was, seen, strict=True))
    stay = (
        next((now for before, now in pairs if before is card and _tells_more(before, now)), card)
        for card in known
        if all(card is not each for each in gone)
    )
    return (*stay, *_new_cards(seen, was))


def _tells_more(was: Sighting, now: Sighting) -> bool:
    """Return whether a card that wasn't sure is known better now, or isn't what it most likely was."""
    is_denied = likely_face(was) not in {None, best_face(now)}
    is_likelier = likely_face(now) is not None and (was.chance or 0.0) < (now.chance or 0.0)
    return settles(was, now) or is_denied or (is_likelier and not was.sure)


def _settled_doubts(seen: Sequence[Sighting], was: KnownBefore) -> list[tuple[Sighting, Sighting]]:
    """List the cards that weren't sure and are now, or are likely otherwise, as they were and as they are."""
    return [
        (before, now)
        for before, now in zip(was, seen, strict=True)
        if before is not None
        and _tells_more(before, now)
        and (now.sure or likely_face(before) != likely_face(now))
    ]


def _cards_after_whole(
    known: tuple[Sighting, ...], seen: tuple[Sighting, ...], was: KnownBefore
) -> tuple[Sighting, ...]:
    """Take the whole table as it is seen now; a card that can't be identified keeps its old face, unsurely."""
    pairs = list(zip(seen, was, strict=True))
    again = ((now, card) for card in known for now, before in pairs if before is card)
    stay = (now if now.face == card.face or settles(card, now) else _doubted(card, now) for now, card in again)
    return (*stay, *_new_cards(seen, was))


def _doubted(card: Sighting, now: Sighting) -> Sighting:
    """Let a card that can't be identified now keep its face, and be likely if this look makes it likely."""
    return replace(card, sure=False, chance=now.chance if likely_face(now) == card.face else None)


def _card_changes(
    known: tuple[Sighting, ...], seen: tuple[Sighting, ...], was: KnownBefore, boxes: tuple[Box, ...]
) -> tuple[CardChange, ...]:
    """Compare the known cards of some parts with those seen there now."""
    gone, new = _gone_from(known, was, boxes), _new_cards(seen, was)
    moved = _pair_moved(gone, new)
    return (
        *(CardChange("moved", now, was) for was, now in (*_settled_doubts(seen, was), *moved)),
        *(CardChange("taken", card) for card in gone if all(card is not was for was, _now in moved)),
        *(CardChange("laid", card) for card in new if all(card is not now for _was, now in moved)),
    )


def _gone_from(known: tuple[Sighting, ...], was: KnownBefore, boxes: tuple[Box, ...]) -> list[Sighting]:
    """List the known cards of some parts that aren't there any more."""
    return [card for card in missing_cards(known, was) if _is_inside(card, boxes)]


def _new_cards(seen: Sequence[Sighting], was: KnownBefore) -> list[Sighting]:
    return [card for card, before in zip(seen, was, strict=True) if before is None]


def _pair_moved(gone: list[Sighting], new: list[Sighting]) -> list[tuple[Sighting, Sighting]]:
    """Pair cards that are gone with new ones of the same face, which must have been moved."""
    left, pairs = list(new), []
    for card in gone:
        found = next((other for other in left if card.face is not None and other.face == card.face), None)
        if found is not None:
            left.remove(found)
            pairs.append((card, found))
    return pairs
