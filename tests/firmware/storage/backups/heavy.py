"""Backups that are small to send but expensive to read: no table writes such journals."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import count, islice
from pathlib import Path

from firmware.storage.database import MIGRATIONS, seal_of
from tests.firmware.storage.backups.spoilt import pack_files
from tests.firmware.storage.backups.tables import files_in

JOURNAL = "journal.sqlite3"
FAR = b"coyote 1 0 999999999 00000000 "
NEAR = b"coyote 1 0 16000 00000000 "
LINES_IN_MATCH = 100
BLOB = 300_000_000


def zeros(size: int) -> bytes:
    return bytes(size)


def seals(size: int, seal: bytes = FAR) -> bytes:
    """Seals that announce more text than there is, one after another."""
    return (seal * (size // len(seal) + 1))[:size]


def empty_lines(size: int) -> bytes:
    """Lines without text, each with a correct seal."""
    content, number = bytearray(), 0
    while len(content) < size:
        content += seal_of(number // LINES_IN_MATCH + 1, number % LINES_IN_MATCH, b"")
        number += 1
    return bytes(content[:size])


def noise(size: int) -> bytes:
    """Bytes that unpack to twice their size, in many small pieces."""
    return b"".join(b"%064x" % (number**9 % 2**256) for number in islice(count(3), size // 64))


def one_long_line(size: int) -> bytes:
    """A valid database with one line that fills it."""
    return _database(MIGRATIONS[0][0], 1, size)


def constraints(size: int) -> bytes:
    """A database whose constraints make SQLite compute large values while checking each row."""
    words = MIGRATIONS[0][0].replace("text TEXT NOT NULL", f"text TEXT CHECK (length(hex(zeroblob({BLOB}))))")
    return _database(words, size // 50, 1)


def _database(table: str, lines: int, length: int) -> bytes:
    text = "a" * length
    seals = ((number, seal_of(1, number, text.encode()).decode(), text) for number in range(lines))
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(table)
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.executemany("INSERT INTO line VALUES (1, ?, ?, ?)", seals)
        return bytes(db.serialize())


JOURNALS: Mapping[str, Callable[[int], bytes]] = {
    "zeros": zeros,
    "seals of long texts": seals,
    "seals of shorter texts": lambda size: seals(size, NEAR),
    "sealed empty lines": empty_lines,
    "noise": noise,
    "one long line": one_long_line,
    "constraints": constraints,
}
"""Replacements of a journal, each made in a size."""


def heavy_backup(good: Path, kind: str, size: int, file: Path) -> Path:
    """Replace the journal of a good backup by such a file."""
    return pack_files(file, {**files_in(good), JOURNAL: JOURNALS[kind](size)})
