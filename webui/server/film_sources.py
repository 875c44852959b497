"""Where films come from: the history, or a file that is looked at; and how a moment of them is drawn."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from threading import Lock

from msgspec import Struct

from firmware.parts.evidence import KeptPicture
from firmware.parts.table import Table
from firmware.storage.people.links import draw_token
from referee.film import Film, film_of
from referee.packed_film import PackedFilmError, unpack_film
from referee.record import ParsedRecord, read_film
from referee.telling import Language, Listener, listener_at
from webui.drawing.film_step import StepEvidence, pictured_answer, step_values
from webui.drawing.looks import Look
from webui.server.drawn_pages import Pages

FILMS = 4
"""Films that are laid out at once: each is of at most as many moments as a match may have."""
OPENED, LONGEST, TOTAL = 8, 400 * 1024, 32 * 1024 * 1024
"""Files that are looked at, bytes of each, and of the films of all together."""


class LaidOutFilm(Struct, frozen=True, eq=False):
    """A film, what was read of its record, and a name that changes with it."""

    reading: ParsedRecord
    film: Film | None
    mark: str


class FilmShelf:
    """Lays films out, each once for all who watch it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._laid_out, self._unpacked = lru_cache(FILMS)(_lay_out), lru_cache(FILMS)(_unpack)

    def film(self, lines: Sequence[str]) -> LaidOutFilm:
        # who watches the same film waits, and then finds it laid out
        with self._lock:
            return self._laid_out(tuple(lines))

    def opened(self, packed: bytes) -> LaidOutFilm:
        """Lay out the film of a file; it was played elsewhere."""
        with self._lock:
            return self._unpacked(packed)


def _lay_out(lines: tuple[str, ...]) -> LaidOutFilm:
    reading = read_film(lines)
    mark = sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()[:12]
    return LaidOutFilm(reading, None if reading.match is None else film_of(reading.match), mark)


def _unpack(packed: bytes) -> LaidOutFilm:
    mark = sha256(packed).hexdigest()[:12]
    try:
        return LaidOutFilm(*unpack_film(packed), mark)
    except PackedFilmError:
        return LaidOutFilm(ParsedRecord(None), None, mark)


class OpenedFiles:
    """Films of files that are looked at; the oldest make room."""

    def __init__(self) -> None:
        self._lock, self._files = Lock(), OrderedDict[str, bytes]()

    def open(self, packed: bytes) -> str:
        """Remember the film of a file, and draw the name by which it is found."""
        token = draw_token()
        with self._lock:
            self._files[token] = packed
            while len(self._files) > OPENED or self._bytes() > TOTAL:
                self._files.popitem(last=False)
        return token

    def film(self, token: str) -> bytes | None:
        with self._lock:
            return self._files.get(token)

    def _bytes(self) -> int:
        return sum(map(len, self._files.values()))


LARGEST = 2**63
"""Numbers of matches are smaller."""


class FilmSource(Struct, frozen=True, eq=False):
    """A film that can be watched: where its pages are, and its number in the history, if it has one."""

    home: str
    film: Film
    reading: ParsedRecord
    mark: str
    number: int | None = None

    @property
    def may_imagine(self) -> bool:
        """Return whether other answers may be tried: never while anything could be given away by it."""
        return self.film.match.outcome is not None


class FilmSources:
    """Finds films, and draws their moments."""

    def __init__(self, table: Table, pages: Pages) -> None:
        self._table, self._pages = table, pages
        self._shelf, self.opened = FilmShelf(), OpenedFiles()

    def of_match(self, number: int) -> FilmSource | None:
        history = self._table.history
        lines = [] if number >= LARGEST else history.lines(number)
        laid = self._shelf.film(lines) if lines else None
        return None if laid is None else _source(f"/history/{number}/film", laid, number)

    def of_file(self, token: str) -> FilmSource | None:
        packed = self.opened.film(token)
        return None if packed is None else _source(f"/film/{token}", self._shelf.opened(packed), None)

    def look_of(self, source: FilmSource) -> Look:
        return self._pages.book.look_of(source.film.match)

    def values(self, source: FilmSource, number: int, language: Language) -> Mapping[str, object]:
        what_if = source.reading.what_if
        return {
            **step_values(self._pages.book, source.film, number, language, self._evidence(source, number)),
            "film_home": source.home,
            "imagined": what_if is not None and number > what_if,
        }

    def step(self, source: FilmSource, number: int, language: Language) -> str:
        return self._pages.drawer.fragment("film_step", language, self.values(source, number, language))

    def picture(self, source: FilmSource, number: int) -> bytes | None:
        """Give the picture that the answer of a moment rests on."""
        kept = self._kept(source, number)
        return None if kept is None else kept.jpeg()

    def picture_address(self, source: FilmSource, number: int) -> str:
        """Give the address of the picture that a moment rests on; empty if none is kept."""
        return self._evidence(source, number).picture

    def _evidence(self, source: FilmSource, number: int) -> StepEvidence:
        """Give the cards of the picture that a moment rests on, and its address."""
        kept = self._kept(source, number)
        return (
            StepEvidence() if kept is None else StepEvidence(f"{source.home}/{number}.jpg", kept.cards() or ())
        )

    def _kept(self, source: FilmSource, number: int) -> KeptPicture | None:
        heard_at = pictured_answer(source.film, number)
        if heard_at is None or source.number is None:
            return None
        return self._table.evidence.of(source.number).get(heard_at)


def _source(home: str, laid: LaidOutFilm, number: int | None) -> FilmSource | None:
    return None if laid.film is None else FilmSource(home, laid.film, laid.reading, laid.mark, number)


def listener_to(source: FilmSource, language: Language) -> Listener:
    return listener_at(source.film.match.setup, language)
