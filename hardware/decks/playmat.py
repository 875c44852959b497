"""The play mat: named zones under the camera, printed in tiles that are glued together."""

from math import ceil

from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Group,
    Item,
    box,
    fill,
    line,
    placed,
    rounded,
    stroke,
    text,
)
from hardware.decks.markers import PLATE_HEIGHT, PLATE_WIDTH
from hardware.decks.sheets import Paper, margin

WIDTH, HEIGHT = 760.0, 540.0
_MARGIN = 10.0
"""What stays free around a tile, for printers and for glue."""
INK, FAINT, FELT, SAND = "#2b3a4a", "#5f7d6e", "#8fb3a0", "#c9a96b"
"""Zones are dark enough for a white card to stand out, and light enough for an ordinary printer."""

Zone = tuple[float, float, float, float]
ZONES: dict[str, Zone] = {
    "centre": (245, 175, 270, 190),
    "proof": (140, 215, 80, 110),
    "discard": (540, 215, 80, 110),
    "seat 1": (395, 430, 270, 105),
    "seat 2": (95, 430, 270, 105),
    "seat 3": (5, 130, 105, 280),
    "seat 4": (95, 5, 270, 105),
    "seat 5": (395, 5, 270, 105),
    "seat 6": (650, 130, 105, 280),
}
"""Left, top, width, height; seats clockwise seen from above."""
_FRENCH = {"centre": "centre", "proof": "preuve", "discard": "défausse"}


def playmat() -> Drawing:
    """Draw the whole mat."""
    zones = tuple(item for name, zone in ZONES.items() for item in _zone(name, zone))
    spots = tuple(item for number in range(4) for item in _spot(number))
    return Drawing(WIDTH, HEIGHT, (stroke(rounded(1, 1, WIDTH - 2, HEIGHT - 2, 8), INK, 0.6), *zones, *spots))


def _zone(name: str, zone: Zone) -> tuple[Item, ...]:
    x, y, width, height = zone
    ground = FELT if name.startswith("seat") else SAND
    french = _FRENCH.get(name, name.replace("seat", "place"))
    return (
        fill(rounded(x, y, width, height, 6), ground),
        stroke(rounded(x, y, width, height, 6), FAINT, 0.8),
        fill(text(name.upper(), x + width / 2, y + height / 2, 7, spread=0.8), FAINT),
        fill(text(french, x + width / 2, y + height / 2 + 8, 4, font=PLAIN), FAINT),
    )


def _spot(number: int) -> tuple[Item, ...]:
    """Mark where a corner plate is glued on."""
    x = 8.0 if number in (0, 3) else WIDTH - 8 - PLATE_WIDTH
    y = 8.0 if number in (0, 1) else HEIGHT - 8 - PLATE_HEIGHT
    return (
        stroke(box(x, y, PLATE_WIDTH, PLATE_HEIGHT), INK, 0.4),
        fill(text(f"marker {number}", x + PLATE_WIDTH / 2, y + PLATE_HEIGHT / 2, 4, font=PLAIN), FAINT),
    )


def overview(paper: Paper) -> Drawing:
    """Show the whole mat small, with the tiles that it is cut into."""
    scale = (paper.height - 40) / WIDTH
    matrix = placed(paper.width / 2 + HEIGHT * scale / 2, 20, scale, 90)
    width, height, columns, rows = _tiling(paper)
    cuts = tuple(stroke(line((width * k, 0), (width * k, HEIGHT)), "#c0273a", 1) for k in range(1, columns))
    rest = tuple(stroke(line((0, height * k), (WIDTH, height * k)), "#c0273a", 1) for k in range(1, rows))
    label = f"mat {WIDTH:g} x {HEIGHT:g} mm, {columns * rows} tiles"
    whole = Group((*playmat().items, *cuts, *rest), matrix)
    return Drawing(paper.width, paper.height, (*margin(paper, label), whole))


def tiles(paper: Paper) -> list[Drawing]:
    """Cut the mat into pages, row by row."""
    _, _, columns, rows = _tiling(paper)
    whole = playmat()
    return [_tile(whole, paper, row, column) for row in range(rows) for column in range(columns)]


def _tiling(paper: Paper) -> tuple[float, float, int, int]:
    width, height = paper.width - 2 * _MARGIN, paper.height - 2 * _MARGIN
    return width, height, ceil(WIDTH / width), ceil(HEIGHT / height)


def _tile(whole: Drawing, paper: Paper, row: int, column: int) -> Drawing:
    width, height, _, _ = _tiling(paper)
    window = box(column * width, row * height, width, height)
    shown = Group(
        (Group(whole.items, window=window),), placed(_MARGIN - column * width, _MARGIN - row * height)
    )
    frame = stroke(box(_MARGIN, _MARGIN, width, height), FAINT, 0.12)
    label = f"mat, row {row + 1}, column {column + 1}: cut along the thin line"
    return Drawing(paper.width, paper.height, (shown, frame, *margin(paper, label)))
