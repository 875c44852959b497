"""What a what-if is told of what bots make of it: how often each seat wins from here, or one way to the end."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from firmware.twin.table_view import BotStrength

Refused = Literal["busy", "often", "failed"]
"""Why nothing is told: another one is being tried out, too many were, or bots can't play on from here."""


class SeatChances(Struct, frozen=True):
    """How often each seat won of so many tries, and by how much that may be wrong on either side."""

    tries: int
    shares: tuple[float, ...]
    errors: tuple[float, ...]


class TriedOut(Struct, frozen=True):
    """What bots made of a branch, and of the answer that came in the match itself."""

    branch: SeatChances
    played: SeatChances | None = None


class TrialDoor(Protocol):
    """Lets bots play on from a branch, in a process of its own, one at a time, for seconds at most."""

    def try_out(
        self, record: Sequence[str], at: int, said: str, strength: BotStrength, who: str
    ) -> TriedOut | Refused:
        """Play on again and again."""

    def play_out(
        self, record: Sequence[str], at: int, said: str, strength: BotStrength, who: str
    ) -> str | Refused:
        """Play on once, and write the branch so that a link can carry it."""
