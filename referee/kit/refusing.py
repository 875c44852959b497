"""Refusals of options that a game knows, but doesn't offer now."""

from referee.contract import Datum, Reason, Refusal, make_refusal


def unmet(why: str, **values: Datum) -> Refusal:
    """Refuse an option for a condition that isn't met; the game has words for it by this name."""
    return make_refusal(Reason.NO_SUCH_OPTION, why=why, **values)
