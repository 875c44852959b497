"""The bots of the simulated table: six animals in the flat shapes of the cards; pure."""

from collections.abc import Sequence

BOT_NAMES = ("Pip", "Vix", "Nox", "Zip", "Ursa", "Corvo")
"""A coyote pup, a fox, an owl, a hare, a bear and a crow."""


def animals_of(names: Sequence[str]) -> tuple[str, ...]:
    """Name the animal for each seat, should a bot play there: a seat of its name has its own, none sits twice.

    A seat keeps its animal when others come and go; from the seventh on there is none left.
    """
    others = iter(name for name in BOT_NAMES if name not in names)
    return tuple(name if name in BOT_NAMES else next(others, "") for name in names)
