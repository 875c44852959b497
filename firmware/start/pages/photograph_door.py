"""Photographs from phones: read one at a time, each in a process of its own that can be killed."""

from collections.abc import Callable, Mapping
from threading import BoundedSemaphore, Lock
from typing import IO

import msgspec

from firmware.doors.photograph_reader import (
    CroppedPicture,
    PhotographFailure,
    PhotographReading,
    PhotographRequest,
)
from firmware.doors.reader_process import run_reader
from firmware.start.pages.evidence_door import cards_read
from referee.match import Match
from webui.doors.companion import Photograph, PhotographEvidence, UnreadPhotograph, UnreadReason

SECONDS = 30.0
"""Seconds that reading a photograph may take."""
WAITING = 3
"""Photographs that are read or wait; more are turned away."""
LARGEST = 4_000_000
"""Bytes of a picture that may become evidence: the process that made it isn't trusted."""
WHYS: Mapping[str, UnreadReason] = {"huge": "photo huge", "no photograph": "photo unreadable"}


class PhotographReader:
    """A reader of photographs for the cards of the match that stands."""

    def __init__(self, moment: Callable[[], Match], process: str, seconds: float = SECONDS) -> None:
        """Take what knows the match that stands, and the module that reads a photograph."""
        self._moment, self._process, self._seconds = moment, process, seconds
        self._places, self._turn = BoundedSemaphore(WAITING), Lock()

    def read(self, photograph: IO[bytes]) -> Photograph | UnreadPhotograph:
        """Read one, after those that came before it."""
        if not self._places.acquire(blocking=False):
            return UnreadPhotograph("photo busy")
        try:
            with self._turn:
                return self._read(photograph)
        finally:
            self._places.release()

    def _read(self, photograph: IO[bytes]) -> Photograph | UnreadPhotograph:
        setup = self._moment().setup
        deck = setup.game.deck(setup.house)
        asked = msgspec.json.encode(PhotographRequest(deck.name, deck.counts)).decode()
        said = run_reader(self._process, asked, photograph, self._seconds)
        return UnreadPhotograph("photo slow") if said is None else _parse_result(said)


def _parse_result(said: bytes) -> Photograph | UnreadPhotograph:
    """Understand what a process said; one that died said nothing whole."""
    try:
        read: PhotographReading | PhotographFailure = msgspec.msgpack.decode(
            said, type=PhotographReading | PhotographFailure
        )
    except msgspec.DecodeError:
        return UnreadPhotograph("photo failed")
    if isinstance(read, PhotographFailure):
        return UnreadPhotograph(WHYS[read.why])
    cards = cards_read(read.reading.cards)
    return Photograph(cards, read.picture, _evidence_of(read.part), read.looks_like)


def _evidence_of(part: CroppedPicture | None) -> PhotographEvidence | None:
    """Give what may be kept of a photograph, once an answer rests on it."""
    if part is None or len(part.jpeg) > LARGEST:
        return None
    return PhotographEvidence(part.jpeg, msgspec.json.encode(part.reading))
