"""How games look on pages, and their cards as pictures: what no page knows by itself."""

from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec import Struct

from referee.contract import Board


class WindowPicture(Struct, frozen=True):
    """A picture behind a window: the inside of an SVG, its size, and the mood that it gives the page."""

    svg: str = ""
    size: tuple[int, int] = (1800, 740)
    mood: str = ""
    keep: str = "xMidYMax"


class LookColours(Struct, frozen=True):
    """A game's colours, as CSS writes them."""

    game: str = "#23264f"
    window: str = "#23264f"
    on_window: str = "#fdf3df"
    caps: str = "var(--moon)"
    key: str = "var(--gold)"
    rim: str = "transparent"


def draw_no_scene(_board: Board, *, is_over: bool, is_small: bool) -> WindowPicture:  # noqa: ARG001 - drawn for any moment
    """Draw no picture: the window keeps its plain colour."""
    return WindowPicture()


class GameStyle(Struct, frozen=True):
    """A game's look: symbols, colours, and what is drawn with which symbol."""

    sign: str = ""
    symbols: Mapping[str, str] = {}
    """The outlines of symbols by name, as SVG paths in a square of 22 about the origin."""
    colours: LookColours = LookColours()
    moods: Mapping[str, LookColours] = {}
    signs: Mapping[str, str] = {}
    """The symbols of counts, facts and values, by their keys."""
    tints: Mapping[str, str] = {}
    """The colours of values, such as those of clans."""
    badge: str = ""
    """The key of the fact whose value gives a seat its colour and symbol."""
    backs: frozenset[str] = frozenset()
    """Keys of counts and facts of a seat that are hidden cards."""
    poster: tuple[str, ...] = ()
    """Faces by which people know the game, the best first."""
    dome: str = ""
    """The emblem on the dome that is pressed for a call, as the inside of an SVG of 200 by 200."""
    patterns: Mapping[str, str] = {}
    """Tiles of 36 by 36 that cover the fields of values, as the inside of an SVG."""
    draw_scene: Callable[..., WindowPicture] = draw_no_scene
    """Draws the window's picture of a board; `is_over` and `is_small` say for which page."""


class LooksDoor(Protocol):
    """Gives looks and cards."""

    def style(self, game: str) -> GameStyle:
        """Give the look of a game; of one that isn't known, the plain one."""

    def card(self, deck: str, face: str, *, is_small: bool) -> str | None:
        """Draw a face of a deck as SVG, without its small print if it is shown small; None if there is none.

        An empty face is the back.
        """

    def edition(self, deck: str) -> str:
        """Name the artwork of a deck as it is now: other artwork has another name."""


class PlainLooks:
    """Looks for tables without artwork: every game looks plain, and cards are words."""

    def style(self, _game: str) -> GameStyle:
        """Give the plain look."""
        return GameStyle()

    def card(self, _deck: str, _face: str, *, is_small: bool) -> str | None:  # noqa: ARG002 - as the door says
        """Have no picture."""
        return None

    def edition(self, _deck: str) -> str:
        """Name no artwork."""
        return ""
