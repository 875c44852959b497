"""The database: durable commits, schema migrations and atomic transactions."""

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from zlib import crc32

from firmware.storage.errors import ERRORS, JournalError
from firmware.storage.files import beside, read_raw
from referee.sums import MAX_LINE_BYTES, SealedLine

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
"""Statements that migrate each version of the schema to the next; an empty database is version 0."""
BUSY_MILLISECONDS = 2000
"""How long another program may lock the database before an answer fails."""
Database = sqlite3.Connection
Connect = Callable[[Path], Database]


def connect_database(path: Path) -> Database:
    """Connect without automatic transactions; one thread at a time may use the connection.

    A new database is readable by its owner only; SQLite gives its log the same mode.
    """
    with suppress(OSError):
        # if it can't be created here, SQLite reports why
        path.touch(0o600)
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def connect_to_read(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)


def open_database(path: Path, connect: Connect) -> Database:
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
    """Return the version of the schema; raise if it is newer, before anything is changed."""
    [(version,)] = db.execute("PRAGMA user_version")
    # such a version is damage, not a future one
    if not 0 <= version < 1000:
        raise sqlite3.DatabaseError(f"there is no version {version}")
    if version > len(MIGRATIONS):
        if list(db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")) == [*zip(sum(MIGRATIONS, ()))]:
            raise sqlite3.DatabaseError(f"version {version} isn't newer: it has the same tables")
        raise JournalError("newer journal", path=str(path))
    return int(version)


def table_in(db: Database) -> int:
    """Return the id of the table that owns the database; 0 for a restored backup."""
    [(table,)] = db.execute("PRAGMA application_id")
    return int(table) & 0xFFFFFFFF


def make_tables(db: Database, version: int = 0) -> None:
    """Migrate the schema. This always writes, and so checks that writing is possible."""
    for statement in sum(MIGRATIONS[version:], ()):
        list(db.execute(statement))
    list(db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}"))


def write_again(log: Path) -> None:
    """Rewrite SQLite's log unchanged, so that data already shown from it reaches the disk.

    After a crash, the log contains answers that weren't synced. After a failed sync, Linux treats them as
    synced, so another sync alone would never write them.
    """
    if log.exists():
        with log.open("r+b") as file:
            file.write(read_raw(log))
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def transaction(db: Database) -> Iterator[None]:
    try:
        list(db.execute("BEGIN IMMEDIATE"))
        yield
        list(db.execute("COMMIT"))
    finally:
        if db.in_transaction:
            # SQLite rolls back by itself after some errors, which leaves nothing to roll back
            with suppress(*ERRORS):
                list(db.execute("ROLLBACK"))


# The lines and their seals: match, number, length and checksum before each text. || A row's columns are
# adjacent in the file, so a seal finds rows that SQLite can no longer read.

SEALED = "SELECT match, number, CAST(seal || text AS BLOB) FROM line"
MATCHES = """
    WITH RECURSIVE each(match) AS (
        SELECT min(match) FROM line
        UNION ALL
        SELECT (SELECT min(match) FROM line WHERE match > each.match) FROM each WHERE each.match IS NOT NULL
    )
    SELECT each.match, head.number, CAST(head.seal || head.text AS BLOB),
        (SELECT max(number) + 1 FROM line WHERE match = each.match), head.seal
    FROM each LEFT JOIN line AS head ON head.match = each.match AND head.number = 0
    WHERE each.match IS NOT NULL ORDER BY each.match
"""
"""First line of each match, unless lost, and its number of lines, by steps through the index."""
TAKE_UP = """
    UPDATE line SET rowid = (SELECT max(rowid) + 1 FROM line)
    WHERE match = ?1 AND number = (SELECT max(number) FROM line WHERE match = ?1)
"""
_SEAL = re.compile(rb"coyote (\d{1,12}) (\d{1,9}) (\d{1,9}) [0-9a-f]{8} ")


def seal_of(match_id: int, number: int, text: bytes) -> bytes:
    checksum = crc32(b"%d %d " % (match_id, number) + text)
    return b"coyote %d %d %d %08x " % (match_id, number, len(text), checksum)


def sealed(line: SealedLine) -> bytes:
    text = line.text.encode()
    return seal_of(line.match_id, line.number, text) + text


def carve_lines(raw: bytes) -> Iterator[SealedLine]:
    """Find lines in raw bytes by their seals; skip texts that don't match their seal."""
    at = 0
    while seal := _SEAL.search(raw, at):
        match_id, number, length = map(int, seal.groups())
        at = seal.end()
        # a damaged seal can state any length
        text = raw[at : at + length] if length <= MAX_LINE_BYTES else b""
        if len(text) == length and seal_of(match_id, number, text) == seal[0]:
            at += length
            # bytes that match a checksum by chance may not be text
            with suppress(UnicodeDecodeError):
                yield SealedLine(match_id, number, text.decode())


def line_of(row: tuple[int, int, bytes | None]) -> SealedLine:
    content = row[2] or b""
    if seal := _SEAL.match(content):
        match_id, number, text = int(seal[1]), int(seal[2]), content[seal.end() :]
        if (match_id, number) == row[:2] and seal_of(match_id, number, text) == seal[0]:
            return SealedLine(match_id, number, text.decode())
    raise sqlite3.DatabaseError(f"line {row[1]} of match {row[0]} doesn't fit its seal")


def lines_of(db: Database, match_id: int) -> list[SealedLine]:
    rows = list(db.execute(SEALED + " WHERE match = ? ORDER BY number", (match_id,)))
    return [line_of(row) for row in rows]


def each_line(db: Database) -> Iterator[SealedLine]:
    return map(line_of, db.execute(SEALED + " ORDER BY rowid"))


def heads_of(db: Database) -> list[SealedLine]:
    return [line_of(row[:3]) for row in list(db.execute(MATCHES)) if row[2] is not None]


def insert(db: Database, line: SealedLine) -> None:
    seal = seal_of(line.match_id, line.number, line.text.encode()).decode()
    list(db.execute("INSERT INTO line VALUES (?, ?, ?, ?)", (line.match_id, line.number, seal, line.text)))


def put_in_place(db: Database, line: SealedLine) -> None:
    seal = seal_of(line.match_id, line.number, line.text.encode()).decode()
    place = (seal, line.text, line.match_id, line.number)
    list(db.execute("UPDATE line SET seal = ?, text = ? WHERE match = ? AND number = ?", place))


def lost_places(db: Database) -> set[tuple[int, int]]:
    """Return match and number of each lost line, which has later lines in its match."""
    lost: set[tuple[int, int]] = set()
    matches = db.execute("SELECT match, count(*), max(number) + 1 FROM line GROUP BY match")
    for match_id, count, end in list(matches):
        if count < end:
            rows = db.execute("SELECT number FROM line WHERE match = ?", (match_id,))
            lost |= {(match_id, number) for number in set(range(end)) - {number for (number,) in rows}}
    return lost


def latest_of(db: Database) -> int:
    [(match_id,)] = db.execute("SELECT max(match) FROM line")
    return int(match_id or 0)
