"""Databases that come and go with a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex

from psycopg import Connection, sql


@contextmanager
def with_database(address: str) -> Iterator[str]:
    """Make a database for a while, in the server of an address."""
    name = f"test_{token_hex(6)}"
    with Connection.connect(address, autocommit=True) as db:
        db.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    yield f"{address} dbname={name}"
    with Connection.connect(address, autocommit=True) as db:
        db.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
