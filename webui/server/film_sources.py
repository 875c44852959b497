"""Sources of films, from the history or uploaded files, and rendering of their moments."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from firmware.services.match_files import PlayedFile
from firmware.storage.people.links import draw_token
from referee.film import film_of
from referee.record import read_record
from referee.sentences import Language
from webui.server.drawn_pages import Pages
from webui.views.film_step import FilmSource, StepEvidence, pictured_answer, step_values
from webui.views.looks import Look

if TYPE_CHECKING:
    from firmware.services.photographs import KeptPicture
    from firmware.services.table import Table

MAX_FILMS = 4  # most films loaded at once, each with at most as many moments as a match may have
MAX_FILES, MAX_FILE_BYTES = 8, 400 * 1024  # most open files, and most bytes of each


class OpenedFiles:
    """Uploaded files as compressed records; the oldest are dropped first."""

    def __init__(self) -> None:
        self._lock, self._files = Lock(), OrderedDict[str, bytes]()

    def open(self, packed: bytes) -> str:
        token = draw_token()
        with self._lock:
            self._files[token] = packed
            if len(self._files) > MAX_FILES:
                self._files.popitem(last=False)
        return token

    def played(self, token: str) -> bytes | None:
        with self._lock:
            return self._files.get(token)


class FilmSources:
    """Finds films, loads each once for all its viewers, and renders moments."""

    def __init__(self, table: "Table", pages: Pages) -> None:
        self._table, self._pages = table, pages
        self._lock, self.opened = Lock(), OpenedFiles()
        self._laid_out, self._laid_out_file = (
            lru_cache(MAX_FILMS)(_lay_out),
            lru_cache(MAX_FILMS)(_lay_out_file),
        )

    def of_match(self, number: int) -> FilmSource | None:
        lines = tuple(self._table.history.lines(number))
        # other viewers of the same film wait, then find it loaded
        with self._lock:
            return self._laid_out(number, lines) if lines else None

    def of_file(self, token: str) -> FilmSource | None:
        played = self.opened.played(token)
        with self._lock:
            return None if played is None else self._laid_out_file(token, played)

    def look_of(self, source: FilmSource) -> Look:
        return self._pages.book.look_of(source.film.match)

    def values(self, source: FilmSource, number: int, language: Language) -> Mapping[str, object]:
        return step_values(self._pages.book, source, number, language, self.evidence(source, number))

    def step(self, source: FilmSource, number: int, language: Language) -> str:
        return self._pages.drawer.fragment("film_step", language, self.values(source, number, language))

    def picture(self, source: FilmSource, number: int) -> bytes | None:
        kept = self._kept(source, number)
        return None if kept is None else kept.jpeg()

    def evidence(self, source: FilmSource, number: int) -> StepEvidence:
        kept = self._kept(source, number)
        return (
            StepEvidence() if kept is None else StepEvidence(f"{source.home}/{number}.jpg", kept.cards() or ())
        )

    def _kept(self, source: FilmSource, number: int) -> "KeptPicture | None":
        heard_at = pictured_answer(source.film, number)
        if heard_at is None or source.number is None:
            return None
        return self._table.evidence.of(source.number).get(heard_at)


def _lay_out(number: int, lines: tuple[str, ...]) -> FilmSource | None:
    reading = read_record(lines)
    if reading.match is None:
        return None
    return FilmSource(f"/history/{number}/film", film_of(reading.match), reading, _mark(lines), number)


def _lay_out_file(token: str, packed: bytes) -> FilmSource | None:
    played = msgspec.msgpack.decode(packed, type=PlayedFile)
    reading = replace(read_record(played.record), fault=played.fault, gaps=played.gaps)
    if reading.match is None:
        return None
    return FilmSource(f"/film/{token}", film_of(reading.match), reading, _mark(played.record))


def _mark(lines: Sequence[str]) -> str:
    return sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()[:12]
