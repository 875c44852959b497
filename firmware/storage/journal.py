"""The journal: every answer of every match, on the disk before it takes effect.

It stores the lines of match records in SQLite, one row each, and is append-only. Each match also has a file
beside it (`match_files.py`). After disk damage, `recovery.py` builds a new database from the remains of both.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count, takewhile
from pathlib import Path
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import SUMS
from firmware.storage import database, match_files, recovery
from firmware.storage.club import OUTBOX, note_names_changed
from firmware.storage.database import Connect, Database, carve_lines, connect_database, transaction
from firmware.storage.errors import ERRORS, JournalError, journal_errors
from firmware.storage.files import beside, is_locked, journal_lock, make_private, read_raw, scratch, size_of
from firmware.storage.lines import record_of
from firmware.storage.match_files import MATCHES
from firmware.storage.memory_folders import unsaved_files, unsaved_records
from referee.contract import Refusal
from referee.match import Entry, Match, hear, name_key
from referee.record import ParsedRecord, begun_in, entry_line, names_in, read_record, record_lines, with_names
from referee.summaries import ForgottenPlayer
from referee.sums import SealedLine
from vision.files import make_folder
from vision.troubles import Problem

NEUTRAL = "Player {number}"
"""Replacement for a forgotten player's name, unless the table's language has another one."""
FILES = ("", "-wal", "-shm", ".lock")  # suffixes of a journal's files beside its match files
SUFFIX = ".sqlite3"  # suffix of a journal's name; such a file is repaired whatever it contains


class KeptMatch(Struct, frozen=True):
    """A match in the journal: its number of lines, and its first line, empty if lost."""

    id: int
    lines: int
    head: str


class MatchVersion(Struct, frozen=True):
    """A version of a match: it is unchanged while its number of lines and its first line's seal are."""

    id: int
    lines: int
    seal: str


class TakenIn(Struct, frozen=True):
    """Result of an import: the number of matches and of lines."""

    matches: int
    lines: int


class Journal:
    """The matches of one table, open for reading and, unless read-only, for writing."""

    def __init__(self, path: Path, db: Database, opened: ExitStack, table: int, lost_at_end: int = 0) -> None:
        """Use a prepared database, the resources to release with it, and the id of its table."""
        self._path, self.table, self.lost_at_end = path, table, lost_at_end
        self._db, self._opened = db, opened
        self._unsure: SealedLine | None = None

    def begin(self, match: Match) -> int:
        """Store a match with all its entries so far. Return its number."""
        texts = record_lines(match)
        with journal_errors(self._path):
            with transaction(self._db):
                match_id = database.latest_of(self._db) + 1
                for number, text in enumerate(texts):
                    database.insert(self._db, SealedLine(match_id, number, text))
            self._file(match_id)
        return match_id

    def append(self, match_id: int, number: int, entry: Entry) -> None:
        """Append an entry to a match; it is on the disk when this returns."""
        line = SealedLine(match_id, number, entry_line(entry))
        with journal_errors(self._path):
            with transaction(self._db):
                # an entry whose last write failed may have reached the disk after all
                if line != self._unsure or line not in database.lines_of(self._db, match_id):
                    self._check_next(line)
                    self._unsure = line
                    database.insert(self._db, line)
            self._unsure = None
            self._file(match_id, line)

    def name_seats(self, match_id: int, names: tuple[str, ...]) -> None:
        """Replace the names in a match, including later ones; a club that has the match gets them again."""
        with journal_errors(self._path):
            with transaction(self._db):
                head = next(line for line in database.lines_of(self._db, match_id) if line.number == 0)
                database.put_in_place(self._db, replace(head, text=with_names(head.text, names)))
            self._file(match_id)
            note_names_changed(self._path)

    def _file(self, match_id: int, line: SealedLine | None = None) -> None:
        """Append a line to its match's file, or write the whole file; the next line retries a failure."""
        with suppress(OSError, JournalError):
            if line is None or not match_files.append(self._path, self.table, line):
                match_files.write_match(self._path, self.table, match_id, self.lines(match_id))

    def _file_all(self) -> None:
        with suppress(OSError):
            lines = sorted(database.each_line(self._db), key=lambda line: line.place)
            match_files.update(self._path, self.table, lines)

    def lines(self, match_id: int) -> list[str]:
        with journal_errors(self._path):
            return record_of(database.lines_of(self._db, match_id))

    def missing(self) -> dict[int, int]:
        with journal_errors(self._path):
            return dict(Counter(match_id for match_id, _number in sorted(database.lost_places(self._db))))

    def losses(self) -> tuple[Problem, ...]:
        return _losses(self.missing(), self.lost_at_end)

    def every_line(self) -> list[SealedLine]:
        with journal_errors(self._path):
            return list(database.each_line(self._db))

    def lost_places(self) -> set[tuple[int, int]]:
        with journal_errors(self._path):
            return database.lost_places(self._db)

    def matches(self) -> list[KeptMatch]:
        with journal_errors(self._path):
            rows = list(self._db.execute(database.MATCHES))
            return [KeptMatch(row[0], row[3], database.line_of(row[:3]).text if row[2] else "") for row in rows]

    def versions(self) -> list[MatchVersion]:
        """Return the current versions of all matches, oldest first, without reading them."""
        with journal_errors(self._path):
            return [MatchVersion(row[0], row[3], row[4] or "") for row in self._db.execute(database.MATCHES)]

    def names(self) -> list[str]:
        with journal_errors(self._path):
            names = (name for head in database.heads_of(self._db) for name in names_in(head.text))
            return sorted({name_key(name): name for name in names}.values(), key=name_key)

    def forget(self, name: str, neutral: str = NEUTRAL) -> ForgottenPlayer:
        """Replace a player's name by a neutral one in all matches atomically, and erase it from the files."""
        with self._leaving_no_trace():
            heads = [(head, names_in(head.text)) for head in database.heads_of(self._db)]
            other = unused_name(neutral, {name_key(each) for _head, names in heads for each in names})
            theirs = [(head, names) for head, names in heads if name_key(name) in map(name_key, names)]
            for head, names in theirs:
                fresh = tuple(other if name_key(each) == name_key(name) else each for each in names)
                database.put_in_place(self._db, replace(head, text=with_names(head.text, fresh)))
            return ForgottenPlayer(other, len(theirs))

    def remove(self, is_gone: Callable[[str], bool]) -> None:
        """Delete matches by when they began, atomically."""
        # numbers and positions may be reused, so a club gets the rest under a new epoch
        OUTBOX.drop(self._path)
        with self._leaving_no_trace():
            for head in database.heads_of(self._db):
                if is_gone(begun_in(head.text)):
                    list(self._db.execute("DELETE FROM line WHERE match = ?", (head.match_id,)))

    @contextmanager
    def _leaving_no_trace(self) -> Iterator[None]:
        """Change all or nothing, and erase the previous content from the files."""
        with journal_errors(self._path):
            # marked before, in case of a power cut, and after, in case the club has read in between
            note_names_changed(self._path)
            list(self._db.execute("PRAGMA secure_delete = ON"))
            # also before: after a power cut, a start would restore lines that only match files have
            match_files.update(self._path, self.table, ())
            try:
                with transaction(self._db):
                    yield
            finally:
                self._file_all()
            note_names_changed(self._path)
            recovery.remove_damaged(self._path)
            # SQLite's log is erased as well, or later if another process is reading it
            with suppress(*ERRORS):
                list(self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)"))

    def take_in(self, records: Iterable[Sequence[str]]) -> TakenIn:
        """Import matches from elsewhere atomically: new matches, and lines that are lost or missing here."""
        with journal_errors(self._path):
            with transaction(self._db):
                heads = database.heads_of(self._db)
                begun = [(head.match_id, begun_in(head.text) or head.text) for head in heads]
                taken = [self._take_in_match(record, begun) for record in records if record and record[0]]
            self._file_all()
            note_names_changed(self._path)
        return TakenIn(sum(map(bool, taken)), sum(taken))

    def _take_in_match(self, record: Sequence[str], begun: list[tuple[int, str]]) -> int:
        """Import a match. Return its number of new lines; existing names stay."""
        name = begun_in(record[0]) or record[0]
        for match_id in [each for each, other in begun if other == name]:
            kept = self.lines(match_id)
            if all(here == there for here, there in zip(kept[1:], record[1:], strict=False) if here and there):
                if len(kept) <= len(record) and kept[0] != record[0]:
                    database.put_in_place(self._db, SealedLine(match_id, 0, record[0]))
                return self._insert(match_id, record, kept)
        begun.append((database.latest_of(self._db) + 1, name))
        return self._insert(begun[-1][0], record, ())

    def _insert(self, match_id: int, record: Sequence[str], kept: Sequence[str]) -> int:
        here = {number for number, text in enumerate(kept) if text}
        new = [(number, text) for number, text in enumerate(record) if text and number not in here]
        for number, text in new:
            database.insert(self._db, SealedLine(match_id, number, text))
        return len(new)

    def written_after(self, place: int, most: int) -> list[tuple[int, SealedLine]]:
        """Return lines of all matches after a position in writing order, each with its position.

        Lost lines come first, empty, because a club accepts only consecutive lines.
        """
        with journal_errors(self._path):
            asked = "SELECT match, number, CAST(seal || text AS BLOB), rowid FROM line WHERE rowid > ?"
            rows = list(self._db.execute(f"{asked} ORDER BY rowid LIMIT ?", (place, most)))
            found = [(row[3], database.line_of(row[:3])) for row in rows]
            lost = database.lost_places(self._db) if found else set()
        return [(at, line) for at, later in found for line in (*_lost_before(later, lost), later)]

    def written_until(self, place: int) -> int:
        with journal_errors(self._path):
            [(number,)] = self._db.execute("SELECT count(*) FROM line WHERE rowid <= ?", (place,))
            return int(number) + len(database.lost_places(self._db))

    def still_after(self, place: int) -> int:
        with journal_errors(self._path):
            [(number,)] = self._db.execute("SELECT count(*) FROM line WHERE rowid > ?", (place,))
            return int(number)

    def latest(self) -> int | None:
        with journal_errors(self._path):
            return database.latest_of(self._db) or None

    def last_written(self) -> int | None:
        """Return the match that was written last: the current one, or the last one played."""
        with journal_errors(self._path):
            found = list(self._db.execute("SELECT match FROM line ORDER BY rowid DESC LIMIT 1"))
            return int(found[0][0]) if found else None

    def by_writing(self) -> list[int]:
        """Return all matches, the last written first."""
        with journal_errors(self._path):
            asked = "SELECT match FROM line GROUP BY match ORDER BY max(rowid) DESC"
            return [int(match_id) for (match_id,) in self._db.execute(asked)]

    def take_up(self, match_id: int) -> None:
        """Make a match the last written one by moving its newest line behind all others."""
        if match_id != self.last_written():
            with journal_errors(self._path), transaction(self._db):
                list(self._db.execute(database.TAKE_UP, (match_id,)))

    def refuse_writes(self) -> None:
        list(self._db.execute("PRAGMA query_only = ON"))

    def close(self) -> None:
        with journal_errors(self._path):
            self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _check_next(self, line: SealedLine) -> None:
        [(last,)] = self._db.execute("SELECT max(number) FROM line WHERE match = ?", (line.match_id,))
        have = 0 if last is None else int(last) + 1
        if line.number != have or have == 0:
            kind = "line written already" if line.number < have else "line missing"
            raise JournalError(kind, path=str(self._path), number=line.number, match=line.match_id)


def _lost_before(line: SealedLine, lost: set[tuple[int, int]]) -> list[SealedLine]:
    numbers = takewhile(lambda number: (line.match_id, number) in lost, range(line.number - 1, -1, -1))
    return [SealedLine(line.match_id, number, "") for number in numbers][::-1]


def unused_name(neutral: str, taken: set[str]) -> str:
    names = (neutral.format(number=number) for number in count(1))
    return next(name for name in names if name_key(name) not in taken)


class OpenedJournal(Struct, frozen=True):
    """An open journal and its repairs: the path of a damaged one, and the lines saved.

    Lines can be saved without moving the database if SQLite doesn't see them. They may be in match files, or in
    SQLite's log: the answer being written during a power cut, or everything behind a damaged part.
    """

    journal: Journal
    aside: Path | None = None
    saved_lines: int = 0
    saved_matches: int = 0
    mended_lines: int = 0  # lines intact in match files only
    missing: Mapping[int, int] = {}  # number of lines that each match has lost permanently
    is_filed: bool = True
    told: tuple[Problem, ...] = ()

    def repairs(self) -> tuple[Problem, ...]:
        saved: dict[str, float | str] = {"lines": self.saved_lines, "matches": self.saved_matches}
        problems = list[Problem]()
        if self.aside is not None:
            problems.append(Problem("journal mended", {"aside": str(self.aside), **saved}))
        elif self.saved_lines > self.mended_lines:
            problems.append(Problem("lines entered", saved))
        if self.mended_lines:
            problems.append(Problem("lines mended", {"lines": self.mended_lines}))
        problems += _losses(self.missing, self.journal.lost_at_end)
        if not self.is_filed:
            problems.append(Problem("lines not copied"))
        return (*problems, *self.told)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.journal.close()


def _losses(missing: Mapping[int, int], lost_at_end: int) -> tuple[Problem, ...]:
    problems = list[Problem]()
    if missing:
        numbers = ", ".join(map(str, missing))
        problems.append(Problem("lines missing", {"lines": sum(missing.values()), "matches": numbers}))
    if lost_at_end:
        problems.append(Problem("lines lost at the end", {"lines": lost_at_end}))
    return tuple(problems)


class ResumedMatch(ParsedRecord, frozen=True, kw_only=True):
    """An unfinished match, as far as it is readable, with the problems of the rest.

    A match with a fault can't continue under its number. `Journal.begin` stores the readable part as a new
    match.
    """

    id: int

    @property
    def is_over(self) -> bool:
        return self.fault is None and self.match is not None and self.match.outcome is not None


def open_journal(path: Path, connect: Connect = connect_database) -> OpenedJournal:
    """Open the journal for this table alone; repair damage from match files and log, and report it."""
    path = path.resolve()
    with journal_errors(path), ExitStack() as opened:
        _refuse_what_is_no_journal(path)
        make_folder(path.parent, is_private=True)
        opened.enter_context(journal_lock(path))
        for ending in (*FILES, MATCHES, SUMS):
            make_private(beside(path, ending))
        now, ends = recovery.repair(path, connect, opened), ExitStack()
        journal = Journal(path, now.db, ends, now.table, now.lost_at_end)
        missing = journal.missing()
        ends.push(opened.pop_all())
    matches = len({line.match_id for line in now.saved})
    return OpenedJournal(
        journal, now.aside, len(now.saved), matches, now.mended, missing, now.is_filed, now.told
    )


def _refuse_what_is_no_journal(path: Path) -> None:
    """Protect other files: a journal needs SQLite's header, a seal, or at least the suffix."""
    if path.exists() and not path.is_file():
        # a folder or a pipe; opening a pipe would block
        raise JournalError("journal no file", path=str(path))
    if path.suffix == SUFFIX or not path.is_file() or path.stat().st_size == 0:
        return
    content = read_raw(path)
    if not content.startswith(b"SQLite format 3") and not any(carve_lines(content)):
        raise JournalError("no journal", path=str(path))


def is_kept(path: Path) -> bool:
    """Return whether anything of a journal exists, even if only match files or a file of another type."""
    return size_on_disk(path) > 0 or (path.exists() and not path.is_file())


def size_on_disk(path: Path) -> int:
    return sum(map(size_of, (path, beside(path, "-wal"), beside(path, MATCHES))))


@contextmanager
def open_readonly(path: Path) -> Iterator[Journal]:
    """Open the journal read-only: what a running table sees, or else what opening it would repair."""
    path = path.resolve()
    with ExitStack() as opened:
        with journal_errors(path):
            _refuse_what_is_no_journal(path)
            opening = _open_beside_table if is_locked(path) and not unsaved_files(path) else open_mended
            journal = opened.enter_context(opening(path))
        yield journal


@contextmanager
def _open_beside_table(path: Path) -> Iterator[Journal]:
    with closing(database.connect_to_read(path)) as db:
        if database.version_of(db, path) == 0:
            raise JournalError("no journal yet", path=str(path))
        yield Journal(path, db, ExitStack(), database.table_in(db))


@contextmanager
def open_mended(path: Path) -> Iterator[Journal]:
    """Open a copy of the journal's files with all repairs, and lines that its disk refuses; change nothing."""
    path = path.resolve()
    is_empty = not path.exists() or not path.stat().st_size
    with ExitStack() as opened:
        with journal_errors(path):
            copy = opened.enter_context(scratch(2 * size_on_disk(path))) / path.name
            recovery.snapshot(path, copy)
            try:
                journal = opened.enter_context(open_journal(copy)).journal
            except JournalError as error:
                raise JournalError(error.problem.key, **{**error.problem.values, "path": str(path)}) from error
            if unsaved := unsaved_records(path):
                journal.take_in(unsaved[number] for number in sorted(unsaved))
            if is_empty and journal.latest() is None:
                raise JournalError("no journal yet", path=str(path))
            journal.refuse_writes()
        yield journal


def open_matches(journal: Journal) -> Iterator[ResumedMatch]:
    """Yield the unfinished matches, the last played first; each is read on demand."""
    for match_id in journal.by_writing():
        resumed = read_again(journal, match_id)
        if resumed is not None and not resumed.is_over:
            yield resumed


def read_again(journal: Journal, match_id: int) -> ResumedMatch | None:
    """Replay a match from its lines, as far as they are readable."""
    lines = journal.lines(match_id)
    if not lines:
        return None
    reading = read_record(lines)
    return ResumedMatch(reading.match, reading.fault, reading.gaps, id=match_id)


def enter(journal: Journal, match_id: int, match: Match, entry: Entry) -> Match | Refusal:
    """Apply an answer. Return the next moment once it is stored; if that fails, the old one remains valid."""
    after = hear(match, entry)
    if isinstance(after, Match):
        journal.append(match_id, after.number, after.entry or entry)
    return after
