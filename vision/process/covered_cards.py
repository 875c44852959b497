"""Known cards that newer ones cover: they stay known while what is left in sight of them looks the same.

A card of which a corner is left can't always be named anew. Nobody has to: it was seen whole a second ago.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import cv2
import numpy as np

from vision.process.places import KnownBefore, known_before, missing_cards
from vision.reading.deciding import Likeness
from vision.reading.explaining import A_CARD, Seeing
from vision.reading.identifying import LEAST_SEEN, compare_card, cover_of
from vision.reading.templates import BACK, Picture, Templates
from vision.reading.veils import look_as
from vision.reading.views import common_share, pose_of, pyramid
from vision.sightings import Outline, Reading, Sighting, UnexplainedThing
from vision.table.plane import inverse, map_points

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
SEEN_WHOLE = 0.95
"""A card of which this share was in sight had nothing on it."""
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
    strange = (thing for thing in seen.unexplained if not any(_lies_on(thing, card.outline) for card in kept))
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
        ways = [_outlines_over(card, [*some, *kept]) for some in _that_may_cover(card, newer, seen.cards)]
        is_spare = among is None or card.face is None or count[card.face] < among.get(card.face, 0)
        if not any(ways) or not is_spare:
            continue
        levels = levels or pyramid(picture)
        is_unseen = _is_nearly_hidden if _is_pinned(card, newer, kept) else _is_hidden
        if any(
            above and (is_unseen(card.outline, above) or _looks_as_before(levels, card, above, deck))
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
    return [above] if card.visible > SEEN_WHOLE else [above, seen]


def _is_pinned(
    card: Sighting, newer: Sequence[tuple[Sighting, Sighting | None]], kept: Sequence[Sighting]
) -> bool:
    """Tell whether a card laid on this one hasn't moved: nobody can have taken this one from under it."""
    unmoved = (now for now, before in newer if before is not None and _is_unmoved(now, before))
    return any(_has_overlap(each.outline, card.outline, PINNED) for each in (*unmoved, *kept))


def _is_unmoved(now: Sighting, before: Sighting) -> bool:
    """Tell whether a card lies as before; one that comes into sight lay below what has gone."""
    corners, there = np.array(before.outline), np.array(now.outline)
    # a card that looks the same both ways up may be seen from either end
    shift = min(float(np.abs(each - corners).max()) for each in (there, np.roll(there, 2, axis=0)))
    is_near = shift < UNMOVED * float(np.linalg.norm(corners[1] - corners[0]))
    return is_near and now.visible < before.visible + UNCOVERED


def _outlines_over(card: Sighting, others: Iterable[Sighting]) -> list[Outline]:
    return [each.outline for each in others if _has_overlap(each.outline, card.outline, LEAST_SEEN)]


def _is_nearly_hidden(card: Outline, covering: Sequence[Outline]) -> bool:
    """Tell whether others leave too little of a pinned card to doubt that it still lies there."""
    return _share_in_sight(card, covering) < LITTLE


def _is_hidden(card: Outline, covering: Sequence[Outline]) -> bool:
    """Tell whether others leave too little of a card to look at, and none has taken its place."""
    is_replaced = any(common_share(card, other) > IN_ITS_PLACE for other in covering)
    return not is_replaced and _share_in_sight(card, covering) < LEAST_SEEN


def _share_in_sight(card: Outline, covering: Sequence[Outline]) -> float:
    """Measure how much of a card others leave in sight."""
    free = np.full((FINE, FINE), 255, np.uint8)
    into = inverse(pose_of(np.array(card)))
    for other in covering:
        quad = (map_points(into, np.array(other)) + 0.5) * FINE
        cv2.fillConvexPoly(free, quad.round().astype(np.int32), 0)
    return cv2.countNonZero(free) / free.size


def _looks_as_before(
    levels: Sequence[Picture], card: Sighting, above: Iterable[Outline], deck: Templates
) -> bool:
    """Compare what is left in sight of a card with its face."""
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
    """Tell whether a likeness is that of a face, or can't be told from it."""
    if now.visible > MOST_IN_SIGHT or now.fit < FITS or now.misfit > A_CARD:
        return False
    near = [share for row, share in now.rivals if deck.names[deck.faces[row]] == name]
    return deck.names[deck.faces[now.row]] == name or max(near, default=0.0) >= AS_NEAR


def _has_overlap(one: Outline, other: Outline, least: float) -> bool:
    """Tell whether one covers so large a share of the other."""
    area, _shape = cv2.intersectConvexConvex(np.array(one, np.float32), np.array(other, np.float32))
    return area > least * cv2.contourArea(np.array(other, np.float32))


def _lies_on(thing: UnexplainedThing, card: Outline) -> bool:
    x, y = np.mean(np.array(thing.outline, np.float64), axis=0)
    return cv2.pointPolygonTest(np.array(card, np.float32), (float(x), float(y)), measureDist=False) >= 0
