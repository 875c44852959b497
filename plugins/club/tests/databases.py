"""Temporary databases for tests."""

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, LiteralString, cast

import pytest
from psycopg import Connection, sql

from club.database import Pool
from club.postgres import Postgres, find_postgres


@contextmanager
def passable_folder() -> Iterator[Path]:
    """Create a temporary folder; root's database runs as another user, who needs access to it."""
    folder = Path(tempfile.mkdtemp(prefix="coyote-"))
    folder.chmod(0o755)
    folder.parent.chmod(folder.parent.stat().st_mode | 0o011)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Run a temporary PostgreSQL without durability."""
    if find_postgres() is None:
        pytest.skip("no database here: apt install postgresql")
    with passable_folder() as folder, closing(Postgres(folder / "club", durable=False).start()) as server:
        yield server


EMPTIED = defaultdict[str, list[str]](list)
"""Emptied databases to reuse, by server; creating one takes ten times as long as emptying one."""
EMPTY = """SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database()
AND pid <> pg_backend_pid() AND backend_type = 'client backend';
DROP SCHEMA public CASCADE; CREATE SCHEMA public"""


@contextmanager
def with_database(address: str) -> Iterator[str]:
    name = EMPTIED[address].pop() if EMPTIED[address] else _make_database(address)
    yield f"{address} dbname={name}"
    with Connection.connect(f"{address} dbname={name}", autocommit=True) as db:
        db.execute(EMPTY)
    EMPTIED[address].append(name)


def _make_database(address: str) -> str:
    name = f"test_{token_hex(6)}"
    with Connection.connect(address, autocommit=True) as db:
        db.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return name


def values(pool: Pool, query: str, *said: object) -> list[Any]:
    """Query a column, or execute a statement."""
    with pool.connection() as db:
        found = db.execute(cast("LiteralString", query), said)
        return [value for (value,) in found] if found.description else []
