"""Symbols that several games use, drawn about the origin, 20 wide."""

from math import cos, radians, sin

from hardware.decks.drawing import (
    Path,
    box,
    circle,
    ellipse,
    path,
    placement,
    polygon,
    smooth_path,
    transform_path,
)

SPADE = path(
    "M0 -10 C3 -5.5 9.6 -2 9.6 3 C9.6 7.6 3.8 8.6 1.4 4.8 C1.6 7 2.4 8.8 4 10 H-4"
    " C-2.4 8.8 -1.6 7 -1.4 4.8 C-3.8 8.6 -9.6 7.6 -9.6 3 C-9.6 -2 -3 -5.5 0 -10 Z"
)
HEART = path(
    "M0 9.5 C-3 5.5 -9.8 1.5 -9.8 -3.8 C-9.8 -9.8 -2.2 -10.4 0 -4.8 C2.2 -10.4 9.8 -9.8 9.8 -3.8"
    " C9.8 1.5 3 5.5 0 9.5 Z"
)
DIAMOND = path("M0 -10 C2 -6 4.6 -2.6 7.6 0 C4.6 2.6 2 6 0 10 C-2 6 -4.6 2.6 -7.6 0 C-4.6 -2.6 -2 -6 0 -10 Z")
CLUB = path(
    "M0 -10 C3 -10 4.8 -7.8 4.8 -5.4 C4.8 -3.8 4 -2.4 3 -1.4 C4 -2 5 -2.2 5.8 -2 C8.4 -1.6 9.8 0.4 9.8 2.6"
    " C9.8 5 8 7.2 5.4 7.2 C3.4 7.2 2 6 1.3 4.4 C1.5 7 2.4 8.8 4 10 H-4 C-2.4 8.8 -1.5 7 -1.3 4.4"
    " C-2 6 -3.4 7.2 -5.4 7.2 C-8 7.2 -9.8 5 -9.8 2.6 C-9.8 0.4 -8.4 -1.6 -5.8 -2 C-5 -2.2 -4 -2 -3 -1.4"
    " C-4 -2.4 -4.8 -3.8 -4.8 -5.4 C-4.8 -7.8 -3 -10 0 -10 Z"
)
CROWN: Path = (
    *path("M-8 4.6 L-10 -5 L-5 -0.6 L0 -8 L5 -0.6 L10 -5 L8 4.6 Z"),
    *path("M-8 5.6 H8 V8.2 H-8 Z"),
    *circle(-10, -6.4, 1.3),
    *circle(0, -9.4, 1.3),
    *circle(10, -6.4, 1.3),
)
CORONET: Path = (
    *path(
        "M-9 5 C-9.6 1 -9.6 -1 -9 -3 C-7.6 -1.4 -6.4 -0.6 -4.6 -0.8 C-2.6 -1.2 -1 -3.4 0 -6.6"
        " C1 -3.4 2.6 -1.2 4.6 -0.8 C6.4 -0.6 7.6 -1.4 9 -3 C9.6 -1 9.6 1 9 5 C3 3.6 -3 3.6 -9 5 Z"
    ),
    *path("M-9 6.2 C-3 4.8 3 4.8 9 6.2 L8.6 8.4 C3 7 -3 7 -8.6 8.4 Z"),
    *circle(-9, -4.8, 1.3),
    *circle(0, -8.4, 1.5),
    *circle(9, -4.8, 1.3),
)
DAGGER: Path = (
    *path("M0 10 L-2 6 V-2.4 H2 V6 Z"),
    *path("M-6 -3.2 H6 C6.6 -3.2 6.6 -5 6 -5 H-6 C-6.6 -5 -6.6 -3.2 -6 -3.2 Z"),
    *path("M-1.1 -5.6 H1.1 V-8 H-1.1 Z"),
    *circle(0, -9, 1.3),
)
SCROLL: Path = (
    *path("M-6 -8 H6 C8 -8 8.6 -4.6 6.6 -4.6 V5 H-6.6 V-4.6 C-8.6 -4.6 -8 -8 -6 -8 Z"),
    *path("M-8 5.8 H8 C10 5.8 10 9.4 8 9.4 H-8 C-10 9.4 -10 5.8 -8 5.8 Z"),
    *box(-4.4, -2.6, 8.8, 1.1),
    *box(-4.4, 0, 8.8, 1.1),
    *box(-4.4, 2.6, 5.4, 1.1),
)


def wheel(spokes: int = 8) -> Path:
    """Draw a ship's wheel."""
    turns = [360 * k / spokes for k in range(spokes)]
    grips = [transform_path(box(-0.75, -9.8, 1.5, 3), placement(0, 0, turn=turn)) for turn in turns]
    bars = [transform_path(box(-0.5, -5, 1, 3), placement(0, 0, turn=turn)) for turn in turns]
    rings = (*circle(0, 0, 7.2), *circle(0, 0, 5.2), *circle(0, 0, 2.2), *circle(0, 0, 0.9))
    return (*rings, *(run for part in grips + bars for run in part))


def fan(leaves: int = 7) -> Path:
    """Draw an open fan, its handle below."""
    step = 130 / leaves
    starts = [-155 + step * k for k in range(leaves)]
    parts = [
        polygon(
            *(
                _at(r, a)
                for r, a in (
                    (4.4, s + 1.5),
                    (15, s + 1),
                    (16, s + step / 2),
                    (15, s + step - 1),
                    (4.4, s + step - 1.5),
                )
            )
        )
        for s in starts
    ]
    return (*(run for part in parts for run in part), *ellipse(0, 8, 1.6, 1.6))


def _at(radius: float, angle: float) -> tuple[float, float]:
    return (radius * cos(radians(angle)), 8 + radius * sin(radians(angle)))


COIN: Path = (
    *circle(0, 0, 10),
    *circle(0, 0, 8.2),
    *circle(0, 0, 7.2),
    *transform_path(CROWN, placement(0, 0.4, 0.42)),
)
WHEEL = wheel()
FAN = fan()
ARROWS: Path = (
    *path("M-9 -5.4 H3 V-9 L9.6 -3.7 L3 1.6 V-2 H-9 Z"),
    *path("M9 2 H-3 V-1.6 L-9.6 3.7 L-3 9 V5.4 H9 Z"),
)
SHIELD = path(
    "M0 10 C-6 7.4 -8.6 3.4 -8.6 -8 C-5.4 -7.6 -2.6 -8.4 0 -10 C2.6 -8.4 5.4 -7.6 8.6 -8 C8.6 3.4 6 7.4 0 10 Z"
)
MOUNTAIN: Path = path("M-10 8 L-3.4 -5 L-0.6 -0.6 L2.6 -8 L10 8 Z M-4.6 -0.4 L-3.4 -2.6 L-2.2 -0.6 L-3.3 0.6 Z")
SUN: Path = (
    *circle(0, 0, 5),
    *(
        run
        for k in range(12)
        for run in transform_path(path("M-1.1 -6.2 L0 -10 L1.1 -6.2 Z"), placement(0, 0, turn=30 * k))
    ),
)
PINE = path("M0 -10 L4 -4.6 H2 L6 0.6 H3.4 L8 6 H1.3 V10 H-1.3 V6 H-8 L-3.4 0.6 H-6 L-2 -4.6 H-4 Z")
FLAME: Path = path(
    "M1 -10 C2 -6 7.6 -3 7.6 3 C7.6 7.4 4 10 0 10 C-4 10 -7.6 7.4 -7.6 3 C-7.6 0 -6 -2 -4.6"
    " -4 C-4 -2.4 -3.4 -1.8 -2.4 -1.4"
    " C-2.8 -5 -1.6 -8 1 -10 Z M0.2 8.6 C2.6 8.6 4 7 4 5 C4 2.6 2 1.6 0.8 -0.8 C0.4 1.6"
    " -3.4 2.6 -3.4 5.4 C-3.4 7.4 -2 8.6 0.2 8.6 Z"
)
WAVE: Path = tuple(
    run
    for y in (-6.4, 0, 6.4)
    for run in path(
        f"M-10 {y} C-7 {y - 4} -4 {y - 4} 0 {y} C4 {y + 3} 7 {y + 3} 10 {y - 0.6} V{y + 2.6}"
        f" C7 {y + 6} 4 {y + 6} 0 {y + 3} C-4 {y - 0.6} -7 {y - 0.6} -10 {y + 3} Z"
    )
)
FLAKE: Path = (
    *circle(0, 0, 2),
    *(
        run
        for k in range(6)
        for run in transform_path(
            path("M-0.8 -2.6 V-5 L-3.4 -7 L-2.6 -8.2 L-0.8 -7 V-10 H0.8 V-7 L2.6 -8.2 L3.4 -7 L0.8 -5 V-2.6 Z"),
            placement(0, 0, turn=60 * k),
        )
    ),
)
HORSE = smooth_path(
    (9.9, -3.2),
    (9.2, -2.2),
    (7.9, -2.6),
    (6.7, -3.2),
    (6.0, -1.2),
    (5.2, 0.7),
    (7.4, 1.4),
    (9.8, 2.4),
    (10.8, 4.4),
    (10.0, 4.7),
    (8.8, 3.4),
    (6.6, 2.9),
    (4.4, 2.9),
    (5.4, 4.4),
    (4.6, 6.4),
    (3.4, 6.9),
    (3.3, 6.1),
    (3.9, 5.0),
    (2.4, 3.3),
    (-0.6, 3.0),
    (-3.2, 2.7),
    (-4.2, 4.4),
    (-6.6, 5.8),
    (-8.6, 7.6),
    (-9.6, 7.3),
    (-8.2, 5.6),
    (-6.8, 4.2),
    (-6.6, 3.2),
    (-8.4, 4.2),
    (-10.6, 4.9),
    (-11.0, 4.1),
    (-8.8, 2.9),
    (-7.4, 0.8),
    (-7.2, -1.2),
    (-9.4, -1.4),
    (-11.6, 0.4),
    (-11.2, -1.8),
    (-9.2, -3.2),
    (-6.6, -2.9),
    (-3.6, -2.4),
    (-0.4, -2.0),
    (2.2, -2.8),
    (3.4, -5.0),
    (5.0, -6.8),
    (5.8, -8.4),
    (6.5, -7.0),
    (7.8, -5.8),
)
RIDER: Path = (
    *smooth_path(
        (-1.8, -2.6),
        (-2.2, -4.8),
        (-1.0, -7.6),
        (0.8, -8.0),
        (1.6, -6.4),
        (3.4, -5.2),
        (3.6, -4.4),
        (1.4, -4.6),
        (0.8, -2.8),
    ),
    *circle(1.0, -9.6, 1.5),
)
CRESCENT = path(
    "M3.4 -9.4 C-2.4 -10.6 -9.4 -6.4 -9.4 0 C-9.4 6.4 -2.4 10.6 3.4 9.4 C-1.4 7.6 -3.4 4"
    " -3.4 0 C-3.4 -4 -1.4 -7.6 3.4 -9.4 Z"
)
