"""Options aimed at seats, refusals for unmet conditions, and seats in clockwise order."""

from collections.abc import Collection
from functools import lru_cache

from referee.contract import Datum, Option, Reason, Refusal, make_refusal

CACHE_SIZE = 1024
"""Cache size for options and refusals, which games request repeatedly."""


@lru_cache(CACHE_SIZE)
def aimed_options(word: str, seats: tuple[int, ...]) -> tuple[Option, ...]:
    return tuple([Option(word, seat=seat) for seat in seats])


@lru_cache(CACHE_SIZE)
def unmet(why: str, **values: Datum) -> Refusal:
    """Refuse an option because of an unmet condition; `why` is the key of the game's text."""
    return make_refusal(Reason.NO_SUCH_OPTION, why=why, **values)


@lru_cache(CACHE_SIZE)
def unmet_by(why: str, seat: int) -> Refusal:
    return unmet(why, seat=seat)


def seats_after(seat: int, count: int, skipped: Collection[int] = ()) -> tuple[int, ...]:
    """Return all other seats clockwise from the next one, without those in `skipped`."""
    order = (*range(seat + 1, count), *range(seat))
    return tuple([other for other in order if other not in skipped]) if skipped else order
