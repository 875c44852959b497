"""Film files and pictures of the final score, made in a separate process."""

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from threading import Lock
from urllib.parse import unquote

import cv2
import msgspec
from markupsafe import Markup
from msgspec import Struct

from firmware.language.catalogues import language
from firmware.services.jobs import Job, JobError, clean_lines
from firmware.services.looks import Looks
from firmware.services.photographs import EvidenceFiles
from firmware.services.score_card import score_card_png
from referee.film import film_of
from referee.record import read_record
from referee.sentences import Language
from vision.pictures import packed_jpeg, unpack_picture
from webui.server.templates import Drawer
from webui.views import film_step
from webui.views.final_score import final_score
from webui.views.match_story import facts_of

# A film as a single HTML file with all moments, cards and fonts, for any browser and without a server. Moments
# are similar, so each line is stored once, and a moment lists its lines. Everything is packed with gzip, which
# browsers have supported since 2023; for older ones, a text version is below the film.

SHEETS = ("look.css", "score.css", "reveal.css", "film.css")
FONT = re.compile(r"fonts/[a-z0-9-]+\.woff2")
PICTURE = re.compile(r'(?:src|href)="(/cards/[^"]+|picture:[0-9]+)"')
USE = re.compile(r'<use href="/(look|file)/[^"#]*#([^"]*)"')
SYMBOL = re.compile(r'<symbol id="')
BLOCK = re.compile(r'<(?:div|figure|li class="plate|path class="ruling|ol)')
"""First line of a block."""
MOST_TOLD = 2000  # most moments in the text version without scripts


class FilmFile(Struct, frozen=True):
    """Content of a film file."""

    source: film_step.FilmSource
    pictures: Mapping[int, bytes] = {}
    evidence: Mapping[int, film_step.StepEvidence] = {}


class PackedSteps:
    """Moments as lines, grouped in blocks; each block and each line is stored once."""

    def __init__(self) -> None:
        self.lines, self.blocks = dict[str, int](), dict[tuple[int, ...], int]()

    def pack(self, text: str) -> list[int]:
        kept = [line for line in text.split("\n") if line]
        lines = [self.lines.setdefault(line, len(self.lines)) for line in kept]
        starts = [place for place, line in enumerate(kept) if not place or BLOCK.match(line)]
        blocks = (tuple(lines[start:end]) for start, end in pairwise((*starts, len(lines))))
        return [self.blocks.setdefault(block, len(self.blocks)) for block in blocks]


def film_file(drawer: Drawer, content: FilmFile, language: Language, lang: str) -> str:
    film, packed, pictures = content.source.film, PackedSteps(), dict[str, int]()
    steps = [
        packed.pack(_step(drawer, content, number, language, pictures)) for number in range(len(film.moments))
    ]
    held = [_data_address(drawer, content, address) for address in pictures]
    whole = {"lines": list(packed.lines), "blocks": list(packed.blocks), "steps": steps, "pictures": held}
    data = b64encode(compress(msgspec.json.encode(whole), 9, mtime=0)).decode()
    look, script = drawer.book.look_of(film.match), _static(drawer, "film.js")
    style = "".join((*(_style(drawer, name) for name in SHEETS), drawer.book.sheet()))
    values = {
        "lang": lang,
        "look": look,
        "title": film_step.title_of_film(film.match, language),
        "facts": facts_of(film.match, language),
        "last": film.last,
        "jumps": film_step.jumps_of(film, 0, language),
        "story": [
            film_step.FilmPlace(number, film_step.told_at_once(moment.match, language))
            for number, moment in enumerate(film.moments[:MOST_TOLD])
        ],
        "style": Markup(style),  # noqa: S704 - our own sheets
        "script": Markup(script),  # noqa: S704 - our own script
        "policy": _policy(style, script),
        "data": data,
        "signs": Markup(_sprites(drawer, look.game)),  # noqa: S704 - our own signs
    }
    return _with_own_signs(drawer.fragment("film_file", language, values))


def _step(drawer: Drawer, content: FilmFile, number: int, language: Language, pictures: dict[str, int]) -> str:
    """Render a moment; pictures are referenced by number."""
    evidence = content.evidence.get(number, film_step.StepEvidence())
    values = film_step.step_values(drawer.book, content.source, number, language, evidence)

    def numbered(found: re.Match[str]) -> str:
        return f'data-src="{pictures.setdefault(found[1], len(pictures))}"'

    drawn = drawer.fragment("film_step", language, values).replace('href="?at=', 'href="#')
    return _with_own_signs(PICTURE.sub(numbered, drawn))


def _data_address(drawer: Drawer, content: FilmFile, address: str) -> str:
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
    def letters(found: re.Match[str]) -> str:
        return _data("font/woff2", drawer.files.content(found[0]) or b"")

    return FONT.sub(letters, _static(drawer, name))


def _policy(style: str, script: str) -> str:
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}';"
        " img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def _sprites(drawer: Drawer, game: str) -> str:
    """Return all symbols; prefixes separate the game's from the pages' own."""
    of_game = SYMBOL.sub('<symbol id="look-', drawer.book.sprite(game))
    return of_game + SYMBOL.sub('<symbol id="file-', _static(drawer, "signs.svg"))


def _with_own_signs(text: str) -> str:
    """Point symbols at the page itself."""
    return USE.sub(r'<use href="#\1-\2"', text)


WIDE, QUALITY = 640, 70
MOST_BYTES, MOST_PICTURES = 2_000_000, 40  # of all pictures in a film file
FILM_TIMEOUT = 90.0  # seconds to make a file; a Pi is slow
REMEMBERED = 4  # files cached in memory, of at most three megabytes each


class FilmRequest(Struct, frozen=True):
    """Record, language and picture folder of a film or score picture."""

    record: tuple[str, ...]
    language: str
    folder: Path | None = None  # folder of the pictures; None for a film without
    match: int | None = None


class FilmMaker:
    """Makes films and score pictures, one at a time, and caches them."""

    def __init__(self, evidence: Path) -> None:
        self._folder, self._lock = evidence, Lock()
        self._made = lru_cache(REMEMBERED)(_made)

    def film(self, record: Sequence[str], language: str, pictures_of: int | None = None) -> bytes | None:
        folder = None if pictures_of is None else self._folder.resolve()
        return self._make(film_bytes, FilmRequest(clean_lines(record), language, folder, pictures_of))

    def score_card(self, record: Sequence[str], language: str) -> bytes | None:
        """Return the final score as a PNG of 1200 by 630 pixels for chats; None if it can't be drawn."""
        return self._make(score_card_bytes, FilmRequest(clean_lines(record), language))

    def _make(self, work: Callable[[FilmRequest], bytes | None], wish: FilmRequest) -> bytes | None:
        # a picture may be withdrawn, so a film with pictures is never cached
        make = self._made if wish.folder is None else _made
        with self._lock, suppress(JobError):
            return make(work, wish)
        return None


def _made(work: Callable[[FilmRequest], bytes | None], wish: FilmRequest) -> bytes | None:
    return Job(work, wish).answer(FILM_TIMEOUT)


def film_bytes(asked: FilmRequest) -> bytes | None:
    reading = read_record(asked.record)
    if reading.match is None:
        return None
    content = _content(film_step.FilmSource("", film_of(reading.match), reading), asked.folder, asked.match)
    return film_file(Drawer(Looks()), content, language(asked.language), asked.language).encode()


def score_card_bytes(asked: FilmRequest) -> bytes | None:
    reading = read_record(asked.record)
    if reading.match is None:
        return None
    return score_card_png(final_score(reading.match, language(asked.language)))


def _content(source: film_step.FilmSource, folder: Path | None, match: int | None) -> FilmFile:
    if folder is None or match is None:
        return FilmFile(source)
    film = source.film
    pictured = EvidenceFiles(folder, lambda: None).of(match)
    answers = {number: film_step.pictured_answer(film, number) for number in range(len(film.moments))}
    kept = {number: pictured[each] for number, each in answers.items() if each is not None and each in pictured}
    pictures, left = dict[int, bytes](), MOST_BYTES
    # memorable moments get their pictures first
    for number in sorted(kept, key=lambda number: (not film.moments[number].is_telling, number)):
        small = _shrunk(kept[number].jpeg())
        if small is not None and len(small) <= left and len(pictures) < MOST_PICTURES:
            pictures[number], left = small, left - len(small)
    evidence = {
        number: film_step.StepEvidence(f"picture:{number}", kept[number].cards() or ()) for number in pictures
    }
    return FilmFile(source, pictures, evidence)


def _shrunk(jpeg: bytes | None) -> bytes | None:
    picture = unpack_picture(jpeg or b"")
    if picture is None:
        return None
    share = min(1.0, WIDE / max(picture.shape[:2]))
    return packed_jpeg(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), QUALITY)
