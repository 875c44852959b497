"""Lettering: many cards may be drawn at once."""

from concurrent.futures import ThreadPoolExecutor
from string import ascii_letters

from hardware.decks import drawing


def test_threads_may_letter_at_the_same_time_before_the_font_is_read() -> None:
    for known in (drawing._font, drawing._glyph):
        known.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        wide = list(threads.map(lambda letters: drawing.text_width(letters, 3), [ascii_letters] * 8))
    assert len(set(wide)) == 1
