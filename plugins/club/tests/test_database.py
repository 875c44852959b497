"""The hub's schema: migrations by one hub at a time, durable commits, shared secrets."""

from pathlib import Path
from threading import Thread

import msgspec
import pytest
from psycopg import Connection, errors

from club import ClubError
from club.credentials import ensure_keys
from club.database import Pool, migrate, migrations, schema_version
from club.members import let_in_again, shut_out
from club.start.running import RUNNING, RunningClub, renew_pin
from club.tables import ClubTables
from plugins.club.tests.databases import values
from plugins.club.tests.said import add_tables


def test_newer_schema_is_untouched(database: str) -> None:
    with Connection.connect(database, autocommit=True) as db:
        assert migrate(db) == 0
        db.execute("UPDATE schema_version SET version = 999")
        with pytest.raises(ClubError, match="newer club"):
            migrate(db)
        assert schema_version(db) == 999


def test_concurrent_hubs_migrate_once(database: str) -> None:
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


def test_table_name_must_fit_an_mqtt_topic(pool: Pool) -> None:
    for name in ("", "#", "a/b", "a+", "A", "-a", "a" * 41, "a.b", "a b"):
        with pytest.raises(errors.CheckViolation), pool.connection() as db:
            add_tables(db, name)
    with pool.connection() as db:
        add_tables(db, "table-8", "a" * 40)


def test_hubs_share_secrets_and_the_pin_can_change(pool: Pool, database: str, tmp_path: Path) -> None:
    with pytest.raises(ClubError):
        renew_pin(tmp_path)
    with pool.connection() as db:
        before = ensure_keys(db, "11111111", "one")
        assert ensure_keys(db, "22222222", "other") == before
        (tmp_path / RUNNING).write_bytes(msgspec.json.encode(RunningClub(database, "Club", 1)))
        pin = renew_pin(tmp_path)
        after = ensure_keys(db, "22222222", "other")
    assert (after.pin, after.secret) == (pin, before.secret)
    assert pin != before.pin


def test_table_is_blocked_and_unblocked(pool: Pool) -> None:
    out = "SELECT name FROM tables WHERE shut_out IS NOT NULL"
    with pool.connection() as db:
        add_tables(db, "bad", "good")
        shut_out(db, "bad", "Too much.")
        shut_out(db, "bad", "Too much.")
    [call] = ClubTables(pool).calls()
    assert (call.table, call.why) == ("bad", "Too much.")
    for table, number, left in (
        ("good", "0" * 16, ["bad"]),
        ("bad", "0" * 16, ["bad"]),
        ("good", call.id, ["bad"]),
        ("bad", call.id, []),
    ):
        with pool.connection() as db:
            let_in_again(db, table, number)
        assert values(pool, out) == left
