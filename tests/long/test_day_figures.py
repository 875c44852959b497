"""What a long day tells: a leak is found, and what only warms up or wavers is none; times in their order."""

import pytest
from msgspec.structs import replace

from tests.long.day_figures import FastClock, Sample, clock_faults, held, leaks, longest_silence

STEADY = [Sample(hour, 400.0 + hour % 2, 40, 30, 1000 * hour) for hour in range(24)]


def test_a_table_that_warms_up_and_wavers_has_no_leak() -> None:
    warming = [replace(each, memory=100.0 + 40 * each.hours) for each in STEADY[:8]]
    assert leaks([*warming, *STEADY[8:]]) == []
    assert held(STEADY, lambda sample: sample.threads).last == 40


@pytest.mark.parametrize(
    ("what", "least", "hourly"), [("memory", 300, 15), ("threads", 40, 1), ("files", 30, 1)]
)
def test_what_grows_all_day_is_a_leak(what: str, least: int, hourly: int) -> None:
    (told,) = leaks([replace(each, **{what: least + hourly * int(each.hours)}) for each in STEADY])
    assert told.startswith(f"more and more {what}")


def test_times_that_go_back_or_lie_outside_are_faults() -> None:
    assert clock_faults([10.0, 20.0, 19.5, 30.0], 10.0, 30.0, 1.0) == []
    assert len(clock_faults([10.0, 20.0, 15.0], 10.0, 30.0, 1.0)) == 1
    assert len(clock_faults([5.0, 20.0, 40.0], 10.0, 30.0, 1.0)) == 2


def test_silence_lasts_up_to_the_end() -> None:
    assert longest_silence([0.0, 5.0, 6.0], 20.0) == 14.0


def test_a_fast_clock_shows_hours_in_minutes() -> None:
    clock = FastClock(begun=1e9, since=2e9, speed=100.0)
    assert clock.at(2e9 + 36) == 1e9 + 3600
    assert clock.hours(2e9 + 36) == 1.0
