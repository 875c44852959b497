"""The sides of round tokens: a rim around a symbol with a word, or around a number.

The rim is broad and contrasts with the ground inside, so that a disc is visible on any table, on a white card
or beside another disc. All sides look different, in any rotation.
"""

from collections.abc import Callable

from hardware.decks.card import bold_text, place_symbol
from hardware.decks.drawing import PLAIN, Drawing, Item, Path, circle, fill, fill_and_stroke, text

ACROSS = 24.0
"""Width in millimetres of a token including paper; the disc fills all but a narrow margin."""
_MIDDLE = ACROSS / 2
RIM = 10.0  # radius of the ground inside the rim

Side = Callable[[], Drawing]


def symbol_side(symbol: Path, colour: str, ground: str, word: str = "") -> Side:
    def draw() -> Drawing:
        middle = _MIDDLE - (1.6 if word else 0)
        size = 10.5 if word else 13
        words = (fill(text(word, _MIDDLE, 19.2, 2.0, font=PLAIN), colour),) if word else ()
        return _disc(colour, ground, fill(place_symbol(symbol, _MIDDLE, middle, size), colour), *words)

    return draw


def number_side(words: str, colour: str, ground: str) -> Side:
    def draw() -> Drawing:
        return _disc(colour, ground, bold_text(words, _MIDDLE, _MIDDLE + 4.6, 9.2, colour))

    return draw


def _disc(colour: str, ground: str, *items: Item) -> Drawing:
    edge = circle(_MIDDLE, _MIDDLE, 11.85)
    rim = fill_and_stroke(edge, colour, "#9aa0ad", 0.15), fill(circle(_MIDDLE, _MIDDLE, RIM), ground)
    return Drawing(ACROSS, ACROSS, (*rim, *items))
