"""Problems that people are shown, as data without words."""

from collections.abc import Mapping

from msgspec import Struct

Value = float | str


class Problem(Struct, frozen=True):
    """A kind of problem and its values: `Problem("too far", {"pixels": 60, "needed": 110})`."""

    key: str
    values: Mapping[str, Value] = {}


class TroubleError(Exception):
    """An error described by a problem, which the caller puts into words."""

    def __init__(self, key: str, **values: Value) -> None:
        self.problem = Problem(key, values)
        super().__init__(key, values)

    def __str__(self) -> str:
        """Return the key and its values, for logs."""
        values = ", ".join(f"{name}={value}" for name, value in self.problem.values.items())
        return f"{self.problem.key} ({values})" if values else self.problem.key
