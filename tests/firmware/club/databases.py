"""Databases that come and go with a test."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from psycopg import Connection, sql

from firmware.club.postgres import Postgres


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL for a while; it isn't durable, as no test pulls the machine's plug."""
    folder = Path(tempfile.mkdtemp(prefix="coyote-tests-"))
    # as root, the server runs as another user, who has to get there
    folder.chmod(0o755)
    server = Postgres(folder / "club", durable=False).start()
    try:
        yield server
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def with_database(address: str) -> Iterator[str]:
    """Make a database for a while, in the server of an address."""
    name = f"test_{token_hex(6)}"
    with Connection.connect(address, autocommit=True) as db:
        db.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    yield f"{address} dbname={name}"
    with Connection.connect(address, autocommit=True) as db:
        db.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
