"""Coup d'État's look: petrol, sown with small crowns."""

from hardware.decks.art.symbols import CLUB, COIN, CORONET, CROWN, DAGGER, DIAMOND, HEART, SCROLL, SPADE
from hardware.decks.look import LARGE, Colours, GameLook, SceneAsk, ScenePicture
from hardware.decks.looks.painting import pattern, sheet, trophy
from hardware.decks.print.small_svg import write_path

PETROL = "#22455a"
SOWN = "".join(
    f'<path transform="translate({x} {y}) scale(.85)" d="{write_path(CROWN)}" fill="#fdf3df" opacity=".06"/>'
    for x, y in ((30, 34), (100, 104))
)


def draw_scene(ask: SceneAsk) -> ScenePicture:
    """Draw the sown crowns."""
    sign = trophy(CROWN, PETROL) if ask.is_over else ""
    ground = sheet(PETROL, LARGE) + pattern("coup-d-etat-crowns", LARGE, (140, 140), SOWN)
    return ScenePicture(ground + sign, keep="xMidYMid")


LOOK = GameLook(
    sign="crown",
    symbols={
        "crown": CROWN, "coronet": CORONET, "dagger": DAGGER, "scroll": SCROLL, "coin": COIN,
        "heart": HEART, "spade": SPADE, "diamond": DIAMOND, "club": CLUB,
    },
    colours=Colours(PETROL, PETROL, "#fdf3df"),
    backs=frozenset({"left", "tricks"}),
    signs={
        "hearts": "heart", "spades": "spade", "diamonds": "diamond", "clubs": "club",
        "loan": "scroll", "owing": "scroll", "president": "coronet", "claimant": "dagger", "holds": "crown",
        "holds-trick": "crown",
    },
    tints={"hearts": "#c0273a", "spades": "#1e2c4a", "diamonds": "#9a4e0c", "clubs": "#1d6a48"},
    poster=("Kh", "coup", "Qc"),
    draw_scene=draw_scene,
)  # fmt: skip
