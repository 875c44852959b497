"""What is shared of a match: a film as one file, a picture of the final score; a process makes it."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock

import cv2
from msgspec import Struct

from firmware.language.catalogues import language
from firmware.parts.evidence import EvidenceFiles, KeptPicture
from firmware.parts.jobs import JobError, clean_lines, do_job
from firmware.parts.looks import Looks
from firmware.parts.score_card import score_card_png
from referee.film import Film, film_of
from referee.record import ParsedRecord, read_film
from vision.pictures import unpack_picture
from webui.drawing.film_step import StepEvidence, pictured_answer
from webui.drawing.final_score import final_score
from webui.server.film_file import FilmFile, film_file
from webui.server.templates import Drawer

WIDE, QUALITY = 640, 70
MOST_BYTES, MOST_PICTURES = 2_000_000, 40
"""Of all pictures in a film's file."""
PATIENCE = 90.0
"""Seconds that it may take to make one: a Pi is slow."""
REMEMBERED = 4
"""Files that are kept in memory, of at most three megabytes each."""


class FilmRequest(Struct, frozen=True):
    """Of which record a film or a picture is made, in which language, with which pictures."""

    record: tuple[str, ...]
    language: str
    folder: Path | None = None
    """Where pictures are kept; None for a film without."""
    match: int | None = None


class FilmMaker:
    """Makes films and pictures of final scores, one thing at a time, and remembers them."""

    def __init__(self, evidence: Path) -> None:
        self._folder, self._lock = evidence, Lock()
        self._made: OrderedDict[tuple[str, FilmRequest], bytes] = OrderedDict()

    def film(self, record: Sequence[str], language: str, pictures_of: int | None = None) -> bytes | None:
        """Make a film as one HTML file, with the pictures kept of a match; None if it can't be made."""
        folder = None if pictures_of is None else self._folder.resolve()
        return self._make(film_bytes, FilmRequest(clean_lines(record), language, folder, pictures_of))

    def score_card(self, record: Sequence[str], language: str) -> bytes | None:
        """Draw the final score as PNG of 1200 by 630 pixels, as chats show it; None if it can't be drawn."""
        return self._make(score_card_bytes, FilmRequest(clean_lines(record), language))

    def _make(self, work: Callable[[FilmRequest], bytes | None], wish: FilmRequest) -> bytes | None:
        key = work.__name__, wish
        with self._lock:
            made = self._made.get(key)
            if made is None:
                try:
                    made = do_job(work, wish, PATIENCE)
                except JobError:
                    return None
            # pictures may be withdrawn: with them it is made anew
            if made and wish.folder is None:
                self._made[key] = made
                while len(self._made) > REMEMBERED:
                    self._made.popitem(last=False)
            return made


def film_bytes(asked: FilmRequest) -> bytes | None:
    """Make a film as HTML; None if there is no match in the record."""
    reading = read_film(asked.record)
    if reading.match is None:
        return None
    content = _content(reading, film_of(reading.match), asked.folder, asked.match)
    return film_file(Drawer(Looks()), content, language(asked.language), asked.language).encode()


def score_card_bytes(asked: FilmRequest) -> bytes | None:
    """Draw the final score as PNG; None if there is no match in the record."""
    reading = read_film(asked.record)
    if reading.match is None:
        return None
    return score_card_png(final_score(reading.match, language(asked.language)))


def _content(reading: ParsedRecord, film: Film, folder: Path | None, match: int | None) -> FilmFile:
    if folder is None or match is None:
        return FilmFile(film, reading.what_if)
    kept = _pictured(film, EvidenceFiles(folder, lambda: None).of(match))
    pictures, left = dict[int, bytes](), MOST_BYTES
    # first those that everybody remembers, then the others
    for number in sorted(kept, key=lambda number: (not film.moments[number].is_telling, number)):
        small = _shrunk(kept[number].jpeg())
        if small is not None and len(small) <= left and len(pictures) < MOST_PICTURES:
            pictures[number], left = small, left - len(small)
    evidence = {number: StepEvidence(f"picture:{number}", kept[number].seen() or ()) for number in pictures}
    return FilmFile(film, reading.what_if, pictures, evidence)


def _pictured(film: Film, kept: Mapping[int, KeptPicture]) -> Mapping[int, KeptPicture]:
    """Give the pictures by the moments that rest on them."""
    answers = ((number, pictured_answer(film, number)) for number in range(len(film.moments)))
    return {number: kept[answer] for number, answer in answers if answer is not None and answer in kept}


def _shrunk(jpeg: bytes | None) -> bytes | None:
    """Make a picture as small as a phone shows it; None if it can't be read."""
    picture = unpack_picture(jpeg or b"")
    if picture is None:
        return None
    share = min(1.0, WIDE / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
