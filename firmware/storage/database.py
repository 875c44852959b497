"""The database: every commit durable, the schema brought up to date, all of a change or nothing."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from firmware.storage.errors import ERRORS, JournalError
from firmware.storage.files import beside, read_raw

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE line (
            match INTEGER NOT NULL,
            number INTEGER NOT NULL,
            seal TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (match, number)
        )""",
    ),
)
"""The statements that lead from each version of the schema to the next; an empty database is version 0."""


NO_SUCH_VERSION = 1000
"""From here on a version is damage, not the future."""


BUSY_MILLISECONDS = 2000
"""How long another program may hold the database before an answer is given up."""


class Database(Protocol):
    """The little that the journal needs of a connection; what goes wrong is told as `sqlite3.Error`."""

    @property
    def in_transaction(self) -> bool:
        """Say whether a transaction is open."""

    def execute(self, sql: str, params: tuple[int | str, ...] = (), /) -> Iterable[Any]:
        """Run one statement and give its rows."""

    def close(self) -> None:
        """Let go of the file."""


Connect = Callable[[Path], Database]


def connect_database(path: Path) -> Database:
    """Connect; a transaction begins where it is said to."""
    return sqlite3.connect(path, isolation_level=None)


def connected_for_a_thread(path: Path) -> Database:
    """Connect so that another thread can go on with it; only one at a time ever does."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Connect without changing anything."""
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)


def open_database(path: Path, connect: Connect) -> Database:
    """Open the database, make every commit durable, and bring the schema up to date."""
    with ExitStack() as undo:
        db = connect(path)
        undo.callback(db.close)
        list(db.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}"))
        version_of(db, path)
        [(mode,)] = db.execute("PRAGMA journal_mode = WAL")
        if mode != "wal":
            raise JournalError("no log here", path=str(path))
        list(db.execute("PRAGMA synchronous = FULL"))
        with transaction(db):
            write_again(beside(path, "-wal"))
            make_tables(db, version_of(db, path))
        undo.pop_all()
    return db


def version_of(db: Database, path: Path) -> int:
    """Give the version of the schema; a newer one is refused before anything is touched."""
    [(version,)] = db.execute("PRAGMA user_version")
    if not 0 <= version < NO_SUCH_VERSION:
        raise sqlite3.DatabaseError(f"there is no version {version}")
    if version > len(MIGRATIONS):
        if list(db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")) == [*zip(sum(MIGRATIONS, ()))]:
            raise sqlite3.DatabaseError(f"version {version} isn't newer: it has the same tables")
        raise JournalError("newer journal", path=str(path))
    return int(version)


def table_in(db: Database) -> int:
    """Read the mark of the table whose database it is; 0 if no version with copies has written it."""
    [(table,)] = db.execute("PRAGMA application_id")
    return int(table) & 0xFFFFFFFF


def write_table(db: Database, table: int) -> None:
    """Mark a database as this table's."""
    with transaction(db):
        list(db.execute(f"PRAGMA application_id = {table}"))


def make_tables(db: Database, version: int = 0) -> None:
    """Bring the schema up to date; it writes in any case, and so shows that it can."""
    for statement in sum(MIGRATIONS[version:], ()):
        list(db.execute(statement))
    list(db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}"))


def write_again(log: Path) -> None:
    """Write SQLite's log again as it is, so that what is shown from it is on the disk.

    A killed table leaves answers in it that were not synced; and after a sync that failed Linux takes them
    for synced, so that syncing alone would never bring them to the disk.
    """
    if log.exists():
        with log.open("r+b") as file:
            file.write(read_raw(log))
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def transaction(db: Database) -> Iterator[None]:
    """Do all of it or nothing, and leave no transaction open whatever happens."""
    try:
        list(db.execute("BEGIN IMMEDIATE"))
        yield
        list(db.execute("COMMIT"))
    finally:
        if db.in_transaction:
            # After some errors SQLite has rolled back by itself; then there is nothing to roll back.
            with suppress(*ERRORS):
                list(db.execute("ROLLBACK"))
