"""What a game's look is: its sign, its colours, and the picture in the window of a page."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from hardware.decks.drawing import Path
from referee.contract import Board


class SceneAsk(Struct, frozen=True):
    """What a picture is drawn from: all that the table shows, and for which window."""

    board: Board
    is_over: bool = False
    is_small: bool = False
    """It is for a phone, where the window is about 360 by 200 instead of 1800 by 740."""


class ScenePicture(Struct, frozen=True):
    """A picture behind a window, as the inside of an SVG, and the mood that the page takes from it."""

    svg: str
    mood: str = ""  # one of the look's moods, such as "is-night"
    keep: str = "xMidYMax"  # which part stays in sight where the window has another shape
    has_bleed: bool = False  # it is painted beyond its sides: a wide window shows its whole height


class Colours(Struct, frozen=True):
    """Colours of a game, as CSS writes them."""

    game: str  # of the tab and the window's frame; white words are read on it
    window: str
    on_window: str
    caps: str = "var(--moon)"  # of small labels on the window
    key: str = "var(--gold)"  # of the key number
    rim: str = "transparent"  # around the key number, where it stands on a picture


Draw = Callable[[SceneAsk], ScenePicture]
LARGE, SMALL = (1800, 740), (360, 196)


def draw_nothing(_ask: SceneAsk) -> ScenePicture:
    """Draw nothing: the window keeps its plain colour."""
    return ScenePicture("")


class GameLook(Struct, frozen=True):
    """How a game looks on pages; it says nothing of any moment by itself."""

    sign: str  # the symbol in the tab
    symbols: Mapping[str, Path]  # symbols by name, drawn about the origin, 20 wide
    colours: Colours
    moods: Mapping[str, Colours] = {}  # other colours, for pictures that change the mood of a page
    signs: Mapping[str, str] = {}  # symbols of counts, facts and values, by their keys
    tints: Mapping[str, str] = {}
    """Colours of values, such as those of clans; white words are read on them."""
    badge: str = ""  # the key of the fact whose value gives a seat its colour and symbol
    backs: frozenset[str] = frozenset()
    """Keys of counts and facts of a seat that are hidden cards, to be drawn as backs."""
    poster: tuple[str, ...] = ()  # faces by which people know the game on a shelf, the best first
    dome: str = ""
    """The emblem on the dome that is pressed for a call, as the inside of an SVG of 200 by 200."""
    patterns: Mapping[str, str] = {}
    """Tiles of 36 by 36 that cover the fields of values, as the inside of an SVG."""
    draw_scene: Draw = draw_nothing


PLAIN_COLOURS = Colours("#23264f", "#23264f", "#fdf3df")
PLAIN = GameLook("", {}, PLAIN_COLOURS)  # the look of a game that brings none

LOOKS: dict[str, Callable[[], GameLook | None]] = {}
"""The functions that find the looks of the games that were handed in; nothing is loaded before."""


def look_of(game: str) -> GameLook:
    """Give a game's look; one that brings none, or none that can be loaded, looks plain."""
    return (LOOKS[game]() if game in LOOKS else None) or PLAIN
