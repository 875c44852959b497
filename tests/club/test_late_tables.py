"""Spectators of a club see a table as late as its host wants: nothing that isn't old enough leaves."""

from collections.abc import Callable, Iterator
from contextlib import closing
from random import Random
from time import monotonic

import msgspec
import pytest

from club import late_tables
from club.database import Pool
from club.late_tables import take_due
from club.people import forget_name
from club.telling import Teller
from firmware.language.speaking import LANGUAGE
from referee.games.coyote import COYOTE
from referee.public_moment import PublicMoment
from referee.record import record_lines
from tests.club.databases import values
from tests.club.late_evenings import (
    LATE,
    LateReport,
    moment_after,
    pass_time,
    play_late_evening,
    say_late,
    seen_late,
    send,
)
from tests.club.opened import Club
from tests.club.said import untold
from tests.tiers import tiered
from tests.waiting import until
from tests.webui.matches import play_match

BODIES = record_lines(play_match(COYOTE, ("Ana", "Bo", "Chloé"), 1))
KEPT = "SELECT count(*) FROM situations"


@pytest.fixture
def teller(pool: Pool) -> Iterator[Teller]:
    with closing(Teller(pool, LANGUAGE)) as opened:
        yield opened


@pytest.fixture
def play(club: Club, teller: Teller) -> Callable[[int], PublicMoment]:
    """Let a table that is late play on up to a line; the moment after it is given."""
    say_late(club.pool, LATE)
    lines = [0]

    def play_to(number: int) -> PublicMoment:
        send(club.pool, teller, BODIES[lines[0] : number], first=lines[0])
        lines[0] = number
        return moment_after(BODIES[:number])

    return play_to


@pytest.mark.parametrize("seed", range(tiered(1, 3)))
def test_nothing_that_is_not_old_enough_leaves(club: Club, teller: Teller, seed: int) -> None:
    report = LateReport()
    play_late_evening(club, teller, Random(seed), report)
    assert report.pages > 50
    assert report.early == []


def test_the_director_sees_all_at_once(club: Club, play: Callable[[int], PublicMoment]) -> None:
    play(len(BODIES))
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


def test_what_was_seen_already_stays_when_a_host_chooses_to_be_late(
    club: Club, play: Callable[[int], PublicMoment]
) -> None:
    say_late(club.pool, 0)
    first = play(10)
    say_late(club.pool, LATE)
    assert seen_late(club.pool) == first
    second = play(20)
    assert seen_late(club.pool) == first
    say_late(club.pool, 0)
    assert seen_late(club.pool) == second
    say_late(club.pool, LATE)
    assert seen_late(club.pool) == second


def test_a_clock_that_is_set_forward_shows_nothing_early(
    club: Club, play: Callable[[int], PublicMoment], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = play(10)
    pass_time(club.pool, LATE)
    play(20)
    assert seen_late(club.pool) == first
    # what was said is older by the clock that was set, and by no other
    pass_time(club.pool, LATE)
    monkeypatch.setattr(late_tables, "monotonic", lambda: monotonic() - LATE * 60)
    assert seen_late(club.pool) == first
    assert "Chloé" not in club.phone().get("/history")
    pass_time(club.pool, LATE - 1)
    assert seen_late(club.pool) == first
    pass_time(club.pool, 1)
    assert seen_late(club.pool) == moment_after(BODIES[:20])


def test_other_programs_are_told_once_it_is_old_enough(club: Club) -> None:
    pool, told = club.pool, list[tuple[str, PublicMoment]]()

    def note(table: str, moment: bytes) -> None:
        told.append((table, msgspec.json.decode(moment, type=PublicMoment)))

    def are_told(*lines: int) -> None:
        def look() -> bool:
            for due in take_due(pool):
                note(*due)
            return len(told) == len(lines)

        until(look)
        assert told == [("table-1", moment_after(BODIES[:each])) for each in lines]

    with closing(Teller(pool, LANGUAGE, note)) as teller:
        say_late(pool, LATE)
        send(pool, teller, BODIES[:10])
        pass_time(pool, 5)
        send(pool, teller, BODIES[10:20], first=10)
        assert told == []
        pass_time(pool, 5)
        are_told(10)
        # not late any more: what waits is told at once
        say_late(pool, 0)
        are_told(10, 20)
        assert values(pool, KEPT) == [2]
        pass_time(pool, 60)
        send(pool, teller, BODIES[20:30], first=20)
        are_told(10, 20, 30)


def test_a_forgotten_name_is_in_nothing_that_waits(club: Club, play: Callable[[int], PublicMoment]) -> None:
    play(10)
    with club.pool.connection() as db:
        forget_name(db, "Chloé", "secret")
    until(lambda: not untold(club.pool))
    pass_time(club.pool, LATE)
    kept = values(club.pool, "SELECT situation::text FROM situations")
    assert kept
    assert not any("Chlo" in text for text in kept)
