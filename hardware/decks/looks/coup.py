"""Coup's look: wine red, with the lattice of its backs."""

from hardware.decks.art.symbols import ARROWS, COIN, CROWN, DAGGER, FAN, SCROLL, SHIELD, WHEEL
from hardware.decks.look import LARGE, Colours, GameLook, SceneAsk, ScenePicture
from hardware.decks.looks.painting import pattern, sheet, trophy

WINE = "#4a1a2d"
LATTICE = (
    '<path d="M38 4L72 33 38 62 4 33ZM0 -29L34 0 0 29M76 -29L42 0 76 29M0 37L34 66 0 95M76 37L42 66 76 95"'
    ' fill="none" stroke="#8a6a3f" stroke-width="4" opacity=".28"/>'
)


def draw_scene(ask: SceneAsk) -> ScenePicture:
    """Draw the lattice."""
    sign = trophy(CROWN, WINE) if ask.is_over else ""
    ground = sheet(WINE, LARGE) + pattern("coup-lattice", LARGE, (76, 66), LATTICE)
    return ScenePicture(ground + sign, keep="xMidYMid")


LOOK = GameLook(
    sign="crown",
    symbols={
        "crown": CROWN, "coin": COIN, "dagger": DAGGER, "wheel": WHEEL, "fan": FAN, "scroll": SCROLL,
        "shield": SHIELD, "arrows": ARROWS,
    },
    colours=Colours("#5a2036", WINE, "#fdf3df"),
    signs={
        "coins": "coin", "influence": "fan", "duke": "crown", "assassin": "dagger", "captain": "wheel",
        "ambassador": "scroll", "contessa": "fan", "challenge": "dagger",
    },
    backs=frozenset({"influence"}),
    poster=("duke", "contessa", "assassin"),
    draw_scene=draw_scene,
)  # fmt: skip
