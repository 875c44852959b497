"""Options that are aimed at seats."""

from functools import lru_cache

from referee.contract import Option

REMEMBERED = 1024
"""Groups of options that are kept: the same words are aimed at the same seats again and again."""


@lru_cache(REMEMBERED)
def aimed_options(word: str, seats: tuple[int, ...]) -> tuple[Option, ...]:
    """Aim a word at each of some seats."""
    return tuple([Option(word, seat=seat) for seat in seats])
