"""What is wrong with a picture, a camera or a taught deck: as data, so that every voice can tell it."""

from collections.abc import Mapping

from msgspec import Struct

Value = float | str


class Problem(Struct, frozen=True):
    """A kind of problem, and what belongs to it: `Problem("too far", {"pixels": 60, "needed": 110})`."""

    key: str
    values: Mapping[str, Value] = {}


class TroubleError(Exception):
    """Something that can't go on; who hears of it tells the problem in words."""

    def __init__(self, key: str, **values: Value) -> None:
        """Take what is wrong."""
        self.problem = Problem(key, values)
        super().__init__(key, values)

    def __str__(self) -> str:
        """Show the key and its values: for logs, not for people."""
        told = ", ".join(f"{name}={value}" for name, value in self.problem.values.items())
        return f"{self.problem.key} ({told})" if told else self.problem.key
