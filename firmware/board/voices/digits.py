"""What the four digits show while the dial rests: the total that was counted, or the number to beat."""

from firmware.board.senses.meaning import number_asked
from referee.contract import Ruling
from referee.match import Match, moments

WIDTH = 4
NONE = "----"
OVER = "End"


def digits(match: Match) -> str:
    """Write what the display shows, four signs wide."""
    return _fit_right(_text(match))


def _text(match: Match) -> str:
    totals = [str(ruling.values["total"]) for ruling in match.rulings if "total" in ruling.values]
    if totals:
        return totals[0]
    if match.outcome is not None:
        return OVER
    ask = number_asked(match)
    if ask is None:
        return _at_stake(match)
    return str(ask.least - 1) if ask.least > 1 else NONE


def _at_stake(match: Match) -> str:
    """Find the number that was called, until the next one is asked for."""
    for moment in moments(match):
        called = [ruling for ruling in moment.rulings if _is_call(ruling)]
        if called:
            return str(called[0].values["number"])
        if number_asked(moment) is not None:
            break
    return NONE


def _is_call(ruling: Ruling) -> bool:
    return {"bidder", "number"} <= ruling.values.keys()


def _fit_right(text: str) -> str:
    """Set a text to the right; a number that is too long isn't cut."""
    return text.rjust(WIDTH) if len(text) <= WIDTH else NONE
