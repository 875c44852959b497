"""The artwork of a game: functions that draw its cards, and extra cards."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from hardware.decks.drawing import Drawing

Draw = Callable[[str], Drawing]


class Artwork(Struct, frozen=True):
    """The artwork of all decks of a game."""

    draw_face: Draw
    draw_back: Callable[[], Drawing]
    extras: Mapping[str, int] = {}
    """Cards that belong to no pile, such as summaries; they have the same back."""
