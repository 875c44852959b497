"""Known cards that others cover: they stay known while what is left in sight of them looks the same.

A card of which a corner is left can't always be named anew. It needn't be: it was seen whole a second ago. What
lies on it need not be read, nor even be seen as a thing: pictures are compared, in cells of a card's place that
have a texture, each in its own light. What is left in sight of a card lies to one side of a line.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.process.places import KnownBefore, known_before, lies_on, missing_cards
from vision.reading.corners import mask_left_over
from vision.reading.deciding import Likeness
from vision.reading.explaining import A_CARD, Seeing
from vision.reading.identifying import cover_of
from vision.reading.looking import LEAST_SEEN, compare_card
from vision.reading.outlines import outlines_in
from vision.reading.templates import BACK, Picture, Templates
from vision.reading.veils import look_as
from vision.reading.views import (
    Floats,
    PictureView,
    Surroundings,
    common_share,
    plane_under,
    pose_of,
    pyramid,
    quads_in_view,
    view_of,
    with_heaps,
)
from vision.sightings import Outline, Reading, Sighting, likely_face
from vision.table.plane import inverse, map_points

Reals = NDArray[np.float32]

CELLS, CELL = 8, 8
"""Cells of a card each way, and pixels of a cell."""
SIDE = CELLS * CELL
RIM = 0.06
"""The border of a card that isn't looked at, as a share of it: it is like that of any other in its place."""
TEXTURE = 3.0
"""Grey levels by which a cell's pixels spread if there is something to compare."""
ALIKE = 0.8
"""How well a cell that hasn't changed correlates with itself."""
LEAST, FEW = 6, 3
"""Cells that must look as before; so few of a card that is pinned by another one that lies there."""
MOST_OFF = 0.1
"""The share of the cells beside the line that may have changed: light may lie there."""
WAYS = 16
"""The directions in which a line is sought."""


class Look(Struct, frozen=True, eq=False):
    """How the place of a card looked, flattened, and in which of its cells the card was to be seen."""

    known: Outline
    """The card's outline as it is known: it stays while the card is turned a little, or pushed."""
    outline: Outline
    """Where the card lay when it was looked at."""
    grey: Reals
    free: NDArray[np.bool_]


def remember_looks(
    looks: Sequence[Look], picture: Picture, known: Sequence[Sighting], read: Sequence[Sighting | None]
) -> tuple[Look, ...]:
    """Keep how known cards looked; look anew at what was read of them, each where it lies, if that is clear."""
    before = {look.known: look for look in looks}
    return tuple(
        look
        if (look := before.get(card.outline)) is not None
        and (now is None or not now.sure or not _is_clear(now, look, known))
        else look_at_card(picture, card, now or card, known)
        for card, now in zip(known, read, strict=True)
    )


def _is_clear(now: Sighting, look: Look, known: Sequence[Sighting]) -> bool:
    """Return whether nothing known overlaps a card, or all of it is seen in another place than before."""
    if now.visible > WHOLE and not _is_same(now.outline, look.outline):
        return True
    return not _outlines_over(now.outline, (each for each in known if each.outline != look.known))


def as_they_lie(known: Sequence[Sighting], looks: Iterable[Look]) -> tuple[Sighting, ...]:
    """Put known cards where they were seen last."""
    place = {look.known: look.outline for look in looks}
    return tuple(replace(card, outline=place.get(card.outline, card.outline)) for card in known)


def look_at_card(picture: Picture, card: Sighting, now: Sighting, known: Sequence[Sighting]) -> Look:
    """Look at a known card where it lies now, and at what others leave of it."""
    covered = np.zeros((SIDE, SIDE), np.uint8)
    others = () if now.visible > WHOLE else (each for each in known if each is not card)
    for cover in _outlines_over(now.outline, others):
        corners = map_points(_flattening(now.outline), np.array(cover))
        cv2.fillConvexPoly(covered, corners.round().astype(np.int32), 1)
    free = _cells_of(covered).max(axis=1) == 0
    return Look(card.outline, now.outline, _flat(picture, now.outline), np.asarray(free))


def cards_still_in_sight(
    gone: Sequence[Sighting], looks: Iterable[Look], picture: Picture, seen: Sequence[Sighting]
) -> list[Sighting]:
    """List those cards that weren't read again but of which a part looks as before; the lowest first.

    Of a card under one that is still there less need be in sight: no hand can have taken it from under that.
    """
    before = {look.known: look for look in looks}
    kept = list[Sighting]()
    for card in reversed(gone):
        least = FEW if any(_covers(each.outline, card.outline) > PINNED for each in kept) else LEAST
        look = before.get(card.outline)
        if look is None or any(each.sure and _is_same(look.outline, each.outline) for each in seen):
            # it is gone: another card lies in its very place
            continue
        if _is_in_sight(look, picture, least):
            kept.insert(0, card)
    return kept


def keep_names(
    gone: Sequence[Sighting], looks: Iterable[Look], picture: Picture, seen: Iterable[Sighting]
) -> tuple[Sighting, ...]:
    """Let parts of cards keep the names of the cards that lay in their very places and looked the same.

    Cards of one deck may share all of a part but a sign; all of the card was in sight before.
    """
    before = {look.known: look for look in looks}
    had = [(card, look) for card in gone if card.sure and (look := before.get(card.outline)) is not None]
    return tuple(
        next((_with_name(part, card) for card, look in had if _is_part_of(part, look, picture)), part)
        for part in seen
    )


def _is_part_of(part: Sighting, look: Look, picture: Picture) -> bool:
    is_it = part.visible < WHOLE and _is_same(part.outline, look.outline)
    return is_it and _is_in_sight(look, picture, LEAST)


def _with_name(part: Sighting, card: Sighting) -> Sighting:
    return replace(card, outline=part.outline, visible=part.visible, turned=part.turned)


def _is_same(one: Outline, other: Outline) -> bool:
    """Return whether two cards lie in the very same place."""
    return common_share(one, other) > IN_ITS_PLACE


def _is_in_sight(look: Look, picture: Picture, least: int) -> bool:
    textured, same = compare_cells(look.grey, _flat(picture, look.outline))
    return _is_part_the_same(textured & look.free, same, least)


def compare_cells(before: Reals, now: Reals) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Find the cells that have a texture, and those of them that have the same one as before."""
    one, other = (cells - cells.mean(axis=1, keepdims=True) for cells in (_cells_of(before), _cells_of(now)))
    spread, there = one.std(axis=1), other.std(axis=1)
    textured = np.maximum(spread, there) > TEXTURE
    alike = (one * other).mean(axis=1) / np.maximum(spread * there, 1e-6)
    return textured, textured & (alike > ALIKE)


def _is_part_the_same(textured: NDArray[np.bool_], same: NDArray[np.bool_], least: int) -> bool:
    """Return whether a line parts enough cells that look as before from the others."""
    rows, columns = np.divmod(np.flatnonzero(textured), CELLS)
    looks_same = same[textured]
    return any(
        _is_first_part_the_same(looks_same[np.argsort(columns * np.cos(way) + rows * np.sin(way))], least)
        for way in np.arange(WAYS) * 2 * np.pi / WAYS
    )


def _is_first_part_the_same(same: NDArray[np.bool_], least: int) -> bool:
    count = np.cumsum(same)
    return bool(((count >= least) & (count >= (1 - MOST_OFF) * np.arange(1, len(same) + 1))).any())


def _outlines_over(place: Outline, others: Iterable[Sighting], least: float = 0) -> list[Outline]:
    """List the outlines of other cards that cover more than such a share of a place."""
    return [each.outline for each in others if _covers(each.outline, place) > least]


def _covers(one: Outline, other: Outline) -> float:
    place = np.array(other, np.float32)
    return float(cv2.intersectConvexConvex(np.array(one, np.float32), place)[0] / cv2.contourArea(place))


def _flattening(outline: Outline) -> NDArray[np.float64]:
    """Map a card's outline, without its border, to a square."""
    low, high = -RIM * SIDE, (1 + RIM) * SIDE
    square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(np.array(outline, np.float32), square), np.float64)


def _flat(picture: Picture, outline: Outline) -> Reals:
    """Flatten a card's place, in grey, no finer than is looked at."""
    corners = np.array(outline)
    left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    right, bottom = np.maximum(np.ceil(corners.max(axis=0)), 0).astype(int) + 1
    part = picture[top:bottom, left:right]
    if part.size == 0:
        return np.zeros((SIDE, SIDE), np.float32)
    step = max(1, round(float(np.linalg.norm(corners[1] - corners[0])) / SIDE))
    grey = np.ascontiguousarray(part.mean(axis=2, dtype=np.float32) if part.ndim == 3 else part, np.float32)
    high, wide = (max(1, side // step) for side in grey.shape)
    small = cv2.resize(grey, (wide, high), interpolation=cv2.INTER_AREA)
    shrunk = np.array([(part.shape[1] / wide, 0, left), (0, part.shape[0] / high, top), (0, 0, 1)])
    flat = cv2.warpPerspective(small, _flattening(outline) @ shrunk, (SIDE, SIDE))
    return np.asarray(flat, np.float32)


def _cells_of(flat: NDArray[np.generic]) -> NDArray[np.float32]:
    """List a flattened card's cells, each with its pixels in a row."""
    cells = flat.reshape(CELLS, CELL, CELLS, CELL).swapaxes(1, 2).reshape(CELLS**2, CELL**2)
    return np.asarray(cells, np.float32)


# cards whose face still shows

FITS = 0.65
"""How well what is left in sight must correlate with the face."""
AS_NEAR = 0.9
"""A face that fits nearly as well as the best one isn't denied by it."""
IN_ITS_PLACE = 0.8
"""What a card has in common with one that has taken its place, or is its other side, as a share of both."""
FINE = 64
"""How finely is looked what others leave of a card, each way."""
LITTLE = 0.25
"""So little in sight of a card that lies under one that hasn't moved needn't look like it, as a share of it."""
PINNED, UNMOVED = 0.1, 0.06
"""The share of a card that one on it covers, and how little that one has moved, as a share of a card's side."""
UNCOVERED = 0.1
"""How much more of a card must be in sight than before for something to have lain on it."""
WHOLE = 0.95
"""A card of which this share is in sight has nothing on it."""
MOST_IN_SIGHT = 0.9
"""A card of which more is in sight would have been read: it is gone."""


def recall_covered(
    seen: Reading,
    known: Sequence[Sighting],
    picture: Picture,
    deck: Templates,
    among: Mapping[str, int] | None = None,
) -> Reading:
    """Add the known cards of which others have covered a part, if the rest still looks as they do."""
    kept = tuple(_still_there(seen, known, picture, deck, among))
    strange = (thing for thing in seen.unexplained if not any(lies_on(thing, card) for card in kept))
    return Reading((*seen.cards, *kept), tuple(strange)) if kept else seen


def _still_there(
    seen: Reading,
    known: Sequence[Sighting],
    picture: Picture,
    deck: Templates,
    among: Mapping[str, int] | None,
) -> Iterator[Sighting]:
    """Give the covered cards that still lie there, the newest first, as it lies on the others."""
    levels: tuple[Picture, ...] = ()
    was = known_before(known, seen.cards)
    kept = list[Sighting]()
    count = Counter(card.face for card in seen.cards)
    for card in (card for card in reversed(missing_cards(known, was)) if card.sure):
        newer = _newer_than(card, known, was, seen.cards)
        ways = [
            _outlines_over(card.outline, [*some, *kept], LEAST_SEEN)
            for some in _that_may_cover(card, newer, seen.cards)
        ]
        is_spare = among is None or card.face is None or count[card.face] < among.get(card.face, 0)
        if not any(ways) or not is_spare:
            continue
        levels = levels or pyramid(picture)
        is_pinned = _is_pinned(card, newer, kept)
        if any(
            above
            and (_is_hidden(card.outline, above, is_pinned) or _looks_as_before(levels, card, above, deck))
            for above in ways
        ):
            kept.append(card)
            count[card.face] += 1
            yield card


def _newer_than(
    card: Sighting, known: Sequence[Sighting], was: KnownBefore, seen: Sequence[Sighting]
) -> list[tuple[Sighting, Sighting | None]]:
    """List what was laid after a card, each as it was before: what was laid earlier lies below."""
    later = known[next(place for place, each in enumerate(known) if each is card) + 1 :]
    return [
        (now, before)
        for now, before in zip(seen, was, strict=True)
        if before is None or any(before is each for each in later)
    ]


def _that_may_cover(
    card: Sighting, newer: Sequence[tuple[Sighting, Sighting | None]], seen: Sequence[Sighting]
) -> list[Sequence[Sighting]]:
    """List what may lie on a card: what is newer; or anything, if it was covered when it was seen first.

    What lay there before a card that was seen whole lies below it.
    """
    above = [now for now, _before in newer]
    return [above] if card.visible > WHOLE else [above, seen]


def _is_pinned(
    card: Sighting, newer: Sequence[tuple[Sighting, Sighting | None]], kept: Sequence[Sighting]
) -> bool:
    """Return whether a card laid on this one hasn't moved: no hand can have taken this one from under it."""
    unmoved = (now for now, before in newer if before is not None and _is_unmoved(now, before))
    return any(_covers(each.outline, card.outline) > PINNED for each in (*unmoved, *kept))


def _is_unmoved(now: Sighting, before: Sighting) -> bool:
    """Return whether a card lies as before; one that comes into sight lay below what has gone."""
    corners, there = np.array(before.outline), np.array(now.outline)
    # a card that looks the same both ways up may be seen from either end
    shift = min(float(np.abs(each - corners).max()) for each in (there, np.roll(there, 2, axis=0)))
    is_near = shift < UNMOVED * float(np.linalg.norm(corners[1] - corners[0]))
    return is_near and now.visible < before.visible + UNCOVERED


def _is_hidden(card: Outline, covering: Sequence[Outline], is_pinned: bool) -> bool:
    """Return whether others leave too little of a card to look at, and none has taken its place."""
    if is_pinned:
        return _share_in_sight(card, covering) < LITTLE
    is_replaced = any(_is_same(card, other) for other in covering)
    return not is_replaced and _share_in_sight(card, covering) < LEAST_SEEN


def _share_in_sight(card: Outline, covering: Sequence[Outline]) -> float:
    free = np.full((FINE, FINE), 255, np.uint8)
    into = inverse(pose_of(np.array(card)))
    for other in covering:
        quad = (map_points(into, np.array(other)) + 0.5) * FINE
        cv2.fillConvexPoly(free, quad.round().astype(np.int32), 0)
    return cv2.countNonZero(free) / free.size


def _looks_as_before(
    levels: Sequence[Picture], card: Sighting, above: Iterable[Outline], deck: Templates
) -> bool:
    name = BACK if card.facing == "down" else card.face
    if name not in deck.names:
        return False
    row = int(np.flatnonzero(deck.faces == deck.names.index(name))[0])
    covers = [cover_of(pose_of(np.array(outline))) for outline in above]
    pose = pose_of(np.array(card.outline))
    now = compare_card(levels, pose, row, deck, covers, plane=True)
    if now is not None and _is_face(now, name, deck):
        return True
    seeing = Seeing(levels[0].shape[:2], tuple(levels), deck, None, plane=True)
    unveiled = look_as(seeing, pose, row, covers)
    return unveiled is not None and _is_face(unveiled, name, deck)


def _is_face(now: Likeness, name: str, deck: Templates) -> bool:
    """Return whether a likeness is that of a face, or can't be told from it."""
    if now.visible > MOST_IN_SIGHT or now.fit < FITS or now.misfit > A_CARD:
        return False
    near = [share for row, share in now.rivals if deck.names[deck.faces[row]] == name]
    return deck.names[deck.faces[now.row]] == name or max(near, default=0.0) >= AS_NEAR


# parts in sight beside a card of what no reading explains
# A fan of which one card is read must not stand as one card. Where the empty table is known, all that is new on
# it is a thing; elsewhere a table's grain and shadows look like one, and only paper like the card's own counts.

PART, PRINT = 0.17, 0.015
"""The least size of a part that is new on the table, and its edges, as shares of a card's area."""
TOUCHING, TOUCHING_PAPER = 0.16, 0.1
"""The least share of a card's surroundings that a part takes which it covers."""
PAPER, UNLIKE = 0.2, 32.0
"""How much of a part beside a card must look like the card's rim, and how unlike the table that must be."""
LIKE_PAPER = 18.0
"""How far colours of the same paper are apart at most."""
WHOLE_PART = 0.9
"""A card of which more is in sight tells how the table lies, where nothing else does."""
INSIDE, NEAR, FAR = (0, 2), (2, 5), (17, 30)
"""From where to where a card's rim, what lies beside it and the table round it reach, in pixels of the view."""


class Beside(Struct, frozen=True, eq=False):
    """What lies round a card in the view."""

    rim: Picture
    near: Picture
    far: Picture


def mark_more_below(
    seen: Reading, picture: Picture, size: tuple[float, float], around: Surroundings | None = None
) -> Reading:
    """Mark the cards that are sure, or likely, and cover more than was read, and no others."""
    around = around or _surroundings_by_cards(seen.cards, size, picture)
    view = None if around is None else view_of(pyramid(picture), size, around)
    is_over_more = [False] * len(seen.cards)
    if around is not None and view is not None and view.card is not None:
        is_over_more = [*_cards_over_more(seen.cards, view, view.card, around)]
    marked = (
        replace(card, more_below=is_over and (card.sure or likely_face(card) is not None))
        for card, is_over in zip(seen.cards, is_over_more, strict=True)
    )
    return replace(seen, cards=tuple(marked))


def _cards_over_more(
    cards: Sequence[Sighting], view: PictureView, card: tuple[float, float], around: Surroundings
) -> Iterator[bool]:
    """Yield for each card whether a part that no card explains touches it as what lies under it does."""
    outlines = [each.outline for each in cards]
    view = with_heaps(view, outlines, card)
    parts = _parts_left(view, [*outlines, *around.things], card)
    known, judge = _mask_of(outlines, view), _is_paper if around.lines is None else _is_new_thing
    for outline in outlines:
        beside = _surroundings_of(_mask_of([outline], view), known) if parts else None
        yield beside is not None and any(judge(part, beside, view) for part in parts)


def _surroundings_by_cards(
    cards: Sequence[Sighting], size: tuple[float, float], picture: Picture
) -> Surroundings | None:
    """Return how the table lies by the cards that were read; None without any."""
    poses = [pose_of(np.array(card.outline)) for card in cards if card.sure and card.visible > WHOLE_PART]
    return Surroundings(plane_under(poses, size, picture.shape)) if poses else None


def _parts_left(view: PictureView, explained: Sequence[Outline], card: tuple[float, float]) -> list[Picture]:
    """List the parts of the view that no card explains, a little widened, if they are worth a look."""
    parts: list[Picture] = []
    for contour in outlines_in(mask_left_over(view, explained, card)):
        if cv2.contourArea(contour) > PART * card[0] * card[1]:
            part = np.zeros_like(view.solid)
            cv2.drawContours(part, [contour], -1, 255, cv2.FILLED)
            parts.append(part)
    return parts


def _surroundings_of(card: Picture, cards: Picture) -> Beside:
    """Mark a card's rim, what lies beside it, and the table round it."""
    free = cv2.bitwise_not(cards)
    near, far = (
        cv2.bitwise_and(cv2.subtract(_grown(card, most), _grown(card, least)), free)
        for least, most in (NEAR, FAR)
    )
    rim = cv2.subtract(card, cv2.erode(card, _square(INSIDE[1])))
    return Beside(np.asarray(rim, np.uint8), np.asarray(near, np.uint8), np.asarray(far, np.uint8))


def _is_new_thing(part: Picture, beside: Beside, view: PictureView) -> bool:
    """Return whether a part that the empty table doesn't have is print beside the card."""
    inside = cv2.bitwise_and(cv2.erode(part, _square(1)), view.edges)
    assert view.card is not None  # noqa: S101 - the view is one from above
    is_printed = cv2.countNonZero(inside) > PRINT * view.card[0] * view.card[1]
    return is_printed and _share_of(beside.near, _grown(part, 4)) > TOUCHING


def _is_paper(part: Picture, beside: Beside, view: PictureView) -> bool:
    """Return whether a part looks like the card's paper, and the table doesn't."""
    there = np.asarray(cv2.bitwise_and(beside.near, _grown(part, 4)), np.uint8)
    if _share_of(beside.near, there) <= TOUCHING_PAPER or not cv2.countNonZero(beside.far):
        return False
    rim, table = (np.median(_colours(view, where), axis=0) for where in (beside.rim, beside.far))
    unlike = float(np.linalg.norm(rim - table))
    off = np.linalg.norm(_colours(view, there) - rim, axis=1)
    return unlike > UNLIKE and float((off < min(LIKE_PAPER, unlike / 2)).mean()) > PAPER


def _colours(view: PictureView, where: Picture) -> Floats:
    """List the colours of some places in the view, as Lab."""
    shown = view.picture[where > 0].astype(np.float32)[None] / 255
    return np.asarray(cv2.cvtColor(shown, cv2.COLOR_BGR2Lab)[0], np.float32)


def _share_of(whole: Picture, part: Picture) -> float:
    return cv2.countNonZero(cv2.bitwise_and(whole, part)) / max(1, cv2.countNonZero(whole))


def _mask_of(outlines: Sequence[Outline], view: PictureView) -> Picture:
    mask = np.zeros_like(view.solid)
    for quad in quads_in_view(view.back, outlines).round().astype(np.int32):
        cv2.fillConvexPoly(mask, quad, 255)
    return mask


def _grown(mask: Picture, by: int) -> Picture:
    return np.asarray(cv2.dilate(mask, _square(by)), np.uint8)


def _square(by: int) -> Picture:
    """Make a square kernel that reaches so many pixels to each side."""
    return np.ones((2 * by + 1, 2 * by + 1), np.uint8)
