"""Known cards that others cover: they stay known while what is left in sight of them shows their face.

A card of which a corner is left can't always be named anew. It needn't be: it was seen whole a second ago.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from msgspec.structs import replace

from vision.process.looks import PINNED, WHOLE, covers, is_same, outlines_over
from vision.process.places import KnownBefore, known_before, lies_on, missing_cards
from vision.reading import views
from vision.reading.corners import mask_left_over
from vision.reading.deciding import Likeness
from vision.reading.identifying import cover_of
from vision.reading.looking import LEAST_SEEN, Seeing, compare_card
from vision.reading.outlines import outlines_in
from vision.reading.templates import BACK, Picture, Templates
from vision.reading.thresholds import CARD_MISFIT
from vision.sightings import Cards, Outline, Reading, Sighting, likely_face
from vision.table.plane import inverse, map_points

FITS = 0.65  # how well what is left in sight must correlate with the face
AS_NEAR = 0.9  # a face that fits nearly as well as the best one isn't denied by it
FINE = 64  # how finely is looked what others leave of a card, each way
LITTLE = 0.25
"""So little in sight of a card that lies under one that hasn't moved needn't look like it, as a share of it."""
UNMOVED = 0.06  # how little a card has moved that lies as before, as a share of its side
UNCOVERED = 0.1  # how much more of a card must be in sight than before for something to have lain on it
MOST_IN_SIGHT = 0.9  # a card of which more is in sight would have been read: it is gone


def recall_covered(seen: Reading, known: Cards, seeing: Seeing) -> Reading:
    """Add the known cards of which others have covered a part, if the rest still looks as they do."""
    was = known_before(known, seen.cards)
    kept = list[Sighting]()
    count = Counter(card.face for card in seen.cards)
    # the newest first, as it lies on the others
    for card in reversed(missing_cards(known, was)):
        is_spare = (
            seeing.among is None or card.face is None or count[card.face] < seeing.among.get(card.face, 0)
        )
        if card.sure and is_spare and _is_still_there(card, known, was, seen.cards, kept, seeing):
            kept.append(card)
            count[card.face] += 1
    strange = (thing for thing in seen.unexplained if not any(lies_on(thing, card) for card in kept))
    return Reading((*seen.cards, *kept), tuple(strange)) if kept else seen


def _is_still_there(
    card: Sighting, known: Cards, was: KnownBefore, seen: Cards, kept: Cards, seeing: Seeing
) -> bool:
    # what was laid earlier lies below
    later = known[next(place for place, each in enumerate(known) if each is card) + 1 :]
    pairs = zip(seen, was, strict=True)
    newer = [(now, before) for now, before in pairs if before is None or any(before is each for each in later)]
    # no hand can have taken it from under a card that hasn't moved
    unmoved = (now for now, before in newer if before is not None and _is_unmoved(now, before))
    is_pinned = any(covers(each.outline, card.outline) > PINNED for each in (*unmoved, *kept))
    above = [now for now, _before in newer]
    # one that was covered when it was seen first may lie under anything
    for some in [above] if card.visible > WHOLE else [above, seen]:
        over = outlines_over(card.outline, [*some, *kept], LEAST_SEEN)
        if over and (_is_hidden(card.outline, over, is_pinned) or _looks_as_before(seeing, card, over)):
            return True
    return False


def _is_unmoved(now: Sighting, before: Sighting) -> bool:
    """Return whether a card lies as before; one that comes into sight lay below what has gone."""
    corners, there = np.array(before.outline), np.array(now.outline)
    # a card that looks the same both ways up may be seen from either end
    shift = min(float(np.abs(each - corners).max()) for each in (there, np.roll(there, 2, axis=0)))
    is_near = shift < UNMOVED * float(np.linalg.norm(corners[1] - corners[0]))
    return is_near and now.visible < before.visible + UNCOVERED


def _is_hidden(card: Outline, covering: Sequence[Outline], is_pinned: bool) -> bool:
    """Return whether others leave too little of a card to look at, and none has taken its place."""
    if not is_pinned and any(is_same(card, other) for other in covering):
        return False
    free = np.full((FINE, FINE), 255, np.uint8)
    into = inverse(views.pose_of(np.array(card)))
    for other in covering:
        quad = (map_points(into, np.array(other)) + 0.5) * FINE
        cv2.fillConvexPoly(free, quad.round().astype(np.int32), 0)
    return cv2.countNonZero(free) / free.size < (LITTLE if is_pinned else LEAST_SEEN)


def _looks_as_before(seeing: Seeing, card: Sighting, above: Iterable[Outline]) -> bool:
    deck = seeing.deck
    name = BACK if card.facing == "down" else card.face
    if name not in deck.names:
        return False
    row = int(np.flatnonzero(deck.faces == deck.names.index(name))[0])
    under = [cover_of(views.pose_of(np.array(outline))) for outline in above]
    return _is_face(compare_card(seeing, views.pose_of(np.array(card.outline)), row, under), name, deck)


def _is_face(now: Likeness | None, name: str, deck: Templates) -> bool:
    """Return whether a likeness is that of a face, or can't be told from it."""
    if now is None or now.visible > MOST_IN_SIGHT or now.fit < FITS or now.misfit > CARD_MISFIT:
        return False
    near = [share for row, share in now.rivals if deck.name_of(row) == name]
    return deck.name_of(now.row) == name or max(near, default=0.0) >= AS_NEAR


# parts in sight beside a card of what no reading explains
# A fan of which one card is read must not stand as one card. Where the empty table is known, all that is new on
# it is a thing; elsewhere a table's grain and shadows look like one, and only paper like the card's own counts.

PART, PRINT = 0.17, 0.015
"""The least size of a part that is new on the table, and its edges, as shares of a card's area."""
TOUCHING, TOUCHING_PAPER = 0.16, 0.1
"""The least share of a card's surroundings that a part takes which it covers."""
PAPER, UNLIKE = 0.2, 32.0
"""How much of a part beside a card must look like the card's rim, and how unlike the table that must be."""
LIKE_PAPER = 18.0  # how far colours of the same paper are apart at most
WHOLE_PART = 0.9  # a card of which more is in sight tells how the table lies, where nothing else does
INSIDE, NEAR, FAR = 2, (2, 5), (17, 30)
"""How wide a card's rim is, and from where to where what lies beside it and the table round it reach, in pixels
of the view."""

Beside = tuple[Picture, Picture, Picture]
"""A card's rim, what lies near it and the table farther off, in the view."""


def mark_more_below(
    seen: Reading, picture: Picture, size: tuple[float, float], around: views.Surroundings | None = None
) -> Reading:
    """Mark the cards that are sure, or likely, and cover more than was read, and no others."""
    if around is None:
        whole = (card for card in seen.cards if card.sure and card.visible > WHOLE_PART)
        poses = [views.pose_of(np.array(card.outline)) for card in whole]
        around = views.Surroundings(views.plane_under(poses, size, picture.shape)) if poses else None
    is_over_more = [False] * len(seen.cards)
    view = None if around is None else views.view_of(views.pyramid(picture), size, around)
    if around is not None and view is not None and view.card is not None:
        is_over_more = _cards_over_more(seen.cards, view, view.card, around)
    marked = (
        replace(card, more_below=is_over and (card.sure or likely_face(card) is not None))
        for card, is_over in zip(seen.cards, is_over_more, strict=True)
    )
    return replace(seen, cards=tuple(marked))


def _cards_over_more(
    cards: Cards, view: views.PictureView, card: tuple[float, float], around: views.Surroundings
) -> list[bool]:
    """Return for each card whether a part that no card explains touches it as what lies under it does."""
    outlines = [each.outline for each in cards]
    view = views.with_heaps(view, outlines, card)
    parts = list[Picture]()
    for contour in outlines_in(mask_left_over(view, [*outlines, *around.things], card)):
        if cv2.contourArea(contour) > PART * card[0] * card[1]:
            parts.append(np.zeros_like(view.solid))
            cv2.drawContours(parts[-1], [contour], -1, 255, cv2.FILLED)
    if not parts:
        return [False] * len(cards)
    known, least = _mask_of(outlines, view), PRINT * card[0] * card[1]
    places = (_surroundings_of(_mask_of([outline], view), known) for outline in outlines)
    if around.lines is None:
        return [any(_is_paper(part, beside, view) for part in parts) for beside in places]
    return [any(_is_new_thing(part, beside, view, least) for part in parts) for beside in places]


def _surroundings_of(card: Picture, cards: Picture) -> Beside:
    free = cv2.bitwise_not(cards)
    near, far = (
        cv2.bitwise_and(cv2.subtract(_grown(card, most), _grown(card, least)), free)
        for least, most in (NEAR, FAR)
    )
    rim = cv2.subtract(card, cv2.erode(card, _square(INSIDE)))
    return np.asarray(rim, np.uint8), np.asarray(near, np.uint8), np.asarray(far, np.uint8)


def _is_new_thing(part: Picture, beside: Beside, view: views.PictureView, least: float) -> bool:
    """Return whether a part that the empty table doesn't have is print beside the card."""
    inside = cv2.bitwise_and(cv2.erode(part, _square(1)), view.edges)
    return cv2.countNonZero(inside) > least and _share_of(beside[1], _grown(part, 4)) > TOUCHING


def _is_paper(part: Picture, beside: Beside, view: views.PictureView) -> bool:
    """Return whether a part looks like the card's paper, and the table doesn't."""
    card, near, far = beside
    there = np.asarray(cv2.bitwise_and(near, _grown(part, 4)), np.uint8)
    if _share_of(near, there) <= TOUCHING_PAPER or not cv2.countNonZero(far):
        return False
    rim, table = (np.median(_colours(view, where), axis=0) for where in (card, far))
    unlike = float(np.linalg.norm(rim - table))
    off = np.linalg.norm(_colours(view, there) - rim, axis=1)
    return unlike > UNLIKE and float((off < min(LIKE_PAPER, unlike / 2)).mean()) > PAPER


def _colours(view: views.PictureView, where: Picture) -> views.Floats:
    shown = view.picture[where > 0].astype(np.float32)[None] / 255
    return np.asarray(cv2.cvtColor(shown, cv2.COLOR_BGR2Lab)[0], np.float32)


def _share_of(whole: Picture, part: Picture) -> float:
    return cv2.countNonZero(cv2.bitwise_and(whole, part)) / max(1, cv2.countNonZero(whole))


def _mask_of(outlines: Sequence[Outline], view: views.PictureView) -> Picture:
    mask = np.zeros_like(view.solid)
    for quad in views.quads_in_view(view.back, outlines).round().astype(np.int32):
        cv2.fillConvexPoly(mask, quad, 255)
    return mask


def _grown(mask: Picture, by: int) -> Picture:
    return np.asarray(cv2.dilate(mask, _square(by)), np.uint8)


def _square(by: int) -> Picture:
    """Make a square kernel that reaches so many pixels to each side."""
    return np.ones((2 * by + 1, 2 * by + 1), np.uint8)
