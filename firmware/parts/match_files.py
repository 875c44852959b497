"""Match files from phones: played one at a time, each in a process of its own that can be killed.

A file may hold as much work as the rules allow for one match: within so many seconds it is a film, or it is
given up.
"""

from typing import IO, Literal

from firmware.parts.jobs import JobError, ReaderQueue, read_file
from referee.film import film_of
from referee.packed_film import pack_film
from referee.record import read_film

SECONDS, PATIENCE = 10, 60.0
"""Seconds of a processor that a file may take, and that it may take beside the table and all others."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a film that is remembered."""
UnreadFile = Literal["busy", "too much", "no match"]
"""Why a file is no film: others are being played, it would take too long, or there is no match in it."""


class MatchFiles:
    """A reader of match files."""

    def __init__(self, seconds: int = SECONDS) -> None:
        """Take how long playing one may take."""
        self._seconds, self._queue = seconds, ReaderQueue()

    def read(self, file: IO[bytes]) -> bytes | UnreadFile:
        """Play a file after those that came before it, and give its film, packed; nothing is kept."""
        with self._queue.turn() as is_ours:
            if not is_ours:
                return "busy"
            try:
                film = read_file(play_file, None, file, self._seconds, PATIENCE)
            except JobError:
                # it was killed at a limit
                return "too much"
        if film is None:
            return "no match"
        return film if len(film) <= LARGEST else "too much"


def play_file(_asked: None, file: IO[bytes]) -> bytes | None:
    """Pack the film of a match file; a byte that is no text damages only its own line."""
    reading = read_film(file.read().decode("utf-8-sig", errors="surrogateescape").rstrip().split("\n"))
    if reading.match is None:
        return None
    try:
        return pack_film(reading, film_of(reading.match))
    except (OverflowError, UnicodeError):
        # what is wrong with it can't even be told
        return None
