"""Ogallala's look: the river."""

from hardware.decks.art.paddlers import LOZENGE
from hardware.decks.art.symbols import PINE, SHIELD
from hardware.decks.drawing import path
from hardware.decks.look import LARGE, Colours, GameLook, SceneAsk, ScenePicture
from hardware.decks.looks.painting import pattern, sheet, trophy

RIVER = "#1b4d66"
WAVES = '<path d="M0 17q20 -14 40 0t40 0" fill="none" stroke="#8fc1d4" stroke-width="3" opacity=".22"/>'
CANOE = path(
    "M-10.6 -3 C-9 -2.4 -8.4 -1 -7 -0.4 C-3 0.6 3 0.6 7 -0.4 C8.4 -1 9 -2.4 10.6 -3"
    " C10 3 7 5 4 5 H-4 C-7 5 -10 3 -10.6 -3 Z"
)


def draw_scene(ask: SceneAsk) -> ScenePicture:
    """Draw the waves."""
    sign = trophy(CANOE, RIVER) if ask.is_over else ""
    ground = sheet(RIVER, LARGE) + pattern("ogallala-waves", LARGE, (80, 34), WAVES)
    return ScenePicture(ground + sign, keep="xMidYMid")


LOOK = GameLook(
    sign="lozenge",
    symbols={"lozenge": LOZENGE, "canoe": CANOE, "shield": SHIELD, "pine": PINE},
    colours=Colours(RIVER, RIVER, "#fdf3df"),
    signs={
        "canoes": "canoe",
        "held": "canoe",
        "guarded": "shield",
        "ends": "canoe",
        "red": "lozenge",
        "black": "lozenge",
    },
    tints={"red": "#a9302a", "black": "#2a2b33"},
    poster=("bear-right", "red-warrior-2", "black-chief"),
    draw_scene=draw_scene,
)
