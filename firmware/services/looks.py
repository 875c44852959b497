"""The games' looks and artwork as SVG for the pages, each drawn once."""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from inspect import unwrap
from pathlib import Path
from sys import modules

from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.look import look_of
from hardware.decks.print.small_svg import small_svg, write_path


class Looks:
    """Looks and cards of the installed games."""

    def __init__(self) -> None:
        self.style, self.symbols = cache(look_of), cache(_symbols)
        self.edition = cache(_edition)
        self._cards = cache(_draw_card)

    def card(self, deck: str, face: str, *, is_small: bool) -> str | None:
        """Return a face as SVG, or the back for an empty name; small ones omit small print."""
        if deck not in PRINTED or (face and face not in PRINTED[deck].faces):
            return None
        return self._cards(deck, face, is_small)


def _symbols(game: str) -> Mapping[str, str]:
    return {name: write_path(path) for name, path in look_of(game).symbols.items()}


def _draw_card(deck: str, face: str, is_small: bool) -> str:
    printed = PRINTED[deck]
    return small_svg(printed.faces[face] if face else printed.back, with_fine=not is_small)


def _edition(deck: str) -> str:
    """Return a hash of the files that draw a deck; it changes with new versions."""
    if deck not in PRINTED:
        return ""
    drawn = (file for package in _file_of(PrintedDeck) for file in package.parent.rglob("*"))
    # code and artwork
    ours = (file for file in drawn if file.suffix in {".py", ".toml"})
    files = sorted({*ours, *_file_of(unwrap(PRINTED[deck].draw_back))})
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:10]


def _file_of(drawn: object) -> Iterator[Path]:
    """Yield the file that defines an object; plug-ins have their own artwork."""
    module = modules.get(getattr(drawn, "__module__", ""))
    if module is not None and module.__file__ is not None:
        yield Path(module.__file__)
