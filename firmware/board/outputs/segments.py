"""Seven-segment signs: their strokes, texts written in them, and the display's content."""

from collections.abc import Mapping
from unicodedata import normalize

from msgspec import Struct

from referee.match import Match
from referee.showing import board_of
from referee.verdicts import reveal_of

_WRITTEN = """
-40 ?53 03F 106 25B 34F 466 56D 67D 707 87F 96F A77
b7C C39 d5E E79 F71 G3D h74 I30 J1E K75 L38 M37 n54
o5C P73 q67 r50 S6D t78 U3E v1C W2A X76 y6E Z5B
"""
SEGMENTS: Mapping[str, int] = {" ": 0, **{each[0]: int(each[1:], 16) for each in _WRITTEN.split()}}
"""Bits of the seven strokes for each sign; S looks like 5, and Z like 2."""

_CASE = {sign.casefold(): sign for sign in SEGMENTS}
_PLAIN = {"\N{MINUS SIGN}": "-", "\N{MULTIPLICATION SIGN}": "x", "œ": "oe", "æ": "ae", "ß": "ss"}


def write_signs(text: str) -> str:
    """Write a text in available signs: each letter in the case that exists, all others blank."""
    return "".join(_CASE.get(sign, " ") for sign in plain_text(text).casefold())


def plain_text(text: str) -> str:
    for sign, simple in _PLAIN.items():
        text = text.replace(sign, simple)
    return "".join(sign for sign in normalize("NFKD", text) if not "\u0300" <= sign <= "\u036f")


def strokes(text: str) -> tuple[int, ...]:
    """Return the strokes of each sign; texts that look alike have equal strokes."""
    return tuple(SEGMENTS.get(sign, 0) for sign in text)


WIDTH = 4
PART_SECONDS = 2.0  # seconds for each part of a text that is wider than the display
RESULT_SECONDS = 10.0  # seconds for a counted number, which must not look like one that was said
NONE = "----"
OVER = "End"


class Result(Struct, frozen=True):
    """A counted number, and what follows it."""

    counted: str
    after: "Signs"


Signs = str | tuple[str, ...] | Result
"""A text as wide as the display, parts shown in turn, or a counted number first."""


def digits(match: Match) -> str:
    """Return the display's text for a match, four signs wide."""
    number = board_of(match).number
    if number is None:
        return (NONE if match.outcome is None else OVER).rjust(WIDTH)
    return _fitting(number)


def with_result(match: Match, signs: Signs) -> Signs:
    """Put the number that was counted last before the display's signs, if the moment shows it."""
    reveal = reveal_of(match)
    return signs if reveal is None or reveal.total is None else Result(_fitting(reveal.total), signs)


def _fitting(number: int) -> str:
    # a number that is too long isn't truncated
    return str(number).rjust(WIDTH) if len(str(number)) <= WIDTH else NONE


def halves(code: str) -> tuple[str, ...]:
    """Split a code that is wider than the display; a dash marks where the halves join."""
    half = len(code) // 2
    return (f"{code[:half]}-", f"-{code[half:]}")


def shown_now(signs: Signs, elapsed: float) -> tuple[str, float | None]:
    """Return the visible part after `elapsed` seconds, and its remaining seconds; None is forever."""
    if isinstance(signs, Result):
        left = RESULT_SECONDS - elapsed
        return (signs.counted, left) if left > 0 else shown_now(signs.after, -left)
    if isinstance(signs, str):
        return signs, None
    return signs[int(elapsed // PART_SECONDS) % len(signs)], PART_SECONDS - elapsed % PART_SECONDS
