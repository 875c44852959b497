"""Name the free cards of a picture while a deck is learnt, by two judges.

They are the reader, and a comparison with the pictures of the face that it names.
"""

from collections.abc import Sequence
from math import floor, log

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.pictures import Picture
from vision.reading.templates import BACK, probability
from vision.reading.views import common_share
from vision.sightings import PROBABLE, Outline, Reading, Sighting, best_face, guesses
from vision.table.plane import Reals, as_outline
from vision.teaching.draft_deck import DraftDeck, compare_with_face, is_known, nearness, unknown_share
from vision.teaching.kept_cuts import CutCard, cut_card
from vision.teaching.same_card import Comparison

MET = 0.5  # smallest common share of a free card and the sighting of the same card


class SeenCard(Struct, frozen=True, eq=False):
    """A free card of the picture: its cut, and its name if it was read."""

    corners: Reals
    cut: CutCard
    sighting: Sighting | None


def name_cards(
    picture: Picture, free: Sequence[Reals], seen: Reading, draft: DraftDeck
) -> tuple[tuple[SeenCard, ...], tuple[Sighting, ...]]:
    """Name the free cards of a picture by both judges; also return the cards that don't lie free.

    `seen` is the reading by the draft's faces, with AS_MANY strangers.
    """
    outlines = [as_outline(each) for each in free]
    cuts = [cut_card(picture, each, draft.shape) for each in free]
    met = [_sighting_of(each, seen.cards) for each in outlines]
    chances = [_chance_by_both(card, cut, draft) for card, cut in zip(met, cuts, strict=True)]
    strangers = strangers_among(unknown_share(draft), chances)
    cards = tuple(
        SeenCard(place, cut, card and _checked(card, chance, strangers, draft))
        for place, cut, card, chance in zip(free, cuts, met, chances, strict=True)
    )
    rest = (card for card in seen.cards if all(common_share(card.outline, each) <= MET for each in outlines))
    return cards, tuple(_checked(card, card.chance or 0.0, strangers, draft) for card in rest)


AS_MANY = 1.0  # unknown cards per known one, for the reader; both judges are combined afterwards


def _sighting_of(outline: Outline, sightings: Sequence[Sighting]) -> Sighting | None:
    shares = [common_share(each.outline, outline) for each in sightings]
    return sightings[int(np.argmax(shares))] if shares and max(shares) > MET else None


def _chance_by_both(card: Sighting | None, cut: CutCard, draft: DraftDeck) -> float:
    """Return the probability of a name by both judges, if unknown cards are as frequent as known ones."""
    face = None if card is None else name_of(card)
    if card is None or face is None or card.chance is None:
        return 0.0
    compared, near = compare_with_face(draft, cut, face), nearness(draft.nearest.values())
    return probability(JUDGES, figures_of_both(card.chance, compared, near))


def name_of(card: Sighting) -> str | None:
    """Return a card's most probable name; the back is one, too."""
    return BACK if card.facing == "down" else best_face(card)


def strangers_among(unknown: float, chances: Sequence[float]) -> float:
    """Return how many unknown cards there are per known one in a picture: as before it, corrected by its cards.

    `chances` are the cards' probabilities of being known if both kinds are equally frequent.
    """
    share = unknown
    for _again in range(AGAIN):
        odds = share / (1 - share)
        known = sum(each / (each + (1 - each) * odds) for each in chances)
        share = (unknown * WEIGHT + len(chances) - known) / (WEIGHT + len(chances))
    return share / (1 - share)


WEIGHT, AGAIN = 8, 20  # weight of the cards before in cards, and steps until the share settles


def _checked(card: Sighting, chance: float, strangers: float, draft: DraftDeck) -> Sighting:
    """Apply the share of unknown cards to a name; a face's first name is likely at most."""
    face = name_of(card)
    if face is None or card.chance is None:
        return card
    chance = floor(1000 * chance / (chance + (1 - chance) * strangers)) / 1000
    if card.sure and chance >= SURE and is_known(draft, face):
        return replace(card, chance=chance)
    likely = chance if chance >= LIKELY else min(chance, PROBABLE - 0.001)
    return replace(card, face=None, sure=False, runners_up=guesses(card), chance=likely)


def figures_of_both(chance: float, compared: Comparison, near: float) -> tuple[float, ...]:
    reader = log((chance + DOUBT) / (1 - chance + DOUBT))
    return 1.0, reader, log(compared.apart + 0.05), log(compared.tint + 0.1), log(near + 0.05)


JUDGES = 0.793, 0.628, -4.382, -1.361, 2.432
"""Weights of both judges; `python -m tests.long.learned_weights growing` computes them."""
DOUBT = 5e-4  # half the step of a probability that the reader reports
SURE, LIKELY = 0.99, 0.97
"""Smallest probabilities of a sure and of a likely name while a deck is learnt."""


def sighting_named(outline: Outline, face: str) -> Sighting:
    """Return the sighting of a free card that a person named."""
    is_back = face == BACK
    return Sighting(None if is_back else face, True, 1.0, (), outline, "down" if is_back else "up", 1.0)
