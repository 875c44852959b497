"""Plenty Coups' look: the prairie, and snow once winter has come."""

from hardware.decks.art.symbols import (
    DAGGER,
    FLAKE,
    FLAME,
    HORSE,
    MOUNTAIN,
    PINE,
    RIDER,
    SHIELD,
    SUN,
    WAVE,
)
from hardware.decks.drawing import star
from hardware.decks.look import LARGE, SMALL, Colours, GameLook, SceneAsk, ScenePicture
from hardware.decks.looks.painting import sheet, trophy

SNOW = "is-winter"
HILLS = (
    "M0 740V420C300 330 520 430 820 390 1180 340 1440 420 1800 340V740Z",
    "M0 740V580C360 520 700 620 1060 570 1380 530 1600 580 1800 540V740Z",
)
PRAIRIE = ("#35451f", "#3f5228", "#4a5d30")
COLD = ("#2f3b4c", "#3c4a5d", "#55667c")
FLAKES = 70


def draw_scene(ask: SceneAsk) -> ScenePicture:
    """Draw the hills in the colours of the season."""
    is_winter = any(fact.key == "winter" for fact in ask.board.facts)
    sky, *hills = COLD if is_winter else PRAIRIE
    drawn = "".join(f'<path fill="{colour}" d="{path}"/>' for path, colour in zip(HILLS, hills, strict=True))
    if ask.is_small:
        drawn = f'<g transform="scale({SMALL[0] / LARGE[0]} {SMALL[1] / LARGE[1]:.4f})">{drawn}</g>'
    snow = _snow(*(SMALL if ask.is_small else LARGE)) if is_winter else ""
    sign = trophy(HORSE, hills[-1]) if ask.is_over and not ask.is_small else ""
    return ScenePicture(sheet(sky, LARGE) + drawn + snow + sign, SNOW if is_winter else "")


def _snow(width: int, height: int) -> str:
    """Let snow fall, always at the same places."""
    unit = width / LARGE[0]
    places = ((k * 457 % LARGE[0], (k * 283 + k * k * 7) % LARGE[1], 4 + k * 5 % 5) for k in range(FLAKES))
    flakes = (
        f'<circle cx="{x * unit:.0f}" cy="{y * height / LARGE[1]:.0f}" r="{radius * unit:.1f}"/>'
        for x, y, radius in places
    )
    return f'<g class="snow" fill="#fff" opacity=".28">{"".join(flakes)}</g>'


def _lines(colour: str, path: str) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="4"/>'


def _spots(colour: str, path: str) -> str:
    return f'<path d="{path}" fill="{colour}"/>'


PATTERNS = {
    "black": _lines("#50525f", "M0 10l9 -7 9 7 9 -7 9 7M0 24l9 -7 9 7 9 -7 9 7"),
    "yellow": _spots(
        "#966c05",
        "M18 18L0 0H7ZM18 18L14 0H22ZM18 18L29 0H36ZM18 18L36 7V14ZM18 18L36 22V29ZM18 18L36 36H29Z"
        "M18 18L22 36H14ZM18 18L7 36H0ZM18 18L0 29V22ZM18 18L0 14V7Z",
    ),
    "green": _spots("#3d7c52", "M9 3l4 9H5ZM27 21l4 9H23Z"),
    "red": _lines("#c84a42", "M0 22L18 8 36 22M0 40L18 26 36 40M0 4L18 -10 36 4"),
    "blue": _lines("#316ca8", "M0 9q9 -6 18 0t18 0M0 27q9 -6 18 0t18 0"),
    "white": _spots("#5f6978", "M9 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM27 24a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z"),
}
"""What covers the fields of the clans, as on their cards."""

LOOK = GameLook(
    sign="horse",
    symbols={
        "horse": HORSE, "star": star(0, 0.6, 10, 4.2, 5), "dagger": DAGGER, "rider": RIDER, "shield": SHIELD,
        "flake": FLAKE, "wave": WAVE, "pine": PINE, "flame": FLAME, "mountain": MOUNTAIN, "sun": SUN,
    },
    colours=Colours("#4c6130", "#3f5228", "#fdf3df"),
    moods={SNOW: Colours("#55667c", "#2f3b4c", "#fdf3df")},
    backs=frozenset({"hand"}),
    signs={
        "horses": "horse", "plain": "horse", "renown": "star", "raid": "dagger",
        "raid-without-feat": "dagger", "winter": "flake", "winter-in": "flake",
        "goods": "shield",
        "blue": "wave", "green": "pine", "red": "flame", "white": "flake", "black": "mountain", "yellow": "sun",
    },
    tints={
        "black": "#2a2b33", "yellow": "#8f6704", "green": "#2c6b41", "red": "#b42c2c", "blue": "#20578f",
        "white": "#6d7787",
    },
    badge="clan",
    poster=("horse", "red-3", "staff"),
    patterns=PATTERNS,
    draw_scene=draw_scene,
)  # fmt: skip
