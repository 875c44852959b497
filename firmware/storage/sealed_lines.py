"""The lines and their seals: match, number, length and checksum before each text.

A row's columns lie side by side in the file, so what SQLite can no longer read is still found by its seal.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from zlib import crc32

from msgspec import Struct

from firmware.storage.database import Database


class SealedLine(Struct, frozen=True):
    """A line of a match record, and where it belongs."""

    match_id: int
    number: int
    text: str


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


_SEAL = re.compile(rb"coyote (\d{1,12}) (\d{1,9}) (\d{1,9}) [0-9a-f]{8} ")


def seal_of(match_id: int, number: int, text: bytes) -> bytes:
    """Make the seal that stands before a text."""
    checksum = crc32(b"%d %d " % (match_id, number) + text)
    return b"coyote %d %d %d %08x " % (match_id, number, len(text), checksum)


def sealed(line: SealedLine) -> bytes:
    """Give a line as it stands in raw bytes."""
    text = line.text.encode()
    return seal_of(line.match_id, line.number, text) + text


def carve_lines(raw: bytes) -> Iterator[SealedLine]:
    """Find lines in raw bytes by their seals; a text that doesn't fit its seal is passed over."""
    return (line for _at, line in carve_with_places(raw))


def carve_with_places(raw: bytes) -> Iterator[tuple[int, SealedLine]]:
    """Find lines, each with the place where its seal begins."""
    at = 0
    while seal := _SEAL.search(raw, at):
        match_id, number, length = map(int, seal.groups())
        at = seal.end()
        text = raw[at : at + length]
        if seal_of(match_id, number, text) == seal[0]:
            at += length
            # what fits a checksum by chance may be no text
            with suppress(UnicodeDecodeError):
                yield seal.start(), SealedLine(match_id, number, text.decode())


def line_of(row: tuple[int, int, bytes | None]) -> SealedLine:
    """Give the line of a row, if the seal fits."""
    line = next(carve_lines(row[2] or b""), None)
    if line is None or (line.match_id, line.number) != row[:2]:
        raise sqlite3.DatabaseError(f"line {row[1]} of match {row[0]} doesn't fit its seal")
    return line


def lines_of(db: Database, match_id: int) -> list[SealedLine]:
    """Read the lines of a match."""
    rows = list(db.execute(SEALED + " WHERE match = ? ORDER BY number", (match_id,)))
    return [line_of(row) for row in rows]


def each_line(db: Database) -> Iterator[SealedLine]:
    """Read all there is, in the order of its writing."""
    return map(line_of, db.execute(SEALED + " ORDER BY rowid"))


def record_of(lines: Iterable[SealedLine]) -> list[str]:
    """Give the record of a match, blank where a line is lost."""
    texts = {line.number: line.text for line in lines}
    return [texts.get(number, "") for number in range(max(texts, default=-1) + 1)]


def heads_of(db: Database) -> list[SealedLine]:
    """Read the first line of every match that has it."""
    return [line_of(row[:3]) for row in list(db.execute(MATCHES)) if row[2] is not None]


def ends_of(db: Database) -> int:
    """Count the lines of all matches as their numbers say it: those that are lost, too."""
    return sum(row[3] for row in list(db.execute(MATCHES)))


def insert(db: Database, line: SealedLine) -> None:
    """Add a line."""
    seal = seal_of(line.match_id, line.number, line.text.encode()).decode()
    list(db.execute("INSERT INTO line VALUES (?, ?, ?, ?)", (line.match_id, line.number, seal, line.text)))


def put_in_place(db: Database, line: SealedLine) -> None:
    """Put another text in the place of a line's."""
    seal = seal_of(line.match_id, line.number, line.text.encode()).decode()
    place = (seal, line.text, line.match_id, line.number)
    list(db.execute("UPDATE line SET seal = ?, text = ? WHERE match = ? AND number = ?", place))


def count_of(db: Database, match_id: int) -> int:
    """Count the lines of a match."""
    [(number,)] = db.execute("SELECT max(number) FROM line WHERE match = ?", (match_id,))
    return 0 if number is None else int(number) + 1


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
    """Give the number of the newest match, or 0."""
    [(match_id,)] = db.execute("SELECT max(match) FROM line")
    return int(match_id or 0)


def lines_after(db: Database, place: int, most: int) -> list[tuple[int, SealedLine]]:
    """Read lines in the order in which they were written, after a place in that order; each with its place."""
    asked = "SELECT rowid, match, number, CAST(seal || text AS BLOB) FROM line"
    rows = list(db.execute(f"{asked} WHERE rowid > ? ORDER BY rowid LIMIT ?", (place, most)))
    return [(row[0], line_of(row[1:])) for row in rows]
