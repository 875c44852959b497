"""The matches in a journal, readable during writes: a new connection for each read, without locks.

A match is replayed once and its summary cached in memory and in a file beside the journal, so that a start is
fast. The cache is valid while the match's number of lines and its first line's seal are unchanged. Many matches
are replayed by a separate process, because threads would slow down the table's interpreter.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep

from msgspec import Struct

from firmware.state_folder import SUMS
from firmware.storage.errors import JournalError
from firmware.storage.files import KeptBeside
from firmware.storage.journal import Journal, MatchVersion, is_kept, open_readonly
from referee.games.catalogue import GameError
from referee.record import FAILED, Fault, ParsedRecord, read_record
from referee.summaries import SUMMARY_VERSION, JournalMatch, Summary, summary_of

LAST = 2**63 - 1  # the largest possible match number
LARGEST = 200_000_000  # bytes of the summaries of more matches than anybody plays
FEW = 8  # most matches replayed without a separate process
REST = 2.0  # ratio of a thread's pauses to its reading time


class ShelvedMatch(Struct, frozen=True):
    """The summary of a version of a match."""

    version: MatchVersion
    summary: Summary


class Shelf(Struct, frozen=True):
    """Content of the cache file: the version of the summaries, and the summaries."""

    counted: int
    known: tuple[ShelvedMatch, ...] = ()


SHELF = KeptBeside(SUMS, Shelf, Shelf(SUMMARY_VERSION), largest=LARGEST)


class History:
    """The stored matches, for any thread."""

    def __init__(self, journal: Path, sum_up_beside: Callable[[Path], None] | None = None) -> None:
        self._path, self._sum_up_beside = journal, sum_up_beside
        self._lock, self._known = Lock(), dict[int, tuple[MatchVersion, JournalMatch]]()
        self._reader: Thread | None = None
        self._load()

    def entries(self, first: int = 0, last: int = 0) -> tuple[JournalMatch, ...]:
        with self._open_journal() as journal:
            if journal is None:
                return ()
            versions = journal.versions()[::-1]
            for version in versions[first:last]:
                self._ensure_read(journal, version)
        entries = tuple(self._entry(version) for version in versions)
        if not all(map(is_read, entries)):
            with self._lock:
                if self._reader is None or not self._reader.is_alive():
                    self._reader = Thread(target=self._read_all, name="history", daemon=True)
                    self._reader.start()
        return entries

    def all(self) -> tuple[JournalMatch, ...]:
        with self._open_journal() as journal:
            return () if journal is None else self.all_in(journal)

    def all_in(self, journal: Journal) -> tuple[JournalMatch, ...]:
        entries = tuple(self._ensure_read(journal, version) for version in journal.versions()[::-1])
        with suppress(OSError, JournalError):
            self._keep(journal)
        return entries

    def names(self) -> list[str]:
        with self._open_journal() as journal:
            return [] if journal is None else journal.names()

    def match(self, number: int) -> ParsedRecord | None:
        """Replay a match as far as it is readable; None if there is no such match."""
        lines = self.lines(number)
        return read_record(lines) if lines else None

    def lines(self, number: int) -> list[str]:
        with self._open_journal() as journal:
            return [] if journal is None or number > LAST else journal.lines(number)

    @contextmanager
    def _open_journal(self) -> Iterator[Journal | None]:
        """Open the journal, if there is one."""
        if not is_kept(self._path):
            yield None
            return
        with open_readonly(self._path) as journal:
            yield journal

    def _entry(self, version: MatchVersion) -> JournalMatch:
        known = self._known.get(version.id)
        return known[1] if known is not None and known[0] == version else JournalMatch(version.id)

    def _ensure_read(self, journal: Journal, version: MatchVersion) -> JournalMatch:
        entry = self._entry(version)
        if not is_read(entry):
            entry = _read_match(journal, version.id)
            with self._lock:
                self._known[version.id] = version, entry
        return entry

    def _read_all(self) -> None:
        """Read the remaining matches and cache them; after any error, the next request tries again."""
        with suppress(OSError, JournalError):
            with self._open_journal() as journal:
                versions = [] if journal is None else journal.versions()
            unread = sum(not is_read(self._entry(version)) for version in versions)
            if self._sum_up_beside is not None and unread > FEW:
                self._sum_up_beside(self._path.resolve())
                self._load()
            with self._open_journal() as journal:
                if journal is not None:
                    for version in journal.versions():
                        begun = monotonic()
                        self._ensure_read(journal, version)
                        # it pauses longer than it works
                        sleep(REST * (monotonic() - begun))
                    self._keep(journal)

    # the file

    def _load(self) -> None:
        shelf = SHELF.read(self._path)
        # summaries of another version are computed again
        known = [(each.version, each.summary) for each in shelf.known if shelf.counted == SUMMARY_VERSION]
        with self._lock:
            self._known |= {of.id: (of, JournalMatch(of.id, summary)) for of, summary in known}

    def _keep(self, journal: Journal) -> None:
        with self._lock:
            versions = journal.versions()
            known = [
                ShelvedMatch(version, entry.summary)
                for version in versions
                if (entry := self._entry(version)).summary is not None and entry.fault is None
            ]
            SHELF.keep(self._path, Shelf(SUMMARY_VERSION, tuple(known)))
        if journal.versions() != versions:
            # a name forgotten meanwhile would reappear
            SHELF.drop(self._path)


def sum_up(journal: Path) -> None:
    History(journal).all()


def is_read(entry: JournalMatch) -> bool:
    return entry.summary is not None or entry.fault is not None


def _read_match(journal: Journal, number: int) -> JournalMatch:
    try:
        reading = read_record(journal.lines(number))
    except JournalError:
        return JournalMatch(number, None, Fault(0, "damaged"))
    try:
        summary = None if reading.match is None else summary_of(reading.match)
    except GameError as error:
        return JournalMatch(number, None, Fault(0, FAILED, error.failure.game))
    return JournalMatch(number, summary, reading.fault)
