"""What the pages are told of the computer's power, and how the host switches it."""

from typing import Literal, Protocol

PowerKind = Literal["off", "again"]
"""The computer goes down, or it goes down and starts anew."""


class PowerDoor(Protocol):
    """The power of the table's computer."""

    has_dial: bool
    """Whether it can be switched off by hand, too."""

    def hindrance(self, kind: PowerKind) -> str:
        """Say why the computer can't be switched from here; nothing if it can."""

    def switch(self, kind: PowerKind) -> str:
        """Keep the match and switch; say why if it can't be."""
