"""Films that were looked at lately, and those of files, which are kept in memory alone."""

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from threading import Lock

from msgspec import Struct

from firmware.storage.people.links import draw_token
from referee.film import Film, film_of
from referee.packed_film import PackedFilmError, unpack_film
from referee.record import ParsedRecord, read_film

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
        """Begin with none."""
        self._lock = Lock()
        self._laid_out, self._unpacked = lru_cache(FILMS)(_lay_out), lru_cache(FILMS)(_unpack)

    def film(self, lines: Sequence[str]) -> LaidOutFilm:
        """Lay out the film of a record."""
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
        """Begin with none."""
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
        """Give the film of a file that is looked at still, packed."""
        with self._lock:
            return self._files.get(token)

    def _bytes(self) -> int:
        return sum(map(len, self._files.values()))
