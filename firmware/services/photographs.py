"""Photographs from phones, read in separate processes, and the pictures behind rulings.

The eyes store their own pictures; a phone's is stored here, once its answer is accepted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from itertools import chain, repeat
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import IO, Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from firmware.services.jobs import READ_CPU_SECONDS, JobError, JobSlowError, ReaderQueue, read_file
from firmware.storage.decks import deck_named, deck_names
from firmware.table.client import TableClient
from firmware.table.effects import NoteTrouble
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.table.watcher import EyesNews, EyesStarted, FromEyes
from referee.match import Match
from vision.files import read_json_or, read_small
from vision.process.evidence import Sidecar, as_jpeg, keep_evidence, moment_of, pictures_of_match
from vision.process.messages import (
    ReadTable,
    SnapshotTaken,
    TableRead,
    TakeSnapshot,
    UnnamedCards,
    UnnamedCardsGone,
)
from vision.process.places import are_strangers, count_unnamed, likely_deck
from vision.reading.templates import Picture
from vision.reading.views import Surroundings, surroundings_at
from vision.sightings import Outline, Reading, SecondLook, Sighting
from vision.table.calibration import calibrate
from vision.troubles import TroubleError

MAX_STORED_BYTES = 20_000_000  # bytes of a stored picture; no camera produces larger ones


class ReadCard(Sighting, frozen=True):
    """A card as read, with people's corrections and the result of a second look."""

    said: str | None = None
    """A person's correction in a photograph: "" excludes the card, None accepts the reading."""
    second: SecondLook = "none"
    """The role of another camera: the table's for photographs, the second one for the table's."""

    @property
    def trust(self) -> float:
        """The probability of its face if known from trials, or else its match score."""
        return self.chance if self.sure and self.chance is not None else self.score


class PhotographEvidence(Struct, frozen=True):
    """The evidence in a photograph: a JPEG crop around the cards, and the reading."""

    jpeg: bytes
    reading: Reading
    parts: tuple[SecondLook, ...] = ()  # the role of the table's camera for each card
    table: bytes | None = None  # the table camera's picture, if it saw some of the cards


KeepPhotograph = Callable[[PhotographEvidence, tuple[str | None, ...]], None]
"""Stores the photograph of an accepted answer, with the corrections of its cards."""


class KeptPicture(Struct, frozen=True):
    """The picture behind an answer and the data beside it; either may have been deleted."""

    file: Path

    def jpeg(self) -> bytes | None:
        return _read(self.file)

    def second(self) -> bytes | None:
        """Return the table's own picture, stored beside a phone's photograph."""
        return _read(self.file.with_name(f"{self.file.stem}-2.jpg"))

    def cards(self) -> tuple[ReadCard, ...] | None:
        sidecar = self.sidecar()
        return None if sidecar is None else cards_read(sidecar.reading.cards, sidecar.said, sidecar.parts)

    def is_by_phone(self) -> bool:
        sidecar = self.sidecar()
        return sidecar is not None and sidecar.taken_by == "phone"

    def sidecar(self) -> Sidecar | None:
        return read_json_or(self.file.with_suffix(".json"), Sidecar, None)


def _read(file: Path) -> bytes | None:
    try:
        return read_small(file, MAX_STORED_BYTES)
    except OSError:
        return None


class EvidenceFiles:
    """Pictures of the current match, by the number of the answer that each belongs to."""

    def __init__(
        self, folder: Path, state: Callable[[], Any], report: Callable[[str], object] = lambda _why: None
    ) -> None:
        """`report` receives the reason when a photograph can't be stored, and "" when one was."""
        self.folder, self._state, self._report = folder, state, report
        self._lock, self._expected = Lock(), list[int]()
        self._photographed: tuple[int | None, frozenset[int]] = (None, frozenset())

    def now(self) -> Mapping[int, KeptPicture]:
        return self.of(self._state().id)

    def of(self, match: int | None) -> Mapping[int, KeptPicture]:
        """Return a match's stored pictures by answer; file names never come from a phone."""
        files = [] if match is None else pictures_of_match(self.folder, str(match))
        moments = ((moment_of(file), file) for file in files)
        # pictures are stored under the moment after the answer
        return {moment - 1: KeptPicture(file) for moment, file in moments if moment is not None}

    def photographed_answers(self) -> frozenset[int]:
        """Return answers based on photographs, including those deleted since the start."""
        with self._lock:
            return self._photographed_of(self._state().id) | frozenset(self._expected)

    @contextmanager
    def expect_photograph(self, number: int) -> Iterator[KeepPhotograph]:
        """Count an answer as photographed while it is submitted, so that pages can link to its picture."""
        match = self._state().id
        with self._lock:
            self._expected.append(number)
        try:
            yield partial(self._keep, match, number)
        finally:
            with self._lock:
                self._expected.remove(number)

    def _keep(
        self, before: int | None, number: int, evidence: PhotographEvidence, said: tuple[str | None, ...]
    ) -> None:
        """Store an accepted answer's picture, unless another match has begun."""
        match = self._state().id
        if match is None or before not in (None, match):
            return
        try:
            # under the moment after the answer, as the eyes do
            sidecar = Sidecar(str(match), number + 1, evidence.reading)
            taken = replace(sidecar, taken_by="phone", said=said, parts=evidence.parts)
            keep_evidence(self.folder, evidence.jpeg, taken)
            if evidence.table is not None:
                keep_evidence(self.folder, evidence.table, sidecar)
        except OSError as error:
            # the answer counts; "Why?" has no picture of it
            self._report(str(error))
            return
        self._report("")
        with self._lock:
            self._photographed = (match, self._photographed_of(match) | {number})

    def _photographed_of(self, match: int | None) -> frozenset[int]:
        """Return a match's photographed answers; the folder is searched once per match."""
        if self._photographed[0] != match:
            numbers = (number for number, kept in self.of(match).items() if kept.is_by_phone())
            self._photographed = (match, frozenset(numbers))
        return self._photographed[1]


def cards_read(
    cards: Iterable[Sighting], said: Iterable[str | None] = (), parts: Iterable[SecondLook] = ()
) -> tuple[ReadCard, ...]:
    """Combine sightings with people's corrections and second looks."""
    no_part: SecondLook = "none"
    beside = zip(cards, chain(said, repeat(None)), chain(parts, repeat(no_part)), strict=False)
    return tuple(ReadCard(**asdict(card), said=instead, second=part) for card, instead, part in beside)


# reading photographs


MAX_OTHER_DECKS = 10  # other decks to try
SHOWN_SIDE, STORED_SIDE = 900, 1600
"""Longer side in pixels of a photograph as shown, and of its stored crop."""


class PhotographRequest(Struct, frozen=True):
    """A request to read cards: a deck, and the count of each face."""

    deck: str
    among: Mapping[str, int]
    seen: tuple[tuple[Sighting, Outline], ...] = ()
    """Cards in the table camera's current view, with their outlines on the table."""


class Photograph(Struct, frozen=True):
    """The result of reading a photograph: its cards, a small annotated JPEG, and the evidence."""

    cards: tuple[ReadCard, ...]
    picture: bytes
    evidence: PhotographEvidence | None = None
    looks_like: str | None = None
    """The other deck that the cards probably belong to, if any."""


UnreadReason = Literal["photo huge", "photo unreadable", "photo failed", "photo slow", "photo busy"]
"""Why a photograph wasn't read; the pages have a text for each reason."""
REASONS: Mapping[str, UnreadReason] = {"huge": "photo huge", "no photograph": "photo unreadable"}


def read_photograph(asked: PhotographRequest, file: IO[bytes]) -> Photograph | UnreadReason:
    # decoders may be vulnerable, so they are loaded only behind the limits
    import cv2  # noqa: PLC0415

    from vision.photographs import LONGEST, decode_photograph  # noqa: PLC0415
    from vision.process.covered_cards import mark_more_below  # noqa: PLC0415
    from vision.process.parts import crop_to_cards  # noqa: PLC0415
    from vision.process.two_looks import bring_into_picture, fuse_looks  # noqa: PLC0415
    from vision.reading.reader import read  # noqa: PLC0415

    cv2.setNumThreads(1)
    try:
        frame = decode_photograph(file, LONGEST)
    except TroubleError as error:
        return REASONS.get(error.problem.key, "photo failed")
    deck = deck_named(asked.deck)
    alone = mark_more_below(read(frame, deck, asked.among), frame, deck.size)
    second = bring_into_picture(asked.seen, frame, alone.cards)
    fused = fuse_looks(alone.cards, second, (frame.shape[1], frame.shape[0]))
    reading = Reading(tuple(each.card for each in fused), alone.unexplained)
    cut = crop_to_cards(frame, reading)
    parts = tuple(each.part for each in fused)
    evidence = None if cut is None else PhotographEvidence(as_jpeg(*cut, STORED_SIDE), cut[1], parts)
    other = find_likely_deck(frame, reading, asked.deck, None, MAX_OTHER_DECKS).name
    return Photograph(
        cards_read(reading.cards, parts=parts), as_jpeg(frame, reading, SHOWN_SIDE), evidence, other
    )


LOOK_TIMEOUT = 4.0  # seconds to wait for the table's view; hands may cover it for longer


class TableLook(Struct, frozen=True):
    """Cards with their outlines in millimetres, and an annotated picture."""

    cards: tuple[tuple[Sighting, Outline], ...]
    jpeg: bytes


def look_at_table(client: TableClient, seconds: float = LOOK_TIMEOUT) -> TableLook | None:
    """Look at the table; None without a working camera, or if the table's position is unknown."""
    if any("camera" in wrong.values for wrong in client.troubles()):
        return None
    until = monotonic() + seconds
    read, shown = client.show(ReadTable(), TableRead), client.show(TakeSnapshot(), SnapshotTaken)
    try:
        placed = read.result(seconds).cards
        jpeg = shown.result(max(0.0, until - monotonic())).jpeg
    except (TimeoutError, CancelledError):
        read.cancel()
        shown.cancel()
        return None
    there = tuple((each.card, each.outline) for each in placed if each.outline is not None)
    return TableLook(there, jpeg) if there else None


MAX_CARDS = 60  # cards of the table's view that are passed to the process
READ_TIMEOUT = 30.0  # seconds for reading a photograph
MAX_EVIDENCE_BYTES = 4_000_000
"""Bytes of a picture accepted as evidence, because its process isn't trusted."""


class PhotographReader:
    """Reads photographs of the current match's cards."""

    def __init__(
        self,
        moment: Callable[[], Match],
        seconds: float = READ_TIMEOUT,
        look: Callable[[], TableLook | None] = lambda: None,
    ) -> None:
        self._moment, self._seconds, self._look = moment, seconds, look
        self._queue = ReaderQueue()

    def read(self, photograph: IO[bytes]) -> Photograph | UnreadReason:
        """Read a photograph, after earlier ones."""
        with self._queue.turn() as is_ours:
            return self._read(photograph) if is_ours else "photo busy"

    def _read(self, photograph: IO[bytes]) -> Photograph | UnreadReason:
        setup = self._moment().setup
        deck = setup.deck
        look = self._look()
        asked = PhotographRequest(deck.name, deck.counts, () if look is None else look.cards[:MAX_CARDS])
        try:
            read = read_file(read_photograph, asked, photograph, READ_CPU_SECONDS, self._seconds)
        except JobSlowError:
            return "photo slow"
        except JobError:
            return "photo failed"
        if isinstance(read, str) or read.evidence is None:
            return read
        is_seen = any(card.second != "none" for card in read.cards)
        evidence = replace(read.evidence, table=look.jpeg if look is not None and is_seen else None)
        return replace(read, evidence=evidence if len(evidence.jpeg) <= MAX_EVIDENCE_BYTES else None)


# wrong deck: the eyes report several cards without names, once per change, and their end


NAME = NoticeKey.OTHER_DECK
ALL_DECKS = 90.0  # seconds for reading a picture with all decks


class OtherDecks:
    """A filter between the eyes and the loop that identifies the deck of unnamed cards."""

    def __init__(self, put: Callable[[FromEyes | NoteTrouble], None], seconds: float = ALL_DECKS) -> None:
        self._put, self._seconds = put, seconds
        self._pictures: SimpleQueue[UnnamedCards] = SimpleQueue()
        self._latest: UnnamedCards | None = None
        Thread(target=self._run, name="other decks", daemon=True).start()

    def pass_on(self, item: FromEyes) -> None:
        """Pass an item to the loop, unless it reports unnamed cards."""
        news = item.news if isinstance(item, EyesNews) else None
        if isinstance(news, UnnamedCards):
            self._latest = news
            self._pictures.put(news)
            return
        if isinstance(news, UnnamedCardsGone) or isinstance(item, EyesStarted):
            self._latest = None
            self._put(NoteTrouble(NAME, None))
        if not isinstance(news, UnnamedCardsGone):
            self._put(item)

    def _run(self) -> None:
        while True:
            shown, other = self._pictures.get(), None
            # skip pictures that are out of date
            if shown is not self._latest:
                continue
            with suppress(JobError):
                other = read_file(
                    find_other_deck, shown.deck, BytesIO(shown.jpeg), READ_CPU_SECONDS, self._seconds
                )
            if shown is self._latest:
                notice = None if other is None else Notice(NAME, {"other": other, "deck": shown.deck})
                self._put(NoteTrouble(NAME, notice))


def find_other_deck(asked: str, file: IO[bytes]) -> str | None:
    """Read a picture with the requested deck, then with others; returns the more likely other deck."""
    # decoders may be vulnerable, so they are loaded only behind the limits
    from vision.photographs import LONGEST, decode_photograph  # noqa: PLC0415
    from vision.reading.reader import read  # noqa: PLC0415

    try:
        frame, deck = decode_photograph(file, LONGEST), deck_named(asked)
    except TroubleError:
        return None
    table = calibrate(frame)
    around = None if table is None else surroundings_at(table)
    return find_likely_deck(frame, read(frame, deck, None, around), asked, around).name


QUICK_DECKS = 3  # decks to try while a person waits, about two seconds on a typical machine


class LikelyDeck(Struct, frozen=True):
    """The deck that cards probably belong to, if any, and the decks not tried."""

    name: str | None = None
    untried: tuple[str, ...] = ()


def find_likely_deck(
    frame: Picture, seen: Reading, asked: str, around: Surroundings | None, most: int | None = None
) -> LikelyDeck:
    """Return the deck that cards probably belong to, trying at most `most` decks, taught ones first."""
    is_of_things = around is not None and not count_unnamed(seen)
    # on a calibrated table, unknown cards are detected as objects
    if is_of_things or not are_strangers(seen):
        return LikelyDeck()
    others = [name for name in deck_names() if name != asked]
    tried = others[:most]
    found = likely_deck(seen, ((name, partial(_read_by, frame, name, around)) for name in tried))
    return LikelyDeck(found, tuple(others[len(tried) :]))


def _read_by(frame: Picture, deck: str, around: Surroundings | None) -> Reading:
    """Read a picture with another deck; empty if that can't be loaded."""
    # imported here, so that a table starts without the reader
    from vision.reading.reader import read  # noqa: PLC0415

    try:
        return read(frame, deck_named(deck, at_once=True), None, around)
    except TroubleError:
        return Reading(())
