"""What the pages are told of the loudspeakers, and how the host tries and chooses one."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class SpeakerOption(Struct, frozen=True):
    """A sound card: how the system calls it, its full name, what is known of it, whether the table uses it."""

    card: str
    name: str
    told: str
    is_used: bool = False
    is_chosen: bool = False


class SoundDoor(Protocol):
    """The loudspeakers of the table's computer."""

    def options(self) -> Sequence[SpeakerOption]:
        """List them, as they are plugged in now."""

    def play(self, card: str) -> str:
        """Play a tune by one; say why it can't be played."""

    def choose(self, card: str) -> str:
        """Use one from now on, or with an empty name the likeliest one; say why that can't be."""
