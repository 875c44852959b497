"""Options that are aimed at seats, why one isn't offered now, and the seats clockwise."""

from collections.abc import Container
from functools import lru_cache

from referee.contract import Datum, Option, Reason, Refusal, make_refusal

REMEMBERED = 1024
"""Groups of options and refusals that are kept: a game asks for the same ones again and again."""


@lru_cache(REMEMBERED)
def aimed_options(word: str, seats: tuple[int, ...]) -> tuple[Option, ...]:
    return tuple([Option(word, seat=seat) for seat in seats])


@lru_cache(REMEMBERED)
def unmet(why: str, **values: Datum) -> Refusal:
    """Refuse an option for a condition that isn't met; the game has words for it by this name."""
    return make_refusal(Reason.NO_SUCH_OPTION, why=why, **values)


@lru_cache(REMEMBERED)
def unmet_by(why: str, seat: int) -> Refusal:
    return unmet(why, seat=seat)


def seats_after(seat: int, count: int, skipped: Container[int] = ()) -> tuple[int, ...]:
    """List all other seats, clockwise from the next one; those that are out, or have passed, are skipped."""
    order = [(seat + step) % count for step in range(1, count)]
    return tuple([other for other in order if other not in skipped])
