"""The canoe that Ogallala's cards form side by side, and the water under it."""

from hardware.decks.drawing import (
    Item,
    Path,
    fill,
    group,
    line,
    path,
    smooth_path,
    stroke,
)

CREAM, NIGHT, WATER, DEEP, WOOD, BARK, GOLD = (
    "#fbf5e8",
    "#66739b",
    "#8fc1d4",
    "#3c7f9c",
    "#c0884e",
    "#5b3a22",
    "#e5ad3c",
)

_MIDDLE = path("M3 53 C20 54 43 54 60 53 V64 H3 Z")
_BOW = path("M60 53 C42 54 28 53 20 48 C16 45.4 14 42 13 38 C9 43 9.6 53 15 58.6 C18 62 22 64 28 64 H60 Z")
_STERN = path("M3 53 C21 54 35 53 43 48 C47 45.4 49 42 50 38 C54 43 53.4 53 48 58.6 C45 62 41 64 35 64 H3 Z")
HULLS = {"bow": _BOW, "stern": _STERN}


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
    outline = HULLS.get(part, _MIDDLE)
    rim = {"bow": "M60 53 C42 54 28 53 20 48", "stern": "M3 53 C21 54 35 53 43 48"}.get(
        part, "M3 53 C20 54 43 54 60 53"
    )
    return (
        fill(outline, colour),
        group(*pattern, window=outline),
        stroke(outline, BARK, 0.7),
        stroke(path(rim), BARK, 1.6),
    )


PLANKS = (stroke(line((3, 57), (60, 57)), BARK, 0.4), stroke(line((3, 60), (60, 60)), BARK, 0.4))


_HULL_SIGN = path("M10 -1 C2 0 -4 -2 -6 -9 C-11 -3 -9 7 0 8 H10 Z")
ENDS: dict[str, Path] = {
    "bow": (*_HULL_SIGN, *path("M-1 -5 H10 V-3 H-1 Z")),
    "stern": tuple(run for run in path("M-10 -1 C-2 0 4 -2 6 -9 C11 -3 9 7 0 8 H-10 Z M-10 -9 V-6 H-2 V-9 Z")),
}
"""The signs of an empty bow and an empty stern."""
