"""Photographs from phones: read one at a time, each in a process of its own that can be killed."""

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from time import monotonic
from typing import IO, Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.parts.evidence import PhotographEvidence, ReadCard, cards_read
from firmware.parts.jobs import READING, JobError, JobSlowError, ReaderQueue, read_file
from firmware.table.door import TableDoor
from referee.match import Match
from vision.process.messages import ReadTable, SnapshotTaken, TableRead, TakeSnapshot
from vision.sightings import Outline, Reading, Sighting
from vision.troubles import Problem

OTHERS = 10  # how many other decks are tried
SHOWN, KEPT = 900, 1600
"""Pixels along the longer side of a photograph as it is shown, and of its part that is kept."""


class PhotographRequest(Struct, frozen=True):
    """What is to be read: cards of a deck, so many of each."""

    deck: str
    among: Mapping[str, int]
    seen: tuple[tuple[Sighting, Outline], ...] = ()
    """The cards as the table's own camera sees them now, and where they lie on the table."""


class Photograph(Struct, frozen=True):
    """A photograph that was read: its cards, a small JPEG with outlines and names, and what may be kept."""

    cards: tuple[ReadCard, ...]
    picture: bytes
    evidence: PhotographEvidence | None = None
    looks_like: str | None = None
    """The other deck that the cards seem to be of, if it is another one."""


UnreadReason = Literal["photo huge", "photo unreadable", "photo failed", "photo slow", "photo busy"]
"""Why a photograph wasn't read; the pages have a text for each."""
WHYS: Mapping[str, UnreadReason] = {"huge": "photo huge", "no photograph": "photo unreadable"}


def read_photograph(asked: PhotographRequest, file: IO[bytes]) -> Photograph | UnreadReason:
    # what can be turned against us is loaded behind the limits
    import cv2  # noqa: PLC0415

    from firmware.parts.other_decks import find_likely_deck  # noqa: PLC0415
    from firmware.storage.decks import deck_named  # noqa: PLC0415
    from vision.photographs import LONGEST, PhotographError, decode_photograph  # noqa: PLC0415
    from vision.process.covered_cards import mark_more_below  # noqa: PLC0415
    from vision.process.evidence import as_jpeg  # noqa: PLC0415
    from vision.process.parts import crop_to_cards  # noqa: PLC0415
    from vision.process.two_looks import bring_into_picture, fuse_looks  # noqa: PLC0415
    from vision.reading.reader import read  # noqa: PLC0415

    cv2.setNumThreads(1)
    try:
        frame = decode_photograph(file, LONGEST)
    except PhotographError as error:
        return WHYS.get(error.problem.key, "photo failed")
    deck = deck_named(asked.deck)
    alone = mark_more_below(read(frame, deck, asked.among), frame, deck.size)
    second = bring_into_picture(asked.seen, frame, alone.cards)
    fused = fuse_looks(alone.cards, second, (frame.shape[1], frame.shape[0]))
    reading = Reading(tuple(each.card for each in fused), alone.unexplained)
    cut = crop_to_cards(frame, reading)
    parts = tuple(each.part for each in fused)
    evidence = None if cut is None else PhotographEvidence(as_jpeg(*cut, KEPT), cut[1], parts)
    other = find_likely_deck(frame, reading, asked.deck, None, OTHERS).name
    return Photograph(cards_read(reading.cards, parts=parts), as_jpeg(frame, reading, SHOWN), evidence, other)


LOOKING = 4.0  # seconds that people wait for it; hands may be over the table for longer


class TableLook(Struct, frozen=True):
    """The cards, where they lie on the table in millimetres, and the picture with outlines and names."""

    cards: tuple[tuple[Sighting, Outline], ...]
    jpeg: bytes


def look_at_table(door: TableDoor, seconds: float = LOOKING) -> TableLook | None:
    """Look at the table; None where no camera sees it now, or it doesn't know where it is."""
    if any(isinstance(wrong, Problem) and "camera" in wrong.values for wrong in door.troubles()):
        return None
    until = monotonic() + seconds
    read, shown = door.show(ReadTable(), TableRead), door.show(TakeSnapshot(), SnapshotTaken)
    try:
        placed = read.result(seconds).cards
        jpeg = shown.result(max(0.0, until - monotonic())).jpeg
    except (TimeoutError, CancelledError):
        read.cancel()
        shown.cancel()
        return None
    there = tuple((each.card, each.outline) for each in placed if each.outline is not None)
    return TableLook(there, jpeg) if there else None


MOST = 60  # cards of the table's own look that are told to a process
SECONDS = 30.0  # seconds that reading a photograph may take
LARGEST = 4_000_000
"""Bytes of a picture that may become evidence: the process that made it isn't trusted."""


class PhotographReader:
    """A reader of photographs for the cards of the match that stands."""

    def __init__(
        self,
        moment: Callable[[], Match],
        seconds: float = SECONDS,
        look: Callable[[], TableLook | None] = lambda: None,
    ) -> None:
        self._moment, self._seconds, self._look = moment, seconds, look
        self._queue = ReaderQueue()

    def read(self, photograph: IO[bytes]) -> Photograph | UnreadReason:
        """Read one, after those that came before it."""
        with self._queue.turn() as is_ours:
            return self._read(photograph) if is_ours else "photo busy"

    def _read(self, photograph: IO[bytes]) -> Photograph | UnreadReason:
        setup = self._moment().setup
        deck = setup.game.table.deck(setup.house)
        look = self._look()
        asked = PhotographRequest(deck.name, deck.counts, () if look is None else look.cards[:MOST])
        try:
            read = read_file(read_photograph, asked, photograph, READING, self._seconds)
        except JobSlowError:
            return "photo slow"
        except JobError:
            return "photo failed"
        if isinstance(read, str) or read.evidence is None:
            return read
        is_seen = any(card.second != "none" for card in read.cards)
        evidence = replace(read.evidence, table=look.jpeg if look is not None and is_seen else None)
        return replace(read, evidence=evidence if len(evidence.jpeg) <= LARGEST else None)
