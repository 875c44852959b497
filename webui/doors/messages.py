"""What the table says besides the game."""

from typing import Literal, Protocol

from msgspec import Struct

PartName = Literal["camera", "record", "buttons", "other"]
"""The parts of the table whose health the host sees."""


class TableMessage(Protocol):
    """A notice or trouble; only `Services.tell` puts it into words."""

    @property
    def key(self) -> str:
        """Give the kind of message."""


class Concern(Struct, frozen=True):
    """The part of the table that a trouble is about, and whether that part can't do its work."""

    part: PartName
    is_grave: bool = False


def no_concern(_message: TableMessage) -> Concern:
    """Know of no part that a message is about."""
    return Concern("other")
