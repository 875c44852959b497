"""Known cards that others cover: they stay known while their visible part shows their face.

A visible corner isn't always enough to name a card. It needn't be: the card was visible as a whole before.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from msgspec.structs import replace

from vision.process.looks import PINNED, WHOLE, is_same, outlines_over
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
from vision.table.card_plane import enlarged_mask
from vision.table.plane import covers, inverse, map_points

FITS = 0.65  # least correlation of the visible part with the face
AS_NEAR = 0.9  # a face that fits this well, compared with the best face, isn't ruled out
FINE = 64  # cells each way for measuring the visible share of a card
LITTLE = 0.25
"""Visible share below which a card under an unmoved one isn't compared with its face."""
UNMOVED = 0.06  # largest shift of an unmoved card, as a share of its side
UNCOVERED = 0.1  # gain in visible share that shows that a covering card was removed
MOST_IN_SIGHT = 0.9  # visible share above which the card would have been read: it is gone


def recall_covered(seen: Reading, known: Cards, seeing: Seeing) -> Reading:
    """Add known cards that are partly covered, if their visible part still shows their face."""
    was = known_before(known, seen.cards)
    kept = list[Sighting]()
    count = Counter(card.face for card in seen.cards)
    # newest first: it is on top of the others
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
    # cards laid earlier lie below
    later = known[next(place for place, each in enumerate(known) if each is card) + 1 :]
    pairs = zip(seen, was, strict=True)
    newer = [(now, before) for now, before in pairs if before is None or any(before is each for each in later)]
    # nobody can have taken it from under an unmoved card
    unmoved = (now for now, before in newer if before is not None and _is_unmoved(now, before))
    is_pinned = any(covers(each.outline, card.outline) > PINNED for each in (*unmoved, *kept))
    above = [now for now, _before in newer]
    # a card that was covered when first seen may lie under any other
    for some in [above] if card.visible > WHOLE else [above, seen]:
        over = outlines_over(card.outline, [*some, *kept], LEAST_SEEN)
        if over and (_is_hidden(card.outline, over, is_pinned) or _looks_as_before(seeing, card, over)):
            return True
    return False


def _is_unmoved(now: Sighting, before: Sighting) -> bool:
    """Return whether a card is where it was. One that has become more visible lay below a removed card."""
    corners, there = np.array(before.outline), np.array(now.outline)
    # a card that looks the same both ways up may be outlined from either end
    shift = min(float(np.abs(each - corners).max()) for each in (there, np.roll(there, 2, axis=0)))
    is_near = shift < UNMOVED * float(np.linalg.norm(corners[1] - corners[0]))
    return is_near and now.visible < before.visible + UNCOVERED


def _is_hidden(card: Outline, covering: Sequence[Outline], is_pinned: bool) -> bool:
    """Return whether others hide nearly all of a card, and none has taken its place."""
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
    """Return whether a comparison shows a face, or can't rule it out."""
    if now is None or now.visible > MOST_IN_SIGHT or now.fit < FITS or now.misfit > CARD_MISFIT:
        return False
    near = [share for row, share in now.rivals if deck.name_of(row) == name]
    return deck.name_of(now.row) == name or max(near, default=0.0) >= AS_NEAR


# unexplained parts beside a card
# A fan of which one card is read must not count as one card. On a known empty table, every new part counts.
# Otherwise grain and shadows look like parts, so that only paper like the card's own counts.

PART, PRINT = 0.17, 0.015
"""Least size of a new part, and of the edges in it, as shares of a card's area."""
TOUCHING, TOUCHING_PAPER = 0.16, 0.1
"""Least share of a card's surroundings that a part under it takes: for new things, and for paper."""
PAPER, UNLIKE = 0.2, 32.0
"""Least share of a part that must look like the card's rim, and least Lab distance of rim and table."""
LIKE_PAPER = 18.0  # largest Lab distance between colours of the same paper
WHOLE_PART = 0.9  # visible share above which a card shows the table's plane, if nothing else does
INSIDE, NEAR, FAR = 2, (2, 5), (17, 30)
"""Width of a card's rim, and distances from the card of its surroundings and of the table, in view pixels."""

Beside = tuple[Picture, Picture, Picture]
"""Masks in the view: a card's rim, its surroundings and the table around them."""


def mark_more_below(
    seen: Reading, picture: Picture, size: tuple[float, float], around: views.Surroundings | None = None
) -> Reading:
    """Mark the sure and likely cards that cover something unread, and unmark all others."""
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
    """Return for each card whether an unexplained part touches it as if it lay under the card."""
    outlines = [each.outline for each in cards]
    parts = list[Picture]()
    for contour in outlines_in(mask_left_over(view, [*outlines, *around.things], card)):
        if cv2.contourArea(contour) > PART * card[0] * card[1]:
            parts.append(np.zeros_like(view.solid))
            cv2.drawContours(parts[-1], [contour], -1, 255, cv2.FILLED)
    if not parts:
        return [False] * len(cards)
    quads, least = views.quads_in_view(view.back, outlines), PRINT * card[0] * card[1]
    known = enlarged_mask(view.solid.shape, quads, 1.0)
    places = (_surroundings_of(enlarged_mask(view.solid.shape, [quad], 1.0), known) for quad in quads)
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
    """Return whether a new part is printed and touches the card."""
    inside = cv2.bitwise_and(cv2.erode(part, _square(1)), view.edges)
    return cv2.countNonZero(inside) > least and _share_of(beside[1], _grown(part, 4)) > TOUCHING


def _is_paper(part: Picture, beside: Beside, view: views.PictureView) -> bool:
    """Return whether a part looks like the card's paper, and the table looks different."""
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


def _grown(mask: Picture, by: int) -> Picture:
    return np.asarray(cv2.dilate(mask, _square(by)), np.uint8)


def _square(by: int) -> Picture:
    """Return a square kernel that reaches `by` pixels to each side."""
    return np.ones((2 * by + 1, 2 * by + 1), np.uint8)
