"""Signs of seven strokes: what each looks like, how a text is written in them, and what the digits show."""

from collections.abc import Mapping
from unicodedata import normalize

from referee.match import Match
from referee.showing import board_of

SEGMENTS: Mapping[str, int] = {
    " ": 0x00,
    "-": 0x40,
    "?": 0x53,
    "0": 0x3F,
    "1": 0x06,
    "2": 0x5B,
    "3": 0x4F,
    "4": 0x66,
    "5": 0x6D,
    "6": 0x7D,
    "7": 0x07,
    "8": 0x7F,
    "9": 0x6F,
    "A": 0x77,
    "b": 0x7C,
    "C": 0x39,
    "d": 0x5E,
    "E": 0x79,
    "F": 0x71,
    "G": 0x3D,
    "h": 0x74,
    "I": 0x30,
    "J": 0x1E,
    "K": 0x75,
    "L": 0x38,
    "M": 0x37,
    "n": 0x54,
    "o": 0x5C,
    "P": 0x73,
    "q": 0x67,
    "r": 0x50,
    "S": 0x6D,
    "t": 0x78,
    "U": 0x3E,
    "v": 0x1C,
    "W": 0x2A,
    "X": 0x76,
    "y": 0x6E,
    "Z": 0x5B,
}
"""Which of the seven strokes a sign needs; S looks like 5 there, and Z like 2."""

_CASE = {sign.casefold(): sign for sign in SEGMENTS}
_PLAIN = {"\N{MINUS SIGN}": "-", "\N{MULTIPLICATION SIGN}": "x", "œ": "oe", "æ": "ae", "ß": "ss"}


def write_signs(text: str) -> str:
    """Write a text in the signs that there are: each letter in the case that it can have, the others blank."""
    return "".join(_CASE.get(sign, " ") for sign in plain_text(text).casefold())


def plain_text(text: str) -> str:
    for sign, simple in _PLAIN.items():
        text = text.replace(sign, simple)
    return "".join(sign for sign in normalize("NFKD", text) if not "\u0300" <= sign <= "\u036f")


def strokes(text: str) -> tuple[int, ...]:
    """Give the strokes of each sign: texts that look alike have the same."""
    return tuple(SEGMENTS.get(sign, 0) for sign in text)


WIDTH = 4
TURN = 2.0
"""Seconds for which the display shows each part of what it has no room for."""
Signs = str | tuple[str, ...]
"""A text of as many signs as the display has, or parts that it shows in turn."""
NONE = "----"
OVER = "End"


def digits(match: Match) -> str:
    """Write what the display shows, four signs wide."""
    number = board_of(match).number
    if number is None:
        return (NONE if match.outcome is None else OVER).rjust(WIDTH)
    # a number that is too long isn't cut
    return str(number).rjust(WIDTH) if len(str(number)) <= WIDTH else NONE


def halves(code: str) -> tuple[str, ...]:
    """Part a code that is wider than the display: what goes on ends with a stroke, the rest begins with one."""
    half = len(code) // 2
    return (f"{code[:half]}-", f"-{code[half:]}")


def shown_now(signs: Signs, elapsed: float) -> tuple[str, float | None]:
    """Give what the display shows so many seconds after it was given, and for how long; None is for ever."""
    if isinstance(signs, str):
        return signs, None
    return signs[int(elapsed // TURN) % len(signs)], TURN - elapsed % TURN
