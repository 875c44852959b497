"""What goes wrong at the table on an evening, at a seeded rate; people put it right as they are told to."""

from collections.abc import Callable
from random import Random
from typing import Literal, get_args

from msgspec import Struct

from firmware.twin.world import World
from referee.contract import Show

Kind = Literal["hand", "strange card", "swapped card", "unplugged", "frozen"]
SHORT, LONGEST = 3.0, 6.0
"""Seconds for which a hand is left in the picture, or the camera gives no new one."""
OVERLOOKED = 8.0
"""Seconds after which people see a wrong card by themselves."""
NOTICED = 1.0
"""Seconds from what the table says to what people do."""
OF_CARDS = frozenset({"strange card", "swapped card"})


class Mishap(Struct, frozen=True):
    """Something that is wrong for a while: at which moment it began, and when people end it."""

    kind: Kind
    moment: int
    ends: float


def cause_mishap(world: World, ask: Show, moment: int, now: float, rng: Random) -> Mishap | None:
    """Let something go wrong while cards are waited for; None if it can't."""
    kind: Kind = rng.choice(get_args(Kind))
    if not CAUSES[kind](world, ask):
        return None
    seconds = OVERLOOKED if kind in OF_CARDS else rng.uniform(SHORT, LONGEST)
    return Mishap(kind, moment, now + seconds)


def heard(mishap: Mishap, now: float) -> Mishap:
    """Let people end it soon, as the table has said something."""
    return Mishap(mishap.kind, mishap.moment, min(mishap.ends, now + NOTICED))


def _becomes(name: str, value: object) -> Callable[[World, Show], bool]:
    """Let something of the world be another from now on."""

    def become(world: World, _ask: Show) -> bool:
        setattr(world, name, value)
        return True

    return become


CAUSES: dict[Kind, Callable[[World, Show], bool]] = {
    "hand": _becomes("has_hand", True),
    "strange card": lambda world, ask: world.add_strange(ask),
    "swapped card": lambda world, _ask: world.swap_one(),
    "unplugged": _becomes("fault", "unplugged"),
    "frozen": _becomes("fault", "frozen"),
}
