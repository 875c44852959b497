"""The play mat: named zones under the camera, printed in tiles to glue together."""

from collections.abc import Sequence
from math import ceil

from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Group,
    Item,
    box,
    fill,
    line,
    placement,
    rounded_box,
    stroke,
    text,
)
from hardware.decks.print.markers import PLATE_HEIGHT, PLATE_WIDTH
from hardware.decks.print.sheets import Paper, margin

WIDTH, HEIGHT = 760.0, 540.0
_MARGIN = 10.0  # margin around a tile, for printers and for glue
INK, FAINT, FELT, SAND = "#2b3a4a", "#5f7d6e", "#8fb3a0", "#c9a96b"
"""The zones' colours: dark enough to contrast with white cards, light enough for ordinary printers."""

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
"""The zones by name: left, top, width, height; seats run clockwise seen from above."""
SEAT = ("seat",)  # parts of a seat's area on the general mat; some games need more
_FRENCH = {
    "centre": "centre",
    "proof": "preuve",
    "discard": "défausse",
    "seat": "place",
    "herd": "troupeau",
    "camp": "camp",
    "taunt": "dédain",
}


def zones(parts: Sequence[str] = SEAT) -> dict[str, Zone]:
    """Return the zones of a mat whose seats have these parts, left to right for each player."""
    common = {name: zone for name, zone in ZONES.items() if not name.startswith("seat")}
    seats = [int(name.removeprefix("seat ")) for name in ZONES if name not in common]
    return common | {f"{part} {seat}": _part(seat, parts, part) for part in parts for seat in seats}


def _part(seat: int, parts: Sequence[str], part: str) -> Zone:
    """Cut a part out of a seat's zone, along its longer side."""
    x, y, width, height = ZONES[f"seat {seat}"]
    # at the upper and the right edge, the player's left is reversed
    is_mirrored = y + height / 2 < HEIGHT / 4 if width > height else x + width / 2 > WIDTH / 2
    place = len(parts) - 1 - parts.index(part) if is_mirrored else parts.index(part)
    if width > height:
        return x + place * width / len(parts), y, width / len(parts), height
    return x, y + place * height / len(parts), width, height / len(parts)


def playmat(parts: Sequence[str] = SEAT) -> Drawing:
    drawn = tuple(item for name, zone in zones(parts).items() for item in _zone(name, zone))
    spots = tuple(item for number in range(4) for item in _spot(number))
    rim = stroke(rounded_box(1, 1, WIDTH - 2, HEIGHT - 2, 8), INK, 0.6)
    return Drawing(WIDTH, HEIGHT, (rim, *drawn, *spots))


def _zone(name: str, zone: Zone) -> tuple[Item, ...]:
    x, y, width, height = zone
    ground = SAND if name in ZONES and not name.startswith("seat") else FELT
    word = name.split(maxsplit=1)[0]
    french = name.replace(word, _FRENCH[word])
    # parts of a seat's area are narrow
    size = min(7.0, width / 10)
    return (
        fill(rounded_box(x, y, width, height, 6), ground),
        stroke(rounded_box(x, y, width, height, 6), FAINT, 0.8),
        fill(text(name.upper(), x + width / 2, y + height / 2, size, spread=0.8), FAINT),
        fill(text(french, x + width / 2, y + height / 2 + 8, min(4.0, size), font=PLAIN), FAINT),
    )


def _spot(number: int) -> tuple[Item, ...]:
    x = 8.0 if number in (0, 3) else WIDTH - 8 - PLATE_WIDTH
    y = 8.0 if number in (0, 1) else HEIGHT - 8 - PLATE_HEIGHT
    return (
        stroke(box(x, y, PLATE_WIDTH, PLATE_HEIGHT), INK, 0.4),
        fill(text(f"marker {number}", x + PLATE_WIDTH / 2, y + PLATE_HEIGHT / 2, 4, font=PLAIN), FAINT),
    )


def overview(paper: Paper, parts: Sequence[str] = SEAT) -> Drawing:
    """Draw the whole mat at a small scale, with the borders of its tiles."""
    scale = (paper.height - 40) / WIDTH
    matrix = placement(paper.width / 2 + HEIGHT * scale / 2, 20, scale, 90)
    width, height, columns, rows = _tiling(paper)
    cuts = tuple(stroke(line((width * k, 0), (width * k, HEIGHT)), "#c0273a", 1) for k in range(1, columns))
    rest = tuple(stroke(line((0, height * k), (WIDTH, height * k)), "#c0273a", 1) for k in range(1, rows))
    label = f"mat {WIDTH:g} x {HEIGHT:g} mm, {columns * rows} tiles"
    whole = Group((*playmat(parts).items, *cuts, *rest), matrix)
    return Drawing(paper.width, paper.height, (*margin(paper, label), whole))


def tiles(paper: Paper, parts: Sequence[str] = SEAT) -> list[Drawing]:
    _, _, columns, rows = _tiling(paper)
    whole = playmat(parts)
    return [_tile(whole, paper, row, column) for row in range(rows) for column in range(columns)]


def _tiling(paper: Paper) -> tuple[float, float, int, int]:
    width, height = paper.width - 2 * _MARGIN, paper.height - 2 * _MARGIN
    return width, height, ceil(WIDTH / width), ceil(HEIGHT / height)


def _tile(whole: Drawing, paper: Paper, row: int, column: int) -> Drawing:
    width, height, _, _ = _tiling(paper)
    window = box(column * width, row * height, width, height)
    at = placement(_MARGIN - column * width, _MARGIN - row * height)
    shown = Group((Group(whole.items, window=window),), at)
    frame = stroke(box(_MARGIN, _MARGIN, width, height), FAINT, 0.12)
    label = f"mat, row {row + 1}, column {column + 1}: cut along the thin line"
    return Drawing(paper.width, paper.height, (shown, frame, *margin(paper, label)))
