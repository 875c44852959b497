"""What the four digits show while the dial rests: the number that the game's board puts first."""

from referee.match import Match
from referee.showing import board_of

WIDTH = 4
NONE = "----"
OVER = "End"


def digits(match: Match) -> str:
    """Write what the display shows, four signs wide."""
    return _fit_right(_text(match))


def _text(match: Match) -> str:
    number = board_of(match).number
    if number is not None:
        return str(number)
    return NONE if match.outcome is None else OVER


def _fit_right(text: str) -> str:
    """Set a text to the right; a number that is too long isn't cut."""
    return text.rjust(WIDTH) if len(text) <= WIDTH else NONE
