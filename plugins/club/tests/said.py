"""Sample messages of tables, and matches as lines."""

from random import Random
from typing import Any

from psycopg import Connection

from club import telling
from club.database import NEWS, Pool
from club.keeping import keep_lines
from firmware.integrations.club_messages import ClubLine, ClubLines, hash_of
from firmware.language.speaking import LANGUAGE
from referee.match import Match, hear
from referee.public_moment import encode_moment
from referee.record import record_lines
from tests.firmware.playing import any_entry, any_match

EPOCH, OTHER = "0" * 31 + "1", "0" * 31 + "2"


def add_tables(db: Connection[Any], *names: str) -> None:
    for name in names:
        db.execute("INSERT INTO tables (name, title) VALUES (%s, %s)", (name, name.title()))


def add_table(db: Connection[Any], name: str, title: str, state: str = "online") -> None:
    """Add a table that has already reported."""
    db.execute(
        "INSERT INTO tables (name, title, state, last_seen) VALUES (%s, %s, %s, now())", (name, title, state)
    )


def keep_match(db: Connection[Any], table: str, number: int, match: Match) -> None:
    """Store a match with all its lines and its public moment, replacing stored ones."""
    bodies, moment = record_lines(match), encode_moment(match, LANGUAGE)
    db.execute("DELETE FROM matches WHERE table_name = %s AND match = %s", (table, number))
    keep_lines(db, {table: club_lines(bodies, number)})
    columns = telling._columns(telling.Played(match, len(bodies)), match, moment)
    db.execute(telling.TOLD, (*columns, table, EPOCH, number, 0, NEWS))


def any_lines(rng: Random) -> list[str]:
    """Return the lines of a match played with take-backs and corrections."""
    match = any_match(rng)
    while match.asks:
        after = hear(match, any_entry(match, rng))
        match = after if isinstance(after, Match) else match
    return record_lines(match)


def club_lines(bodies: list[str], match: int = 1, first: int = 0, epoch: str = EPOCH) -> ClubLines:
    return ClubLines(epoch, [club_line(body, number, match) for number, body in enumerate(bodies, first)])


def club_line(body: str, number: int, match: int = 1) -> ClubLine:
    return ClubLine(match, number, hash_of(number, body), body)


def stored_bodies(db: Connection[Any], table: str, match: int = 1) -> list[str]:
    found = db.execute(
        "SELECT body FROM lines WHERE (table_name, epoch, match) = (%s, %s, %s) ORDER BY number",
        (table, EPOCH, match),
    )
    return [body for (body,) in found]


def unpublished_matches(pool: Pool) -> list[object]:
    """List the matches that are not fully published yet."""
    with pool.connection() as db:
        return list(db.execute("SELECT table_name FROM matches WHERE told < lines"))
