"""Limits of attempts and guesses, on both sides of each bound, and what strangers tried within an hour."""

import pytest

from webui.access.attempt_limits import AttemptLimit
from webui.access.guess_limits import GuessLimit, wait_after
from webui.access.incidents import Incident, Incidents

HOUR = 3600.0


class Clock:
    """Time that a test moves."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.now = 50_000.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now


def tries(limit: AttemptLimit | GuessLimit, who: str, times: int) -> list[bool]:
    """Try several times, and list what was allowed."""
    return [limit.may_try(who) for _time in range(times)]


# Attempts within a minute


def test_an_address_has_six_attempts_a_minute() -> None:
    limit = AttemptLimit(Clock())
    assert tries(limit, "Ana", 8) == [True] * 6 + [False] * 2
    assert limit.may_try("Bo")


def test_all_addresses_have_sixty_attempts_a_minute() -> None:
    limit = AttemptLimit(Clock())
    assert all(limit.may_try(f"address {number}") for number in range(60))
    assert not limit.may_try("one more")


def test_attempts_count_for_a_minute_and_no_longer() -> None:
    clock = Clock()
    limit = AttemptLimit(clock, each=1)
    assert tries(limit, "Ana", 2) == [True, False]
    clock.now += 59.9
    assert not limit.may_try("Ana")
    clock.now += 0.1
    assert tries(limit, "Ana", 2) == [True, False]


def test_what_was_refused_is_not_counted() -> None:
    clock = Clock()
    limit = AttemptLimit(clock, each=1)
    assert limit.may_try("Ana")
    clock.now += 30
    assert not limit.may_try("Ana")
    clock.now += 30
    assert limit.may_try("Ana")


def test_the_newest_attempt_of_one_address_is_forgotten_and_nobody_elses() -> None:
    clock = Clock()
    limit = AttemptLimit(clock, each=2)
    assert limit.may_try("Ana")
    clock.now += 30
    assert [limit.may_try("Ana"), *tries(limit, "Bo", 2)] == [True] * 3
    limit.forget_last("Ana")
    assert not limit.may_try("Bo")
    clock.now += 30
    assert tries(limit, "Ana", 3) == [True, True, False]
    limit.forget_last("nobody")


def test_an_attempt_that_is_forgotten_may_be_made_again() -> None:
    limit = AttemptLimit(Clock(), each=1)
    for _time in range(3):
        assert limit.may_try("Ana")
        limit.forget_last("Ana")
    assert tries(limit, "Ana", 2) == [True, False]


# Wrong guesses


@pytest.mark.parametrize(
    ("wrong", "seconds"),
    [(0, 0), (5, 0), (6, 15), (7, 30), (8, 60), (12, 960), (13, 1800), (14, 1800), (1000, 1800)],
)
def test_the_wait_doubles_from_fifteen_seconds_to_half_an_hour(wrong: int, seconds: float) -> None:
    assert wait_after(wrong) == seconds


def test_a_seventh_guess_waits_fifteen_seconds_and_the_next_one_thirty() -> None:
    clock = Clock()
    limit = GuessLimit(clock)
    assert tries(limit, "Ana", 8) == [True] * 6 + [False] * 2
    for wait in (15, 30, 60):
        clock.now += wait - 0.1
        assert not limit.may_try("Ana")
        clock.now += 0.1
        assert tries(limit, "Ana", 2) == [True, False]


def test_one_who_waits_holds_nobody_else_up() -> None:
    limit = GuessLimit(Clock())
    tries(limit, "Ana", 7)
    assert limit.may_try("Bo")


def test_a_right_guess_is_forgotten() -> None:
    limit = GuessLimit(Clock())
    for _time in range(20):
        assert limit.may_try("Ana")
        limit.forget("Ana")
    limit.forget("nobody")


def test_guesses_are_forgotten_after_six_hours_without_one() -> None:
    for hours, allowed in ((6 * HOUR, 1), (6 * HOUR + 1, 6)):
        clock = Clock()
        limit = GuessLimit(clock)
        tries(limit, "Ana", 6)
        clock.now += hours
        assert sum(tries(limit, "Ana", 10)) == allowed


def test_five_thousand_addresses_are_remembered_and_the_longest_silent_goes() -> None:
    limit = GuessLimit(Clock(), free=1)
    assert limit.may_try("first")
    assert all(limit.may_try(f"address {number}") for number in range(4999))
    assert not limit.may_try("first")
    assert limit.may_try("one more")
    assert limit.may_try("first")
    assert not limit.may_try("one more")


# Incidents


def test_incidents_of_an_hour_are_counted_the_most_frequent_first() -> None:
    clock = Clock()
    incidents = Incidents(clock)
    incidents.note("guess", "old")
    clock.now += 1
    for kind, address in (("flood", "Ana"), ("guess", "Bo"), ("guess", "Bo")):
        incidents.note(kind, address)  # type: ignore[arg-type]
    clock.now += HOUR - 1
    assert incidents.recent() == [Incident("guess", "Bo", 2), Incident("flood", "Ana", 1)]
    clock.now += 1
    assert incidents.recent() == []


def test_a_flood_of_incidents_is_remembered_up_to_a_thousand() -> None:
    incidents = Incidents(Clock())
    for _time in range(1001):
        incidents.note("flood", "Ana")
    assert incidents.recent() == [Incident("flood", "Ana", 1000)]
