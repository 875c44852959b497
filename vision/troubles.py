"""Problems with a picture, a camera or a taught deck, as data that every voice can put into words."""

from collections.abc import Mapping

from msgspec import Struct

Value = float | str


class Problem(Struct, frozen=True):
    """A kind of problem and its values: `Problem("too far", {"pixels": 60, "needed": 110})`."""

    key: str
    values: Mapping[str, Value] = {}


class TroubleError(Exception):
    """Something can't go on; the caller puts the problem into words."""

    def __init__(self, key: str, **values: Value) -> None:
        self.problem = Problem(key, values)
        super().__init__(key, values)

    def __str__(self) -> str:
        """Show the key and its values, for logs."""
        told = ", ".join(f"{name}={value}" for name, value in self.problem.values.items())
        return f"{self.problem.key} ({told})" if told else self.problem.key
