"""The clock on the wall, for people to read and never for order; a Pi has none, and it may jump."""

from datetime import datetime, time
from time import tzset


def now() -> datetime:
    """Look at the clock, in the time zone that holds by now."""
    # a new time zone holds without a restart
    tzset()
    return datetime.now().astimezone()


def timestamp() -> str:
    return now().isoformat(timespec="seconds")


def exact_timestamp() -> str:
    """Return when a match begins: no other has the same, also where a clock starts anew each day."""
    return now().isoformat(timespec="microseconds")


def time_of_day() -> time:
    return now().time()
