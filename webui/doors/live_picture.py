"""What the pages need of the live picture: the open places of the table as they are now, for who looks on."""

from typing import Protocol

from msgspec import Struct


class TakenPicture(Struct, frozen=True, eq=False):
    """A picture, and its number: later ones have larger numbers."""

    number: int
    jpeg: bytes


class LiveDoor(Protocol):
    """The newest picture of the open places; no older one is remembered."""

    def is_on(self) -> bool:
        """Tell whether the host wants a live picture."""

    def newest(self) -> TakenPicture | None:
        """Give the newest picture; None while nothing may be shown."""

    def after(self, number: int, seconds: float) -> TakenPicture | None:
        """Wait so long for a picture later than this one; None if none comes, or the last was withdrawn."""
