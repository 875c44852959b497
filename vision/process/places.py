"""Positions of sightings: match them with known cards, and carry names over to moved cards."""

from collections import Counter
from collections.abc import Callable, Container, Iterable
from math import floor, sqrt

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.sightings import Cards, Reading, Sighting, UnexplainedThing, likely_face, likely_faces
from vision.table.plane import holds, lengths_of

ADDED_UP = 0.99  # combined probability of several looks from which on a name is sure


def carry_names(gone: Cards, new: Cards, doubtful: Container[str] = ()) -> list[Sighting]:
    """Give unsure new cards the name of a missing card, if only these two have it; see `add_look`."""
    names = [card.face if card.sure else likely_face(card) for card in gone]
    guesses = [card.face if card.sure else next(iter(likely_faces(card)), None) for card in new]
    left, came = Counter(names), Counter(guesses)
    return [
        _named_after(gone[names.index(guess)], card, guess, doubtful)
        if not card.sure and guess is not None and left[guess] == came[guess] == 1
        else card
        for card, guess in zip(new, guesses, strict=True)
    ]


def _named_after(was: Sighting, card: Sighting, guess: str, doubtful: Container[str]) -> Sighting:
    if was.sure:
        return replace(card, face=guess, sure=True)
    return add_look(was, card, doubtful, is_separate=True)


def add_look(was: Sighting, now: Sighting, doubtful: Container[str] = (), *, is_separate: bool) -> Sighting:
    """Combine two looks: the same likely name becomes likelier until it is sure; different names cancel.

    Only separate looks add up, for instance after a card was moved: otherwise both share their errors. Print
    and deck are always the same, so a separate look counts half as much evidence. Looks at `doubtful` faces
    don't add up at all: all of them share the badly cut picture.
    """
    before, face = likely_face(was), likely_face(now)
    if before is None or face is None or was.chance is None or now.chance is None:
        return now
    if before != face:
        return replace(now, chance=None)
    adds_up = is_separate and face not in doubtful
    doubt = (1 - was.chance) * sqrt(1 - now.chance) if adds_up else 1 - max(was.chance, now.chance)
    summed = replace(now, chance=floor(1000 * (1 - doubt) + 1e-6) / 1000)
    return replace(summed, face=face, sure=True) if 1 - doubt >= ADDED_UP else summed


def settles(was: Sighting, now: Sighting) -> bool:
    """Return whether a clear look confirms one of a card's earlier guesses."""
    is_clear = not was.sure and now.sure and was.facing == now.facing
    return is_clear and any(guess.face == now.face for guess in was.runners_up)


Seen = Sighting | UnexplainedThing
KnownBefore = list[Sighting | None]  # the known card of each seen one; None for a new card

NEAR = 0.35  # largest shift within the same place, as a share of a card's longer side


def is_same_place(one: Sighting, other: Seen) -> bool:
    return distance_between(one, other) < NEAR * longer_side(one)


def lies_on(one: Seen, other: Sighting) -> bool:
    """Return whether the middle of a card or thing is on another card."""
    x, y = middle_of(one).tolist()
    return holds(other.outline, (x, y))


def distance_between(one: Seen, other: Seen) -> float:
    return float(np.linalg.norm(middle_of(one) - middle_of(other)))


def longer_side(card: Sighting) -> float:
    return float(lengths_of(np.array(card.outline))[:2].max())


def middle_of(seen: Seen) -> NDArray[np.float64]:
    return np.asarray(np.mean(np.array(seen.outline, np.float64), axis=0))


def pair_nearest(
    first: Cards, second: Cards, apart: Callable[[Sighting, Sighting], float | None]
) -> dict[int, int]:
    """Pair sightings one to one, nearest first. Returns the index into `first` by the index into `second`."""
    near = sorted(
        (distance, one, other)
        for one, was in enumerate(first)
        for other, now in enumerate(second)
        if (distance := apart(was, now)) is not None
    )
    partner_of = dict[int, int]()
    for _distance, one, other in near:
        if other not in partner_of and one not in partner_of.values():
            partner_of[other] = one
    return partner_of


def known_before(known: Cards, seen: Cards) -> KnownBefore:
    """Return the known card of each seen one, or None."""
    partner_of = pair_nearest(known, seen, _sameness)
    return [known[partner_of[number]] if number in partner_of else None for number in range(len(seen))]


def missing_cards(known: Cards, was: KnownBefore) -> list[Sighting]:
    """Return the known cards without a seen one."""
    return [card for card in known if all(card is not each for each in was)]


def _sameness(was: Sighting, now: Sighting) -> float | None:
    """Return how far a card has shifted; None if it isn't the same one.

    A half-covered card may be unsure, but must not show another face. A sure back is a card turned over.
    """
    if not is_same_place(was, now):
        return None
    if (was.face == now.face and was.facing == now.facing) or settles(was, now):
        return distance_between(was, now)
    could_be = not now.sure and any(other.face == was.face for other in now.runners_up)
    return distance_between(was, now) + longer_side(was) if could_be else None


# cards of another deck

SEVERAL = 2  # unnamed cards from which on another deck is suspected
LIKE_A_CARD = (0.6, 1.6)  # least and largest area of a thing that may be a card of another deck, in card areas


def named_cards(seen: Reading) -> list[Sighting]:
    return [card for card in seen.cards if card.sure and card.face is not None]


def count_unnamed(seen: Reading) -> int:
    """Return the number of unsure face-up cards and card-sized things."""
    least, most = LIKE_A_CARD
    unsure = sum(not card.sure and card.facing == "up" for card in seen.cards)
    return unsure + sum(least <= thing.area <= most for thing in seen.unexplained)


def are_strangers(seen: Reading) -> bool:
    """Return whether most cards are unnamed, or no card is sure.

    Without a sure card the table's plane is unknown, and cards of another deck aren't even detected as things.
    """
    return count_unnamed(seen) > len(named_cards(seen)) or not any(card.sure for card in seen.cards)


def strangers_among(seen: Reading) -> tuple[int, int] | None:
    """Return the numbers of named and unnamed cards if several, and most, are unnamed; else None."""
    named, unnamed = len(named_cards(seen)), count_unnamed(seen)
    return (named, unnamed) if unnamed >= SEVERAL and unnamed > named else None


def likely_deck(seen: Reading, others: Iterable[tuple[str, Callable[[], Reading]]]) -> str | None:
    """Return the name of the deck that reads most of the unnamed cards; None if no deck reads enough."""
    if not are_strangers(seen):
        return None
    ours = named_cards(seen)
    best, most = None, max(len(ours), SEVERAL - 1 if count_unnamed(seen) >= SEVERAL else 0)
    for name, read in others:
        strangers = [card for card in named_cards(read()) if not any(lies_on(card, each) for each in ours)]
        if len(strangers) > most:
            best, most = name, len(strangers)
    return best
