"""The picture of a final score for chats, drawn like the cards and with a game's best-known faces."""

from collections.abc import Iterator

import cv2
from msgspec import Struct

from hardware.decks import drawing
from hardware.decks.catalogue import PRINTED
from hardware.decks.look import look_of
from hardware.decks.print.raster import picture
from referee.games.catalogue import GAMES
from referee.moment_view import PlayerView

WIDTH, HEIGHT, PIXELS = 120.0, 63.0, 10.0  # millimetres, and pixels per millimetre
DAY, RAY, PAPER, INK, SOFT, GOLD = "#fdf3df", "#fbe8c3", "#fffdf8", "#1d2030", "#5d5346", "#f4b23c"
LEFT, RIGHT = 7.0, 65.0  # left and right margin of the text; the leftmost card begins at 66
ROWS, ROW = 7, 4.6  # maximum number of player lines, and the height of a line
CARD = 0.46
FAN = ((83.5, 35.0, -10.0), (102.5, 35.0, 10.0), (93.0, 32.0, 0.0))
"""Centres of the cards and their rotations; the last one is on top."""
SUN = (93.0, 30.0)


class FinalScore(Struct, frozen=True):
    """The content of a final score's picture."""

    game: str
    deck: str
    title: str
    result: str
    facts: str
    lines: tuple[PlayerView, ...]
    made_by: str


def is_drawn(name: str) -> bool:
    return any(letter.isalnum() for letter in drawing.printable_text(name))


def score_card_png(score: FinalScore) -> bytes:
    """Draw a final score as a PNG of 1200 by 630 pixels."""
    drawn = picture(drawing.Drawing(WIDTH, HEIGHT, tuple(_items(score))), PIXELS)
    return cv2.imencode(".png", drawn)[1].tobytes()


def _items(score: FinalScore) -> Iterator[drawing.Item]:
    colour = look_of(score.game).colours.game if score.game in GAMES else INK
    yield drawing.fill(drawing.box(0, 0, WIDTH, HEIGHT), DAY)
    x, y = SUN
    for step in range(0, 24, 2):
        turn = drawing.placement(x, y, 1, 15 * step)
        yield drawing.group(drawing.fill(drawing.polygon((0, 0), (150, -9), (150, 9)), RAY), matrix=turn)
    yield drawing.fill(drawing.circle(*SUN, 24), GOLD)
    yield from _faces(score)
    yield drawing.fill(drawing.box(0, 0, WIDTH, 1.6), colour)
    yield drawing.fill(drawing.rounded_box(LEFT - 2.2, 4.6, _width(score.title, 2.6) + 4.4, 5.6, 1), colour)
    yield _words(score.title, LEFT, 8.7, 2.6, PAPER)
    # as large as space permits
    fitting = min(5.2, 5.2 * (RIGHT - LEFT) / max(1.0, _width(score.result, 5.2)))
    yield _words(score.result, LEFT, 18.4, fitting, INK)
    yield from _rows(score.lines)
    yield _words(score.facts, LEFT, HEIGHT - 3.4, 1.7, SOFT, font=drawing.PLAIN)
    yield _words(score.made_by, WIDTH - 5, HEIGHT - 3.4, 1.7, SOFT, font=drawing.PLAIN, side="right")


def _faces(score: FinalScore) -> Iterator[drawing.Item]:
    deck = PRINTED.get(score.deck)
    if deck is None:
        return
    faces = [face for face in look_of(score.game).poster if face in deck.faces][: len(FAN)]
    for (x, y, turn), face in zip(FAN[-len(faces) :] if faces else (), reversed(faces), strict=True):
        wide, high = deck.width, deck.height
        shadow = drawing.fill(drawing.rounded_box(1, 2, wide, high, 3), "#c9a96f")
        edge = drawing.rounded_box(0, 0, wide, high, 3)
        card = (shadow, drawing.fill(edge, "#ffffff"), drawing.group(*deck.faces[face].items, window=edge))
        from_middle = drawing.group(*card, matrix=drawing.placement(-wide / 2, -high / 2))
        yield drawing.group(from_middle, matrix=drawing.placement(x, y, CARD, turn))


def _rows(lines: tuple[PlayerView, ...]) -> Iterator[drawing.Item]:
    for number, line in enumerate(lines[:ROWS]):
        y = 26.2 + number * ROW
        if line.is_winner:
            yield drawing.fill(
                drawing.rounded_box(LEFT - 2.2, y - 3.2, RIGHT - LEFT + 2.2, ROW - 0.4, 0.8), "#fbdc93"
            )
        counts = _cut(", ".join(count.text for count in line.counts), 1.6, 23.0, drawing.PLAIN, ", ")
        yield _words(f"{line.place}", LEFT, y, 2.0, INK)
        yield _words(_cut(line.name, 2.0, 28.0, drawing.BOLD), LEFT + 4.5, y, 2.0, INK)
        yield _words(counts, RIGHT - 2, y, 1.6, SOFT, font=drawing.PLAIN, side="right")


def _cut(words: str, height: float, room: float, font: str, between: str = "") -> str:
    """Truncate words that are too long, between parts if there is a separator."""
    parts = words.split(between) if between else list(words)
    if _width(words, height, font) <= room:
        return words
    while len(parts) > 1 and _width(f"{between.join(parts)}…", height, font) > room:
        parts.pop()
    return between.join(parts) if between else f"{''.join(parts).rstrip()}…"


def _width(words: str, height: float, font: str = drawing.BOLD) -> float:
    return drawing.text_width(drawing.printable_text(words, font), height, font)


def _words(
    words: str, x: float, y: float, height: float, colour: str, *, font: str = drawing.BOLD, side: str = "left"
) -> drawing.Item:
    return drawing.fill(
        drawing.text(drawing.printable_text(words, font), x, y, height, font=font, side=side), colour
    )
