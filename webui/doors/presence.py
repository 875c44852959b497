"""How a phone proves that it is at the table, as the pages need it."""

from typing import Literal, Protocol

Way = Literal["screen", "digits", "speech", "lamps", "button"]
"""What tells a code, whether lamps go round meanwhile, or that a button can be pressed instead."""
Turn = Literal["free", "mine", "pressed", "other"]
"""Whose turn it is at the button: none, this phone's, which may have had it pressed, or another one's."""


class PresenceDoor(Protocol):
    """What the table tells for phones to prove that they are at it."""

    def ways(self) -> frozenset[Way]:
        """List the ways that there are now; a button only where nothing tells a code."""

    def wait(self, network: str = "") -> int:
        """Give the seconds until the table tells something new, for a network; 0 if it does at once."""

    def code_for_screen(self, *, is_wanted: bool) -> str:
        """Give the code to the computer's own screen; where one is wanted, it is drawn."""

    def is_told(self) -> bool:
        """Tell whether a code stands."""

    def tell(self) -> bool:
        """Tell a code at the table; False if none may be drawn."""

    def try_code(self, said: str) -> bool:
        """Compare a code; the right one is used up."""

    def blink(self, phone: str, network: str) -> bool:
        """Let the lamp of a button that is drawn blink for a phone; False if it isn't this phone's turn."""

    def turn(self, phone: str) -> Turn:
        """Tell whose turn it is."""

    def take_presses(self, phone: str) -> bool:
        """Let a phone have, once, what the presses of its button prove."""

    def announce(self, key: Literal["has host", "pin anew"]) -> None:
        """Tell the whole table what came of it."""
