"""Plenty Coups' look: the prairie, with snow in winter."""

from hardware.decks.art.sheet import SYMBOLS
from hardware.decks.look import LARGE, SMALL, SceneAsk, ScenePicture
from hardware.decks.looks.painting import read_look, sheet, trophy

HILLS = (
    "M0 740V420C300 330 520 430 820 390 1180 340 1440 420 1800 340V740Z",
    "M0 740V580C360 520 700 620 1060 570 1380 530 1600 580 1800 540V740Z",
)
PRAIRIE = ("#35451f", "#3f5228", "#4a5d30")
COLD = ("#2f3b4c", "#3c4a5d", "#55667c")
FLAKES = 70


def draw_scene(ask: SceneAsk) -> ScenePicture:
    is_winter = any(fact.key == "winter" for fact in ask.board.facts)
    sky, *hills = COLD if is_winter else PRAIRIE
    drawn = "".join(f'<path fill="{colour}" d="{path}"/>' for path, colour in zip(HILLS, hills, strict=True))
    if ask.is_small:
        drawn = f'<g transform="scale({SMALL[0] / LARGE[0]} {SMALL[1] / LARGE[1]:.4f})">{drawn}</g>'
    snow = _snow(*(SMALL if ask.is_small else LARGE)) if is_winter else ""
    sign = trophy(SYMBOLS["horse"], hills[-1]) if ask.is_over and not ask.is_small else ""
    return ScenePicture(sheet(sky, LARGE) + drawn + snow + sign, "is-winter" if is_winter else "")


def _snow(width: int, height: int) -> str:
    """Draw snowflakes at fixed positions."""
    unit = width / LARGE[0]
    places = ((k * 457 % LARGE[0], (k * 283 + k * k * 7) % LARGE[1], 4 + k * 5 % 5) for k in range(FLAKES))
    flakes = (
        f'<circle cx="{x * unit:.0f}" cy="{y * height / LARGE[1]:.0f}" r="{radius * unit:.1f}"/>'
        for x, y, radius in places
    )
    return f'<g class="snow" fill="#fff" opacity=".28">{"".join(flakes)}</g>'


LOOK = read_look("plenty_coups", SYMBOLS, draw_scene)
