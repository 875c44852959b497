"""What Ogallala's cards share: the canoe that they form side by side, the water under it, the people in it."""

from collections.abc import Mapping

from msgspec import Struct

from hardware.decks.art.sheet import SYMBOLS, ArtSheet, read_art
from hardware.decks.drawing import Item, fill, group, path, placement, smooth_path, stroke

ART = ArtSheet("ogallala", SYMBOLS)
CREAM, NIGHT, WATER, DEEP, WOOD, BARK = (
    ART.file.inks[name] for name in ("cream", "night", "water", "deep", "wood", "bark")
)
HULLS = {part: ART.symbols[f"hull-{part}"] for part in ("bow", "stern", "middle")}
RIMS = {
    "bow": "M60 53 C42 54 28 53 20 48",
    "stern": "M3 53 C21 54 35 53 43 48",
    "middle": "M3 53 C20 54 43 54 60 53",
}
PLANKS = ART.picture("planks")
LONG_HAIR = {"scarf", "tall"}
"""Hats under which hair is seen."""


class Crew(Struct, frozen=True):
    """The features of a crew's cards."""

    name: str
    small: str
    symbol: str
    colour: str
    pale: str
    place: tuple[float, float]
    coat: str
    trim: str
    hull: str


class Paddler(Struct, frozen=True):
    """A card of each crew."""

    title: str
    small: str
    strength: int
    window: str = "whole"
    mark: str = ""
    hat: str = "sailor"
    sits: float = 31.5
    props: str = ""
    in_hand: str = ""
    sinking: str = ""


class Cargo(Struct, frozen=True):
    """A prize of one card or of two, drawn about the origin and standing on y = 10; two meet at x = 0."""

    title: str
    small: str
    colour: str
    pale: str
    sign: str
    picture: str
    ground: str = "cream"
    stripe: float = 0
    slant: float = 0


class Character(Struct, frozen=True):
    """A person who is worth more beside a prize."""

    title: str
    small: str
    prize: str
    colour: str
    hat: str
    stands: float
    seal: tuple[float, float]
    scene: str
    tools: str
    window: str = "whole"


class Cards(Struct, frozen=True):
    """All that Ogallala's file says of cards."""

    crews: Mapping[str, Crew]
    paddlers: Mapping[str, Paddler]
    cargo: Mapping[str, Cargo]
    characters: Mapping[str, Character]


CARDS = read_art("ogallala", Cards)


def draw_ripple(y: float, row: int, colour: str, width: float) -> Item:
    """Draw a ripple of the water."""
    points = ((5 * k, y + (1 if (k + row) % 2 else -1)) for k in range(14))
    return stroke(smooth_path(*points, closed=False), colour, width)


def draw_water(light: str = WATER, dark: str = DEEP) -> tuple[Item, ...]:
    """Draw the water that the canoe lies in."""
    y = 60
    surface = smooth_path(
        (-3, 80), (-2, y), *((5 * k, y + (0.9 if k % 2 else -0.9)) for k in range(14)), (66, y), (67, 80)
    )
    return (fill(surface, light), *(draw_ripple(y + 4.6 + 4 * k, k, dark, 0.7) for k in range(3)))


def draw_hull(part: str, colour: str, pattern: tuple[Item, ...]) -> tuple[Item, ...]:
    """Draw a bow, a stern or a middle of the hull."""
    outline = HULLS[part]
    return (
        fill(outline, colour),
        group(*pattern, window=outline),
        stroke(outline, BARK, 0.7),
        stroke(path(RIMS[part]), BARK, 1.6),
    )


def draw_canoe(part: str = "middle") -> tuple[Item, ...]:
    """Draw a wooden part of the canoe on the water."""
    return (*draw_hull(part, WOOD, PLANKS), *draw_water())


def draw_person(x: float, y: float, scale: float, coat: str, trim: str, hat: str) -> tuple[Item, ...]:
    """Draw a person to the waist, without facial features, with the waist at a point."""
    parts = ("hair",) * (hat in LONG_HAIR) + ("body", f"hat-{hat}")
    items = (item for part in parts for item in ART.picture(part, coat=coat, trim=trim))
    return (group(*items, matrix=placement(x, y, scale)),)
