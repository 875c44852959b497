"""What is wrong with a board: as data; the firmware has the words."""

from collections.abc import Mapping

from msgspec import Struct


class Trouble(Struct, frozen=True):
    """A kind of trouble, and what belongs to it: `Trouble("clash", {"gpio": 17, "first": "dial a", ...})`."""

    key: str
    values: Mapping[str, float | str] = {}


class BoardError(Exception):
    """A board that can't be used; who hears of it tells the trouble in words."""

    def __init__(self, key: str, **values: float | str) -> None:
        """Take what is wrong."""
        self.trouble = Trouble(key, values)
        super().__init__(key, values)
