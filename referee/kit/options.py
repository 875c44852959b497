"""Options that are aimed at seats."""

from collections.abc import Callable
from functools import lru_cache

from referee.contract import Option, Refusal

REMEMBERED = 1024
"""Groups of options that are kept: the same words are aimed at the same seats again and again."""


@lru_cache(REMEMBERED)
def aimed_options(word: str, seats: tuple[int, ...]) -> tuple[Option, ...]:
    """Aim a word at each of some seats."""
    return tuple([Option(word, seat=seat) for seat in seats])


def open_options(
    word: str, seats: tuple[int, ...], failing: Callable[[int], Refusal | None]
) -> tuple[Option, ...]:
    """Aim a word at the seats where nothing speaks against it: the same function says why not elsewhere."""
    return aimed_options(word, tuple([seat for seat in seats if failing(seat) is None]))
