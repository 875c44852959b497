"""How games look, for the pages: looks and artwork as SVG, drawn once and kept."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from inspect import unwrap
from pathlib import Path
from sys import modules

from msgspec import convert, to_builtins

from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.look import LARGE, LOOKS, SMALL, Colours, GameLook, SceneAsk
from hardware.decks.print.small_svg import small_svg, write_path
from referee.contract import Board
from webui.doors.looks import GameStyle, LookColours, WindowPicture


class Looks:
    """Looks and cards of the games that were handed in."""

    def __init__(self) -> None:
        """Draw each card once."""
        self.style = cache(_style)
        self.edition = cache(_edition)
        self._cards = cache(_draw_card)

    def card(self, deck: str, face: str, *, is_small: bool) -> str | None:
        """Draw a face, or the back."""
        if deck not in PRINTED or (face and face not in PRINTED[deck].faces):
            return None
        return self._cards(deck, face, is_small)


def _style(game: str) -> GameStyle:
    return _page_style(LOOKS[game]) if game in LOOKS else GameStyle()


def _draw_card(deck: str, face: str, is_small: bool) -> str:
    printed = PRINTED[deck]
    return small_svg(printed.faces[face] if face else printed.back, with_fine=not is_small)


def _page_style(look: GameLook) -> GameStyle:
    def draw_scene(board: Board, *, is_over: bool, is_small: bool) -> WindowPicture:
        drawn = look.draw_scene(SceneAsk(board, is_over, is_small))
        return WindowPicture(drawn.svg, SMALL if is_small else LARGE, drawn.mood, drawn.keep)

    return GameStyle(
        sign=look.sign,
        symbols={name: write_path(path) for name, path in look.symbols.items()},
        colours=_colours(look.colours),
        moods={mood: _colours(colours) for mood, colours in look.moods.items()},
        signs=look.signs,
        tints=look.tints,
        badge=look.badge,
        backs=look.backs,
        poster=look.poster,
        dome=look.dome,
        patterns=look.patterns,
        draw_scene=draw_scene,
    )


def _colours(colours: Colours) -> LookColours:
    return convert(to_builtins(colours), LookColours)


def _edition(deck: str) -> str:
    """Name a deck's artwork by the files that draw it: they are what changes with a new version."""
    if deck not in PRINTED:
        return ""
    files = sorted({*_drawing_files(), *_file_of(unwrap(PRINTED[deck].draw_back))})
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:10]


def _drawing_files() -> Iterator[Path]:
    """Find the files of our own drawing."""
    for package in _file_of(PrintedDeck):
        yield from package.parent.rglob("*.py")


def _file_of(drawn: object) -> Iterator[Path]:
    """Find the file in which something is defined: a stranger's artwork lies elsewhere."""
    module = modules.get(getattr(drawn, "__module__", ""))
    if module is not None and module.__file__ is not None:
        yield Path(module.__file__)
