"""Lines are stored once and in order, even if repeated, forged, missing or sent to two hubs."""

from collections.abc import Iterator
from random import Random
from threading import Thread
from typing import Any

import pytest
from msgspec.json import encode
from psycopg import Connection

from club import history
from club.database import Pool
from club.hearing import Heard, keep_others
from club.history import ClubMatches
from club.keeping import CLASH, FORGED, keep_lines, keep_names
from firmware.integrations.club_messages import Acked, ClubHead, ClubLines, ClubNames, ClubStatus
from plugins.club.tests.databases import values
from plugins.club.tests.said import EPOCH, OTHER, add_tables, any_lines, club_line, club_lines, stored_bodies
from referee.record import names_in, with_names


@pytest.fixture
def db(pool: Pool) -> Iterator[Connection[Any]]:
    with pool.connection() as opened:
        add_tables(opened, "one")
        opened.commit()
        yield opened


def doubted(db: Connection[Any]) -> list[Any]:
    return db.execute("SELECT number, why FROM quarantine ORDER BY id").fetchall()


def test_repeated_or_split_lines_are_stored_once(db: Connection[Any]) -> None:
    rng = Random(1)
    bodies = any_lines(rng)
    assert len(bodies) > 40
    while len(stored_bodies(db, "one")) < len(bodies):
        # some start after a gap
        first = rng.randrange(max(1, len(stored_bodies(db, "one")) + 3))
        ack = keep_lines(db, {"one": club_lines(bodies[first : first + rng.randint(1, 9)], first=first)})
        lines = ack["one"].matches[0].lines if ack["one"].matches else 0
        assert stored_bodies(db, "one") == bodies[:lines]
        assert ack["one"].total == lines
    assert doubted(db) == []


def test_conflicting_line_is_quarantined(db: Connection[Any]) -> None:
    bodies = any_lines(Random(3))
    keep_lines(db, {"one": club_lines(bodies)})
    for _twice in range(2):
        other = ClubLines(EPOCH, [club_line('{"entry":"answer","moment":2,"ask":"forged"}', 3)])
        assert keep_lines(db, {"one": other})["one"].matches == [Acked(1, len(bodies))]
    forged = ClubLines(EPOCH, [club_line("{}", 4)])
    forged.lines[0] = type(forged.lines[0])(1, 4, "0" * 64, "{}")
    keep_lines(db, {"one": forged})
    assert stored_bodies(db, "one") == bodies
    assert doubted(db) == [(3, CLASH), (4, FORGED)]


def test_offline_time_starts_at_disconnect(db: Connection[Any]) -> None:
    def minutes_after(is_online: bool) -> int:
        db.execute("UPDATE tables SET last_seen = now() - interval '9 minutes'")
        keep_others(db, [Heard("one", "status", encode(ClubStatus(is_online=is_online)))])
        [(minutes,)] = db.execute("SELECT extract(minutes FROM now() - last_seen)::int FROM tables").fetchall()
        return int(minutes)

    assert [minutes_after(each) for each in (True, False, False)] == [0, 0, 9]


def test_new_epoch_is_stored_beside_the_old_one(db: Connection[Any]) -> None:
    bodies, longer = any_lines(Random(4)), any_lines(Random(5))
    head = bodies[0].replace('"names"', '"begun":"2026-05-01T20:00:00+02:00","names"')
    keep_lines(db, {"one": club_lines([head, *bodies[1:9]])})
    keep_lines(db, {"one": club_lines([head, *bodies[1:5]], epoch=OTHER, match=3)})
    keep_lines(db, {"one": club_lines(longer, match=2)})
    db.execute("UPDATE matches SET begun = '2026-05-01T20:00:00+02:00' WHERE match <> 2")
    standing = db.execute("SELECT epoch, match, lines FROM standing_matches ORDER BY match").fetchall()
    assert standing == [(EPOCH, 2, len(longer)), (OTHER, 3, 5)]


def test_two_hubs_store_the_same_lines_once(pool: Pool, db: Connection[Any]) -> None:
    matches = {number: any_lines(Random(number)) for number in range(1, 4)}

    def keep_all() -> None:
        for match, bodies in matches.items():
            kept = 0
            while kept < len(bodies):
                with pool.connection() as hub:
                    ack = keep_lines(hub, {"one": club_lines(bodies[kept : kept + 3], match, kept)})
                # nothing is acknowledged while the other hub is working, so the table sends again
                kept = ack["one"].matches[0].lines if ack else kept

    hubs = [Thread(target=keep_all) for _ in range(3)]
    for hub in hubs:
        hub.start()
    for hub in hubs:
        hub.join()
    assert {match: stored_bodies(db, "one", match) for match in matches} == matches
    assert doubted(db) == []
    assert values(pool, "SELECT lines FROM epochs") == [sum(map(len, matches.values()))]


@pytest.mark.parametrize("is_late", [False, True])
def test_forgotten_names_are_not_restored_by_late_messages(
    pool: Pool, db: Connection[Any], is_late: bool
) -> None:
    bodies = any_lines(Random(7))
    names = names_in(bodies[0])
    others = ("Player 1", *names[1:])
    forgotten = with_names(bodies[0], others)
    keep_lines(db, {"one": club_lines(bodies)})
    db.commit()
    # the summary of a listed match is stored
    assert listed_names(pool) == [names]
    # a first line with other changes besides names has no effect
    more = ClubHead(1, bodies[0].replace("coyote", "coup"))
    keep_names(db, "one", ClubNames(EPOCH, 1, [more]))
    assert stored_bodies(db, "one") == bodies
    assert keep_names(db, "one", ClubNames(EPOCH, 3, [ClubHead(1, forgotten)])) == 3
    if is_late:
        keep_lines(db, {"one": club_lines(bodies)})
        assert keep_names(db, "one", ClubNames(EPOCH, 2, [ClubHead(1, bodies[0])])) == 3
    db.commit()
    assert stored_bodies(db, "one") == [forgotten, *bodies[1:]]
    assert doubted(db) == []
    assert values(pool, "SELECT names FROM matches") == [list(others)]
    assert listed_names(pool) == [others]


def test_unreadable_match_is_read_once(
    pool: Pool, db: Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_lines(db, {"one": club_lines([*any_lines(Random(7)), "{}"])})
    db.commit()
    first = ClubMatches(pool).entries()
    assert [each.fault is None for each in first] == [False]
    monkeypatch.setattr(history, "read_record", None)
    assert ClubMatches(pool).entries() == first


def listed_names(pool: Pool) -> list[tuple[str, ...]]:
    return [each.summary.names for each in ClubMatches(pool).entries() if each.summary is not None]
