"""Mending: a damaged database is moved aside, and all that can still be read goes into a new one."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime
from glob import escape
from itertools import zip_longest
from pathlib import Path

from msgspec import Struct

from firmware.storage import database, line_copies
from firmware.storage.club import OUTBOX
from firmware.storage.database import (
    Connect,
    Database,
    SealedLine,
    carve_lines,
    each_line,
    seals_in,
    transaction,
)
from firmware.storage.errors import ERRORS, BackupError, is_damage
from firmware.storage.files import beside, is_locked, read_raw
from vision.files import sync

ASIDES = 8
"""Damaged databases that lie aside at most, the newest; all that could be read of them was taken over."""
MOST_LINES, MOST_LOST = 1_000_000, 100_000
"""Lines in a journal from elsewhere, and lines that are damaged or missing in it; a match has some 70."""
_COMPANIONS = ("", "-wal", "-shm", "-journal")
_STAMP = re.compile(r"\.damaged-([0-9]{4,})-[0-9]{8}-[0-9]{6}")


class FoundLines(Struct, frozen=True):
    """What the files of a journal say: each has whole lines, whatever is damaged in the others."""

    db: Database | None  # the database, open, if it is sound
    there: list[SealedLine]
    own: list[SealedLine]  # what its copy has
    logged: list[SealedLine]  # what SQLite's log has, be it behind a damaged frame
    table: int
    copied: line_copies.CopiedLines
    is_whole: bool  # whether the copy is what it should be
    is_counted: bool

    @property
    def lines(self) -> list[SealedLine]:
        return merge([*self.there, *self.own, *self.logged])

    @property
    def lost_at_end(self) -> int:
        """Count the lines that were told, and of which not even a later one is left."""
        told = self.copied.told if self.copied.teller == self.table else None
        return max(0, (told or 0) - line_copies.count_told(self.lines))


def find_lines(path: Path, connect: Connect, logged: list[SealedLine]) -> FoundLines:
    # SQLite puts its log into a database that it opens: a damaged log's older lines over newer ones
    before = read_raw(path)
    db, there = read_if_sound(path, connect) or (None, salvage(path, connect, before))
    with ExitStack() as undo:
        if db is not None:
            undo.callback(db.close)
        if db is not None and logged and (overwritten := _overwritten_lines(before, [*there, *logged])):
            undo.close()
            db, there = None, [*there, *overwritten]
        stated = line_copies.mark_in(read_raw(path)) if db is None else database.table_in(db)
        is_whole = line_copies.is_copied(path, stated, there)
        copied = line_copies.CopiedLines() if is_whole else line_copies.copied_lines(path)
        table = line_copies.table_of(stated if there else stated or None, copied)
        had_copy = (
            line_copies.is_table(stated or line_copies.NO_TABLE) or beside(path, line_copies.COPY).exists()
        )
        is_counted = is_whole or copied.is_counted or not had_copy
        own = line_copies.own_lines(copied, table, there)
        undo.pop_all()
    return FoundLines(db, there, own, logged, table, copied, is_whole, is_counted)


def _overwritten_lines(before: bytes, there: Sequence[SealedLine]) -> list[SealedLine]:
    """Find lines that a database had before SQLite opened it, of matches that are still there.

    No line is ever removed but with its match.
    """
    places, matches = places_of(there), {line.match_id for line in there}
    found = [line for line in carve_lines(before) if line.match_id in matches]
    same = line_copies.of_beginnings(found, line_copies.beginnings_in(there))
    return [line for line in same if line.place not in places]


def snapshot(path: Path, copy: Path) -> None:
    """Copy the files of a journal as they are now; beside a table that plays, as that sees them.

    Its log isn't copied then: it may have an answer that was given up.
    """
    files = ["", line_copies.COPY]
    if is_locked(path):
        try:
            with closing(database.connect_to_read(path)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)
            files.remove("")
        except ERRORS as error:
            if not is_damage(error, path):
                raise
    else:
        files.append("-wal")
    for ending in files:
        if beside(path, ending).is_file():
            beside(copy, ending).write_bytes(read_raw(beside(path, ending)))


def read_log(path: Path) -> tuple[list[SealedLine], bool]:
    """Read the lines in SQLite's log, and tell whether they are this journal's."""
    raw, log = read_raw(path), read_raw(beside(path, "-wal"))
    logged = list(carve_lines(log))
    if not logged:
        return [], True
    there, copied = list(carve_lines(raw)), line_copies.copied_lines(path)
    # until SQLite puts its log into a new database, only the log names the table
    named = (line_copies.mark_in(raw), line_copies.mark_in_log(log), copied.table)
    table = next((mark for mark in named if line_copies.is_table(mark or line_copies.NO_TABLE)), None)
    own = [] if table is None else line_copies.own_lines(copied, table, there)
    return logged, line_copies.is_log_of(logged, [*there, *own])


def read_if_sound(path: Path, connect: Connect) -> tuple[Database, list[SealedLine]] | None:
    with ExitStack() as undo:
        try:
            db = database.open_database(path, connect)
            undo.callback(db.close)
            told, lines = list(db.execute("PRAGMA integrity_check(1)")), list(each_line(db))
        except ERRORS as error:
            if not is_damage(error, path):
                raise
            return None
        if told != [("ok",)]:
            return None
        undo.pop_all()
    return db, lines


def mend(path: Path, lines: Iterable[SealedLine], table: int, connect: Connect) -> None:
    """Write all that was found into a new database beside the damaged one.

    It gets its final name only when it is complete, and the damaged one is moved only after that: a power
    cut on the way loses nothing.
    """
    draft = beside(path, ".mending")
    for ending in _COMPANIONS:
        beside(draft, ending).unlink(missing_ok=True)
    with closing(database.open_database(draft, connect)) as db:
        _fill(db, lines, table)
    draft.rename(beside(path, f".mended-{_next_stamp(path)}"))
    sync(path.parent)


def write_database(file: Path, lines: Iterable[SealedLine], table: int) -> None:
    """Write lines into a new database, in this order."""
    with closing(database.open_database(file, database.connect_database)) as db:
        _fill(db, lines, table)


def database_of(lines: Sequence[SealedLine], table: int) -> bytes:
    """Write lines into a database of their own, and give it as it stands in a file, once it was read again."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        database.make_tables(db)
        _fill(db, lines, table)
        written = db.serialize()
    with _foreign_database(written) as db:
        if any(there != line for there, line in zip_longest(each_line(db), lines)):
            raise sqlite3.DatabaseError("what was written doesn't read as it should")
    return written


# journals from elsewhere: nothing in them is believed, and no more of them is read than a table writes


def lines_of_foreign(given: bytes) -> list[SealedLine] | None:
    """Read the lines of a journal from elsewhere; None if it is damaged, or if nothing is in it."""
    try:
        with _foreign_database(given) as db:
            return list(_bounded(each_line(db)))
    except ERRORS:
        return None


def carve_foreign(given: bytes) -> list[SealedLine]:
    """Find the lines of a damaged journal from elsewhere by their seals."""
    return list(_bounded(_fitting(seals_in(given))))


def _bounded(lines: Iterable[SealedLine]) -> Iterator[SealedLine]:
    for number, line in enumerate(lines):
        if number == MOST_LINES or len(line.text) > database.LONGEST:
            raise BackupError("backup too large")
        yield line


def _fitting(seals: Iterable[tuple[int, SealedLine | None]]) -> Iterator[SealedLine]:
    damaged = 0
    for _at, line in seals:
        damaged += line is None
        if damaged > MOST_LOST:
            raise BackupError("backup journal damaged", lines=MOST_LOST)
        if line is not None:
            yield line


@contextmanager
def _foreign_database(given: bytes) -> Iterator[Database]:
    """Open a journal from elsewhere; raise one of ERRORS if it is damaged, or if nothing is in it.

    What has other tables than ours is none, and isn't asked for anything.
    """
    if not given.startswith(line_copies.HEAD):
        raise sqlite3.DatabaseError("no database")
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as source,
        closing(sqlite3.connect(":memory:", isolation_level=None)) as ours,
    ):
        database.make_tables(ours)
        # one that says that it has a log can't be opened without it
        source.deserialize(given[:18] + b"\1\1" + given[20:])
        list(source.execute("PRAGMA trusted_schema = OFF"))
        theirs, expected = _schema(source), _schema(ours)
        # before the check, which computes what their constraints ask for
        if not set(theirs) <= set(expected):
            raise BackupError("backup of no journal")
        # of a file without anything in it there may be more in other copies
        if theirs != expected or list(source.execute("PRAGMA integrity_check(1)")) != [("ok",)]:
            raise sqlite3.DatabaseError("damaged, or empty")
        yield source


def _schema(db: Database) -> list[tuple[object, ...]]:
    [(version,)] = db.execute("PRAGMA user_version")
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
    return [(version <= len(database.MIGRATIONS),), *map(tuple, rows)]


def _fill(db: Database, lines: Iterable[SealedLine], table: int) -> None:
    with transaction(db):
        list(db.execute(f"PRAGMA application_id = {table}"))
        for line in lines:
            database.insert(db, line)


def put_mended_in_place(path: Path) -> Path | None:
    """Move the damaged database aside, if there is a mended one, and say where it lies now."""
    mended = next(path.parent.glob(escape(path.name) + ".mended-*????????-??????*"), None)
    if mended is None:
        return None
    # its lines may have other places and other neighbours than those that a club was sent
    OUTBOX.drop(path)
    aside = path.with_name(mended.name.replace(".mended-", ".damaged-"))
    for ending in _COMPANIONS:
        with suppress(FileNotFoundError):
            beside(path, ending).rename(beside(aside, ending))
    sync(path.parent)
    mended.rename(path)
    sync(path.parent)
    _leave_newest(path, aside.name)
    return aside


def lay_aside(path: Path, ending: str, beside_it: Path | None = None) -> Path:
    """Move away what lies beside a journal and has what stands nowhere else; say where it lies now."""
    aside = beside(beside_it or beside(path, f".damaged-{_next_stamp(path)}"), ending)
    beside(path, ending).rename(aside)
    sync(path.parent)
    _leave_newest(path, _stem(aside))
    return aside


def _leave_newest(path: Path, newest: str) -> None:
    """Leave the newest of what lies aside: a disk that breaks again and again mustn't be filled by it."""
    files = sorted(_asides(path), key=lambda file: (_number(file), file.name))
    older = [*dict.fromkeys(stem for stem in map(_stem, files) if stem != newest)][: 1 - ASIDES]
    for file in files:
        if _stem(file) in older:
            file.unlink(missing_ok=True)


def _asides(path: Path) -> Iterable[Path]:
    return path.parent.glob(escape(path.name) + ".damaged-*????????-??????*")


def _number(file: Path) -> int:
    """Give the number of what lies aside; earlier versions gave it none."""
    found = _STAMP.search(file.name)
    return 0 if found is None else int(found[1])


def _stem(file: Path) -> str:
    ending = next(ending for ending in (line_copies.COPY, *reversed(_COMPANIONS)) if file.name.endswith(ending))
    return file.name.removesuffix(ending)


def _next_stamp(path: Path) -> str:
    """Give a number, by which they are in order, and the time, which is for people: a Pi's clock may jump."""
    number = max(map(_number, _asides(path)), default=0) + 1
    return f"{number:04}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"


def salvage(path: Path, connect: Connect, before: bytes) -> list[SealedLine]:
    """Read what a damaged database still has: row by row up to where SQLite gives up, then by the seals.

    The seals are read as they were before SQLite wrote anything into it.
    """
    lines: list[SealedLine] = []
    with suppress(*ERRORS), closing(connect(path)) as db:
        for (content,) in db.execute("SELECT CAST(seal || text AS BLOB) FROM line NOT INDEXED"):
            lines.extend(carve_lines(content or b""))
    return [*lines, *carve_lines(before)]


def merge(found: Iterable[SealedLine]) -> list[SealedLine]:
    """Keep each line once, with its number, whatever else is missing; where two differ the first found counts.

    The database comes first, as only there is what an older version wrote, or a name that it changed. Then its
    copy, which has only what was committed. The log is last: it may hold an answer that was given up.
    """
    lines = {line.place: line for line in reversed([*found])}
    return [lines[place] for place in sorted(lines)]


def places_of(lines: Iterable[SealedLine]) -> set[tuple[int, int]]:
    return {line.place for line in lines}


def fills_gap(there: Iterable[SealedLine], found: Iterable[SealedLine]) -> bool:
    """Return whether a line that isn't there has its place before one that is."""
    ends = database.ends_in(there)
    return any(number < ends.get(match_id, 0) for match_id, number in places_of(found) - places_of(there))


def add_missing(db: Database, there: Iterable[SealedLine], found: Iterable[SealedLine]) -> list[SealedLine]:
    places = places_of(there)
    missing = [line for line in found if line.place not in places]
    if missing:
        with transaction(db):
            for line in missing:
                database.insert(db, line)
    return missing
