"""A deck that is learnt during play: a draft of named pictures that grows card by card.

Each picture keeps its origin. Cards that nobody could name wait in groups of the same card. All functions
return a new draft.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from math import hypot

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.pictures import Picture
from vision.reading.templates import Templates, templates
from vision.sightings import Point
from vision.table.plane import Reals
from vision.table.plates import Millimetres
from vision.teaching.kept_cuts import CutCard, turned_round
from vision.teaching.same_card import OTHER, Comparison, compare_cards, most_alike
from vision.teaching.taught_decks import CARD, MOST_PICTURES, TaughtDeck, card_size_for, usual_shape

APART = 0.5  # smallest distance of two places in one picture, in card lengths


class Origin(Struct, frozen=True):
    """Where a picture is from, and who named its card."""

    source: str  # a match, or a file
    place: Point  # the card's centre
    named_by: str = ""
    moment: int | None = None


class LearntCard(Struct, frozen=True, eq=False):
    """A card that was cut out of a picture, with its origin."""

    cut: CutCard
    origin: Origin


class DraftDeck(Struct, frozen=True, eq=False):
    """What is known of a deck so far."""

    name: str
    card: Millimetres | None = None
    """A card's size in millimetres; None until a picture shows its shape."""
    faces: Mapping[str, tuple[LearntCard, ...]] = {}
    unnamed: tuple[tuple[LearntCard, ...], ...] = ()  # groups of the same card
    met: Mapping[str, int] = {}
    """How often each face was seen on the table."""
    nearest: Mapping[str, float] = {}
    """How far each face's first picture is from the most similar other face."""
    possible: Mapping[str, int] = {}
    """The deck's faces with their counts; empty if any name is possible."""
    shapes: tuple[float, ...] = ()  # measured widths / heights, the newest last

    @property
    def size(self) -> Millimetres:
        """A card's size: the one given, or a common one of the measured shape."""
        shape = float(np.median(self.shapes)) if self.shapes else CARD[0] / CARD[1]
        return self.card or card_size_for(usual_shape(shape, ODD_SHAPE))

    @property
    def shape(self) -> float:
        """A card's width / height."""
        wide, high = self.size
        return wide / high


ODD_SHAPE = 0.08
"""Largest difference of a measured shape from a common card's: cameras slant, and their lenses differ."""


# what is known


def is_known(draft: DraftDeck, face: str) -> bool:
    """Return whether a face's name may be sure: by pictures of two places, or by one that no other is like."""
    pictures = draft.faces.get(face, ())
    if any(_is_elsewhere(one.origin, other.origin) for one in pictures for other in pictures):
        return True
    return bool(pictures) and draft.nearest.get(face, 1.0) >= OTHER


def _is_elsewhere(one: Origin, other: Origin) -> bool:
    (x, y), (u, v) = one.place, other.place
    return one.source != other.source or one.moment != other.moment or hypot(x - u, y - v) > APART


def _is_same(one: LearntCard, other: LearntCard) -> bool:
    return compare_cards(one.cut.picture, other.cut.picture).is_same


def unknown_share(draft: DraftDeck) -> float:
    """Return the probability that the next card on the table is of a face without a picture.

    With the deck's counts, it is the share of cards without one. Otherwise it is the share of cards whose face
    was met only once (Good and Turing), as if one more had been new.
    """
    if draft.possible:
        lacking = sum(max(1, count) for face, count in draft.possible.items() if face not in draft.faces)
        share = lacking / sum(max(1, count) for count in draft.possible.values())
    else:
        share = (sum(count == 1 for count in draft.met.values()) + 1) / (sum(draft.met.values()) + 1)
    return min(max(share, LEAST_UNKNOWN), MOST_UNKNOWN)


LEAST_UNKNOWN, MOST_UNKNOWN = 0.02, 0.9  # other decks' cards occur, and at the beginning everything is new


def prepared(draft: DraftDeck) -> Templates | None:
    """Prepare a draft for reading, without trials; None if nothing is named yet."""
    faces = {face: [each.cut.picture for each in some] for face, some in draft.faces.items() if some}
    return templates(faces, draft.size) if faces else None


# learning


def place_of(corners: Reals) -> Point:
    """Return the place of a card's centre in a picture, in card lengths."""
    x, y = (corners.mean(axis=0) / np.hypot(*(corners[3] - corners[0]))).tolist()
    return x, y


def named(draft: DraftDeck, card: LearntCard, face: str) -> DraftDeck:
    """Learn a card by its name, and with it the group of unnamed cards that it belongs to."""
    same, rest = list[LearntCard](), list[tuple[LearntCard, ...]]()
    for group in draft.unnamed:
        if any(_is_same(card, each) for each in group):
            same.extend(group)
        else:
            rest.append(group)
    nearest = draft.nearest if face in draft.faces else _with_nearest(draft, card, face)
    draft = reduce(lambda before, each: with_picture(before, each, face), (card, *same), draft)
    met = {**draft.met, face: draft.met.get(face, 0) + 1}
    return replace(draft, unnamed=tuple(rest), met=met, nearest=nearest)


def with_picture(draft: DraftDeck, card: LearntCard, face: str) -> DraftDeck:
    """Add a picture of a face, turned like the first one, unless there are enough."""
    pictures = draft.faces.get(face, ())
    if pictures and _is_turned(card.cut.picture, pictures[0].cut.picture):
        card = replace(card, cut=turned_round(card.cut))
    return replace(draft, faces={**draft.faces, face: (*pictures, card)[:MOST_PICTURES]})


def _with_nearest(draft: DraftDeck, card: LearntCard, face: str) -> Mapping[str, float]:
    """Compare a new face with the most similar ones, so that names between them stay careful."""
    names = list(draft.faces)
    firsts = [draft.faces[name][0].cut.picture for name in names]
    nearest = {**draft.nearest, face: FAR}
    for i in most_alike(card.cut.picture, firsts, RIVALS):
        apart = compare_cards(firsts[i], card.cut.picture).apart
        nearest[face] = min(nearest[face], apart)
        nearest[names[i]] = min(nearest.get(names[i], apart), apart)
    return nearest


FAR = 1.5  # distance of a face that no other is like
RIVALS = 3  # most similar faces that a new one is compared with


def nearness(nearest: Iterable[float]) -> float:
    """Return how near faces of this deck come to each other; an unknown one may come as near.

    Few faces say little, so a usual distance is added.
    """
    return float(np.quantile([*nearest, USUAL, USUAL], 0.2))


USUAL = 0.65  # distance of similar faces in most of our decks


def _is_turned(card: Picture, first: Picture) -> bool:
    """Return whether a card is more similar to the first one of its face after half a turn."""
    one, other = (
        cv2.resize(each, (21, 30), interpolation=cv2.INTER_AREA).astype(np.float32) for each in (card, first)
    )
    return bool(np.abs(one - other).mean() > np.abs(one[::-1, ::-1] - other).mean())


def unnamed(draft: DraftDeck, card: LearntCard) -> DraftDeck:
    """Keep a card that nobody could name, in the group of the same card if there is one."""
    groups = list(draft.unnamed)
    for i, group in enumerate(groups):
        if any(_is_same(card, each) for each in group):
            groups[i] = (*group, card)[-MOST_PICTURES:]
            return replace(draft, unnamed=tuple(groups))
    return replace(draft, unnamed=(*groups, (card,))[-MOST_UNNAMED:])


MOST_UNNAMED = 60  # most groups of unnamed cards


def compare_with_face(draft: DraftDeck, card: Picture, face: str) -> Comparison:
    """Compare a cut card with the pictures of a face; the most similar one counts."""
    pictures = draft.faces.get(face, ())
    return min((compare_cards(each.cut.picture, card) for each in pictures), default=Comparison(1.0))


# wrong learning


def take_back(draft: DraftDeck, faces: Sequence[str]) -> DraftDeck:
    """Make all pictures of some faces unnamed again; they are asked for when they are met.

    A wrong name joined pictures of different cards, so each goes into the group of the same card.
    """
    gone = [card for face in faces for card in draft.faces.get(face, ())]
    left = {face: some for face, some in draft.faces.items() if face not in faces}
    return reduce(unnamed, gone, replace(draft, faces=left))


def named_by(draft: DraftDeck, source: str, by: str) -> Mapping[str, frozenset[int]]:
    """Return the faces that a person named in a match, with the moments."""
    origins = {face: [each.origin for each in some] for face, some in draft.faces.items()}
    named_at = {
        face: frozenset(
            each.moment
            for each in some
            if (each.source, each.named_by) == (source, by) and each.moment is not None
        )
        for face, some in origins.items()
    }
    return {face: moments for face, moments in named_at.items() if moments}


def take_back_named(draft: DraftDeck, face: str, source: str, moment: int) -> DraftDeck:
    """Make the pictures of a face that were named at a moment unnamed, and those that show the same card.

    Only pictures that nobody named go with them.
    """
    some = draft.faces.get(face, ())
    wrong = [each for each in some if (each.origin.source, each.origin.moment) == (source, moment)]
    gone = [
        each
        for each in some
        if each in wrong or (each.origin.moment is None and any(_is_same(each, other) for other in wrong))
    ]
    return _without(draft, face, gone)


def without_same(draft: DraftDeck, face: str, card: LearntCard) -> DraftDeck:
    """Make the pictures of a face unnamed that show the same card as another picture."""
    return _without(draft, face, [each for each in draft.faces.get(face, ()) if _is_same(each, card)])


def _without(draft: DraftDeck, face: str, gone: Sequence[LearntCard]) -> DraftDeck:
    left = tuple(each for each in draft.faces.get(face, ()) if each not in gone)
    faces = {name: left if name == face else some for name, some in draft.faces.items()}
    unnamed = (*draft.unnamed, tuple(gone))[-MOST_UNNAMED:] if gone else draft.unnamed
    return replace(draft, faces={name: some for name, some in faces.items() if some}, unnamed=unnamed)


def rename(draft: DraftDeck, face: str, to: str) -> DraftDeck:
    """Give a face's pictures another name; an empty one forgets them."""
    left = {name: some for name, some in draft.faces.items() if name != face}
    moved = draft.faces.get(face, ())
    if to and moved:
        left[to] = (*left.get(to, ()), *moved)[:MOST_PICTURES]
    met = {name: count for name, count in draft.met.items() if name != face}
    nearest = {name: apart for name, apart in draft.nearest.items() if name != face}
    if to and face in draft.faces:
        met[to] = met.get(to, 0) + draft.met.get(face, 0)
        nearest[to] = min(nearest.get(to, FAR), draft.nearest.get(face, FAR))
    return replace(draft, faces=left, met=met, nearest=nearest)


def contradictions(draft: DraftDeck, face: str) -> tuple[str, ...]:
    """Return a face and others whose pictures certainly show the same card; empty without a contradiction."""
    own = draft.faces.get(face, ())
    names = [name for name in draft.faces if name != face]
    firsts = [draft.faces[name][0] for name in names]
    if not own or not firsts:
        return ()
    alike = most_alike(own[-1].cut.picture, [each.cut.picture for each in firsts], RIVALS)
    same = tuple(names[i] for i in alike if _is_same(own[-1], firsts[i]))
    return (face, *same) if same else ()


def exceeded(draft: DraftDeck, faces: Iterable[str]) -> tuple[str, ...]:
    """Return the faces that lie on the table more often than the deck has them."""
    return tuple(face for face, count in Counter(faces).items() if count > draft.possible.get(face, count) > 0)


# storing


def taught_deck_of(draft: DraftDeck) -> TaughtDeck:
    """Return the learnt faces as a deck, to save, try and read like any other."""
    cards = {face: tuple(each.cut for each in some) for face, some in draft.faces.items()}
    counts = {face: draft.possible.get(face, 1) for face in cards}
    return TaughtDeck(draft.name, draft.size, counts, cards)
