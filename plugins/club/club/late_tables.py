"""Tables that spectators see late: what stood there lately is kept, and told once it is old enough.

What is old enough is decided by the database's clock and in its views alone: schema `late` (migration 5) shows
spectators what they may see, by the names that everything else has in `public`. A clock that is set forward, as
that of a machine that has just found the network, makes nothing older: before anything is shown, what waits is
moved with it.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from time import monotonic
from typing import Any, LiteralString, Protocol
from weakref import WeakKeyDictionary

import msgspec
from psycopg import Connection

from club.database import Pool, tell_news, value

DUE: LiteralString = """
    WITH due AS (
        UPDATE situations AS s SET is_told = true FROM tables AS t
        WHERE t.name = s.table_name AND NOT s.is_told AND s.came <= now() - t.late * interval '1 minute'
        RETURNING s.table_name, s.id, s.situation
    ) SELECT DISTINCT ON (table_name) table_name, situation FROM due ORDER BY table_name, id DESC
"""
FORGET_OLD: LiteralString = """
    DELETE FROM situations AS s WHERE EXISTS (
        SELECT FROM situations AS n WHERE n.table_name = s.table_name
        AND (n.came, n.id) > (s.came, s.id) AND n.came <= now() - interval '30 minutes'
    )
"""
BEGIN_LATE: LiteralString = """
    INSERT INTO situations (table_name, epoch, match, situation, came, is_told)
    SELECT table_name, epoch, match, situation, least(updated, now() - interval '30 minutes'), true
    FROM table_moments WHERE table_name = %s
"""


SLACK = 2.0
"""Seconds by which the database's clock may get ahead of ours without being set: answers take their time."""
FOLLOW_CLOCK: tuple[LiteralString, ...] = (
    "UPDATE situations SET came = came + %(ahead)s * interval '1 second'",
    """
    UPDATE matches SET updated = updated + %(ahead)s * interval '1 second'
    WHERE updated > now() - interval '30 minutes' - %(ahead)s * interval '1 second'
    """,
)


APART, LOOKING = WeakKeyDictionary[Pool, float](), Lock()
"""How far the clock of each database was ahead of ours at the last look; one look at a time."""


def _follow_clock(pool: Pool, db: Connection[Any]) -> None:
    """Delay what waits by as much as the database's clock was set forward since the last look."""
    with LOOKING:
        with db.transaction():
            apart: float = value(db, "SELECT extract(epoch FROM clock_timestamp())::float8") - monotonic()
            ahead = apart - APART.get(pool, apart)
            for move in FOLLOW_CLOCK if ahead > SLACK else ():
                db.execute(move, {"ahead": ahead})
        APART[pool] = apart


class Connections(Protocol):
    """Where a door of the pages has its connections from."""

    def connection(self) -> AbstractContextManager[Connection[Any]]:
        """Lend a connection."""


class LateConnections:
    """Connections that see what spectators may see."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @contextmanager
    def connection(self) -> Iterator[Connection[Any]]:
        with self._pool.connection() as db:
            _follow_clock(self._pool, db)
            with db.transaction():
                db.execute("SET LOCAL search_path TO late, public")
                yield db


def keep_lateness(db: Connection[Any], table: str, minutes: int) -> None:
    """Keep how late spectators see a table; what they have seen already stays."""
    before = value(db, "SELECT late FROM tables WHERE name = %s FOR UPDATE", table)
    if before is None or before == minutes:
        return
    if not before:
        db.execute("DELETE FROM situations WHERE table_name = %s", (table,))
        db.execute(BEGIN_LATE, (table,))
    db.execute("UPDATE tables SET late = %s WHERE name = %s", (minutes, table))


def take_due(pool: Pool) -> list[tuple[str, bytes]]:
    """Take what has grown old enough, with news of it: the public moment of each table that may be seen now."""
    with pool.connection() as db:
        _follow_clock(pool, db)
        with db.transaction():
            due = db.execute(DUE).fetchall()
            for table, _moment in due:
                tell_news(db, f"table {table}")
            if due:
                db.execute(FORGET_OLD)
    return [(table, msgspec.json.encode(moment)) for table, moment in due]
