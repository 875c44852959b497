"""The hub's schema: up, down, up again, by one hub at a time."""

from itertools import pairwise
from threading import Thread
from typing import Any

import pytest
from psycopg import Connection, errors

from firmware.club.database import migrate, migrations, plain_rows, schema_version
from firmware.club.errors import ClubError

COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> 'schema_version' ORDER BY table_name, ordinal_position
"""


def shape(db: Connection[Any]) -> list[dict[str, Any]]:
    return plain_rows(db, COLUMNS)


def test_each_step_of_the_schema_goes_both_ways(database: str) -> None:
    with Connection.connect(database, autocommit=True) as db:
        shapes = []
        for version in range(len(migrations()) + 1):
            migrate(db, version)
            shapes.append(shape(db))
        assert shapes[0] == []
        assert all(one != other for one, other in pairwise(shapes))
        for version in reversed(range(len(migrations()) + 1)):
            migrate(db, version)
            assert shape(db) == shapes[version]
        assert migrate(db) == 0
        assert shape(db) == shapes[-1]


def test_two_hubs_that_start_together_change_the_schema_once(database: str) -> None:
    had: list[int] = []

    def start() -> None:
        with Connection.connect(database, autocommit=True) as db:
            had.append(migrate(db))

    hubs = [Thread(target=start) for _ in range(4)]
    for hub in hubs:
        hub.start()
    for hub in hubs:
        hub.join()
    assert sorted(had) == [0, *[len(migrations())] * 3]


def test_a_hub_leaves_a_newer_schema_alone(database: str) -> None:
    with Connection.connect(database, autocommit=True) as db:
        migrate(db)
        db.execute("UPDATE schema_version SET version = 999")
        with pytest.raises(ClubError, match="newer club"):
            migrate(db)
        assert schema_version(db) == 999


def test_a_table_has_a_name_that_can_stand_in_a_topic(database: str) -> None:
    with Connection.connect(database, autocommit=True) as db:
        migrate(db)
        for name in ("", "#", "a/b", "a+", "A", "-a", "a" * 41, "a.b", "a b"):
            with pytest.raises(errors.CheckViolation):
                db.execute("INSERT INTO tables (name, title, key_hash) VALUES (%s, '', '')", (name,))
        db.execute("INSERT INTO tables (name, title, key_hash) VALUES ('table-8', '', '')")
