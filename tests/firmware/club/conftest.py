"""A database of each test's own, in one PostgreSQL that all tests of a process share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.club.database import Pool, migrate, open_pool
from firmware.club.postgres import Postgres, find_postgres
from tests.firmware.club.databases import with_database


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL; it isn't durable, as no test of these pulls the machine's plug."""
    if find_postgres() is None:
        pytest.skip("no database here: apt install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="coyote-tests-"))
    # as root, the server runs as another user, who has to get there
    folder.chmod(0o755)
    server = Postgres(folder / "club", durable=False).start()
    yield server
    server.close()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    """Give the address of an empty database."""
    with with_database(postgres.address) as address:
        yield address


@pytest.fixture
def pool(database: str) -> Iterator[Pool]:
    """Give connections to a database with the newest schema."""
    with open_pool(database) as opened:
        with opened.connection() as db:
            migrate(db)
        yield opened
