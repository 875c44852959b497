"""A table that floods is cut off and told of; the director lets it in again, and nobody else is hindered."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware.club.database import Pool, plain_rows
from firmware.club.members import let_in_again, shut_out
from firmware.club.pulse import BEAT, SILENCE, Pulse
from firmware.outside.club_messages import topic
from firmware.start.club.tables_door import ClubTables
from firmware.storage.club_membership import Membership
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from tests.firmware.club.clubs import Club, await_delivered, linked, watched_gate
from tests.firmware.club.said import add_tables
from tests.firmware.club.test_link import WITHOUT
from tests.firmware.club.test_security import Stranger
from tests.firmware.outside.followed import await_true
from tests.firmware.playing import play_matches


@pytest.fixture(params=[pytest.param(kind, marks=mark) for kind, mark in WITHOUT.items()])
def club(request: pytest.FixtureRequest, tmp_path: Path, database: str) -> Iterator[Club]:
    made = Club(tmp_path / "club", database, request.param, encrypts=True)
    yield made
    made.close()


def test_a_flood_is_cut_off_and_let_in_again_by_the_director_while_others_deliver(
    club: Club, tmp_path: Path
) -> None:
    bad, good = club.join("Bad"), club.join("Good")
    with watched_gate(club.broker, club.pool, club.secret, club.database):
        _flood(club, bad)
        _see_what_becomes_of_it(club, bad, good, tmp_path / "journal.sqlite3")


def _flood(club: Club, bad: Membership) -> None:
    """Flood until the director is told, and until nobody is let in with this key any more."""
    tables, flood = ClubTables(club.pool), Stranger(bad)
    try:

        def is_told() -> bool:
            for _message in range(100):
                flood.client.publish(topic(bad.table, "lines"), b"{}", qos=0)
            return bool(tables.calls())

        await_true(is_told)
    finally:
        flood.close()
    await_true(lambda: not _comes_in(bad))


def _comes_in(mine: Membership) -> bool:
    stranger = Stranger(mine)
    await_true(lambda: stranger.refused.is_set() or stranger.inside.is_set())
    stranger.close()
    return stranger.inside.is_set()


def _see_what_becomes_of_it(club: Club, bad: Membership, good: Membership, path: Path) -> None:
    tables = ClubTables(club.pool)
    [call] = tables.calls()
    assert (call.table, call.state) == (bad.table, "open")
    with open_journal(path, connected_for_a_thread) as opened:
        play_matches(opened.journal, 2, Random(1))
        with linked(good, path):
            await_delivered(club.pool, good.table, path)
    tables.answer_call(bad.table, call.id, "coming", "")
    assert _out(club.pool) == [bad.table]
    tables.answer_call(bad.table, call.id, "done", "Its wire was loose.")
    assert _out(club.pool) == []
    # the broker reads its users again in its own time
    await_true(lambda: _comes_in(bad))


def _out(pool: Pool) -> list[object]:
    with pool.connection() as db:
        return [row["name"] for row in plain_rows(db, "SELECT name FROM tables WHERE shut_out IS NOT NULL")]


def test_a_table_is_shut_out_by_one_call_which_alone_lets_it_in_again(pool: Pool) -> None:
    tables = ClubTables(pool)
    with pool.connection() as db:
        add_tables(db, "bad", "good")
        shut_out(db, "bad", "Too much.")
        shut_out(db, "bad", "Too much.")
        [call] = tables.calls()
        assert (call.table, call.why) == ("bad", "Too much.")
        for other in ("good", "bad"):
            let_in_again(db, other, "0" * 16)
        let_in_again(db, "good", call.id)
        assert _out(pool) == ["bad"]
        let_in_again(db, "bad", call.id)
        assert _out(pool) == []


def test_a_session_that_carries_nothing_is_given_up_once_and_then_again() -> None:
    pulse, beats, ends = Pulse(0.0), list[float](), list[float]()
    for second in range(100):
        if pulse.has_stopped(second):
            ends.append(second)
            pulse.hear(second)
        if pulse.is_due(second):
            beats.append(second)
            if second < 30:
                pulse.hear(second + 0.1)
    assert beats == [BEAT * each for each in range(1, 20)]
    assert [ends[0] > 25.1 + SILENCE, ends[1] - ends[0] > SILENCE, len(ends)] == [True, True, 3]


def test_a_hub_whose_session_carries_nothing_begins_another_one_and_goes_on(club: Club, tmp_path: Path) -> None:
    mine, hub, path = club.join("Table 1"), club.hub, tmp_path / "journal.sqlite3"
    assert hub is not None
    await_true(hub.is_connected)
    before = hub._client.socket()
    hub._pulse.hear(float("-inf"))
    await_true(lambda: hub.is_connected() and hub._client.socket() is not before)
    with open_journal(path, connected_for_a_thread) as opened:
        play_matches(opened.journal, 1, Random(2))
        with linked(mine, path):
            await_delivered(club.pool, mine.table, path)
