"""Known cards that newer ones cover: they stay known while what is left in sight of them looks the same.

A card of which a corner is left can't always be named anew. Nobody has to: it was seen whole a second ago.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import cv2
import numpy as np

from vision.process.watching import known_before, missing_cards
from vision.reading.deciding import Likeness
from vision.reading.explaining import A_CARD
from vision.reading.identifying import LEAST_SEEN, compare_card, cover_of
from vision.reading.templates import BACK, Picture, Templates
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
    above = [card.outline for card in seen.cards]
    count = Counter(card.face for card in seen.cards)
    missing = missing_cards(known, known_before(known, seen.cards))
    for card in (card for card in reversed(missing) if card.sure):
        covering = [outline for outline in above if _has_overlap(outline, card.outline)]
        is_spare = among is None or card.face is None or count[card.face] < among.get(card.face, 0)
        if not covering or not is_spare:
            continue
        levels = levels or pyramid(picture)
        if _is_hidden(card.outline, covering) or _looks_as_before(levels, card, covering, deck):
            above.append(card.outline)
            count[card.face] += 1
            yield card


def _is_hidden(card: Outline, covering: Sequence[Outline]) -> bool:
    """Tell whether others leave nothing of a card to look at; one in its very place has replaced it."""
    if any(common_share(card, other) > IN_ITS_PLACE for other in covering):
        return False
    free = np.full((FINE, FINE), 255, np.uint8)
    into = inverse(pose_of(np.array(card)))
    for other in covering:
        quad = (map_points(into, np.array(other)) + 0.5) * FINE
        cv2.fillConvexPoly(free, quad.round().astype(np.int32), 0)
    return cv2.countNonZero(free) < LEAST_SEEN * free.size


def _looks_as_before(
    levels: Sequence[Picture], card: Sighting, above: Iterable[Outline], deck: Templates
) -> bool:
    """Compare what is left in sight of a card with its face."""
    name = BACK if card.facing == "down" else card.face
    if name not in deck.names:
        return False
    row = int(np.flatnonzero(deck.faces == deck.names.index(name))[0])
    covers = [cover_of(pose_of(np.array(outline))) for outline in above]
    now = compare_card(levels, pose_of(np.array(card.outline)), row, deck, covers, plane=True)
    return now is not None and _is_face(now, name, deck)


def _is_face(now: Likeness, name: str, deck: Templates) -> bool:
    """Tell whether a likeness is that of a face, or can't be told from it."""
    if now.visible > MOST_IN_SIGHT or now.fit < FITS or now.misfit > A_CARD:
        return False
    near = [share for row, share in now.rivals if deck.names[deck.faces[row]] == name]
    return deck.names[deck.faces[now.row]] == name or max(near, default=0.0) >= AS_NEAR


def _has_overlap(one: Outline, other: Outline) -> bool:
    area, _shape = cv2.intersectConvexConvex(np.array(one, np.float32), np.array(other, np.float32))
    return area > LEAST_SEEN * cv2.contourArea(np.array(other, np.float32))


def _lies_on(thing: UnexplainedThing, card: Outline) -> bool:
    x, y = np.mean(np.array(thing.outline, np.float64), axis=0)
    return cv2.pointPolygonTest(np.array(card, np.float32), (float(x), float(y)), measureDist=False) >= 0
