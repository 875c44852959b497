"""Saying how far something slow has come: a deck that is taught from many pictures, and then tried."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Thing = TypeVar("Thing")
Tell = Callable[[int, int], object]  # told after each step: how many are done, and of how many


def untold(_done: int, _count: int) -> None:
    """Say nothing."""


def told_each(things: Iterable[Thing], count: int, tell: Tell) -> Iterator[Thing]:
    """Give things one by one, and say after each how many there were."""
    for number, thing in enumerate(things, 1):
        yield thing
        tell(number, count)
