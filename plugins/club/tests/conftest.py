"""Fixtures: a separate database per test in a shared PostgreSQL, and the club's pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from club import hub, telling
from club.database import Pool, migrate, open_pool
from club.postgres import Postgres
from plugins.club.tests.databases import running_postgres, with_database
from plugins.club.tests.opened import Club


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the hub poll often, because tests wait for it."""
    for part in (hub, telling):
        monkeypatch.setattr(part, "POLL_INTERVAL", 0.2)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    with with_database(postgres.address) as address:
        yield address


@pytest.fixture
def pool(database: str) -> Iterator[Pool]:
    with open_pool(database) as opened:
        with opened.connection() as db:
            migrate(db)
        yield opened


@pytest.fixture
def club(pool: Pool, database: str, tmp_path: Path) -> Iterator[Club]:
    opened = Club(pool, database, tmp_path)
    yield opened
    opened.room.close()
