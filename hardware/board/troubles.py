"""Faults of a board, as data; the firmware has the words."""

from collections.abc import Mapping

from msgspec import Struct


class Trouble(Struct, frozen=True):
    """A kind of trouble and its values: `Trouble("clash", {"gpio": 17, "first": "dial a", ...})`."""

    key: str
    values: Mapping[str, float | str] = {}


class BoardError(Exception):
    """A board can't be used; the caller puts the trouble into words."""

    def __init__(self, key: str, **values: float | str) -> None:
        """Make an error from a trouble's key and values."""
        self.trouble = Trouble(key, values)
        super().__init__(key, values)
