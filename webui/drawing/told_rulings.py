"""Rulings in words, remembered: a page tells the same ones at every moment, for each language anew."""

from collections.abc import Hashable

from referee.contract import Ruling
from referee.telling import Listener, tell

REMEMBERED = 4096
"""Sentences that are kept; then all are forgotten."""

_sentences: dict[Hashable, str] = {}


def tell_again(listener: Listener, ruling: Ruling) -> str:
    """Put a ruling into words, or find the words that it was put into before."""
    game, values = listener.words.title, tuple(ruling.values.items())
    key = (game, listener.names, listener.language, ruling.key, values)
    told = _sentences.get(key)
    if told is None:
        if len(_sentences) >= REMEMBERED:
            _sentences.clear()
        told = _sentences[key] = tell(listener, ruling)
    return told
