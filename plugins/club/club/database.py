"""The hub's database: pooled connections, and migrations, run by one hub at a time."""

import logging
import re
from importlib.resources import files
from typing import Any, LiteralString, TypeVar

from msgspec import Struct
from psycopg import Connection, Error
from psycopg.rows import class_row, dict_row
from psycopg_pool import ConnectionPool

from club import ClubError

MIGRATING = 4_270_001  # the advisory lock for migrations
NEWS = "club_news"
"""Channel for notifications of committed changes: `table NAME`, `call NAME`, `note NAME`."""
STUCK_SECONDS = 20
"""Seconds before PostgreSQL ends an idle hub's open transaction."""
CONNECTION_TIMEOUT = 1.5  # seconds that a page waits for a connection
SESSION: dict[str, Any] = {
    "autocommit": True,
    "options": f"-c idle_in_transaction_session_timeout={STUCK_SECONDS}s",
    "connect_timeout": 5,
    # a remote database that stops responding is detected within seconds
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
    "application_name": "coyote club",
}
_NAME = re.compile(r"[0-9]{4}_[a-z0-9_]+\.sql$")

# the code that uses a connection reports its failure once; the pool would log each attempt
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())

Pool = ConnectionPool[Connection[Any]]
T = TypeVar("T", bound=Struct)


def migrations() -> list[bytes]:
    """Return the migrations in order; their numbers start at 1 without gaps."""
    folder = files("club") / "migrations"
    found = sorted(found[0] for each in folder.iterdir() if (found := _NAME.match(each.name)))
    if [int(name[:4]) for name in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"migrations aren't numbered one after the other: {found}")
    return [(folder / name).read_bytes() for name in found]


def open_pool(database: str, size: int = 8) -> Pool:
    """Open a pool. An unavailable database is reported quickly, and the next request tries again."""
    return ConnectionPool(
        database,
        min_size=1,
        max_size=size,
        open=True,
        name="club",
        timeout=CONNECTION_TIMEOUT,
        reconnect_timeout=CONNECTION_TIMEOUT,
        # after a database crash, dead connections still seem open
        check=ConnectionPool.check_connection,
        kwargs=SESSION,
    )


def migrate(db: Connection[Any]) -> int:
    """Migrate the schema to the newest version. Return the previous version."""
    steps = migrations()
    with db.transaction():
        # only one hub migrates at a time
        db.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
        db.execute("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
        had = schema_version(db)
        if had > len(steps):
            raise ClubError("newer club", version=had, known=len(steps))
        for step in steps[had:]:
            db.execute(step)
        db.execute("DELETE FROM schema_version")
        db.execute("INSERT INTO schema_version VALUES (%s)", (len(steps),))
    return had


def schema_version(db: Connection[Any]) -> int:
    return int(value(db, "SELECT coalesce(max(version), 0) FROM schema_version"))


def rows(db: Connection[Any], kind: type[T], query: LiteralString, *values: Any) -> list[T]:
    """Read rows as structs; the query selects the struct's columns, or `*`."""
    with db.cursor(row_factory=class_row(kind)) as cursor:
        return cursor.execute(query, values).fetchall()


def row(db: Connection[Any], kind: type[T], query: LiteralString, *values: Any) -> T | None:
    found = rows(db, kind, query, *values)
    return found[0] if found else None


def value(db: Connection[Any], query: LiteralString, *values: Any) -> Any:
    """Read the first column of a row; None if there is no row."""
    found = db.execute(query, values).fetchone()
    return None if found is None else found[0]


def plain_rows(db: Connection[Any], query: LiteralString, *values: Any) -> list[dict[str, Any]]:
    with db.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, values).fetchall()


def tell_news(db: Connection[Any], what: str) -> None:
    """Notify all hubs and pages of a change once it is committed."""
    db.execute("SELECT pg_notify(%s, %s)", (NEWS, what))


def reach_database(database: str) -> None:
    try:
        Connection.connect(database, connect_timeout=5).close()
    except Error as error:
        raise ClubError("no database", why=" ".join(str(error).split())) from error
