"""Journals in backups, which are untrusted: only as much is read as a table can write."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path

from firmware.storage import database
from firmware.storage.database import Database, each_line, seals_in, transaction
from firmware.storage.errors import ERRORS, BackupError
from referee.sums import MAX_LINE_BYTES, SealedLine

MOST_LINES, MOST_LOST = 1_000_000, 100_000
"""Most lines in a journal from elsewhere, and most damaged or missing ones; a match has about 70."""
NO_TABLE = 0  # the id in the database of a restored backup
_HEAD = b"SQLite format 3\0"


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
        if number == MOST_LINES or len(line.text) > MAX_LINE_BYTES:
            raise BackupError("backup too large")
        yield line


def _fitting(seals: Iterable[SealedLine | None]) -> Iterator[SealedLine]:
    damaged = 0
    for line in seals:
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
    if not given.startswith(_HEAD):
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


def write_database(file: Path, lines: Iterable[SealedLine], table: int) -> None:
    """Write lines into a new database, in this order."""
    with closing(database.open_database(file, database.connect_database)) as db:
        _fill(db, lines, table)
