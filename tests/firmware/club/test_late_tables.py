"""Spectators of a club see a table as late as its host wants: nothing that isn't old enough leaves."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from firmware.club.database import Pool
from firmware.club.hearing import Heard, keep_others
from firmware.club.late_tables import LateTeller
from firmware.club.people import forget_name
from firmware.club.telling import Teller
from firmware.language.speaking import LANGUAGE
from firmware.outside.club_messages import ClubStatus
from referee.games.coyote import COYOTE
from referee.public_moment import PublicMoment
from referee.record import record_lines
from tests.firmware.club.late_evenings import (
    LATE,
    LateReport,
    moment_after,
    pass_time,
    play_late_evening,
    say_late,
    seen_late,
    send,
)
from tests.firmware.club.opened import Club
from tests.firmware.club.said import untold
from tests.firmware.outside.followed import await_true
from tests.webui.matches import play_match


@pytest.fixture
def club(pool: Pool, database: str, tmp_path: Path) -> Iterator[Club]:
    """Open a club."""
    opened = Club(pool, database, tmp_path)
    yield opened
    opened.room.close()


@pytest.fixture
def teller(pool: Pool) -> Iterator[Teller]:
    """Tell what tables say."""
    opened = Teller(pool, LANGUAGE)
    yield opened
    opened.close()


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_is_not_old_enough_leaves(club: Club, teller: Teller, seed: int) -> None:
    report = LateReport()
    play_late_evening(club, teller, Random(seed), report)
    assert report.pages > 50
    assert report.early == []


def test_the_director_sees_all_at_once(club: Club, teller: Teller) -> None:
    say_late(club.pool, LATE)
    send(club.pool, teller, record_lines(play_match(COYOTE, ("Ana", "Bo", "Chloé"), 1)))
    phone = club.phone()
    assert "Chloé" not in phone.get("/history") + phone.get("/")
    phone.get("/history/1", 404)
    club.enter()
    assert "Chloé" in club.get("/history")
    assert "won in" in club.get("/")
    pass_time(club.pool, LATE)
    assert "Chloé" in phone.get("/history")
    assert f"{LATE} min late" in phone.get("/")
    assert f"{LATE} min late" not in club.get("/")


def test_what_was_seen_already_stays_when_a_host_chooses_to_be_late(club: Club, teller: Teller) -> None:
    pool, bodies = club.pool, record_lines(play_match(COYOTE, ("Ana", "Bo", "Chloé"), 1))
    send(pool, teller, bodies[:10])
    say_late(pool, LATE)
    assert seen_late(pool) == moment_after(bodies[:10])
    send(pool, teller, bodies[10:20], first=10)
    assert seen_late(pool) == moment_after(bodies[:10])
    say_late(pool, 0)
    assert seen_late(pool) == moment_after(bodies[:20])
    say_late(pool, LATE)
    assert seen_late(pool) == moment_after(bodies[:20])


def test_a_table_that_is_gone_stays_late(club: Club, teller: Teller) -> None:
    pool, bodies = club.pool, record_lines(play_match(COYOTE, ("Ana", "Bo", "Chloé"), 1))
    say_late(pool, LATE)
    send(pool, teller, bodies[:10])
    with pool.connection() as db:
        keep_others(db, [Heard("table-1", "status", msgspec.json.encode(ClubStatus(is_online=False)))])
    assert seen_late(pool) is None


def test_other_programs_are_told_once_it_is_old_enough(club: Club) -> None:
    pool, bodies = club.pool, record_lines(play_match(COYOTE, ("Ana", "Bo", "Chloé"), 1))
    told = list[tuple[str, PublicMoment]]()

    def note(table: str, moment: bytes) -> None:
        told.append((table, msgspec.json.decode(moment, type=PublicMoment)))

    teller, late = Teller(pool, LANGUAGE, note), LateTeller(pool, note)
    try:
        say_late(pool, LATE)
        send(pool, teller, bodies[:10])
        pass_time(pool, 5)
        send(pool, teller, bodies[10:20], first=10)
        assert told == []
        pass_time(pool, 5)
        await_true(lambda: bool(told))
        assert told == [("table-1", moment_after(bodies[:10]))]
        # not late any more: what waits is told at once
        say_late(pool, 0)
        await_true(lambda: len(told) == 2)
        assert told[1] == ("table-1", moment_after(bodies[:20]))
        assert still_kept(pool) == 2
        pass_time(pool, 60)
        send(pool, teller, bodies[20:30], first=20)
        await_true(lambda: len(told) == 3)
        assert told[2] == ("table-1", moment_after(bodies[:30]))
    finally:
        late.close()
        teller.close()


def still_kept(pool: Pool) -> int:
    with pool.connection() as db:
        found = db.execute("SELECT count(*) FROM situations").fetchone()
    assert found is not None
    return int(found[0])


def test_only_what_may_still_be_shown_is_kept(club: Club, teller: Teller) -> None:
    pool, bodies = club.pool, record_lines(play_match(COYOTE, ("Ana", "Bo", "Chloé"), 1))
    say_late(pool, LATE)
    late = LateTeller(pool, lambda _table, _moment: None)
    try:
        for first in range(0, 30, 10):
            send(pool, teller, bodies[first : first + 10], first=first)
            pass_time(pool, 31)
        await_true(lambda: still_kept(pool) == 1)
    finally:
        late.close()
    assert seen_late(pool) == moment_after(bodies[:30])


def test_a_forgotten_name_is_in_nothing_that_waits(club: Club, teller: Teller) -> None:
    pool, bodies = club.pool, record_lines(play_match(COYOTE, ("Ana", "Bo", "Chloé"), 1))
    say_late(pool, LATE)
    send(pool, teller, bodies[:10])
    with pool.connection() as db:
        forget_name(db, "Chloé", "secret")
    await_true(lambda: not untold(pool))
    pass_time(pool, LATE)
    with pool.connection() as db:
        kept = db.execute("SELECT situation::text FROM situations").fetchall()
    assert kept
    assert not any("Chlo" in text for (text,) in kept)
