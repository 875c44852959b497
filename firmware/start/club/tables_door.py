"""Tables and calls for the club's pages."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, LiteralString

import msgspec
from psycopg import Connection
from psycopg.types.json import Jsonb

from firmware.club.authority import club_certificate
from firmware.club.credentials import club_secret
from firmware.club.database import Pool, plain_rows, tell_news
from firmware.club.errors import ClubError
from firmware.club.late_tables import Connections
from firmware.club.members import add_table, invite_table, let_in_again
from firmware.club.people import (
    find_person,
    forget_person,
    people,
    rated_matches,
    remember_forgotten,
)
from firmware.club.ratings import RatingBook
from firmware.parts.addresses import address
from referee.games.catalogue import GAMES
from referee.house_rules import edition_name
from referee.public_moment import PublicMoment
from referee.record import ParsedRecord, read_record
from referee.summaries import COUNTED, JournalMatch, Summary, summary_of
from webui.club.doors import ClubCall, ClubTable, DoubtfulLine, Invitation, PersonView, RatedPerson

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


class Invitations:
    """Invites tables to the hub that runs here."""

    def __init__(self, pool: Pool, folder: Path, port: int) -> None:
        self._pool, self._folder, self._port = pool, folder, port

    def invite(self, title: str) -> Invitation | None:
        """Add a table, and give the link by which it joins; None for a title that can't be."""
        try:
            with self._pool.connection() as db:
                return invite_new(db, self._folder, self._port, title)
        except ClubError:
            return None

    def invite_again(self, table: str) -> Invitation | None:
        """Give a table that is known another link; None if there is no such table."""
        asked = "SELECT title FROM tables WHERE name = %s AND removed IS NULL"
        with self._pool.connection() as db:
            found = plain_rows(db, asked, table)
            if not found:
                return None
            link = joining_link(self._folder, self._port, invite_table(db, table))
        return Invitation(found[0]["title"], link)


def invite_new(db: Connection[Any], folder: Path, port: int, title: str) -> Invitation:
    """Add a table to a club, and give the link by which it joins."""
    table = add_table(db, club_secret(folder), title)
    return Invitation(table.title, joining_link(folder, port, invite_table(db, table.name)))


def joining_link(folder: Path, port: int, secret: str) -> str:
    """Write the link by which a table joins: address, and the code that knows this hub."""
    tls = club_certificate(folder / "tls")
    return f"{address(port, 'https')}join#{tls.shown_code(secret)}"


class ClubPeople:
    """Reads people from the database; ratings are worked out from results, and kept in mind."""

    def __init__(self, pool: Pool, seen: Connections, secret: str, forgotten: Path) -> None:
        self._pool, self._seen, self._secret, self._forgotten = pool, seen, secret, forgotten
        self._book = RatingBook()

    def person(self, number: int) -> PersonView | None:
        """Find a person."""
        with self._pool.connection() as db:
            found = find_person(db, number)
        return None if found is None else PersonView(found.id, found.name, found.agreed)

    def forget(self, number: int) -> None:
        """Forget a person here, note it beside the database, and let the tables forget the name."""
        with self._pool.connection() as db:
            forget_person(db, number, self._secret)
            remember_forgotten(db, self._forgotten)

    def ratings(self, game: str = "", edition: str = "") -> tuple[RatedPerson, ...]:
        """Rank people, the best first."""
        with self._seen.connection() as db:
            names, matches = people(db), rated_matches(db)
        rated = [
            RatedPerson(
                number,
                names[number],
                kind[0],
                kind[1],
                each.at_least,
                each.mean,
                each.spread,
                each.matches,
                each.won,
            )
            for (kind, number), each in self._book.ratings(matches).items()
            if number in names and game in ("", kind[0]) and (not game or edition == kind[1])
        ]
        return tuple(sorted(rated, key=lambda each: (-each.rating, each.person)))

    def matches_of(self, number: int) -> tuple[int, ...]:
        """List the matches of a person, the newest first."""
        with self._seen.connection() as db:
            matches = rated_matches(db)
        return tuple(each.number for each in reversed(matches) if number in each.people)


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
AT_ONCE = 200
"""Matches that are played again for one page; the others in time, as they are looked at again."""


class ClubMatches:
    """Reads matches from the database; what one came to is kept there, until it has more lines."""

    def __init__(self, pool: Connections) -> None:
        self._pool = pool

    def count(self) -> int:
        """Count the matches."""
        with self._pool.connection() as db:
            found = db.execute("SELECT count(*) FROM standing_matches").fetchone()
        return 0 if found is None else int(found[0])

    def entries(self, first: int = 0, last: int | None = None) -> Sequence[JournalMatch]:
        """List matches, the newest first."""
        with self._pool.connection() as db:
            most = None if last is None else last - first
            found = plain_rows(db, MATCHES, COUNTED, most, first)
            unread = [each for each in found if each["summary"] is None][:AT_ONCE]
            read = {each["id"]: self._sum_up(db, each["id"], each["lines"]) for each in unread}
        return [read.get(each["id"]) or _entry(each["id"], each["summary"]) for each in found]

    def reading(self, number: int) -> ParsedRecord | None:
        """Read a match."""
        lines = self.lines(number)
        return read_record(lines) if lines else None

    def lines(self, number: int) -> Sequence[str]:
        """Give a match as it is written in its journal."""
        with self._pool.connection() as db:
            return _lines(db, number)

    def table_of(self, number: int) -> str:
        """Name the table at which a match was played."""
        with self._pool.connection() as db:
            found = db.execute(
                "SELECT t.title FROM match_numbers AS n JOIN tables AS t ON t.name = n.table_name"
                " WHERE n.id = %s",
                (number,),
            ).fetchone()
        return "" if found is None else str(found[0])

    def _sum_up(self, db: Connection[Any], number: int, lines: int) -> JournalMatch:
        # spectators who see the table late mustn't learn what its newer lines tell
        reading = read_record(_lines(db, number)[:lines])
        if reading.match is None or reading.fault is not None:
            return JournalMatch(number, None, reading.fault)
        summary = summary_of(reading.match)
        db.execute(
            "INSERT INTO summaries VALUES (%s, %s, %s, %s) ON CONFLICT (id) DO UPDATE"
            " SET lines = EXCLUDED.lines, counted = EXCLUDED.counted, summary = EXCLUDED.summary",
            (number, lines, COUNTED, Jsonb(msgspec.to_builtins(summary))),
        )
        return JournalMatch(number, summary)


def _lines(db: Connection[Any], number: int) -> list[str]:
    return [each["body"] for each in plain_rows(db, LINES, number)]


def _entry(number: int, summary: object) -> JournalMatch:
    return JournalMatch(number, None if summary is None else msgspec.convert(summary, Summary))
