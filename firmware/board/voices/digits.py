"""What the four digits show while the dial rests: the number that the game's board puts first."""

from referee.match import Match
from referee.showing import board_of

WIDTH = 4
TURN = 2.0
"""Seconds for which the display shows each part of what it has no room for."""
Signs = str | tuple[str, ...]
"""A text of as many signs as the display has, or parts that it shows in turn."""
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


def halves(code: str) -> tuple[str, ...]:
    """Part a code that is wider than the display: what goes on ends with a stroke, the rest begins with one."""
    half = len(code) // 2
    return (f"{code[:half]}-", f"-{code[half:]}")


def shown_now(signs: Signs, elapsed: float) -> tuple[str, float | None]:
    """Give what the display shows so many seconds after it was given, and for how long; None is for ever."""
    if isinstance(signs, str):
        return signs, None
    return signs[int(elapsed // TURN) % len(signs)], TURN - elapsed % TURN


def _fit_right(text: str) -> str:
    """Set a text to the right; a number that is too long isn't cut."""
    return text.rjust(WIDTH) if len(text) <= WIDTH else NONE
