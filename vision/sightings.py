"""Result of reading a picture: one sighting for each card, sure or not."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

Point = tuple[float, float]
Outline = tuple[Point, Point, Point, Point]
"""Corners in picture pixels, clockwise, from the card's own upper left if that is known."""


class RunnerUp(Struct, frozen=True):
    """An alternative face of a card, and how well it fits."""

    face: str
    score: float


class Sighting(Struct, frozen=True):
    """One card on the table: its face if identified, its certainty, and the alternatives.

    An uncertain card has no face: its best guess leads the runners-up. `possible` is false for a clearly
    visible card that can't be there. It is reported as seen, never turned into another.
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
    """Whether unidentified cards or other printed objects are visible beside it."""
    chance: float | None = None
    """Probability that the best face is right, by trials of the deck; None if other evidence is against it."""


Cards: TypeAlias = Sequence[Sighting]


def guesses(card: Sighting) -> tuple[RunnerUp, ...]:
    own = () if card.face is None else (RunnerUp(card.face, card.score),)
    return (*own, *card.runners_up)


PROBABLE = 0.75
"""Smallest probability of an uncertain card's best face to use it unless a player objects."""


def best_face(card: Sighting) -> str | None:
    """Return a card's face, or its most probable one."""
    return card.face or next((each.face for each in card.runners_up), None)


def likely_face(card: Sighting) -> str | None:
    """Return an uncertain card's face if it is probable enough; None otherwise, and for a back."""
    is_likely = not card.sure and card.facing == "up" and card.chance is not None and card.chance >= PROBABLE
    return best_face(card) if is_likely else None


LIKELY, CLOSE = 0.5, 0.7
"""Smallest score of an uncertain card's best face to ask about it, and share of it that rivals must reach."""


def likely_faces(card: Sighting) -> tuple[str, ...]:
    """Return the faces that an uncertain card may be, the best first; none if no score is high enough."""
    if card.sure or card.facing == "down" or not card.runners_up or card.runners_up[0].score < LIKELY:
        return ()
    best = card.runners_up[0].score
    return tuple(each.face for each in card.runners_up if each.score >= CLOSE * best)


SecondLook = Literal["none", "agreed", "settled", "disputed", "added"]
"""Effect of another camera's sighting of the same cards on one card."""


class UnexplainedThing(Struct, frozen=True):
    """An object on the table other than the deck's cards: reported without a guess."""

    outline: tuple[Point, ...]
    area: float  # share of a card's area


class Reading(Struct, frozen=True):
    """The cards and other objects in one picture."""

    cards: tuple[Sighting, ...]
    unexplained: tuple[UnexplainedThing, ...] = ()
