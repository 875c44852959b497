"""Photographs from phones: read one at a time, each in a process of its own that can be killed."""

from collections.abc import Callable, Mapping
from typing import IO

import msgspec

from firmware.parts.photograph_reader import (
    CroppedPicture,
    PhotographFailure,
    PhotographReading,
    PhotographRequest,
)
from firmware.parts.reader_process import ReaderQueue, run_reader
from firmware.start.pages.evidence_door import cards_read
from firmware.start.pages.table_look import TableLook
from referee.match import Match
from webui.doors.companion import Photograph, PhotographEvidence, UnreadPhotograph, UnreadReason

MOST = 60
"""Cards of the table's own look that are told to a process."""
SECONDS = 30.0
"""Seconds that reading a photograph may take."""
LARGEST = 4_000_000
"""Bytes of a picture that may become evidence: the process that made it isn't trusted."""
WHYS: Mapping[str, UnreadReason] = {"huge": "photo huge", "no photograph": "photo unreadable"}


class PhotographReader:
    """A reader of photographs for the cards of the match that stands."""

    def __init__(
        self,
        moment: Callable[[], Match],
        process: str,
        seconds: float = SECONDS,
        look: Callable[[], TableLook | None] = lambda: None,
    ) -> None:
        """Take what knows the match that stands, the module that reads, and the table's own look."""
        self._moment, self._process, self._seconds, self._look = moment, process, seconds, look
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
        asked = msgspec.json.encode(PhotographRequest(deck.name, deck.counts, seen)).decode()
        said = run_reader(self._process, asked, photograph, self._seconds)
        return UnreadPhotograph("photo slow") if said is None else _parse_result(said, look)


def _parse_result(said: bytes, look: TableLook | None) -> Photograph | UnreadPhotograph:
    """Understand what a process said; one that died said nothing whole."""
    try:
        read: PhotographReading | PhotographFailure = msgspec.msgpack.decode(
            said, type=PhotographReading | PhotographFailure
        )
    except msgspec.DecodeError:
        return UnreadPhotograph("photo failed")
    if isinstance(read, PhotographFailure):
        return UnreadPhotograph(WHYS[read.why])
    cards = cards_read(read.reading.cards, parts=read.parts)
    also = look if look is not None and any(part != "none" for part in read.parts) else None
    return Photograph(cards, read.picture, _evidence_of(read.part, also), read.looks_like)


def _evidence_of(part: CroppedPicture | None, also: TableLook | None) -> PhotographEvidence | None:
    """Give what may be kept of a photograph, once an answer rests on it, and of the table's own look."""
    if part is None or len(part.jpeg) > LARGEST:
        return None
    reading = msgspec.json.encode(part.reading)
    return PhotographEvidence(part.jpeg, reading, None if also is None else also.jpeg)
