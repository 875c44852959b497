"""A film as one HTML file: all its moments, cards and letters in it, for any browser, without a server.

Moments are much alike, so each line of them is kept once, and a moment says which lines it has. All of that is
packed by gzip, which browsers have unpacked since 2023; for older ones all that happened stands below the film.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from gzip import compress
from hashlib import sha256
from itertools import pairwise
from urllib.parse import unquote

import msgspec
from markupsafe import Markup
from msgspec import Struct

from referee.film import Film
from referee.telling import Language
from webui.drawing.film_step import Jump, StepEvidence, sentences_of, step_values, title_of_film, view_of_step
from webui.drawing.match_story import facts_of
from webui.server.templates import Drawer

SHEETS = ("look.css", "score.css", "reveal.css", "film.css")
FONT = re.compile(r"fonts/[a-z0-9-]+\.woff2")
PICTURE = re.compile(r'(?:src|href)="(/cards/[^"]+|picture:[0-9]+)"')
USE = re.compile(r'<use href="/(look|file)/[^"#]*#([^"]*)"')
SYMBOL = re.compile(r'<symbol id="')
BLOCK = re.compile(r'<(?:div|figure|li class="plate|path class="ruling|ol)')
"""How the first line of a block begins."""
MOST_TOLD = 2000
"""Moments that are told one by one where scripts don't run."""


class FilmFile(Struct, frozen=True):
    """What a film is made into a file from."""

    film: Film
    what_if: int | None = None
    pictures: Mapping[int, bytes] = {}
    """JPEGs by the moments that they belong to."""
    evidence: Mapping[int, StepEvidence] = {}


class PackedSteps:
    """Moments as lines: those that stand together are a block, and each block and each line is kept once."""

    def __init__(self) -> None:
        self._lines, self._blocks = dict[str, int](), dict[tuple[int, ...], int]()

    def pack(self, text: str) -> list[int]:
        """Give the numbers of a text's blocks."""
        kept = [line for line in text.split("\n") if line]
        lines = [self._lines.setdefault(line, len(self._lines)) for line in kept]
        starts = [place for place, line in enumerate(kept) if not place or BLOCK.match(line)]
        blocks = (tuple(lines[start:end]) for start, end in pairwise((*starts, len(lines))))
        return [self._blocks.setdefault(block, len(self._blocks)) for block in blocks]

    @property
    def lines(self) -> list[str]:
        """List all lines in the order of their numbers."""
        return list(self._lines)

    @property
    def blocks(self) -> list[tuple[int, ...]]:
        """List all blocks in the order of their numbers."""
        return list(self._blocks)


def film_file(drawer: Drawer, content: FilmFile, language: Language, lang: str) -> str:
    """Make the file."""
    film, packed, pictures = content.film, PackedSteps(), dict[str, int]()
    steps = [
        packed.pack(_step(drawer, content, number, language, pictures)) for number in range(len(film.moments))
    ]
    held = [_data_address(drawer, content, address) for address in pictures]
    whole = {"lines": packed.lines, "blocks": packed.blocks, "steps": steps, "pictures": held}
    data = b64encode(compress(msgspec.json.encode(whole), 9, mtime=0)).decode()
    look, script = drawer.book.look_of(film.match), _static(drawer, "film.js")
    style = "".join((*(_style(drawer, name) for name in SHEETS), drawer.book.sheet()))
    view = view_of_step(film, 0, language, look)
    values = {
        "lang": lang,
        "look": look,
        "title": title_of_film(film.match, language),
        "facts": facts_of(film.match, language),
        "what_if": content.what_if,
        "last": film.last,
        "jumps": view.jumps,
        "story": tuple(_story(film, language))[:MOST_TOLD],
        "style": Markup(style),  # noqa: S704 - our own sheets
        "script": Markup(script),  # noqa: S704 - our own script
        "policy": _policy(style, script),
        "data": data,
        "signs": Markup(_sprites(drawer, look.game)),  # noqa: S704 - our own signs
    }
    return _with_own_signs(drawer.fragment("film_file", language, values))


def _step(drawer: Drawer, content: FilmFile, number: int, language: Language, pictures: dict[str, int]) -> str:
    """Draw a moment; pictures are named by their numbers."""
    evidence = content.evidence.get(number, StepEvidence())
    what_if = content.what_if
    values = {
        **step_values(drawer.book, content.film, number, language, evidence),
        "film_home": "",
        "imagined": what_if is not None and number > what_if,
    }

    def numbered(found: re.Match[str]) -> str:
        return f'data-src="{pictures.setdefault(found[1], len(pictures))}"'

    drawn = drawer.fragment("film_step", language, values).replace('href="?at=', 'href="#')
    return _with_own_signs(PICTURE.sub(numbered, drawn))


def _data_address(drawer: Drawer, content: FilmFile, address: str) -> str:
    """Write a card or a picture as an address that holds it."""
    if address.startswith("picture:"):
        return _data("image/jpeg", content.pictures[int(address.removeprefix("picture:"))])
    _empty, _cards, _edition, deck, size, file = address.split("/")
    face = unquote(file.removesuffix(".svg"))
    drawn = drawer.book.looks.card(unquote(deck), "" if face == "back" else face, is_small=size == "small")
    return _data("image/svg+xml", (drawn or "").encode())


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{b64encode(content).decode()}"


def _static(drawer: Drawer, name: str) -> str:
    return (drawer.files.content(name) or b"").decode()


def _style(drawer: Drawer, name: str) -> str:
    """Give a sheet with its letters in it."""

    def letters(found: re.Match[str]) -> str:
        return _data("font/woff2", drawer.files.content(found[0]) or b"")

    return FONT.sub(letters, _static(drawer, name))


def _policy(style: str, script: str) -> str:
    """Allow this style and this script, and nothing from anywhere."""
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}';"
        " img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def _sprites(drawer: Drawer, game: str) -> str:
    """Give all signs; those of the game and those of the pages have names apart."""
    of_game = SYMBOL.sub('<symbol id="look-', drawer.book.sprite(game))
    return of_game + SYMBOL.sub('<symbol id="file-', _static(drawer, "signs.svg"))


def _with_own_signs(text: str) -> str:
    """Take signs from the page itself."""
    return USE.sub(r'<use href="#\1-\2"', text)


def _story(film: Film, language: Language) -> Iterator[Jump]:
    """Write all that happened, for browsers without scripts."""
    for number, moment in enumerate(film.moments):
        yield Jump(number, " ".join(sentences_of(moment.match, language)), is_now=False)
