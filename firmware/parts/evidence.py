"""What rulings of the match that stands rest on, for the pages: pictures and readings of eyes and phones.

The eyes keep their own; a phone's photograph is kept here, once the answer that rests on it is accepted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from vision.files import read_json_or, read_small
from vision.process.evidence import Sidecar, keep_evidence, moment_of, pictures_of_match
from vision.sightings import Reading, SecondLook, Sighting

LARGEST = 20_000_000  # bytes of a picture that is kept: no camera's is larger


class ReadCard(Sighting, frozen=True):
    """A card of a picture as it was read, and what people and other cameras made of it."""

    said: str | None = None
    """What a person said instead, on review of a photograph; empty if it doesn't count, None as read."""
    second: SecondLook = "none"
    """What another camera had to do with it: the table's with a photograph, the second one with the table's."""

    @property
    def trust(self) -> float:
        """Give how probable its face is, as trials taught, or how well it fits."""
        return self.chance if self.sure and self.chance is not None else self.score


class PhotographEvidence(Struct, frozen=True):
    """What may be kept of a photograph: the part around the cards as JPEG, and how it was read."""

    jpeg: bytes
    reading: Reading
    parts: tuple[SecondLook, ...] = ()  # what the table's own camera had to do with each card
    table: bytes | None = None  # the picture of the table's own camera, where that saw some of them


KeepPhotograph = Callable[[PhotographEvidence, tuple[str | None, ...]], None]
"""Keeps the photograph that an accepted answer rests on, and what was said of each of its cards."""


class KeptPicture(Struct, frozen=True):
    """The picture that an answer rests on, with what is kept beside it; each may be gone by now."""

    file: Path

    def jpeg(self) -> bytes | None:
        return _read(self.file)

    def second(self) -> bytes | None:
        """Give the table's own picture that was kept beside a phone's photograph."""
        return _read(self.file.with_name(f"{self.file.stem}-2.jpg"))

    def cards(self) -> tuple[ReadCard, ...] | None:
        sidecar = self.sidecar()
        return None if sidecar is None else cards_read(sidecar.reading.cards, sidecar.said, sidecar.parts)

    def sidecar(self) -> Sidecar | None:
        return read_json_or(self.file.with_suffix(".json"), Sidecar, None)


def _read(file: Path) -> bytes | None:
    try:
        return read_small(file, LARGEST)
    except OSError:
        return None


class EvidenceFiles:
    """The pictures of the match that stands, each by the number of the answer that rests on it."""

    def __init__(
        self, folder: Path, state: Callable[[], Any], report: Callable[[str], object] = lambda _why: None
    ) -> None:
        """A photograph that can't be kept is reported with the reason, one that is kept with an empty one."""
        self.folder, self._state, self._report = folder, state, report
        self._lock, self._expected = Lock(), list[int]()
        self._photographed: tuple[int | None, frozenset[int]] = (None, frozenset())

    def now(self) -> Mapping[int, KeptPicture]:
        return self.of(self._state().id)

    def of(self, match: int | None) -> Mapping[int, KeptPicture]:
        """Give what is kept still of a match's answers: nothing that a phone says ever names a file."""
        files = [] if match is None else pictures_of_match(self.folder, str(match))
        moments = ((moment_of(file), file) for file in files)
        # it was kept under the moment that the answer led to
        return {moment - 1: KeptPicture(file) for moment, file in moments if moment is not None}

    def photographed_answers(self) -> frozenset[int]:
        """List what rests on a phone's photograph, also one that made room for newer ones since the start."""
        with self._lock:
            return self._photographed_of(self._state().id) | frozenset(self._expected)

    @contextmanager
    def expect_photograph(self, number: int) -> Iterator[KeepPhotograph]:
        """Count an answer as photographed while it is submitted, so that pages that hear of it link to it."""
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
        """Keep what an accepted answer rests on, unless another match has begun since."""
        match = self._state().id
        if match is None or before not in (None, match):
            return
        try:
            # under the moment that the answer led to, as the eyes do
            sidecar = Sidecar(str(match), number + 1, evidence.reading)
            taken = replace(sidecar, taken_by="phone", said=said, parts=evidence.parts)
            keep_evidence(self.folder, evidence.jpeg, taken)
            if evidence.table is not None:
                keep_evidence(self.folder, evidence.table, sidecar)
        except OSError as error:
            # the answer stands; "Why?" has no picture of it
            self._report(str(error))
            return
        self._report("")
        with self._lock:
            self._photographed = (match, self._photographed_of(match) | {number})

    def _photographed_of(self, match: int | None) -> frozenset[int]:
        """List the photographed answers of a match; the folder is searched once for each match."""
        if self._photographed[0] != match:
            read = {number: kept.sidecar() for number, kept in self.of(match).items()}
            numbers = (number for number, each in read.items() if each and each.taken_by == "phone")
            self._photographed = (match, frozenset(numbers))
        return self._photographed[1]


def cards_read(
    cards: Iterable[Sighting], said: Iterable[str | None] = (), parts: Iterable[SecondLook] = ()
) -> tuple[ReadCard, ...]:
    """Lay beside sightings what a person said of each, and what a second look did."""
    no_part: SecondLook = "none"
    beside = zip(cards, chain(said, repeat(None)), chain(parts, repeat(no_part)), strict=False)
    return tuple(ReadCard(**asdict(card), said=instead, second=part) for card, instead, part in beside)
