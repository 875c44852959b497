"""Plain cards for games without artwork: the face's name, and a unique pattern."""

from hardware.decks.artwork import Artwork
from hardware.decks.card import INK, WINDOW, CardFace, back, card, number_sign
from hardware.decks.drawing import Drawing, Item, box, fill, text, text_width
from referee.contract import Deck, Game

COLUMNS, ROWS = 4, 5
CELL = 9.4
INKS = ("#9a4526", "#1f5c8a", "#3d7450", "#5b3a78", "#a3283f", "#6d5a12")


def plain_artwork(game: Game, deck: Deck) -> Artwork:
    """Draw a deck from the list of its faces alone."""
    places = {name: place for place, name in enumerate(deck.counts)}

    def draw_face(name: str) -> Drawing:
        place, title = places[name], game.words.faces.get(name, name)
        colour, index = INKS[place % len(INKS)], name if len(name) <= 3 else name[:2].upper()
        picture = (*_pattern(place, colour), *_lettering(title))
        return card(CardFace(title, "", colour, number_sign(index), picture, WINDOW))

    stripes = tuple(fill(box(6, 8 + 6 * row, 51, 2.4), "#8f97b8") for row in range(12))
    return Artwork(draw_face, lambda: back("#5a6388", "#3b4263", stripes, ()))


def _pattern(place: int, colour: str) -> tuple[Item, ...]:
    """Fill cells of the window by the bits of a number, unique for each face, upside down too."""
    code = (place + 1) * 0x9E377 % (1 << COLUMNS * ROWS)
    cells = [(column, row) for row in range(ROWS) for column in range(COLUMNS)]
    return tuple(
        fill(box(8.5 + column * 11.6, 17 + row * 11.2, CELL, CELL), colour)
        for bit, (column, row) in enumerate(cells)
        if code >> bit & 1
    )


def _lettering(title: str) -> tuple[Item, ...]:
    height = min(9.0, 9.0 * 44 / max(text_width(title, 9.0), 1.0))
    return (fill(box(8, 38, 47, 13), "#ffffff"), fill(text(title, 31.5, 44.5 + height / 2 - 1, height), INK))
