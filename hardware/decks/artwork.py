"""What a game's artwork is: how its cards and pieces are drawn, and which cards come with them."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from hardware.decks.discs import Side
from hardware.decks.drawing import Drawing

Draw = Callable[[str], Drawing]


class Artwork(Struct, frozen=True):
    """The artwork of all decks of a game."""

    draw_face: Draw
    draw_back: Callable[[], Drawing]
    extras: Mapping[str, int] = {}
    """Cards that belong to no pile, such as summaries; they have the same back."""
    pieces: Mapping[str, tuple[Side, ...]] = {}
    """The sides of what lies on the table besides cards, by the names of the kinds."""
