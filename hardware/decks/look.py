"""The look of a game: its sign, its colours, and the picture in a page's window."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from hardware.decks.drawing import Path
from referee.contract import Board


class SceneAsk(Struct, frozen=True):
    """Input for drawing a window's picture: the table's public state, and the shape of the window."""

    board: Board
    is_over: bool = False
    is_small: bool = False
    """Whether the window is a phone's: about 360 by 200 instead of 1800 by 740."""


class ScenePicture(Struct, frozen=True):
    """A window's picture as SVG content, and the mood that it gives the page."""

    svg: str
    mood: str = ""  # one of the look's moods, such as "is-night"
    keep: str = "xMidYMax"  # the part that stays visible in windows of another shape
    has_bleed: bool = False  # extends beyond its sides, so that a wide window shows its full height


class Colours(Struct, frozen=True):
    """Colours of a game, as CSS values."""

    game: str  # of the tab and the window's frame, behind white text
    window: str
    on_window: str
    caps: str = "var(--moon)"  # of small labels on the window
    key: str = "var(--gold)"  # of the key number
    rim: str = "transparent"  # outline of the key number on a picture


Draw = Callable[[SceneAsk], ScenePicture]
LARGE, SMALL = (1800, 740), (360, 196)


def draw_nothing(_ask: SceneAsk) -> ScenePicture:
    """Draw nothing, so that the window shows its plain colour."""
    return ScenePicture("")


class GameLook(Struct, frozen=True):
    """The look of a game on pages, independent of any moment."""

    sign: str  # the symbol in the tab
    symbols: Mapping[str, Path]  # symbols by name, drawn about the origin, 20 wide
    colours: Colours
    moods: Mapping[str, Colours] = {}  # other colours, for pictures that change the mood of a page
    signs: Mapping[str, str] = {}  # symbols of counts, facts and values, by their keys
    tints: Mapping[str, str] = {}
    """Colours of values, such as those of clans, behind white text."""
    badge: str = ""  # key of the fact that gives a seat its colour and symbol
    backs: frozenset[str] = frozenset()
    """Keys of a seat's counts and facts that are hidden cards, drawn as backs."""
    poster: tuple[str, ...] = ()  # the game's best-known faces, best first
    dome: str = ""
    """The emblem on the button for a call, as the content of an SVG of 200 by 200."""
    patterns: Mapping[str, str] = {}
    """Tiles of 36 by 36 for the fields of values, as the content of an SVG."""
    draw_scene: Draw = draw_nothing


PLAIN = GameLook("", {}, Colours("#23264f", "#23264f", "#fdf3df"))  # the look of games without one

LOOKS: dict[str, Callable[[], GameLook | None]] = {}
"""Functions that return the looks of the installed games, loaded on first use."""


def look_of(game: str) -> GameLook:
    """Return a game's look; plain if it has none, or none that can be loaded."""
    return (LOOKS[game]() if game in LOOKS else None) or PLAIN
