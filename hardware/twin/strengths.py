"""How well bots play."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

Strength = Literal["beginner", "plain", "strong"]
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
"""The weakest first. All bots know what their seat may know, and nothing else."""


# what sets bots apart: the tempers of six animals, as `python -m tests.bench bots` measures them


class Temper(Struct, frozen=True):
    """How a bot differs from the plain one: by how many times the odds change that it does something."""

    bluffs: float = 1.0  # that it says what isn't so
    doubts: float = 1.0  # that it challenges what another player says
    dares: float = 1.0  # that it tries what may fail


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
    """Change the odds of a chance by a factor: what is certain or impossible stays so."""
    return odds * chance / (odds * chance + 1 - chance) if chance < 1 else 1.0
