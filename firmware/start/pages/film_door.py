"""What is shared of matches: made by a process of its own, one thing at a time, and remembered."""

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import msgspec

from firmware.start.film_process import FilmRequest
from firmware.start.pages.own_process import clean_lines, run_module

PROCESS = "firmware.start.film_process"
PATIENCE = 90.0
"""Seconds that it may take: a Pi is slow."""
REMEMBERED = 4
"""Files that are kept in memory, of at most three megabytes each."""


class FilmMaker:
    """Makes films and pictures of final scores; threads would share one interpreter with the table."""

    def __init__(self, evidence: Path) -> None:
        """Take the folder in which pictures are kept."""
        self._folder, self._lock = evidence, Lock()
        self._made: OrderedDict[FilmRequest, bytes] = OrderedDict()

    def film(self, record: Sequence[str], language: str, pictures_of: int | None = None) -> bytes | None:
        """Make a film as one HTML file, with the pictures that are kept of a match."""
        folder = "" if pictures_of is None else str(self._folder.resolve())
        return self._make(FilmRequest("film", tuple(record), language, folder, pictures_of or 0))

    def score_card(self, record: Sequence[str], language: str) -> bytes | None:
        """Draw the final score."""
        return self._make(FilmRequest("card", tuple(record), language))

    def _make(self, wish: FilmRequest) -> bytes | None:
        with self._lock:
            made = self._made.get(wish) or _ask(wish)
            # pictures may be withdrawn: with them it is made anew
            if made and not wish.folder:
                self._made[wish] = made
                while len(self._made) > REMEMBERED:
                    self._made.popitem(last=False)
            return made or None


def _ask(wish: FilmRequest) -> bytes:
    asked = msgspec.json.encode(msgspec.structs.replace(wish, record=clean_lines(wish.record)))
    return run_module(PROCESS, given=asked, patience=PATIENCE)
