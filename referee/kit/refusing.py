"""Refusals of options that a game knows, but doesn't offer now."""

from functools import lru_cache

from referee.contract import Datum, Reason, Refusal, make_refusal

REMEMBERED = 1024
"""Refusals that are kept: to say why not, a game asks for the same ones at every moment."""


@lru_cache(REMEMBERED)
def unmet(why: str, **values: Datum) -> Refusal:
    """Refuse an option for a condition that isn't met; the game has words for it by this name."""
    return make_refusal(Reason.NO_SUCH_OPTION, why=why, **values)


@lru_cache(REMEMBERED)
def unmet_by(why: str, seat: int) -> Refusal:
    """Refuse an option for a condition that a seat doesn't meet."""
    return unmet(why, seat=seat)
