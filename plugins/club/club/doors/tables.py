"""Tables and calls for the club's pages."""

from collections.abc import Mapping
from functools import cache
from typing import Any, LiteralString

import msgspec

from club.database import plain_rows, tell_news
from club.late_tables import Connections
from club.members import let_in_again
from club.views import ClubCall, ClubTable, DoubtfulLine
from referee.games.catalogue import GAMES
from referee.house_rules import edition_name
from referee.public_moment import PublicMoment

TABLES: LiteralString = """
    SELECT t.name, t.title, t.state, t.last_seen, m.situation, m.edition, m.first_heard, m.updated, m.late
    FROM tables AS t LEFT JOIN LATERAL (SELECT * FROM table_moments WHERE table_name = t.name) AS m ON true
    WHERE t.removed IS NULL AND (%(name)s = '' OR t.name = %(name)s)
"""
CALLS: LiteralString = """
    SELECT c.table_name, c.id, c.who, c.why, c.state, c.answer, c.asked, c.evidence IS NOT NULL AS has_picture
    FROM calls AS c JOIN tables AS t ON t.name = c.table_name
    WHERE c.state <> 'done' AND t.removed IS NULL ORDER BY c.asked
"""
LONGEST_ANSWER = 200


class ClubTables:
    """Reads tables and calls from the database."""

    def __init__(self, pool: Connections) -> None:
        self._pool = pool

    def tables(self) -> tuple[ClubTable, ...]:
        """List the tables by their names; numbers in them count as numbers."""
        return tuple(sorted(self._read(""), key=lambda table: _order(table.name)))

    def table(self, name: str) -> ClubTable | None:
        """Find a table."""
        return next(iter(self._read(name)), None) if name else None

    def calls(self) -> tuple[ClubCall, ...]:
        """List the calls that aren't done, each with the moment of its table."""
        tables = {table.name: table for table in self.tables()}
        return tuple(
            msgspec.structs.replace(call, moment=tables[call.table].moment, title=tables[call.table].title)
            for call in self._calls()
            if call.table in tables
        )

    def doubtful_lines(self) -> tuple[DoubtfulLine, ...]:
        """List the newest lines that aren't believed."""
        with self._pool.connection() as db:
            found = plain_rows(
                db,
                "SELECT t.title AS table, q.match, q.number, q.why FROM quarantine AS q"
                " JOIN tables AS t ON t.name = q.table_name WHERE q.seen IS NULL ORDER BY q.id DESC LIMIT 50",
            )
        return tuple(DoubtfulLine(**each) for each in found)

    def see_doubtful_lines(self) -> None:
        """Note that the director has seen them all."""
        with self._pool.connection() as db:
            db.execute("UPDATE quarantine SET seen = now() WHERE seen IS NULL")

    def picture(self, table: str, call: str) -> bytes | None:
        """Give the picture of a call."""
        with self._pool.connection() as db:
            found = db.execute(
                "SELECT evidence FROM calls WHERE table_name = %s AND id = %s", (table, call)
            ).fetchone()
        return None if found is None or found[0] is None else bytes(found[0])

    def answer_call(self, table: str, call: str, state: str, answer: str) -> bool:
        """Answer a call; its table is told. One that had flooded comes in again once its call is done."""
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
        with self._pool.connection() as db, db.cursor() as cursor:
            cursor.execute(TABLES, {"name": name})
            found = [
                dict(zip([each.name for each in cursor.description or ()], row, strict=True)) for row in cursor
            ]
        calls = {call.table: call for call in reversed(self._calls())}
        return [_table(each, calls.get(each["name"])) for each in found]

    def _calls(self) -> list[ClubCall]:
        with self._pool.connection() as db:
            found = plain_rows(db, CALLS)
        return [ClubCall(each.pop("table_name"), **each) for each in found]


def _table(found: Mapping[str, Any], call: ClubCall | None) -> ClubTable:
    moment = public_moment_in(found["situation"])
    return ClubTable(
        name=found["name"],
        title=found["title"],
        is_there=found["state"] == "online",
        seen=found["last_seen"],
        moment=moment,
        deck="" if moment is None else deck_of(moment.game, moment.edition),
        began=found["first_heard"],
        updated=found["updated"],
        late=found["late"] or 0,
        call=call,
    )


def public_moment_in(situation: object) -> PublicMoment | None:
    """Read the public moment of a table; None if it is of a form that we don't know."""
    try:
        return None if situation is None else msgspec.convert(situation, PublicMoment)
    except msgspec.ValidationError:
        return None


@cache
def deck_of(game: str, edition: str) -> str:
    """Name the deck of an edition; empty if we don't know it."""
    known = GAMES.get(game)
    houses = () if known is None else known.rules.settings.values()
    decks = [
        known.table.deck(house).name for house in houses if known and edition_name(known, house) == edition
    ]
    return decks[0] if decks else ""


def _order(name: str) -> tuple[tuple[int, str], ...]:
    """Order names as people count: table 2 before table 10."""
    parts = [""]
    for letter in name:
        if parts[-1] and letter.isdigit() != parts[-1][-1].isdigit():
            parts.append("")
        parts[-1] += letter
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
