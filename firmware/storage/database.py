"""The database: every commit durable, the schema brought up to date, all of a change or nothing."""

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from zlib import crc32

from msgspec import Struct

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
BUSY_MILLISECONDS = 2000
"""How long another program may hold the database before an answer is given up."""
Database = sqlite3.Connection
Connect = Callable[[Path], Database]


def connect_database(path: Path) -> Database:
    """Connect; a transaction begins where it is said to, and one thread at a time goes on with it.

    A new database is its owner's alone; SQLite gives its log the same mode.
    """
    with suppress(OSError):
        # what can't be made here, SQLite says
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
    """Give the version of the schema; a newer one is refused before anything is touched."""
    [(version,)] = db.execute("PRAGMA user_version")
    # from here on it is damage, not the future
    if not 0 <= version < 1000:
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
    try:
        list(db.execute("BEGIN IMMEDIATE"))
        yield
        list(db.execute("COMMIT"))
    finally:
        if db.in_transaction:
            # After some errors SQLite has rolled back by itself; then there is nothing to roll back.
            with suppress(*ERRORS):
                list(db.execute("ROLLBACK"))


# The lines and their seals: match, number, length and checksum before each text.
#
# A row's columns lie side by side in the file, so what SQLite can no longer read is still found by its seal.


class SealedLine(Struct, frozen=True):
    """A line of a match record, and where it belongs."""

    match_id: int
    number: int
    text: str

    @property
    def place(self) -> tuple[int, int]:
        return self.match_id, self.number


def ends_in(lines: Iterable[SealedLine]) -> dict[int, int]:
    """Count the lines that each match has by their numbers: lines that are lost in between count, too."""
    ends: dict[int, int] = {}
    for line in lines:
        ends[line.match_id] = max(line.number + 1, ends.get(line.match_id, 0))
    return ends


def texts_in(lines: Iterable[SealedLine]) -> dict[tuple[int, int], str]:
    return {line.place: line.text for line in lines}


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
"""The first line of each match, if it isn't lost, and how far it goes: by steps through the index."""
TAKE_UP = """
    UPDATE line SET rowid = (SELECT max(rowid) + 1 FROM line)
    WHERE match = ?1 AND number = (SELECT max(number) FROM line WHERE match = ?1)
"""
_SEAL = re.compile(rb"coyote (\d{1,12}) (\d{1,9}) (\d{1,9}) [0-9a-f]{8} ")
LONGEST = 65_536
"""Bytes of a line that is found by its seal; the longest first line, with sixty names, has 10,000.

A seal may announce anything: without a bound, a file full of seals would be read as often as there are seals.
"""


def seal_of(match_id: int, number: int, text: bytes) -> bytes:
    checksum = crc32(b"%d %d " % (match_id, number) + text)
    return b"coyote %d %d %d %08x " % (match_id, number, len(text), checksum)


def sealed(line: SealedLine) -> bytes:
    text = line.text.encode()
    return seal_of(line.match_id, line.number, text) + text


def carve_lines(raw: bytes) -> Iterator[SealedLine]:
    """Find lines in raw bytes by their seals; a text that doesn't fit its seal is passed over."""
    return (line for _at, line in carve_with_places(raw))


def carve_with_places(raw: bytes) -> Iterator[tuple[int, SealedLine]]:
    return ((at, line) for at, line in seals_in(raw) if line is not None)


def seals_in(raw: bytes) -> Iterator[tuple[int, SealedLine | None]]:
    """Find each seal and its line; None where the text doesn't fit, or is longer than any line."""
    at = 0
    while seal := _SEAL.search(raw, at):
        match_id, number, length = map(int, seal.groups())
        at, line = seal.end(), None
        text = raw[at : at + length] if length <= LONGEST else b""
        if len(text) == length and seal_of(match_id, number, text) == seal[0]:
            at += length
            # what fits a checksum by chance may be no text
            with suppress(UnicodeDecodeError):
                line = SealedLine(match_id, number, text.decode())
        yield seal.start(), line


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


def record_of(lines: Iterable[SealedLine]) -> list[str]:
    """Give the record of a match, blank where a line is lost."""
    texts = {line.number: line.text for line in lines}
    return [texts.get(number, "") for number in range(max(texts, default=-1) + 1)]


def heads_of(db: Database) -> list[SealedLine]:
    return [line_of(row[:3]) for row in list(db.execute(MATCHES)) if row[2] is not None]


def ends_of(db: Database) -> int:
    return sum(row[3] for row in list(db.execute(MATCHES)))


def insert(db: Database, line: SealedLine) -> None:
    seal = seal_of(line.match_id, line.number, line.text.encode()).decode()
    list(db.execute("INSERT INTO line VALUES (?, ?, ?, ?)", (line.match_id, line.number, seal, line.text)))


def put_in_place(db: Database, line: SealedLine) -> None:
    seal = seal_of(line.match_id, line.number, line.text.encode()).decode()
    place = (seal, line.text, line.match_id, line.number)
    list(db.execute("UPDATE line SET seal = ?, text = ? WHERE match = ? AND number = ?", place))


def lost_places(db: Database) -> set[tuple[int, int]]:
    """Give match and number of each line that is lost: there are later ones of its match."""
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
