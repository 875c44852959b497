"""What the pages are told of buttons by USB, and how the host says which one belongs to which seat."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

UsbKind = Literal["call", "second"]
"""The button of a seat, or a second one beside it."""


class UsbPlace(Struct, frozen=True):
    """A seat with buttons by USB: its number from 0, and the names of the boxes that they are on."""

    seat: int
    call: str = ""
    second: str = ""


class UsbStatus(Struct, frozen=True):
    """Whose buttons are known, and whose is to be pressed next while they are learned."""

    places: Sequence[UsbPlace] = ()
    learns: UsbKind | None = None
    next_seat: int | None = None
    """None once each seat has one."""


class UsbButtonsDoor(Protocol):
    """The buttons that are plugged in by USB; what can't be is told in one sentence."""

    def status(self) -> UsbStatus:
        """Tell whose buttons are known."""

    def learn(self, kind: UsbKind) -> None:
        """Give each button that is pressed from now on to the next seat; none answers anything meanwhile."""

    def stop(self) -> None:
        """Learn nothing, and leave all as it was."""

    def keep(self) -> str | None:
        """Keep what was learned."""

    def forget(self) -> str | None:
        """Have no buttons by USB."""

    def restart(self) -> None:
        """Restart the table: it knows its buttons from its start."""
