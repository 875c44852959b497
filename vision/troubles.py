"""Problems with a picture, a camera or a taught deck, as data that every voice can put into words."""

from collections.abc import Mapping

from msgspec import Struct

Value = float | str
SECOND = "second"
"""The value that names the second camera, if a problem is that one's."""


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


def of_second_camera(problem: Problem, name: str) -> Problem:
    """Give a problem as one of the second camera: it doesn't make the table blind."""
    own = {key: value for key, value in problem.values.items() if key != "camera"}
    return Problem(problem.key, {**own, SECOND: name})
