"""The wall clock, for display only: a Pi's may jump, so it never decides an order."""

from datetime import datetime, time
from time import tzset


def now() -> datetime:
    """Return the current time in the current time zone."""
    # apply a changed time zone without a restart
    tzset()
    return datetime.now().astimezone()


def timestamp() -> str:
    return now().isoformat(timespec="seconds")


def exact_timestamp() -> str:
    """Return the start time of a match, unique even if the clock restarts each day."""
    return now().isoformat(timespec="microseconds")


def time_of_day() -> time:
    return now().time()
