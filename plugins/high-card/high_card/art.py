"""The artwork: a star with as many points as the card's number, in a different place on each card."""

from hardware.decks.artwork import Artwork
from hardware.decks.card import WINDOW, CardFace, back, card, number_sign, number_text
from hardware.decks.drawing import Drawing, fill, star

INKS = ("#9a4526", "#1f5c8a", "#3d7450", "#5b3a78", "#a3283f")


def draw_face(name: str) -> Drawing:
    """Draw a card: a star, with its number in the star and in the corners."""
    number = int(name)
    x, y, colour = 21 + number % 3 * 10.5, 29 + number // 3 % 4 * 10, INKS[number % 5]
    picture = (
        fill(star(x, y, 15, 6 + number % 4 * 2, number + 2), colour),
        *number_text(name, x, y + 4, 9, "#ffffff"),
    )
    return card(CardFace("", "", colour, number_sign(name), picture, WINDOW))


ARTWORK = Artwork(draw_face, lambda: back("#37506b", "#223345", (), ()))
