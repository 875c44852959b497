"""Playing strengths of bots."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

Strength = Literal["beginner", "plain", "strong"]
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
"""The weakest first; all bots have only their seat's knowledge."""


# tempers of the six animals, as measured by `python -m tests.bench bots`


class Temper(Struct, frozen=True):
    """A bot's difference from the plain one, as factors on the odds of its actions."""

    bluffs: float = 1.0  # false claims
    doubts: float = 1.0  # challenges of other players' claims
    dares: float = 1.0  # risky actions


EVEN = Temper()
TEMPERS: Mapping[str, Temper] = {
    "Pip": EVEN,
    "Vix": Temper(bluffs=4.0),
    "Nox": Temper(doubts=3.0),
    "Zip": Temper(bluffs=0.4, doubts=0.3, dares=0.3),
    "Ursa": Temper(bluffs=1.5, doubts=1.5, dares=3.0),
    "Corvo": Temper(bluffs=0.0),
}
"""By the names of the animals: a pup, a fox, an owl, a cautious hare, a bold bear, an honest crow."""


def lean(chance: float, odds: float) -> float:
    """Multiply the odds of a probability by a factor; 0 and 1 are unchanged."""
    return odds * chance / (odds * chance + 1 - chance) if chance < 1 else 1.0
