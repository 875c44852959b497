"""What tables say, made up: tables of the club, and matches as lines."""

from random import Random
from typing import Any

from psycopg import Connection

from club.database import Pool
from firmware.outside.club_messages import ClubLine, ClubLines, hash_of
from referee.match import Match, hear
from referee.record import record_lines
from tests.firmware.playing import any_entry, any_match

EPOCH, OTHER = "0" * 31 + "1", "0" * 31 + "2"


def add_tables(db: Connection[Any], *names: str) -> None:
    for name in names:
        db.execute("INSERT INTO tables (name, title, key_hash) VALUES (%s, %s, '')", (name, name.title()))


def any_lines(rng: Random, most: int = 10**6) -> list[str]:
    """Play a match with take-backs and corrections, and give its lines."""
    match = any_match(rng)
    while match.asks and match.number < most:
        after = hear(match, any_entry(match, rng))
        match = after if isinstance(after, Match) else match
    return record_lines(match)


def club_lines(bodies: list[str], match: int = 1, first: int = 0, epoch: str = EPOCH) -> ClubLines:
    return ClubLines(epoch, [club_line(body, number, match) for number, body in enumerate(bodies, first)])


def club_line(body: str, number: int, match: int = 1) -> ClubLine:
    return ClubLine(match, number, hash_of(number, body), body)


def kept_bodies(db: Connection[Any], table: str, match: int = 1, epoch: str = EPOCH) -> list[str]:
    found = db.execute(
        "SELECT body FROM lines WHERE (table_name, epoch, match) = (%s, %s, %s) ORDER BY number",
        (table, epoch, match),
    )
    return [body for (body,) in found]


def untold(pool: Pool) -> list[object]:
    """List the matches of which something isn't told yet."""
    with pool.connection() as db:
        return list(db.execute("SELECT table_name FROM matches WHERE told < lines"))
