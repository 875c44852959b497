"""Name the free cards of a picture while a deck is learnt, by two judges.

They are the reader, and a comparison with the pictures of the face that it names.
"""

from collections.abc import Sequence
from math import floor, log

import numpy as np
from msgspec.structs import replace

from vision.pictures import Picture
from vision.reading.templates import BACK, probability
from vision.reading.views import common_share
from vision.sightings import PROBABLE, Outline, Reading, Sighting, best_face, guesses
from vision.table.plane import Reals, as_outline
from vision.teaching.draft_deck import DraftDeck, compare_with_face, is_known, nearness, unknown_share
from vision.teaching.lone_card import rectify_card
from vision.teaching.same_card import Comparison

MET = 0.5  # smallest common share of a free card and the sighting of the same card


def name_cards(
    picture: Picture, free: Sequence[Reals], seen: Reading, draft: DraftDeck
) -> tuple[Sighting, ...]:
    """Name the free cards of a picture by both judges; then those that don't lie free, by the reader alone.

    `free` are the free cards' corners; `seen` is the reading by the draft's faces, with AS_MANY strangers.
    """
    outlines = [as_outline(each) for each in free]
    met = [_sighting_of(each, seen.cards) for each in outlines]
    chances = [
        0.0 if card is None else _chance_by_both(card, rectify_card(picture, corners, draft.shape), draft)
        for card, corners in zip(met, free, strict=True)
    ]
    strangers = strangers_among(unknown_share(draft), chances)
    cards = (
        unread(outline)
        if card is None
        else _with_own_outline(_checked(card, chance, strangers, draft), corners)
        for outline, corners, card, chance in zip(outlines, free, met, chances, strict=True)
    )
    rest = (card for card in seen.cards if all(common_share(card.outline, each) <= MET for each in outlines))
    return (*cards, *(_checked(card, card.chance or 0.0, strangers, draft) for card in rest))


AS_MANY = 1.0  # unknown cards per known one, for the reader; both judges are combined afterwards


def _sighting_of(outline: Outline, sightings: Sequence[Sighting]) -> Sighting | None:
    shares = [common_share(each.outline, outline) for each in sightings]
    return sightings[int(np.argmax(shares))] if shares and max(shares) > MET else None


def _with_own_outline(card: Sighting, corners: Reals) -> Sighting:
    """Return a free card's sighting; if it isn't sure, with the outline that its edges give."""
    if card.sure:
        return card
    ways = (corners, np.roll(corners, 2, axis=0))
    near = min(ways, key=lambda each: float(np.abs(each - np.array(card.outline)).sum()))
    return replace(card, outline=as_outline(near), turned=None)


def _chance_by_both(card: Sighting, cut: Picture, draft: DraftDeck) -> float:
    """Return the probability of a name by both judges, if unknown cards are as frequent as known ones."""
    face = name_of(card)
    if face is None or card.chance is None:
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


def unread(outline: Outline) -> Sighting:
    """Return the sighting of a free card whose face is unknown."""
    return Sighting(None, False, 0.0, (), outline, "up", 1.0, chance=0.0)


def sighting_named(outline: Outline, face: str) -> Sighting:
    """Return the sighting of a free card that a person named."""
    is_back = face == BACK
    return Sighting(None if is_back else face, True, 1.0, (), outline, "down" if is_back else "up", 1.0)
