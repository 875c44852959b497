"""The hub's schema, up and down by one hub at a time; what is committed lasts; secrets that all hubs share."""

from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Thread

import msgspec
import pytest
from psycopg import Connection, errors

from club import ClubError
from club.credentials import ensure_keys
from club.database import Pool, migrate, migrations, plain_rows, schema_version
from club.history import ClubMatches
from club.members import let_in_again, shut_out
from club.start.running import RUNNING, RunningClub, renew_pin
from club.tables import ClubTables
from firmware.language.speaking import LANGUAGE
from plugins.club.tests.databases import values
from plugins.club.tests.said import add_table, add_tables, keep_match
from referee.public_moment import PublicMoment, encode_moment
from tests.firmware.playing import any_match

COLUMNS = """
    SELECT table_schema, table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns
    WHERE table_schema IN ('public', 'late') AND table_name <> 'schema_version'
    ORDER BY table_schema, table_name, column_name
"""


def test_each_step_of_the_schema_goes_both_ways_and_a_newer_one_is_left_alone(database: str) -> None:
    with Connection.connect(database, autocommit=True) as db:
        shapes = []
        for version in range(len(migrations()) + 1):
            migrate(db, version)
            shapes.append(plain_rows(db, COLUMNS))
        assert shapes[0] == []
        assert all(one != other for one, other in pairwise(shapes))
        for version in reversed(range(len(migrations()) + 1)):
            migrate(db, version)
            assert plain_rows(db, COLUMNS) == shapes[version]
        assert migrate(db) == 0
        assert plain_rows(db, COLUMNS) == shapes[-1]
        db.execute("UPDATE schema_version SET version = 999")
        with pytest.raises(ClubError, match="newer club"):
            migrate(db)
        assert schema_version(db) == 999


def test_a_table_that_was_shown_late_is_shown_as_it_stands(pool: Pool) -> None:
    match = any_match(Random(1))
    with pool.connection() as db:
        migrate(db, 7)
        add_table(db, "one", "One")
        keep_match(db, "one", 1, match)
        db.execute("UPDATE tables SET late = 30")
        db.execute(
            """INSERT INTO situations (table_name, epoch, match, situation)
            SELECT table_name, epoch, match, situation FROM matches"""
        )
        migrate(db)
    [table] = ClubTables(pool).tables()
    assert table.moment == msgspec.json.decode(encode_moment(match, LANGUAGE), type=PublicMoment)
    assert len(ClubMatches(pool).entries()) == 1


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


def test_a_table_has_a_name_that_can_stand_in_a_topic(pool: Pool) -> None:
    for name in ("", "#", "a/b", "a+", "A", "-a", "a" * 41, "a.b", "a b"):
        with pytest.raises(errors.CheckViolation), pool.connection() as db:
            add_tables(db, name)
    with pool.connection() as db:
        add_tables(db, "table-8", "a" * 40)


def test_two_hubs_have_the_same_secrets_and_a_club_that_runs_gets_another_pin(
    pool: Pool, database: str, tmp_path: Path
) -> None:
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


def test_a_table_is_shut_out_by_one_call_which_alone_lets_it_in_again(pool: Pool) -> None:
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
