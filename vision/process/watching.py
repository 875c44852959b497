"""Watch a table: wait until a change is still, read only that part, vote over frames, report changes.

Motion is detected in small grey pictures, cell by cell. A cell that never rests, such as a reflection, is read
after a while. Something that reaches in from the picture's edge is an arm, even if it rests: cards under it
aren't gone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.process import places
from vision.process.light import difference_mask, differences, in_light_of
from vision.process.looks import Looks, cards_still_in_sight, is_replaced, keep_names, remember_looks
from vision.reading.corners import Box, has_overlap, join_boxes
from vision.sightings import (
    Cards,
    Outline,
    Point,
    Reading,
    Sighting,
    UnexplainedThing,
    best_face,
    guesses,
    likely_face,
)
from vision.table.plane import Reals

ReadPart = Callable[[Picture, Box], Reading]
"""Reads one part of a picture; sightings are in pixels of the whole picture."""

STEP = 8  # pixels of the picture per pixel of the small picture, each way
CELL = 16  # side of a cell, in pixels of the small picture
SIDE = CELL * STEP
STIR = 12  # grey levels from which on a pixel counts as different
STIRRED = 4  # different pixels from which on a cell counts as moving
STILL_FRAMES = 2  # frames without motion after which a cell is still
RESTLESS = 2.0  # seconds after which a cell that never rests is read
ARM = 3 * RESTLESS  # seconds after which a part is read although something reaches into it
LYING, QUITE_STILL = (
    2 * ARM,
    30,
)  # seconds, and frames without motion, after which a thing at the rim lies there
GROUND = 10 * ARM  # seconds after which a thing at the rim counts as table, and cards under it as gone
RIM = 1  # width of the border in which arms are detected, in pixels of the small picture
Pairs = Iterable[tuple[Sighting | None, Sighting]]
"""Cards as known before, or None, and as seen now."""
VOTES = 3  # most readings of one change; a face counts if most of them are sure of it
AGREED = 2  # readings of one change that suffice if both are sure of all cards
NUDGED = 0.03  # shift after which a look at a card counts as separate, in longer sides


class Watch(Struct, frozen=True, eq=False):
    """The state of the table between two frames."""

    settled: Picture | None
    """The small picture at the last reading, without arms; None before the first one."""
    last: Picture
    still: NDArray[np.int32]  # frames for which each cell has been still
    waiting: Reals  # seconds for which each cell has waited for a reading
    reached: Reals
    """Seconds for which something has reached in through each cell at the picture's edge."""
    bare: Picture | None = None
    """The small picture without things at the rim that count as table by now."""
    known: tuple[Sighting, ...] = ()
    looks: Looks = {}  # appearances of the known cards when nothing covered them
    strange: tuple[UnexplainedThing, ...] = ()  # other things, by the last reading of their part
    ballots: tuple[Reading, ...] = ()
    boxes: tuple[Box, ...] = ()  # parts being voted on
    whole: bool = False  # whether to read the whole table, whatever has changed
    doubtful: frozenset[str] = frozenset()  # faces that several looks don't make sure

    @property
    def is_busy(self) -> bool:
        """Return whether anything moves or waits for a reading."""
        return bool(self.waiting.any()) or bool(self.ballots)

    @property
    def calm(self) -> int:
        """The number of frames since the last motion anywhere."""
        return int(self.still.min())

    @property
    def is_held_up(self) -> bool:
        """Return whether a hand or an arm has reached into the picture for long; what lies still is neither."""
        lies = (self.reached >= LYING) & (self.still >= QUITE_STILL)
        return bool(((self.reached >= RESTLESS) & ~lies).any())


def begin_unread_watch(picture: Picture, doubtful: frozenset[str] = frozenset()) -> Watch:
    """Return the state for an unread table: all of it is read as soon as it is still."""
    small = gate_picture(picture)
    cells = np.zeros(_changed_cells(np.zeros(small.shape, np.bool_)).shape)
    return Watch(None, small, cells.astype(np.int32), cells, cells, whole=True, doubtful=doubtful)


def carry_watch(watch: Watch, picture: Picture, carry: Callable[[Outline], Outline]) -> Watch:
    """Return the state after the camera moved: cards keep their names and looks, and all is read again."""
    known = tuple(replace(card, outline=carry(card.outline)) for card in watch.known)
    looks = {
        carry(outline): replace(look, outline=carry(look.outline)) for outline, look in watch.looks.items()
    }
    fresh = begin_unread_watch(picture, watch.doubtful)
    return replace(fresh, whole=False, known=known, looks=looks)


def schedule_reading(watch: Watch) -> Watch:
    """Return a state that reads the whole table once it is still and free of arms.

    Waiting times are kept: otherwise repeated requests would never let an arm be accepted.
    """
    return replace(watch, ballots=(), boxes=(), whole=True)


def watch_frame(watch: Watch, picture: Picture, seconds: float, read: ReadPart) -> tuple[Watch, bool]:
    """Process the next frame, some seconds after the last one; parts are read only after a change.

    Return also whether cards were laid, taken or moved, or doubts settled or changed.
    """
    gated = note_motion(watch, gate_picture(picture), seconds)
    boxes = _parts_to_read(gated)
    if not boxes:
        return replace(gated, ballots=(), boxes=()), False
    readings = [(box, read(picture, box)) for box in boxes]
    # cards outside their part belong to another part's reading
    ballot = Reading(
        tuple(
            card for box, seen in readings for card in seen.cards if _belongs_to(card, box, boxes, watch.known)
        ),
        tuple(each for box, seen in readings for each in seen.unexplained if _is_inside(each, (box,))),
    )
    ballots = (*gated.ballots, ballot) if boxes == watch.boxes else (ballot,)
    if len(ballots) < VOTES and not are_agreed(ballots):
        return replace(gated, ballots=ballots, boxes=boxes), False
    clear, seen = _what_lies(gated, picture, elect_cards(ballots), boxes)
    was = _known_before(gated, picture, seen)
    pairs = tuple(zip(was, seen, strict=True))
    gone, new = _gone_from(watch.known, was, boxes), _new_cards(seen, was)
    again = _known_as_seen(watch.known, pairs, gone, is_whole=watch.whole)
    known = (*again, *new)
    read_again = dict(zip(map(id, places.known_before(known, clear)), clear, strict=True))
    looks = remember_looks(watch.looks, picture, known, [read_again.get(id(card)) for card in known])
    strange = (*(each for each in watch.strange if not _is_inside(each, boxes)), *ballot.unexplained)
    settled = replace(_settle_parts(gated, boxes), known=known, looks=looks, strange=strange)
    return settled, bool(gone or new) or _is_any_doubt_changed(pairs)


def _what_lies(
    watch: Watch, picture: Picture, clear: tuple[Sighting, ...], boxes: tuple[Box, ...]
) -> tuple[tuple[Sighting, ...], tuple[Sighting, ...]]:
    """Return the cards that were read, with known names, and the same with known cards that are hidden now."""
    was = _known_before(watch, picture, clear)
    if not watch.whole:
        clear = keep_names(_gone_from(watch.known, was, boxes), watch.looks, picture, clear)
        was = _known_before(watch, picture, clear)
    # cards under an arm aren't gone, for a while
    arms = tuple(box for box in boxes if 0 < watch.reached[_cells_in(box)].max() < GROUND)
    hidden = _gone_from(watch.known, was, arms)
    if not hidden:
        # with hidden cards, a missing card needn't have moved
        gone, new = _gone_from(watch.known, was, boxes), _new_cards(clear, was)
        named = iter(places.carry_names(gone, new, watch.doubtful))
        clear = tuple(
            next(named) if before is None else _with_name_of(before, card, watch.doubtful)
            for card, before in zip(clear, was, strict=True)
        )
    seen = (*clear, *hidden)
    if watch.whole:
        return clear, seen
    gone = _gone_from(watch.known, _known_before(watch, picture, seen), boxes)
    return clear, (*seen, *cards_still_in_sight(gone, watch.looks, picture, seen))


def _known_before(watch: Watch, picture: Picture, seen: Cards) -> places.KnownBefore:
    """Return the known card of each seen one; None for a new one, also in a known one's place."""
    was = places.known_before(watch.known, seen)
    if watch.whole:
        return was
    return [
        None if before is None or is_replaced(before, now, watch.looks, picture) else before
        for before, now in zip(was, seen, strict=True)
    ]


def gate_picture(picture: Picture) -> Picture:
    """Return the small grey picture for motion detection: the green channel, which has the least noise."""
    half = STEP // 2
    green = np.ascontiguousarray(picture[::half, ::half, 1])
    small = cv2.resize(green, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (5, 5)), np.uint8)


def note_motion(watch: Watch, small: Picture, seconds: float) -> Watch:
    """Update the cells: which move, which have changed since the last reading, where something reaches in.

    A rim that looks as in `bare` is free, whatever rested there meanwhile.
    """
    moving = _changed_cells(difference_mask(watch.last, small, STIR))
    still = np.where(moving, 0, watch.still + 1)
    if watch.settled is None or watch.bare is None:
        return replace(watch, last=small, still=still, waiting=watch.waiting + seconds)
    levels = differences(watch.settled, small)
    differs = levels > STIR
    # a similar card may lie where something has moved
    similar = (watch.waiting > 0) & _changed_cells(levels > STIR // 2)
    waiting = np.where(_changed_cells(differs) | moving | watch.whole | similar, watch.waiting + seconds, 0)
    differs &= difference_mask(watch.bare, small, STIR)
    differs[RIM:-RIM, RIM:-RIM] = False
    reached = np.where(_changed_cells(differs), watch.reached + seconds, 0)
    return replace(watch, last=small, still=still, waiting=waiting, reached=reached)


def _changed_cells(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    rows, columns = (-(-side // CELL) * CELL for side in mask.shape)
    padded = np.zeros((rows, columns), np.bool_)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    counts = padded.reshape(rows // CELL, CELL, columns // CELL, CELL).sum(axis=(1, 3))
    return np.asarray(counts >= STIRRED)


def _parts_to_read(watch: Watch) -> tuple[Box, ...]:
    """Return the parts to read: connected changed cells that are still, or have waited long enough."""
    moving = (watch.waiting > 0) & (watch.still < STILL_FRAMES) & (watch.waiting < RESTLESS)
    restless = moving | ((watch.reached > 0) & (watch.waiting < ARM))
    changed = (watch.waiting > 0).astype(np.uint8)
    _count, parts, found, _middles = cv2.connectedComponentsWithStats(changed, connectivity=8)
    ready = [
        (left * SIDE, top * SIDE, (left + wide) * SIDE, (top + high) * SIDE)
        for part, (left, top, wide, high, _cells) in enumerate(found.tolist())
        if part and not restless[parts == part].any()
    ]
    # a part being voted on may seem changed in every other picture
    at_rest = [box for box in watch.boxes if not restless[_cells_in(box)].any()]
    to_read = [*ready, *at_rest] if ready else []
    # parts being voted on keep their size, unless a larger part is ready now
    joined = join_boxes([*watch.boxes, *to_read])
    return tuple(sorted(each for each in joined if any(has_overlap(each, box) for box in to_read)))


def is_about_to_read(watch: Watch) -> bool:
    """Return whether a changed part may be read after the next frame, if that is still."""
    return bool(((watch.waiting > 0) & (watch.still >= STILL_FRAMES - 1) & (watch.reached == 0)).any())


def _settle_parts(watch: Watch, boxes: tuple[Box, ...]) -> Watch:
    """Mark parts as read; those into which something reaches are read again later."""
    settled = in_light_of(watch.last if watch.settled is None else watch.settled, watch.last).copy()
    bare = settled.copy() if watch.bare is None else in_light_of(watch.bare, watch.last).copy()
    waiting = watch.waiting.copy()
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
    left, top, right, bottom = (edge // SIDE for edge in box)
    return np.s_[top:bottom, left:right]


def elect_cards(ballots: tuple[Reading, ...]) -> tuple[Sighting, ...]:
    """Combine readings of one part: a card is sure if most readings are sure of one face."""
    found: list[list[Sighting]] = []
    for ballot in ballots:
        found_of = places.pair_nearest([place[0] for place in found], ballot.cards, _preference)
        for number, card in enumerate(ballot.cards):
            if number in found_of:
                found[found_of[number]].append(card)
            else:
                found.append([card])
    return tuple(_winner(place, len(ballots)) for place in found if 2 * len(place) > len(ballots))


def are_agreed(ballots: Sequence[Reading]) -> bool:
    """Return whether two readings are sure of the same cards in the same places: a third can't outvote them."""
    if len(ballots) < AGREED:
        return False
    one, other = ballots[-AGREED:]
    if len(one.cards) != len(other.cards) or one.unexplained or other.unexplained:
        return False
    pairs = places.pair_nearest(one.cards, other.cards, _preference)
    both = ((one.cards[before], other.cards[after]) for after, before in pairs.items())
    return len(pairs) == len(one.cards) and all(
        was.sure and now.sure and (was.face, was.facing) == (now.face, now.facing) for was, now in both
    )


def _preference(one: Sighting, other: Sighting) -> float | None:
    """Return the distance of two sightings, with a penalty for another face; None in another place."""
    if not places.is_same_place(one, other):
        return None
    return places.distance_between(one, other) + (0 if one.face == other.face else places.longer_side(one))


def _winner(place: list[Sighting], voters: int) -> Sighting:
    sure = Counter(card.face for card in place if card.sure)
    face, votes = sure.most_common(1)[0] if sure else (None, 0)
    if 2 * votes > voters and len(sure) == 1:
        return max((card for card in place if card.face == face), key=lambda card: card.score)
    best = max(place, key=lambda card: card.score)
    chances = [card.chance for card in place if card.chance is not None]
    # the readings' likeliest faces must agree
    is_agreed = len(chances) == len(place) and len({best_face(card) for card in place}) == 1
    lowest = min(chances) if is_agreed else None
    return replace(best, face=None, sure=False, runners_up=guesses(best), chance=lowest)


def _with_name_of(before: Sighting, card: Sighting, doubtful: frozenset[str]) -> Sighting:
    is_nudged = places.distance_between(before, card) > NUDGED * places.longer_side(card)
    return places.add_look(before, card, doubtful, is_separate=is_nudged)


def spots_in(outline: Sequence[Point], shape: Sequence[int]) -> NDArray[np.uint8]:
    """Return a mask of the small picture's pixels inside an outline."""
    place = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(place, (np.array(outline) / STEP).round().astype(np.int32), 1)
    return place


def changed_spots(watch: Watch) -> NDArray[np.uint8]:
    """Return a mask of the small picture's pixels that have changed since the last reading; empty before it."""
    if watch.settled is None:
        return np.zeros(watch.last.shape, np.uint8)
    return np.asarray(difference_mask(watch.settled, watch.last, STIR // 2), np.uint8)


def _is_inside(seen: Sighting | UnexplainedThing, boxes: tuple[Box, ...]) -> bool:
    """Return whether the middle of a card or thing is in one of these parts."""
    x, y = places.middle_of(seen)
    return any(left <= x < right and top <= y < bottom for left, top, right, bottom in boxes)


def _belongs_to(card: Sighting, box: Box, boxes: tuple[Box, ...], known: Cards) -> bool:
    """Return whether a card is in a part that was read, or was there before it was pushed over its edge."""
    if _is_inside(card, boxes):
        return _is_inside(card, (box,))
    return any(_is_inside(was, (box,)) and places.is_same_place(was, card) for was in known)


def _known_as_seen(known: Cards, pairs: Pairs, gone: Cards, *, is_whole: bool) -> Iterator[Sighting]:
    """Yield the known cards' current state: after a reading of the whole table, only those seen."""
    again = {id(before): now for before, now in pairs}
    for card in known:
        now = again.get(id(card))
        if is_whole and now is not None:
            is_named = now.face == card.face or places.settles(card, now)
            # a card that can't be identified now keeps its face; it is likely if this look makes it likely
            likely = now.chance if likely_face(now) == card.face else None
            yield now if is_named else replace(card, sure=False, chance=likely)
        elif not is_whole and all(card is not each for each in gone):
            yield card if now is None or not _tells_more(card, now) else now


def _tells_more(was: Sighting, now: Sighting) -> bool:
    """Return whether a look at an unsure card settles it, makes it likelier or rules out its likely face."""
    is_denied = likely_face(was) not in {None, best_face(now)}
    is_likelier = likely_face(now) is not None and (was.chance or 0.0) < (now.chance or 0.0)
    return places.settles(was, now) or is_denied or (is_likelier and not was.sure)


def _is_any_doubt_changed(pairs: Pairs) -> bool:
    better = [(was, now) for was, now in pairs if was is not None and _tells_more(was, now)]
    return any(now.sure or likely_face(was) != likely_face(now) for was, now in better)


def _gone_from(known: Cards, was: places.KnownBefore, boxes: tuple[Box, ...]) -> list[Sighting]:
    """Return the known cards of some parts that are gone."""
    return [card for card in places.missing_cards(known, was) if _is_inside(card, boxes)]


def _new_cards(seen: Cards, was: places.KnownBefore) -> list[Sighting]:
    return [card for card, before in zip(seen, was, strict=True) if before is None]
