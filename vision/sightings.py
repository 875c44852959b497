"""What the reader makes of a picture: one sighting for each card, sure or not."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

Point = tuple[float, float]
Outline = tuple[Point, Point, Point, Point]
"""Corners in picture pixels, clockwise, from the card's own upper left if that is known."""


class RunnerUp(Struct, frozen=True):
    """A face that a card could also be, and how well it fits."""

    face: str
    score: float


class Sighting(Struct, frozen=True):
    """One card on the table: its face if it could be identified, how sure that is, and what else it could be.

    A card that isn't sure has no face: its best guess leads the runners-up. `possible` is false for a card that
    is clearly seen though it can't be there; it is reported as seen, never turned into another.
    """

    face: str | None
    sure: bool
    score: float
    runners_up: tuple[RunnerUp, ...]
    outline: Outline
    facing: Literal["up", "down"]
    visible: float
    turned: float | None = None
    """Degrees clockwise from upright in the picture; None for a card that looks the same both ways up."""
    possible: bool = True
    more_below: bool = False
    """Whether what can be seen beside it is of cards, or other printed things, that weren't read."""
    chance: float | None = None
    """The probability that the best face is right, as trials of the deck taught; None if anything else speaks
    against it, and in older records."""


Cards: TypeAlias = Sequence[Sighting]


def guesses(card: Sighting) -> tuple[RunnerUp, ...]:
    own = () if card.face is None else (RunnerUp(card.face, card.score),)
    return (*own, *card.runners_up)


PROBABLE = 0.75
"""How probable the best face of a card that isn't sure must be for it to be taken, unless a player says no."""


def best_face(card: Sighting) -> str | None:
    """Give the face of a card, or what it is most probably."""
    return card.face or next((each.face for each in card.runners_up), None)


def likely_face(card: Sighting) -> str | None:
    """Give what a card that isn't sure most probably is; None if that isn't probable enough, or it's a back."""
    is_likely = not card.sure and card.facing == "up" and card.chance is not None and card.chance >= PROBABLE
    return best_face(card) if is_likely else None


LIKELY, CLOSE = 0.5, 0.7
"""How well an unsure card's best face must fit to be asked about, and what share of that a rival reaches."""


def likely_faces(card: Sighting) -> tuple[str, ...]:
    """Name the faces that an unsure card could well be, the best first; none if it is anybody's guess."""
    if card.sure or card.facing == "down" or not card.runners_up or card.runners_up[0].score < LIKELY:
        return ()
    best = card.runners_up[0].score
    return tuple(each.face for each in card.runners_up if each.score >= CLOSE * best)


SecondLook = Literal["none", "agreed", "settled", "disputed", "added"]
"""What a second look at the same cards, by another camera, had to do with one of them."""


class UnexplainedThing(Struct, frozen=True):
    """Something on the table that isn't a card of the deck: reported, not guessed at."""

    outline: tuple[Point, ...]
    area: float  # its share of a card's area


class Reading(Struct, frozen=True):
    """What one picture shows."""

    cards: tuple[Sighting, ...]
    unexplained: tuple[UnexplainedThing, ...] = ()
