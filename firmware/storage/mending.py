"""Repair: move a damaged database aside and write everything still readable into a new one."""

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
"""Most damaged databases stored, the newest ones; everything readable was copied from them."""
MOST_LINES, MOST_LOST = 1_000_000, 100_000
"""Most lines in a journal from elsewhere, and most damaged or missing ones; a match has about 70."""
_COMPANIONS = ("", "-wal", "-shm", "-journal")
_STAMP = re.compile(r"\.damaged-([0-9]{4,})-[0-9]{8}-[0-9]{6}")


class FoundLines(Struct, frozen=True):
    """Lines found in a journal's files; each file's intact lines count, whatever is damaged in the others."""

    db: Database | None  # the open database, if it is intact
    there: list[SealedLine]
    own: list[SealedLine]  # the lines in its copy
    logged: list[SealedLine]  # the lines in SQLite's log, even behind a damaged frame
    table: int
    copied: line_copies.CopiedLines
    is_whole: bool  # whether the copy is complete
    is_counted: bool

    @property
    def lines(self) -> list[SealedLine]:
        return merge([*self.there, *self.own, *self.logged])

    @property
    def lost_at_end(self) -> int:
        """Return how many written lines are lost at the end, with no later line left."""
        written = self.copied.told if self.copied.teller == self.table else None
        return max(0, (written or 0) - line_copies.count_told(self.lines))


def find_lines(path: Path, connect: Connect, logged: list[SealedLine]) -> FoundLines:
    # SQLite applies its log when it opens a database: a damaged log's older lines may replace newer ones
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
    """Return lines that the database had before SQLite opened it, of matches still there.

    A line is never deleted without its match.
    """
    places, matches = places_of(there), {line.match_id for line in there}
    found = [line for line in carve_lines(before) if line.match_id in matches]
    same = line_copies.of_beginnings(found, line_copies.beginnings_in(there))
    return [line for line in same if line.place not in places]


def snapshot(path: Path, copy: Path) -> None:
    """Copy a journal's files as they are, or as a running table sees them.

    In that case the log isn't copied, because it may contain an answer that was rolled back.
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
    """Read the lines in SQLite's log. Return them, and whether they belong to this journal."""
    raw, log = read_raw(path), read_raw(beside(path, "-wal"))
    logged = list(carve_lines(log))
    if not logged:
        return [], True
    there, copied = list(carve_lines(raw)), line_copies.copied_lines(path)
    # until SQLite applies its log to a new database, only the log names the table
    named = (line_copies.mark_in(raw), line_copies.mark_in_log(log), copied.table)
    table = next((mark for mark in named if line_copies.is_table(mark or line_copies.NO_TABLE)), None)
    own = [] if table is None else line_copies.own_lines(copied, table, there)
    return logged, line_copies.is_log_of(logged, [*there, *own])


def read_if_sound(path: Path, connect: Connect) -> tuple[Database, list[SealedLine]] | None:
    with ExitStack() as undo:
        try:
            db = database.open_database(path, connect)
            undo.callback(db.close)
            check, lines = list(db.execute("PRAGMA integrity_check(1)")), list(each_line(db))
        except ERRORS as error:
            if not is_damage(error, path):
                raise
            return None
        if check != [("ok",)]:
            return None
        undo.pop_all()
    return db, lines


def mend(path: Path, lines: Iterable[SealedLine], table: int, connect: Connect) -> None:
    """Write all lines found into a new database beside the damaged one.

    It gets its final name once it is complete, and the damaged one is moved after that. A power cut in between
    loses nothing.
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
    """Write lines into a new database and verify it. Return its file content."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        database.make_tables(db)
        _fill(db, lines, table)
        written = db.serialize()
    with _foreign_database(written) as db:
        if any(there != line for there, line in zip_longest(each_line(db), lines)):
            raise sqlite3.DatabaseError("what was written doesn't read as it should")
    return written


# Journals from elsewhere are untrusted: only as much is read as a table can write.


def lines_of_foreign(given: bytes) -> list[SealedLine] | None:
    """Read the lines of a journal from elsewhere; None if it is damaged or empty."""
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
        if number == MOST_LINES or len(line.text) > database.MAX_LINE_BYTES:
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
    """Open a journal from elsewhere; raise one of ERRORS if it is damaged or empty.

    A database with other tables than ours is rejected without a query.
    """
    if not given.startswith(line_copies.HEAD):
        raise sqlite3.DatabaseError("no database")
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as source,
        closing(sqlite3.connect(":memory:", isolation_level=None)) as ours,
    ):
        database.make_tables(ours)
        # a database that states that it has a log can't be opened without it
        source.deserialize(given[:18] + b"\1\1" + given[20:])
        list(source.execute("PRAGMA trusted_schema = OFF"))
        theirs, expected = _schema(source), _schema(ours)
        # before the check, which evaluates the schema's constraints
        if not set(theirs) <= set(expected):
            raise BackupError("backup of no journal")
        # if this file is empty, other copies may have lines
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
    """Move the damaged database aside if there is a repaired one. Return the path of the damaged one."""
    mended = next(path.parent.glob(escape(path.name) + ".mended-*????????-??????*"), None)
    if mended is None:
        return None
    # lines may have other positions and neighbours than those sent to a club
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
    """Move a companion file aside that has content found nowhere else. Return its new path."""
    aside = beside(beside_it or beside(path, f".damaged-{_next_stamp(path)}"), ending)
    beside(path, ending).rename(aside)
    sync(path.parent)
    _leave_newest(path, _stem(aside))
    return aside


def _leave_newest(path: Path, newest: str) -> None:
    """Keep only the newest files that were moved aside, so that a failing disk doesn't fill up."""
    files = sorted(_asides(path), key=lambda file: (_number(file), file.name))
    older = [*dict.fromkeys(stem for stem in map(_stem, files) if stem != newest)][: 1 - ASIDES]
    for file in files:
        if _stem(file) in older:
            file.unlink(missing_ok=True)


def _asides(path: Path) -> Iterable[Path]:
    return path.parent.glob(escape(path.name) + ".damaged-*????????-??????*")


def _number(file: Path) -> int:
    """Return the number of a file that was moved aside; 0 for a name that isn't ours."""
    found = _STAMP.search(file.name)
    return 0 if found is None else int(found[1])


def _stem(file: Path) -> str:
    ending = next(ending for ending in (line_copies.COPY, *reversed(_COMPANIONS)) if file.name.endswith(ending))
    return file.name.removesuffix(ending)


def _next_stamp(path: Path) -> str:
    """Return a number for sorting, and the time for people, because a Pi's clock may jump."""
    number = max(map(_number, _asides(path)), default=0) + 1
    return f"{number:04}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"


def salvage(path: Path, connect: Connect, before: bytes) -> list[SealedLine]:
    """Read a damaged database row by row until SQLite fails, then by the seals.

    The seals are read from its content before SQLite wrote to it.
    """
    lines: list[SealedLine] = []
    with suppress(*ERRORS), closing(connect(path)) as db:
        for (content,) in db.execute("SELECT CAST(seal || text AS BLOB) FROM line NOT INDEXED"):
            lines.extend(carve_lines(content or b""))
    return [*lines, *carve_lines(before)]


def merge(found: Iterable[SealedLine]) -> list[SealedLine]:
    """Merge lines, one for each number; if two differ, the first one wins.

    The database is first, because only it has changed names. The copy is next, with committed lines only. The
    log is last, because it may contain an answer that was rolled back.
    """
    lines = {line.place: line for line in reversed([*found])}
    return [lines[place] for place in sorted(lines)]


def places_of(lines: Iterable[SealedLine]) -> set[tuple[int, int]]:
    return {line.place for line in lines}


def fills_gap(there: Iterable[SealedLine], found: Iterable[SealedLine]) -> bool:
    """Return whether a missing line belongs before an existing one."""
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
