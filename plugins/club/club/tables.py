"""Tables and calls for the club's pages."""

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, LiteralString

import msgspec

from club.database import Pool, plain_rows, rows, tell_news, value
from club.members import let_in_again
from club.views import ClubCall, ClubTable, DoubtfulLine
from referee.games.catalogue import GAMES
from referee.house_rules import edition_name
from referee.public_moment import PublicMoment

TABLES: LiteralString = """
    SELECT t.name, t.title, t.state = 'online' AS is_there, t.last_seen AS seen, m.situation AS moment,
        m.first_heard AS began, m.updated
    FROM tables AS t LEFT JOIN LATERAL (SELECT * FROM table_moments WHERE table_name = t.name) AS m ON true
    WHERE t.removed IS NULL AND %s IN ('', t.name)
"""
CALLS: LiteralString = """
    SELECT c.table_name AS table, c.id, c.who, c.why, c.state, c.answer, c.asked,
        c.evidence IS NOT NULL AS has_picture
    FROM calls AS c JOIN tables AS t ON t.name = c.table_name
    WHERE c.state <> 'done' AND t.removed IS NULL ORDER BY c.asked
"""
DOUBTFUL: LiteralString = """
    SELECT t.title AS table, q.match, q.number, q.why FROM quarantine AS q
    JOIN tables AS t ON t.name = q.table_name WHERE q.seen IS NULL ORDER BY q.id DESC LIMIT 50
"""
LONGEST_ANSWER = 200


class ClubTables:
    """Reads tables and calls from the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def tables(self) -> tuple[ClubTable, ...]:
        """Return the tables by name, with numbers in natural order."""
        return tuple(sorted(self._read(""), key=lambda table: _order(table.name)))

    def table(self, name: str) -> ClubTable | None:
        return next(iter(self._read(name)), None) if name else None

    def calls(self) -> tuple[ClubCall, ...]:
        tables = {table.name: table for table in self.tables()}
        return tuple(
            msgspec.structs.replace(call, moment=tables[call.table].moment, title=tables[call.table].title)
            for call in self._calls()
            if call.table in tables
        )

    def doubtful_lines(self) -> tuple[DoubtfulLine, ...]:
        with self._pool.connection() as db:
            return tuple(rows(db, DoubtfulLine, DOUBTFUL))

    def see_doubtful_lines(self) -> None:
        with self._pool.connection() as db:
            db.execute("UPDATE quarantine SET seen = now() WHERE seen IS NULL")

    def picture(self, table: str, call: str) -> bytes | None:
        with self._pool.connection() as db:
            asked: LiteralString = "SELECT evidence FROM calls WHERE table_name = %s AND id = %s"
            return None if (seen := value(db, asked, table, call)) is None else bytes(seen)

    def answer_call(self, table: str, call: str, state: str, answer: str) -> bool:
        """Answer a call, and notify its table. A table that had flooded is readmitted once its call is done."""
        with self._pool.connection() as db, db.transaction():
            done = db.execute(
                "UPDATE calls SET state = %s, answer = %s, updated = now() WHERE table_name = %s AND id = %s",
                (state, answer[:LONGEST_ANSWER], table, call),
            )
            if state == "done":
                let_in_again(db, table, call)
            tell_news(db, f"call {table}")
        return done.rowcount > 0

    def _read(self, name: str) -> list[ClubTable]:
        with self._pool.connection() as db:
            found = plain_rows(db, TABLES, name)
        calls = {call.table: call for call in reversed(self._calls())}
        return [_table(each, calls.get(each["name"])) for each in found]

    def _calls(self) -> list[ClubCall]:
        with self._pool.connection() as db:
            return rows(db, ClubCall, CALLS)


def _table(found: Mapping[str, Any], call: ClubCall | None) -> ClubTable:
    moment = None
    if found["moment"] is not None:
        # a table may send a moment in an unknown format
        with suppress(msgspec.ValidationError):
            moment = msgspec.convert(found["moment"], PublicMoment)
    deck = "" if moment is None else deck_of(moment.game, moment.edition)
    return ClubTable(**{**found, "moment": moment}, deck=deck, call=call)


@cache
def deck_of(game: str, edition: str) -> str:
    """Return the deck of an edition; empty if unknown."""
    known = GAMES.get(game)
    houses = () if known is None else known.rules.settings.values()
    return next(
        (known.table.deck(house).name for house in houses if known and edition_name(known, house) == edition),
        "",
    )


def _order(name: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key for natural order: table 2 before table 10."""
    parts = re.findall("[0-9]+|[^0-9]+", name)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
