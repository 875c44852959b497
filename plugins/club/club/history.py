"""The matches of all tables for the club's pages, read from the lines that tables sent."""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, LiteralString

import msgspec
from psycopg import Connection
from psycopg.types.json import Jsonb

from club.database import Pool, value
from referee.record import Fault, ParsedRecord, read_record
from referee.summaries import SUMMARY_VERSION, JournalMatch, Summary, summary_of

MATCHES: LiteralString = """
    SELECT n.id, m.lines, s.summary
    FROM standing_matches AS m JOIN match_numbers AS n USING (table_name, epoch, match)
    LEFT JOIN summaries AS s ON s.id = n.id AND s.lines = m.lines AND s.counted = %s
    ORDER BY n.id DESC LIMIT %s OFFSET %s
"""
LINES: LiteralString = """
    SELECT l.body FROM lines AS l JOIN match_numbers AS n USING (table_name, epoch, match) WHERE n.id = %s
    ORDER BY l.number
"""
FAULT = "fault"
"""Key of the reason why a match has no summary; storing it avoids repeated slow attempts."""
SECONDS = 5.0
"""Seconds for replaying matches during one page request; the rest follows in later requests."""


class ClubMatches:
    """Reads matches from the database; summaries are stored there until a match has more lines."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def count(self) -> int:
        with self._pool.connection() as db:
            return int(value(db, "SELECT count(*) FROM standing_matches"))

    def entries(self, first: int = 0, last: int | None = None) -> Sequence[JournalMatch]:
        """Return matches, the newest first."""
        with self._pool.connection() as db:
            most = None if last is None else last - first
            found = db.execute(MATCHES, (SUMMARY_VERSION, most, first)).fetchall()
            until = monotonic() + SECONDS
            return [
                _as_kept(number, kept) if kept or monotonic() > until else _sum_up(db, number, lines)
                for number, lines, kept in found
            ]

    def reading(self, number: int) -> ParsedRecord | None:
        lines = self.lines(number)
        return read_record(lines) if lines else None

    def lines(self, number: int) -> Sequence[str]:
        with self._pool.connection() as db:
            return _lines(db, number)

    def table_of(self, number: int) -> str:
        with self._pool.connection() as db:
            asked = "SELECT title FROM match_numbers JOIN tables ON name = table_name WHERE id = %s"
            return value(db, asked, number) or ""


def _sum_up(db: Connection[Any], number: int, lines: int) -> JournalMatch:
    # more lines may have arrived since they were counted
    reading = read_record(_lines(db, number)[:lines])
    if reading.match is None or reading.fault is not None:
        kept = {FAULT: msgspec.to_builtins(reading.fault)}
    else:
        kept = msgspec.to_builtins(summary_of(reading.match))
    db.execute(
        "INSERT INTO summaries VALUES (%s, %s, %s, %s) ON CONFLICT (id) DO UPDATE"
        " SET lines = EXCLUDED.lines, counted = EXCLUDED.counted, summary = EXCLUDED.summary",
        (number, lines, SUMMARY_VERSION, Jsonb(kept)),
    )
    return _as_kept(number, kept)


def _as_kept(number: int, kept: Mapping[str, Any] | None) -> JournalMatch:
    if kept is None or FAULT in kept:
        return JournalMatch(number, None, msgspec.convert((kept or {}).get(FAULT), Fault | None))
    return JournalMatch(number, msgspec.convert(kept, Summary))


def _lines(db: Connection[Any], number: int) -> list[str]:
    return [body for (body,) in db.execute(LINES, (number,))]
