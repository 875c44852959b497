"""Learn the free cards of one picture: name those that are known, and ask for the others one by one."""

from collections.abc import Sequence
from math import floor, log

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.card_cuts import CutCard
from vision.pictures import Picture
from vision.reading.reader import read
from vision.reading.templates import probability
from vision.reading.views import common_share
from vision.sightings import PROBABLE, Reading, Sighting, best_face, guesses, likely_face
from vision.teaching.draft_deck import (
    DraftDeck,
    LearntCard,
    Origin,
    compare_with_face,
    is_known,
    named,
    prepared,
    strangers_of,
    unnamed,
)
from vision.teaching.free_cards import FreeCard, find_free_cards
from vision.teaching.kept_cuts import cut_card
from vision.teaching.same_card import SAME, compare_cards

MET = 0.5  # smallest common share of a free card and the sighting of the same card


class SeenCard(Struct, frozen=True, eq=False):
    """A free card of the picture: its cut, and its name by reading or by a person."""

    free: FreeCard
    cut: CutCard
    sighting: Sighting | None
    is_asked: bool = False


class PictureLesson(Struct, frozen=True, eq=False):
    """The state of learning one picture."""

    source: str
    cards: tuple[SeenCard, ...]
    others: tuple[Sighting, ...]  # cards that don't lie free
    draft: DraftDeck

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        return (*(each.sighting for each in self.cards if each.sighting is not None), *self.others)


def start_lesson(picture: Picture, source: str, draft: DraftDeck) -> PictureLesson:
    """Find the cards of a picture, and name those that the draft knows."""
    wide, high = draft.size
    free = find_free_cards(picture, wide / high)
    if draft.card is None:
        draft = replace(draft, shapes=(*draft.shapes, *(each.shape for each in free))[-MOST_SHAPES:])
        wide, high = draft.size
    deck = prepared(draft)
    seen = Reading(()) if deck is None else read(picture, deck, draft.possible or None, strangers=AS_MANY)
    cards = tuple(_seen_card(picture, each, wide / high, seen.cards, draft) for each in free)
    met = {id(each.sighting) for each in cards}
    others = tuple(
        card
        for card in seen.cards
        if id(card) not in met and not any(common_share(card.outline, each.outline) > MET for each in free)
    )
    lesson = PictureLesson(source, cards, others, draft)
    for each in cards:
        if each.sighting is not None and each.sighting.sure and each.sighting.face is not None:
            lesson = replace(lesson, draft=named(lesson.draft, _learnt(lesson, each), each.sighting.face))
    return lesson


AS_MANY = 1.0  # unknown cards per known one, for the reader; both judges are combined afterwards
MOST_SHAPES = 200  # newest measured shapes that determine the deck's


def _seen_card(
    picture: Picture, free: FreeCard, shape: float, sightings: Sequence[Sighting], draft: DraftDeck
) -> SeenCard:
    cut = cut_card(picture, free.corners, shape)
    shares = [(common_share(each.outline, free.outline), i) for i, each in enumerate(sightings)]
    share, best = max(shares, default=(0.0, 0))
    return SeenCard(free, cut, _checked(sightings[best], cut, draft) if share > MET else None)


def _checked(card: Sighting, cut: CutCard, draft: DraftDeck) -> Sighting:
    """Combine the reader's certainty with the comparison of pictures; a face's first name is likely at most."""
    face = best_face(card)
    if face is None or card.facing == "down" or card.chance is None:
        return card
    apart = compare_with_face(draft, cut, face).apart
    chance = floor(1000 * chance_of_both(card.chance, apart, strangers_of(draft))) / 1000
    if card.sure and chance >= SURE and is_known(draft, face):
        return replace(card, chance=chance)
    likely = chance if chance >= LIKELY else min(chance, PROBABLE - 0.001)
    return replace(card, face=None, sure=False, runners_up=guesses(card), chance=likely)


def chance_of_both(chance: float, apart: float, strangers: float) -> float:
    """Return the probability of a name by both judges, if so many cards per known one are unknown.

    `chance` is the reader's, if unknown cards are as frequent as known ones.
    """
    figures = 1.0, log((chance + DOUBT) / (1 - chance + DOUBT)), log(apart + 0.01)
    return probability(JUDGES, figures, log(strangers))


JUDGES = 0.826, 0.459, -5.976
"""Weights of both judges; `python -m tests.long.growing_decks` computes them."""
DOUBT = 5e-4  # half the step of a probability that the reader reports
SURE, LIKELY = 0.97, 0.9
"""Smallest probabilities of a sure and of a likely name while a deck is learnt."""


def next_question(lesson: PictureLesson) -> SeenCard | None:
    """Return the next card to ask for; cards that resemble no face come first."""
    open_ = [each for each in lesson.cards if not each.is_asked and not _is_named(each)]
    return min(open_, key=lambda each: each.sighting is not None, default=None)


def _is_named(card: SeenCard) -> bool:
    return card.sighting is not None and (
        card.sighting.sure or likely_face(card.sighting) is not None or card.sighting.facing == "down"
    )


def answer_question(lesson: PictureLesson, card: SeenCard, face: str, by: str) -> PictureLesson:
    """Learn a card's name, also for cards like it in the same picture; an empty name means nobody knows."""
    alike = [
        each is card
        or (
            not each.is_asked
            and not _is_named(each)
            and compare_cards(card.cut.picture, each.cut.picture).apart < SAME
        )
        for each in lesson.cards
    ]
    draft = lesson.draft
    cards = list(lesson.cards)
    for i, (each, is_same) in enumerate(zip(lesson.cards, alike, strict=True)):
        if is_same:
            learnt = _learnt(lesson, each, by if each is card else "")
            draft = named(draft, learnt, face) if face else unnamed(draft, learnt)
            cards[i] = replace(each, is_asked=True, sighting=_answered(each, face))
    return replace(lesson, cards=tuple(cards), draft=draft)


def _learnt(lesson: PictureLesson, card: SeenCard, by: str = "") -> LearntCard:
    x, y = card.free.corners.mean(axis=0) / np.hypot(*(card.free.corners[3] - card.free.corners[0]))
    return LearntCard(card.cut, Origin(lesson.source, (float(x), float(y)), by))


def _answered(card: SeenCard, face: str) -> Sighting:
    return Sighting(face or None, bool(face), 1.0 if face else 0.0, (), card.free.outline, "up", 1.0)
