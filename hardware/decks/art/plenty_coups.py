"""Plenty Coups' cards: riders of six clans, weapons, horses and honour staffs.

Each clan has its own symbol and corner, a dark or pale sky with a pattern, a side for its values, and a riding
direction, so that clans differ without their colours.
"""

from collections.abc import Mapping

from msgspec import Struct

from hardware.decks import drawing
from hardware.decks.art.sheet import SYMBOLS, ArtSheet, read_art
from hardware.decks.artwork import Artwork
from hardware.decks.card import WHITE, CardFace, back, bold_text, card, place_symbol, rank_sign, seal
from hardware.decks.discs import number_side, symbol_side

WOOD, BARK, CREAM = "#7d4d2a", "#4f3220", "#fbf4e4"
ART = ArtSheet("plenty_coups", SYMBOLS)
HORSE = SYMBOLS["horse"]


class ClanArt(Struct, frozen=True):
    """The features of a clan's cards."""

    name: str
    small: str
    sign: str
    colour: str
    pale: str
    place: tuple[float, float]
    side: str  # side of the values
    dark: bool  # light riders under a dark sky, or the reverse
    leftward: bool  # riding direction

    @property
    def symbol(self) -> drawing.Path:
        return SYMBOLS[self.sign]


class Clans(Struct, frozen=True):
    """The clans in the file."""

    clans: Mapping[str, ClanArt]


CLANS = read_art("plenty_coups", Clans).clans


def face(name: str) -> drawing.Drawing:
    kind, _, value = name.partition("-")
    return card(_rider(CLANS[kind], int(value)) if kind in CLANS else ART.face(name))


def reverse() -> drawing.Drawing:
    ridges = tuple(_ridge(8 + 6 * row, "#8fa06a", 0.9, 7) for row in range(7))
    emblem = (
        drawing.fill(place_symbol(HORSE, 0, -5.4, 15.5), BARK),
        drawing.stroke(drawing.line((-13.5, 0), (13.5, 0)), BARK, 0.8),
    )
    return back("#7a8f55", BARK, ridges, emblem)


# skies


def _ridge(y: float, colour: str, width: float, step: float) -> drawing.Item:
    points = [(step * k, y + (4 if k % 2 else 0)) for k in range(int(70 / step) + 1)]
    return drawing.stroke(drawing.line(*points), colour, width)


def _sky(clan: ClanArt, pale: str) -> tuple[drawing.Item, ...]:
    match clan.sign:
        case "pine":
            pines = ((6 + 8.4 * k + 4.2 * (row % 2), 20 + 8.2 * row, 7) for row in range(6) for k in range(8))
            return tuple(drawing.fill(place_symbol(SYMBOLS["pine"], *pine), pale) for pine in pines)
        case "flake":
            sizes = {0: 0.9, 1: 1.5}
            flakes = (
                (9 + 7.6 * k + 3.8 * (row % 2), 18 + 6 * row, sizes[row % 2])
                for row in range(8)
                for k in range(8)
            )
            return tuple(drawing.fill(drawing.circle(*flake), pale) for flake in flakes)
        case _:
            return ART.picture(f"sky-{clan.name.lower()}", pale=pale)


# riders

_WIDE: dict[int, tuple[float, tuple[drawing.Point, ...]]] = {
    1: (33, ((0, 2),)),
    2: (23, ((-9, -8), (9.5, 10))),
    3: (18.5, ((0, -10), (-12, 10), (12, 10))),
    4: (17, ((-11, -10), (11, -7.5), (-11, 8.5), (11, 12))),
}
"""The riders' positions in a wide field, relative to its middle, and the lengths of their horses."""
_HIGH: dict[int, tuple[float, tuple[drawing.Point, ...]]] = {
    1: (27, ((0, 2),)),
    2: (23, ((-2, -11), (2, 15))),
    3: (17, ((-6, -16), (5, 2), (-6, 20))),
    4: (14.5, ((-8.5, -14), (9, -10), (-8.5, 12), (9, 17))),
}
_FIELDS: dict[str, tuple[drawing.Point, drawing.Path]] = {
    "below": ((31.5, 38.0), drawing.box(4, 59, 56, 16)),
    "above": ((31.5, 52.0), drawing.box(4, 13, 56, 16)),
    "left": ((38.5, 44.0), drawing.box(4, 13, 15, 62)),
    "right": ((25.5, 44.0), drawing.box(44, 13, 15, 62)),
}
"""The middle of the field and the band of values, by the side of the band."""


def _rider(clan: ClanArt, value: int) -> CardFace:
    size, places = (_HIGH if clan.side in ("left", "right") else _WIDE)[value]
    x, y = _FIELDS[clan.side][0]
    riders = tuple(item for dx, dy in places for item in _horseman(x + dx, y + dy, size, clan))
    sky, young = _sky(clan, _sky_pattern_colour(clan)), value == 1
    return CardFace(
        f"Young {clan.name.lower()} rider" if young else f"{clan.name} rider",
        f"{'jeune ' if young else ''}cavalier {clan.small}",
        clan.colour,
        rank_sign(str(value), clan.symbol),
        (*sky, *riders, *_values(clan, value)),
        ground=clan.colour if clan.dark else CREAM,
        below=_strength(clan, value),
        above=seal(clan.symbol, *clan.place, clan.colour, 4.2),
    )


def _sky_pattern_colour(clan: ClanArt) -> str:
    """Mix a dark sky's pattern, 22 % of the way from the clan's colour to its pale one."""
    if not clan.dark:
        return clan.pale
    parts = [(int(clan.colour[k : k + 2], 16), int(clan.pale[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(dark + (light - dark) * 0.22):02x}" for dark, light in parts)


def _horseman(x: float, y: float, size: float, clan: ClanArt) -> tuple[drawing.Item, ...]:
    k = size / 20
    ink, paper = (CREAM, clan.colour) if clan.dark else (clan.colour, CREAM)
    horse, rider = place_symbol(HORSE, 0, 0, size), place_symbol(SYMBOLS["rider"], 0, 0, size)
    items = (
        *(drawing.stroke(shape, paper, 1.6) for shape in (horse, rider)),
        drawing.stroke(drawing.line((-4 * k, -1 * k), (9 * k, -11 * k)), ink, 0.55 * k),
        drawing.fill(horse, ink),
        drawing.fill_and_stroke(rider, ink, paper, 0.25 * k),
        drawing.fill(place_symbol(clan.symbol, -4.6 * k, 0, 3.4 * k), paper),
    )
    return (drawing.group(*items, matrix=(-1 if clan.leftward else 1, 0, 0, 1, x, y)),)


def _values(clan: ClanArt, value: int) -> tuple[drawing.Item, ...]:
    band, spots = _FIELDS[clan.side][1], _spots(clan.side)
    paper, ink = (CREAM, clan.colour) if clan.dark else (clan.colour, WHITE)
    x, y = spots[value - 1]
    return (
        drawing.fill(band, paper),
        *(drawing.fill(drawing.circle(*spot, 1.2), ink) for k, spot in enumerate(spots, 1) if k != value),
        drawing.fill(drawing.rounded_box(x - 5.2, y - 6, 10.4, 12, 2), ink),
        bold_text(str(value), x, y + 4.4, 8.8, paper),
    )


def _spots(side: str) -> list[drawing.Point]:
    if side in ("left", "right"):
        return [(12.4 if side == "left" else 50.6, 23.5 + 13.6 * k) for k in range(4)]
    return [(15.0 + 11 * k, 21.8 if side == "above" else 66.2) for k in range(4)]


def _strength(clan: ClanArt, value: int) -> tuple[drawing.Item, ...]:
    return (
        *(drawing.fill(place_symbol(clan.symbol, 9 + 7 * k, 80, 4.6), clan.colour) for k in range(value)),
        *(drawing.stroke(drawing.circle(9 + 7 * k, 80, 0.8), clan.colour, 0.3) for k in range(value, 4)),
    )


HORSE_SIDES = (symbol_side(HORSE, BARK, "#e9efd9"), number_side("+1", BARK, "#fbeeca"))
"""A horse's two sides: horses beyond the fifth of a herd count as renown."""

ARTWORK = Artwork(face, reverse)
