"""The cargo of canoes, drawn about the origin, about 20 wide and standing on y = 10."""

from msgspec import Struct

from hardware.decks.art.symbols import HORSE
from hardware.decks.drawing import (
    Item,
    Path,
    box,
    circle,
    ellipse,
    fill,
    fill_and_stroke,
    group,
    line,
    path,
    placement,
    reflection,
    rounded_box,
    smooth_path,
    star,
    stroke,
    transform_path,
)

WOOD, BARK, GOLD, INK, CREAM, STEEL = "#b87f48", "#4b3020", "#e5ad3c", "#1d2030", "#fbf5e8", "#77808e"


class Cargo(Struct, frozen=True):
    """A prize: its picture, its symbol, its colour and a pale one."""

    items: tuple[Item, ...]
    symbol: Path
    colour: str
    pale: str


EYE: Path = (
    *path("M-10 0 C-6 -6.4 6 -6.4 10 0 C6 6.4 -6 6.4 -10 0 Z"),
    *circle(0, 0, 3.9),
    *circle(0, 0, 1.7),
)

# prizes of one card

_PARASOL = path(
    "M0 -10 C-6 -10 -10 -5 -10 -1 C-8 -2.6 -6 -2.6 -5 -1 C-3.6 -2.8 -1.4 -2.8 0 -1 C1.4"
    " -2.8 3.6 -2.8 5 -1 C6 -2.6 8 -2.6 10 -1 C10 -5 6 -10 0 -10 Z"
)
_COMPANION = (
    fill_and_stroke(path("M-7 11 C-7.6 4 -6 1.2 -3 0.4 H0.4 C3.4 1.2 4.6 4 4 11 Z"), "#b5487a", CREAM, 0.3),
    fill_and_stroke(ellipse(-1.4, -3, 2.4, 3), "#b98055", BARK, 0.2),
    fill(
        path("M-4.4 1 C-5 -7.6 2.2 -7.6 1.6 1 C1 -1 1.2 -3.6 -0.2 -4.4 C-2 -4.6 -3.6 -3.4 -3.4 -1 Z"), "#2d2320"
    ),
    stroke(line((5, 8), (5.4, -8)), BARK, 0.5),
    fill_and_stroke(transform_path(_PARASOL, placement(4.4, -4.6, 0.62, 12)), "#f0b9cf", "#8c2c58", 0.4),
)
_STICK = rounded_box(-1.7, -6, 3.4, 15, 0.6)
_DYNAMITE = (
    *(
        fill_and_stroke(transform_path(_STICK, placement(x, 1, 1, x)), "#c2352d", BARK, 0.4)
        for x in (-4.4, 0, 4.4)
    ),
    fill(path("M-7 1.6 C-3 3 3 3 7 1.6 V4.6 C3 6 -3 6 -7 4.6 Z"), BARK),
    stroke(path("M0 -5 C0 -9 4 -8 5 -10.6"), INK, 0.6),
    fill(star(5.6, -11, 3.2, 1.2, 8), GOLD),
)
_WING = path(
    "M0 -1 C-3 -6 -8 -8.6 -13.4 -8.4 C-12.6 -6.6 -12 -6 -11 -5.2 C-11.8 -5 -12.4 -5 -12.6"
    " -4.6 C-11 -2.6 -9.6 -2 -8 -1.6 C-8.6 -1 -9 -0.8 -9.6 -0.6 C-7 1.8 -3 2.6 0 1.6 Z"
)
_EAGLE = (
    fill_and_stroke(_WING, "#6b4526", CREAM, 0.3),
    fill_and_stroke(transform_path(_WING, reflection(0)), "#6b4526", CREAM, 0.3),
    fill_and_stroke(path("M-3 -2 C-3 4 -1.6 6 0 7 C1.6 6 3 4 3 -2 Z"), "#6b4526", CREAM, 0.3),
    fill(path("M-2.6 5 L-3.4 10 L0 8.4 L3.4 10 L2.6 5 Z"), CREAM),
    stroke(path("M-2.6 5 L-3.4 10 L0 8.4 L3.4 10 L2.6 5"), BARK, 0.3),
    fill_and_stroke(ellipse(0.3, -5, 2.4, 2.9), CREAM, BARK, 0.3),
    fill(path("M2 -6 C4.4 -6 5 -4.6 4.4 -3 C3.8 -4 2.8 -4 2 -4 Z"), GOLD),
    fill(circle(1.2, -5.6, 0.45), INK),
)
_EAGLE_SIGN: Path = path(
    "M0 -2.6 C-2 -6.6 -6 -8.4 -10 -8 C-9.4 -3.6 -6.4 0.6 -2.8 1.6 L-4.4 8.6 L0 6.8 L4.4 8.6 L2.8 1.6"
    " C6.4 0.6 9.4 -3.6 10 -8 C6 -8.4 2 -6.6 0 -2.6 Z"
)
_PELT = path(
    "M-2 -9 C-1 -10.4 1 -10.4 2 -9 C3 -7.4 5 -7.6 8.4 -8.6 L9.6 -5.4 C6.6 -4.4 6 -2 6 1 C6"
    " 4 7 6 9.6 7.6 L7.6 10 C5 8.6 2.6 8 1.4 8 L0 11 L-1.4 8 C-2.6 8 -5 8.6 -7.6 10 L-9.6"
    " 7.6 C-7 6 -6 4 -6 1 C-6 -2 -6.6 -4.4 -9.6 -5.4 L-8.4 -8.6 C-5 -7.6 -3 -7.4 -2 -9 Z"
)
_FUR = (
    fill_and_stroke(_PELT, "#9a6b3f", BARK, 0.5),
    *(
        stroke(path(f"M{x} {y} L{x + 0.7} {y + 1.6}"), "#5f3f22", 0.5)
        for x in (-3.4, -0.4, 2.6)
        for y in (-5, -1.6, 1.8, 5.2)
    ),
)
_LEAF = path("M0 10 C-8 5 -8.6 -3 0 -11 C8.6 -3 8 5 0 10 Z")
_VEINS = path("M0 10 V-8 M0 6 L-4.4 2 M0 6 L4.4 2 M0 1.6 L-4.6 -2.4 M0 1.6 L4.6 -2.4 M0 -3 L-3 -6 M0 -3 L3 -6")
_TOBACCO = tuple(
    item
    for x, turn in ((-5, -24), (5, 24), (0, 0))
    for item in (
        fill_and_stroke(transform_path(_LEAF, placement(x, 0, 0.86, turn)), "#8a8a34", "#45481a", 0.5),
        stroke(transform_path(_VEINS, placement(x, 0, 0.86, turn)), "#45481a", 0.4),
    )
)
_LEAF_SIGN: Path = (*_LEAF, *box(-0.6, -7, 1.2, 15))
_TENT = (
    fill_and_stroke(path("M0 -8 L10.4 10 H-10.4 Z"), "#efe0bd", BARK, 0.6),
    fill(path("M0 -1 L4.2 10 H-4.2 Z"), BARK),
    stroke(path("M0 -8 L-2.4 -11.6 M0 -8 L2.4 -11.6 M0 -8 L0.4 -12"), BARK, 0.7),
    *(
        fill(path(f"M{-x} {y} L{-x + 1.7} {y - 3} L{-x + 3.4} {y} Z"), "#c2552d")
        for x, y in ((8.6, 8), (6.6, 4.4))
    ),
    *(
        fill(path(f"M{x} {y} L{x - 1.7} {y - 3} L{x - 3.4} {y} Z"), "#c2552d")
        for x, y in ((8.6, 8), (6.6, 4.4))
    ),
)
_TENT_SIGN: Path = path(
    "M0 -6.4 L-2.6 -10 L-1 -10 L0 -8.6 L1 -10 L2.6 -10 L0 -6.4 L10 9 H3.4 L0 0.6 L-3.4 9 H-10 Z"
)
_KEG = (
    fill_and_stroke(path("M-6.4 -9 H6.4 C9 -4 9 5 6.4 10 H-6.4 C-9 5 -9 -4 -6.4 -9 Z"), WOOD, BARK, 0.6),
    *(stroke(path(f"M{x} -9 C{x * 1.4} -3 {x * 1.4} 4 {x} 10"), BARK, 0.4) for x in (-3.4, 0, 3.4)),
    *(fill(path(f"M{-w} {y} H{w} V{y + 2} H{-w} Z"), STEEL) for w, y in ((7.5, -5.6), (7.6, 4.6))),
    fill_and_stroke(circle(0, 0.4, 1.6), GOLD, BARK, 0.4),
)
_KEG_SIGN: Path = (
    *path("M-5.6 -10 H5.6 C6.6 -8.6 7 -7.4 7.4 -5.8 H-7.4 C-7 -7.4 -6.6 -8.6 -5.6 -10 Z"),
    *path("M-7.8 -4.2 H7.8 C8.4 -1 8.4 1.4 7.8 4.2 H-7.8 C-8.4 1.4 -8.4 -1 -7.8 -4.2 Z"),
    *path("M-7.4 5.8 H7.4 C7 7.4 6.6 8.6 5.6 10 H-5.6 C-6.6 8.6 -7 7.4 -7.4 5.8 Z"),
    *circle(0, 0, 2),
)
_STICK_SIGN: Path = (
    *box(-7, -3, 4, 13),
    *box(-2, -3, 4, 13),
    *box(3, -3, 4, 13),
    *path("M-0.6 -4 C-0.6 -8 2 -9.4 5 -9.4 V-8 C2.4 -8 0.8 -7 0.8 -4 Z"),
    *star(7, -8.6, 3, 1.2, 6),
)

CARGO = {
    "companion": Cargo(
        _COMPANION,
        (*_PARASOL, *path("M-0.6 0 H0.6 V8 C0.6 11 5 11 5 8 H3.8 C3.8 9.4 1.8 9.4 1.8 8 V0 Z")),
        "#8c2c58",
        "#f8dbe6",
    ),
    "dynamite": Cargo(_DYNAMITE, _STICK_SIGN, "#9c2a24", "#f7d9d2"),
    "eagle": Cargo(_EAGLE, _EAGLE_SIGN, "#5a4632", "#dcebf2"),
    "fur": Cargo(_FUR, _PELT, "#7a5230", "#f0dfcb"),
    "tobacco": Cargo(_TOBACCO, _LEAF_SIGN, "#5e6320", "#eceecb"),
    "tent": Cargo(_TENT, _TENT_SIGN, "#b0521f", "#fae3c4"),
    "keg": Cargo(_KEG, _KEG_SIGN, "#565f6d", "#e3e6ea"),
}

# prizes of two cards; they meet at x = 0

_SPOKES = tuple(
    stroke(transform_path(line((0, -5), (0, 5)), placement(-5, 4.4, 1, turn)), BARK, 0.8)
    for turn in (0, 45, 90, 135)
)
_CANNON = (
    stroke(path("M-14 9.4 L-4 2"), BARK, 2),
    fill_and_stroke(
        path(
            "M-9 -2.6 L13 -8.6 C14.6 -8.8 15.6 -5 14.2 -4.2 L-6 5 C-9 6 -12 4.6 -12.6 2.4"
            " C-13.2 0 -11.6 -2 -9 -2.6 Z"
        ),
        STEEL,
        INK,
        0.5,
    ),
    stroke(line((11.4, -8.6), (13, -3.4)), INK, 1.1),
    stroke(line((-4, -4), (-2, 3.2)), INK, 0.8),
    fill(circle(-13.6, 1.4, 1.5), INK),
    stroke(circle(-5, 4.4, 5.4), WOOD, 1.7),
    *_SPOKES,
    fill(circle(-5, 4.4, 1.3), GOLD),
    *(
        fill_and_stroke(circle(x, y, 1.9), INK, STEEL, 0.3)
        for x, y in ((6, 8), (10, 8), (14, 8), (8, 4.8), (12, 4.8))
    ),
)
_CANNON_SIGN: Path = (
    *path("M-6 -5 L9 -9 L10.4 -4 L-2 0.6 C-4 -2 -7.6 -2 -9 0 C-10 -2 -9 -4.2 -6 -5 Z"),
    *circle(-4.6, 4.4, 5.4),
    *circle(-4.6, 4.4, 3.2),
    *circle(6, 7.4, 2.4),
)
_BEAR_BODY = smooth_path(
    (-15, 9.6),
    (-15.4, 3),
    (-14, -2.6),
    (-9.4, -6),
    (-3, -6),
    (2, -7.4),
    (5.4, -8.4),
    (7.2, -10.6),
    (9, -10.4),
    (9.2, -8.2),
    (12, -6.2),
    (15.4, -3.4),
    (15.6, -1.8),
    (13, -0.8),
    (9.6, -0.4),
    (7.6, 2),
    (7.6, 6),
    (8, 9.6),
    (3.6, 9.8),
    (2.6, 5),
    (-1, 3.8),
    (-5, 4.4),
    (-6.4, 6.4),
    (-6, 9.8),
    (-10.6, 9.8),
)
_BEAR = (
    fill_and_stroke(_BEAR_BODY, "#6b4526", CREAM, 0.4),
    fill(circle(15, -2.8, 0.9), INK),
    fill(circle(11, -5, 0.55), CREAM),
    *(
        stroke(path(f"M{x} {y} L{x + 1.2} {y + 1.8}"), "#4a2d17", 0.5)
        for x, y in ((-12, -1), (-9, -3), (-5, -3), (-1, -3.4), (-10, 2), (-4, 0.6), (2, -3))
    ),
)
_PAW_SIGN: Path = (
    *path("M0 0 C4 0 7.6 3.4 7 7 C6.4 10.4 3 9.4 0 9.4 C-3 9.4 -6.4 10.4 -7 7 C-7.6 3.4 -4 0 0 0 Z"),
    *(
        run
        for x, y in ((-8, -0.6), (-4.4, -4.4), (0, -5.6), (4.4, -4.4), (8, -0.6))
        for run in ellipse(x, y, 1.7, 2.3)
    ),
    *(
        run
        for x, y in ((-8.6, -4.6), (-4.8, -8.4), (0, -9.6), (4.8, -8.4), (8.6, -4.6))
        for run in star(x, y, 1.2, 0.5, 3)
    ),
)
_BISON_BODY = smooth_path(
    (-15.4, 9.8),
    (-14.4, 4),
    (-15.4, -1),
    (-12, -3.4),
    (-7, -4),
    (-2, -7),
    (3, -10.2),
    (7, -9.6),
    (10, -7),
    (13.4, -4.8),
    (15, -0.6),
    (14.2, 4),
    (12.2, 6.6),
    (10, 5.8),
    (8.8, 3.4),
    (7, 4.6),
    (6.6, 9.8),
    (3, 9.8),
    (2.4, 5.4),
    (-2, 4),
    (-8, 3.8),
    (-10.8, 5.4),
    (-11.4, 9.8),
)
_BISON = (
    stroke(path("M-15.2 -0.6 C-17.6 1 -17 4 -17.6 6"), BARK, 0.9),
    fill_and_stroke(_BISON_BODY, "#7a5028", CREAM, 0.4),
    fill(
        smooth_path(
            (-2, -7),
            (3, -10.2),
            (7, -9.6),
            (10, -7),
            (13.4, -4.8),
            (15, -0.6),
            (14.2, 4),
            (12.2, 6.6),
            (10, 5.8),
            (8.8, 3.4),
            (4, 3),
            (0, 0),
        ),
        "#4f3116",
    ),
    fill_and_stroke(
        path("M10.4 -5 C9.6 -8.6 11.6 -10 13.4 -10.4 C12.6 -8.6 12.6 -7 13 -4.6 Z"), CREAM, BARK, 0.3
    ),
    fill(circle(12.6, -1.4, 0.55), CREAM),
)
_SKULL_SIGN: Path = path(
    "M-3.4 -3.4 C-7 -3.4 -9.6 -5.4 -10 -9.6 C-8 -7.4 -5.6 -6.8 -3 -6.8 H3 C5.6 -6.8 8 -7.4"
    " 10 -9.6 C9.6 -5.4 7 -3.4 3.4 -3.4"
    " C4.4 0 3.2 2 2.8 5 C2.6 8 1.6 9.8 0 9.8 C-1.6 9.8 -2.6 8 -2.8 5 C-3.2 2 -4.4 0 -3.4 -3.4 Z"
)
_LOGS = tuple((-15 + 6 * k, 7 - 5.2 * row) for row, many in enumerate((6, 6, 6, 5)) for k in range(many))
_TREE = tuple(
    item
    for x, y in ((x + 3 * (round(y) % 2), y) for x, y in _LOGS)
    for item in (
        fill_and_stroke(circle(x, y, 2.9), "#e0b57c", BARK, 0.7),
        stroke(circle(x, y, 1.7), WOOD, 0.4),
        fill(circle(x + 0.2, y, 0.6), WOOD),
    )
)
_LOG_SIGN: Path = tuple(
    run for x, y in ((-5.2, 4.8), (5.2, 4.8), (0, -4.2)) for run in (*circle(x, y, 4.8), *circle(x, y, 2.6))
)
_BAR = path("M-3.2 2 L-2.2 -2 H2.2 L3.2 2 Z")
_BARS = (
    (-11.4, 7.4),
    (-4, 7.4),
    (4, 7.4),
    (11.4, 7.4),
    (-7.6, 2.8),
    (0, 2.8),
    (7.6, 2.8),
    (4, -1.8),
    (-4, -1.8),
)
_GOLD = (
    *(fill_and_stroke(transform_path(_BAR, placement(x, y, 1.12)), GOLD, "#7a5a08", 0.5) for x, y in _BARS),
    *(fill(star(x, y, 2.4, 0.6, 4), CREAM) for x, y in ((-9, -5), (9.6, -4), (-0.4, -8.4))),
    fill_and_stroke(star(2, -7, 2.6, 1.9, 7), GOLD, "#7a5a08", 0.5),
)
_BAR_SIGN: Path = (
    *transform_path(_BAR, placement(-5, 5.4, 1.5)),
    *transform_path(_BAR, placement(5, 5.4, 1.5)),
    *transform_path(_BAR, placement(0, -2, 1.5)),
    *star(6, -6.6, 3.2, 0.9, 4),
)
_HORSE = (
    fill_and_stroke(transform_path(HORSE, placement(0, 1.4, 1.42)), "#8d5733", CREAM, 0.4),
    stroke(path("M7 -8.6 C5 -7.4 3.8 -5.4 3 -3"), BARK, 1.1),
    fill(circle(10, -6.2, 0.5), CREAM),
    stroke(path("M12.2 -5.4 L10.6 -2.6 M10.8 -3 L7 -1 M11 -4.2 L8.4 -7.6"), "#b42c2c", 0.5),
)
_SHOE: Path = (
    *path(
        "M-7.4 -8 H-3.4 C-5.6 -2 -5.4 4 0 4.4 C5.4 4 5.6 -2 3.4 -8 H7.4 C10.6 0 8.6 9.2 0"
        " 9.4 C-8.6 9.2 -10.6 0 -7.4 -8 Z"
    ),
    *(run for x, y in ((-6.6, -1), (-5, 4), (5, 4), (6.6, -1)) for run in circle(x, y, 0.9)),
)

HALVES = {
    "cannon": Cargo(_CANNON, _CANNON_SIGN, "#3f5d8a", "#dbe5f1"),
    "bear": Cargo(_BEAR, _PAW_SIGN, "#6b4a2f", "#efe2d2"),
    "bison": Cargo((group(*_BISON, matrix=reflection(0)),), _SKULL_SIGN, "#7d5e1f", "#f5ebc9"),
    "wood": Cargo(_TREE, _LOG_SIGN, "#a8392f", "#f8dcd5"),
    "gold": Cargo(_GOLD, _BAR_SIGN, "#8d6e0c", "#f9f0c4"),
    "horse": Cargo(_HORSE, _SHOE, "#2f6e62", "#d8ebe5"),
}
