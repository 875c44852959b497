"""Photographs from phones: read one at a time, each in a process of its own that can be killed."""

from collections.abc import Callable, Mapping
from typing import IO, Literal

import msgspec
from msgspec import Struct

from firmware.parts.evidence import PhotographEvidence, ReadCard, cards_read
from firmware.parts.jobs import JobError, JobSlowError, ReaderQueue, read_file
from firmware.parts.photograph_reader import SECONDS as LONGEST_WORK
from firmware.parts.photograph_reader import (
    CroppedPicture,
    PhotographFailure,
    PhotographReading,
    PhotographRequest,
    read_photograph,
)
from firmware.parts.table_look import TableLook
from referee.match import Match

MOST = 60
"""Cards of the table's own look that are told to a process."""
SECONDS = 30.0
"""Seconds that reading a photograph may take."""
LARGEST = 4_000_000
"""Bytes of a picture that may become evidence: the process that made it isn't trusted."""


class Photograph(Struct, frozen=True):
    """A photograph that was read: its cards, a small JPEG with outlines and names, and what may be kept."""

    cards: tuple[ReadCard, ...]
    picture: bytes
    evidence: PhotographEvidence | None = None
    looks_like: str | None = None
    """The other deck that the cards seem to be of, if it is another one."""


UnreadReason = Literal["photo huge", "photo unreadable", "photo failed", "photo slow", "photo busy"]
"""Why a photograph wasn't read; the pages have a text for each."""


class UnreadPhotograph(Struct, frozen=True):
    """A photograph that wasn't read."""

    why: UnreadReason


WHYS: Mapping[str, UnreadReason] = {"huge": "photo huge", "no photograph": "photo unreadable"}


class PhotographReader:
    """A reader of photographs for the cards of the match that stands."""

    def __init__(
        self,
        moment: Callable[[], Match],
        seconds: float = SECONDS,
        look: Callable[[], TableLook | None] = lambda: None,
    ) -> None:
        """Take what knows the match that stands, how long it may take, and the table's own look."""
        self._moment, self._seconds, self._look = moment, seconds, look
        self._queue = ReaderQueue()

    def read(self, photograph: IO[bytes]) -> Photograph | UnreadPhotograph:
        """Read one, after those that came before it."""
        with self._queue.turn() as is_ours:
            return self._read(photograph) if is_ours else UnreadPhotograph("photo busy")

    def _read(self, photograph: IO[bytes]) -> Photograph | UnreadPhotograph:
        setup = self._moment().setup
        deck = setup.game.table.deck(setup.house)
        look = self._look()
        seen = () if look is None else look.cards[:MOST]
        asked = PhotographRequest(deck.name, deck.counts, seen)
        try:
            read = read_file(read_photograph, asked, photograph, LONGEST_WORK, self._seconds)
        except JobSlowError:
            return UnreadPhotograph("photo slow")
        except JobError:
            return UnreadPhotograph("photo failed")
        if isinstance(read, PhotographFailure):
            return UnreadPhotograph(WHYS.get(read.why, "photo failed"))
        return _photograph(read, look)


def _photograph(read: PhotographReading, look: TableLook | None) -> Photograph:
    cards = cards_read(read.reading.cards, parts=read.parts)
    also = look if look is not None and any(part != "none" for part in read.parts) else None
    return Photograph(cards, read.picture, _evidence_of(read.part, also), read.looks_like)


def _evidence_of(part: CroppedPicture | None, also: TableLook | None) -> PhotographEvidence | None:
    """Give what may be kept of a photograph, once an answer rests on it, and of the table's own look."""
    if part is None or len(part.jpeg) > LARGEST:
        return None
    reading = msgspec.json.encode(part.reading)
    return PhotographEvidence(part.jpeg, reading, None if also is None else also.jpeg)
